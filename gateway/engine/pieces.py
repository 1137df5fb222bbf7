"""What the steps of one compaction ask a model's texts for: found where it is ready, kept in mind where not.

A step cannot wait, and may run in a thread, so it is only ever told what this process holds. What it asked
for in vain is then looked for in the store, or written, and the steps are run again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from gateway.core.conversation import Count
from gateway.engine.lineage import Place
from gateway.engine.prepared import Summaries, asks_pieces, piece_rules
from gateway.engine.subject import Subject
from gateway.strategies import notes
from gateway.strategies.piece import Piece

T = TypeVar("T")

Write = Callable[[Sequence[Piece]], Awaitable[None]]

MAX_RUNS = 3
"""How often steps are run when texts are found that they had asked for: with those they ask for others."""


async def last_of(run: Callable[[], Awaitable[T]], turns_up: Callable[[], Awaitable[object]]) -> T:
    """Return what steps make, run once more as long as something *turns_up* that they had asked for."""
    for _ in range(MAX_RUNS):
        made = await run()
        if not await turns_up():
            break
    return made


class Reading:
    """Tells steps what a model wrote of a piece (`strategies.base.Room.written`)."""

    def __init__(
        self, summaries: Summaries, place: Place, rules: str, count: Count, write: Write | None = None
    ) -> None:
        """*write* has pieces written, and waits for them; None: nobody waits."""
        self._summaries = summaries
        self._place = place
        self._rules = rules
        self._count = count
        self._write = write
        self.found: set[bytes] = set()
        self.missed: dict[bytes, Piece] = {}

    @classmethod
    def of(cls, subject: Subject, summaries: Summaries | None, waits: bool = False) -> Reading | None:
        """Return what the steps of a policy may ask; None: none of them does.

        If it *waits*, what they ask for in vain may be written meanwhile.
        """
        if summaries is None or not asks_pieces(subject.policy.steps):
            return None
        write = partial(subject.asked.write, subject) if waits and subject.asked.write is not None else None
        return cls(summaries, subject.place, piece_rules(subject.policy), subject.count, write)

    def __call__(self, piece: Piece) -> str | None:
        """Return the text of a piece, no longer than it may be; None: there is none."""
        text = self._summaries.text(self._place, self._rules, piece.key)
        if text is None:
            self.missed[piece.key] = piece
            return None
        self.found.add(piece.key)
        # It may have been counted in another vocabulary when it was written.
        return notes.beginning(text, piece.max_tokens, self._count) or None

    def begin(self) -> None:
        """Forget what was asked for: the steps are run anew."""
        self.found.clear()
        self.missed.clear()

    def has_any(self, keys: Iterable[bytes]) -> bool:
        """Return whether the text of any of these is held."""
        return any(self._summaries.text(self._place, self._rules, key) is not None for key in keys)

    async def load(self) -> bool:
        """Look into the store for what was asked for in vain; return whether any is there.

        Raise StoreError.
        """
        return bool(self.missed) and await self._summaries.load(self._place, self._rules, self.missed)

    async def written(self) -> bool:
        """Wait for what was asked for in vain, if anybody waits; return whether any is there."""
        if self._write is None or not self.missed:
            return False
        await self._write(tuple(self.missed.values()))
        return self.has_any(self.missed)

    def settled(self) -> None:
        """Take note of what was used."""
        self._summaries.used(self._place, self._rules, self.found)
