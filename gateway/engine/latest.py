"""The latest user message: what is frozen may hold it cut, and it goes out as it came wherever it fits.

The last rungs cut it where nothing else was left to give. The request after that may have room for it: its
results were compacted, the end of the list was taken back, another window was learned. Then it takes its
place again, once, and is frozen as it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from gateway.core.conversation import Conversation, Role
from gateway.core.frames import is_frame
from gateway.core.frozen import replace
from gateway.core.recent import Recent
from gateway.engine.lineage import MAX_REFUSED, Place
from gateway.engine.replay import replayed, size_on
from gateway.engine.sizes import tokens_at
from gateway.engine.subject import Plan, Subject
from gateway.store.base import Checkpoint
from gateway.strategies.place import looks_like_digest

FAR_BELOW = 0.9
"""Share of what was refused that is tried again."""


def is_answerable(subject: Subject, base: Checkpoint) -> bool:
    """Return whether what is frozen still asks for the latest of a list, be it cut.

    Made for a longer list, it may have left out what now is the latest user message.
    """
    at = subject.counted.last_user
    return at is None or not _is_inside(at, base) or _place_of(subject, base, at) is not None


def uncut(subject: Subject, base: Checkpoint) -> Checkpoint | None:
    """Return what is frozen with the latest user message as it came; None if it does not hold it cut."""
    at = subject.counted.last_user
    place = _place_of(subject, base, at) if at is not None and _is_inside(at, base) else None
    if at is None or place is None:
        return None
    cut = base.items[place]
    assert isinstance(cut, bytes)
    more = subject.counted.facts[at].tokens - subject.wire.message(cut, subject.count).tokens
    items = (*base.items[:place], at, *base.items[place + 1 :])
    whole = replace(base, items=items, tokens=base.tokens + more, window=subject.window.tokens or 0)
    return replace(whole, whole_tokens=size_on(subject, whole))


def keeps_request(subject: Subject, fits: int) -> Callable[[Conversation], bool]:
    """Return what tells whether the latest user message stands in a view as it came, and the view fits."""
    at = subject.counted.last_user
    return lambda view: view.tokens <= fits and any(message.origin == at for message in view.messages)


def _is_inside(at: int, base: Checkpoint) -> bool:
    """Return whether a message of the list is among those that are replaced, and not one that stays."""
    return at < base.length and at not in base.items


def _place_of(subject: Subject, base: Checkpoint, at: int) -> int | None:
    """Return where among what is frozen the cut form of a user message stands.

    No step changes the order. So it is the last in which a user asks, before the next that is as it came.
    """
    for place in reversed(range(len(base.items))):
        item = base.items[place]
        if isinstance(item, int):
            if item < at:
                break
            continue
        message = subject.wire.message(item, subject.count)
        if message.role is Role.USER and not looks_like_digest(message) and not is_frame(message.text):
            return place
    return None


class Latest:
    """Decides when it takes its place again. One per process."""

    def __init__(self) -> None:
        self._refused: Recent[tuple[Place, bytes], int] = Recent(MAX_REFUSED)
        """Lists up to such a message that was cut since they were refused: how many tokens at the least."""

    def replay(self, subject: Subject, base: Checkpoint) -> Plan:
        """Return the plan that replays what is frozen, the latest user message as it came if it has room."""
        whole = uncut(subject, base)
        if whole is None or not self._has_room(subject, base, whole):
            return replayed(subject, base)
        return replace(replayed(subject, whole), checkpoint=whole)

    def refused(self, subject: Subject, refused: Plan, plan: Plan) -> None:
        """Take note that the upstream has *refused* something, and of the plan to send in place of it."""
        at, made = subject.counted.last_user, plan.checkpoint
        if at is not None and made is not None and _is_inside(at, made):
            key, size = _key(subject, at), refused.tokens - subject.counted.extras_tokens
            self._refused.put(key, min(self._refused.get(key, size), size))

    def _has_room(self, subject: Subject, base: Checkpoint, whole: Checkpoint) -> bool:
        """Return whether it fits for sure: else it would be cut again, and the cache be lost twice."""
        size = whole.whole_tokens
        if size <= base.whole_tokens:
            return True  # as much was accepted with it cut
        if subject.budget is None:
            return False
        if (subject.window.tokens or 0) > base.window:
            return size <= subject.budget.tokens
        refused = self._refused.get(_key(subject, subject.counted.last_user or 0), sys.maxsize)
        return size < min(tokens_at(subject.policy.trigger, subject, sys.maxsize), refused * FAR_BELOW)


def _key(subject: Subject, at: int) -> tuple[Place, bytes]:
    return subject.place, subject.counted.chain()[at]
