"""Decisions to be made anew, once, because what they lacked is written by now.

At the trigger a request goes out without what a model would write, for nobody waits. When all of that is
there, the conversation is compacted from where that request was: with `mode: next` in the next request, and
the boundary moves once more; with `mode: background`, where a summary came too late, when it moves anyway.
Held in the process; after a restart the store tells it (`engine.late`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gateway.core.frozen import replace
from gateway.core.memo import Facts
from gateway.core.recent import Recent
from gateway.engine.lineage import Place
from gateway.store.base import Checkpoint

MAX_NOTES = 10_000
"""Conversations remembered at once."""


class Before(NamedTuple):
    """Where a decision was made from."""

    prefix: bytes
    """Of what was frozen then; empty: nothing was."""
    is_urgent: bool
    """Whether the boundary is worth a move of its own."""


class Afresh:
    """The decisions of this process that can be made better."""

    def __init__(self, most: int = MAX_NOTES) -> None:
        self._notes: Recent[tuple[Place, bytes], Before] = Recent(most)

    def note(self, place: Place, prefix: bytes, before: Before) -> None:
        """Take note that the decision with that prefix can be made better, from where it was made."""
        self._notes.put((place, prefix), before)

    def find(self, place: Place, prefix: bytes, is_moving: bool) -> bytes | None:
        """Return from which prefix on a decision is to be made anew; None: it stands.

        *is_moving*: the boundary moves anyway.
        """
        before = self._notes.get((place, prefix)) if self._notes else None
        return before.prefix if before is not None and (is_moving or before.is_urgent) else None

    def done(self, place: Place, prefix: bytes) -> None:
        """Take note that it was made anew, or that nothing came of it: once is enough."""
        self._notes.pop((place, prefix), None)


class Later:
    """What one decision lacks, while it is being written: it is made anew when all of that is over."""

    def __init__(self, afresh: Afresh, place: Place, prefix: bytes, before: Before) -> None:
        self.prefix = prefix
        self._afresh = afresh
        self._place = place
        self._before = before
        self._waits_for = 1
        self._is_better = False

    def begin(self) -> None:
        """Wait for one text more."""
        self._waits_for += 1

    def end(self, is_written: bool = False) -> None:
        """Wait for one less: a text that is written or not, or the search for them."""
        self._waits_for -= 1
        self._is_better = self._is_better or is_written
        if not self._waits_for and self._is_better:
            self._afresh.note(self._place, self.prefix, self._before)


def reaching(
    checkpoint: Checkpoint, length: int, chain: Sequence[bytes], facts: Sequence[Facts]
) -> Checkpoint:
    """Return the checkpoint over at least so many messages of the list: those that it lacks are as they came.

    So it takes the place of one that reaches as far, which would else be found before it.
    """
    more = range(checkpoint.length, length)
    if not more:
        return checkpoint
    return replace(
        checkpoint,
        prefix=chain[length - 1],
        length=length,
        items=(*checkpoint.items, *more),
        tokens=checkpoint.tokens + sum(facts[at].tokens for at in more),
    )
