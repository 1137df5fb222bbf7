"""What a restart makes the process forget: that a text was written after the decision it was wanted for.

The store tells it. A decision that is younger than the text had it, or did not want it; one that is older
went out without. It was made from what was decided before it, so it can be made anew from there, as in the
process that had made it (`engine.afresh`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from gateway.engine.afresh import Before
from gateway.engine.boundary import usable_by
from gateway.engine.counting import Counting
from gateway.engine.lineage import Checkpoints
from gateway.engine.pieces import Reading, last_of
from gateway.engine.pieces_wanted import missed
from gateway.engine.prepared import Summaries, piece_rules, rules_of, summarizing
from gateway.engine.settler import Settler
from gateway.engine.subject import Subject
from gateway.store.base import Checkpoint


class Late:
    """Looks it up, once for each decision that is found in the store. One per process."""

    def __init__(
        self, checkpoints: Checkpoints, summaries: Summaries, counting: Counting, settler: Settler
    ) -> None:
        self._checkpoints = checkpoints
        self._summaries = summaries
        self._counting = counting
        self._settler = settler

    async def look(self, subject: Subject, chain: Sequence[bytes], made: Checkpoint) -> None:
        """Take note if a stored decision can be made better with what was written since."""
        rules = subject.policy.summarizer
        if rules.mode == "inline" or not subject.policy.uses_model:
            return
        unless_away = self._settler.unless_away
        earlier = chain[: made.length - 1]
        base = await unless_away(self._checkpoints.stored(subject.place, earlier, usable_by(subject)))
        if await unless_away(self._is_late(subject, chain, made, base)):
            before = Before(base.prefix if base is not None else b"", is_urgent=rules.mode == "next")
            self._summaries.afresh.note(subject.place, made.prefix, before)

    async def _is_late(
        self, subject: Subject, chain: Sequence[bytes], made: Checkpoint, base: Checkpoint | None
    ) -> bool:
        """Return whether a text was written after a decision that lacks it. Raise StoreError."""
        is_next = subject.policy.summarizer.mode == "next"
        step = summarizing(subject.policy.steps)
        if step is not None:
            found = await self._summaries.find(subject.place, rules_of(subject.policy, step), chain)
            # One that reaches over more than what the decision tells can be used on top of it.
            if found is not None and found.created_at > made.created_at:
                return is_next or found.length <= told(made)
        # Of pieces that are overtaken none is written to its end.
        return is_next and await self._is_written(subject, chain, made, base)

    async def _is_written(
        self, subject: Subject, chain: Sequence[bytes], made: Checkpoint, base: Checkpoint | None
    ) -> bool:
        """Return whether steps find a piece that was written after a decision. Raise StoreError."""
        reading, find = Reading.of(subject, self._summaries), self._settler.find
        if reading is None:
            return False
        summary = await self._settler.summary(subject, list(chain), base, waits=False)
        size_bytes = len(subject.request.body)
        look = partial(missed, subject, base, reading, summary, find)
        await last_of(lambda: self._counting.off_loop(look, size_bytes), reading.load)
        rules = piece_rules(subject.policy)
        return self._summaries.has_since(subject.place, rules, reading.found, made.created_at)


def told(made: Checkpoint) -> int:
    """Return how many of the client's messages a decision tells of: up to the last that is not as it came."""
    kept = frozenset(item for item in made.items if isinstance(item, int))
    return next((at + 1 for at in range(made.length - 1, -1, -1) if at not in kept), 0)
