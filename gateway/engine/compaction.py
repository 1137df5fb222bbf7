"""What the steps of a policy make of a request, on top of what is frozen of it. No IO: fit for a thread.

The very same is done when a request is sent, and on a copy before, to find out what it will need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gateway.core.conversation import Conversation
from gateway.engine.crowd import fewer_of
from gateway.engine.pipeline import Result, climb, fits_in, less, run_steps, with_ledger
from gateway.engine.replay import view_of
from gateway.engine.sizes import fits_of, most_of
from gateway.engine.subject import Subject
from gateway.policy.schema import Step
from gateway.store.base import Checkpoint
from gateway.strategies.base import Room
from gateway.strategies.carry import Kept


def compaction(subject: Subject, base: Checkpoint | None, steps: Sequence[Step], aim: Room) -> Result:
    """Return the view after the steps, with the ledger of what they took away.

    What would be refused for sure climbs the ladder: what a refusal would lead to is done at once.
    """
    most = most_of(subject)
    aim = replace(aim, messages=aim.messages or fewer_of(subject, base))

    def steps_taken(view: Conversation, kept: Kept) -> Result:
        room = less(aim, kept)
        result = run_steps(view, steps, room)
        accepted = fits_in(most - kept.tokens)
        if accepted(result.view) or not subject.window.source.certain:
            return result
        must = replace(room, target=max(fits_of(subject) - kept.tokens, 1))
        return climb(result, subject.policy, room, must, accepted)

    return with_ledger(view_of(subject, base), aim, most, steps_taken)
