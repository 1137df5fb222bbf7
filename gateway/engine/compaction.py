"""What the steps of a policy make of a request, on top of what is frozen of it. No IO: fit for a thread.

The very same is done when a request is sent, and on a copy before, to find out what it will need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gateway.core.conversation import Conversation
from gateway.engine.crowd import fewer_of
from gateway.engine.pipeline import (
    Result,
    climb,
    fits_in,
    going_on,
    less,
    light_steps,
    run_steps,
    with_ledger,
)
from gateway.engine.replay import view_of
from gateway.engine.sizes import fits_of, most_of
from gateway.engine.subject import Subject
from gateway.policy.schema import Step
from gateway.store.base import Checkpoint
from gateway.strategies.base import Room
from gateway.strategies.carry import Kept
from gateway.strategies.place import has_digest


def compaction(subject: Subject, base: Checkpoint | None, steps: Sequence[Step], aim: Room) -> Result:
    """Return the view after the steps, with the ledger of what they took away.

    What would be refused for sure climbs the ladder: what a refusal would lead to is done at once.
    """
    most = most_of(subject)
    aim = replace(aim, messages=aim.messages or fewer_of(subject, base))
    came = view_of(subject, base)
    # A digest is parted from its ledger before any step.
    light, left = (Result(came), steps) if has_digest(came) else light_steps(came, steps, aim)

    def is_accepted(view: Conversation, kept: Kept) -> bool:
        return view.tokens <= most - kept.tokens or not subject.window.source.certain

    def steps_taken(view: Conversation, kept: Kept) -> Result:
        room = less(aim, kept)
        is_begun = view is came and left is not steps and bool(left)
        result = going_on(light, left, room, True) if is_begun else run_steps(view, steps, room)
        if is_accepted(result.view, kept):
            return result
        must = replace(room, target=max(fits_of(subject) - kept.tokens, 1))
        return climb(result, subject.policy, room, must, fits_in(most - kept.tokens))

    is_enough = not left and is_accepted(light.view, Kept())
    return with_ledger(came, aim, most, steps_taken, light if is_enough else None)
