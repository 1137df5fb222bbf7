"""What the steps of a policy make of a request, on top of what is frozen of it. No IO: fit for a thread.

The very same is done when a request is sent, and on a copy before, to find out what it will need.
"""

from __future__ import annotations

from collections.abc import Sequence

from gateway.core.conversation import Conversation
from gateway.core.frozen import replace
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


def compaction(subject: Subject, base: Checkpoint | None, steps: Sequence[Step], aim: Room) -> Result:
    """Return the view after the steps, with the ledger of what they took away.

    What would be refused for sure climbs the ladder: what a refusal would lead to is done at once.
    """
    work = _Work(subject, steps, replace(aim, messages=aim.messages or fewer_of(subject, base)))
    return with_ledger(view_of(subject, base), work.aim, work.most, work.all, work.light)


class _Work:
    """Takes the steps of a policy on a view, the light ones no more than once for the same room."""

    def __init__(self, subject: Subject, steps: Sequence[Step], aim: Room) -> None:
        self.aim = aim
        self.most = most_of(subject)
        self._subject = subject
        self._steps = steps
        self._begun: dict[tuple[int, int], tuple[Conversation, int, Result, Sequence[Step]]] = {}

    def light(self, view: Conversation, kept: Kept) -> Result | None:
        """Return what light steps leave, beside what is *kept* free; None: heavier ones have to follow.

        What they leave as it is needs nothing that is kept free.
        """
        key = id(view), kept.tokens
        if key not in self._begun:
            room = less(self.aim, kept)
            self._begun[key] = view, room.target, *light_steps(view, self._steps, room)
        _, _, result, left = self._begun[key]
        is_enough = self._is_accepted(result.view, kept) or result.view.messages == view.messages
        return result if is_enough and not left else None

    def all(self, view: Conversation, kept: Kept) -> Result:
        """Return what all steps leave, beside what is *kept* free, and the ladder where that is too much."""
        room = less(self.aim, kept)
        result = self._taken(view, room)
        if self._is_accepted(result.view, kept):
            return result
        must = replace(room, target=max(fits_of(self._subject) - kept.tokens, 1))
        return climb(result, self._subject.policy, room, must, fits_in(self.most - kept.tokens))

    def _taken(self, view: Conversation, room: Room) -> Result:
        for came, target, result, left in self._begun.values():
            is_done = result.view.tokens > max(target, room.target)
            # Light steps have done all they can in either room, and what follows is due by its size alone.
            if came is view and left and left[0].when is None and is_done:
                return going_on(result, left, room)
        return run_steps(view, self._steps, room)

    def _is_accepted(self, view: Conversation, kept: Kept) -> bool:
        return view.tokens <= self.most - kept.tokens or not self._subject.window.source.certain
