"""Have the texts of pieces written that the steps of a policy will ask for, after an answer or for a client.

Each is written once, whoever asks: while that goes on, others of the same lineage go on with what they have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gateway.engine.attempt import Ask
from gateway.engine.away import unless_away
from gateway.engine.counting import Counting
from gateway.engine.flights import Flight, Flights, job_of
from gateway.engine.pieces import Reading, last_of
from gateway.engine.pieces_wanted import Looks, firsts, missed, missed_by
from gateway.engine.prepared import Summaries, asks_pieces, piece_rules
from gateway.engine.subject import Plan, Subject
from gateway.engine.summary_material import Find
from gateway.engine.summary_state import Texts
from gateway.store.base import Checkpoint
from gateway.strategies.base import Summary
from gateway.strategies.piece import Piece

MAX_PIECES = 8
"""Pieces begun at one look, the oldest first, for steps begin with them: each is a call of a model, half of
what a tenant may have waiting. The others are found at the next look."""


class Ahead:
    """Finds out what is missing, and has it written. One per process."""

    def __init__(
        self,
        flights: Flights,
        summaries: Summaries,
        counting: Counting,
        find: Find,
        failed_open: Callable[[str], None],
    ) -> None:
        self._flights = flights
        self._summaries = summaries
        self._counting = counting
        self._find = find
        self._failed_open = failed_open
        self._looks = Looks()

    def is_due(self, subject: Subject) -> bool:
        """Return whether a list is worth looking at: its policy asks a model, and something may be new."""
        if not asks_pieces(subject.policy.steps):
            return False
        if self._flights.has_pieces(subject.place, subject.counted.chain()):
            return False
        return self._looks.is_due(subject, piece_rules(subject.policy))

    async def look(
        self, ask: Ask, subject: Subject, base: Checkpoint | None, summary: Summary | None
    ) -> Sequence[Flight]:
        """Return the texts that are begun now for what steps will ask for on top of *base*."""
        reading, rules = Reading.of(subject, self._summaries), piece_rules(subject.policy)
        if reading is None:
            return ()
        find, size_bytes = self._find, len(ask.request.body)
        pieces = await self._missed(
            lambda: missed(subject, base, reading, summary, find), reading, size_bytes
        )
        pieces = firsts(self._possible(subject, pieces), base)
        self._looks.note(subject, rules, is_done=not pieces)
        return self._all_begun(ask, subject, pieces, base.length if base is not None else 0)

    async def texts(self, ask: Ask, subject: Subject, plan: Plan, summary: Summary | None) -> Texts | None:
        """Return how many texts there are for a plan, and are not; None: no step uses any. None is begun."""
        reading, rules = Reading.of(subject, self._summaries), piece_rules(subject.policy)
        if reading is None:
            return None
        find, size_bytes = self._find, len(ask.request.body)
        pieces = await self._missed(
            lambda: missed_by(subject, plan, reading, summary, find), reading, size_bytes
        )
        writing = sum(self._flights.piece(subject.place, rules, one.key) is not None for one in pieces)
        return Texts(len(reading.found), writing, len(pieces) - writing)

    def begin(self, ask: Ask, subject: Subject, pieces: Iterable[Piece]) -> Sequence[Flight]:
        """Return what is being written of some pieces that a request needs now, as far as it may be begun."""
        wanted = firsts(self._possible(subject, pieces), None)
        return self._all_begun(ask, subject, wanted, len(subject.counted.facts))

    def _possible(self, subject: Subject, pieces: Iterable[Piece]) -> list[Piece]:
        return [piece for piece in pieces if not self._flights.is_given_up(subject.place, [piece.key])]

    def _all_begun(
        self, ask: Ask, subject: Subject, pieces: Sequence[Piece], frozen: int
    ) -> Sequence[Flight]:
        """Return what is being written of some pieces; they may be about what the list was compacted to.

        *frozen*: up to there that may be so.
        """
        rules = piece_rules(subject.policy)
        found: list[Flight] = []
        for piece in pieces[:MAX_PIECES]:
            flight = self._flights.piece(subject.place, rules, piece.key)
            flight = flight or self._begun(ask, subject, rules, piece, frozen)
            if flight is not None:
                found.append(flight)
        return found

    def _begun(self, ask: Ask, subject: Subject, rules: str, piece: Piece, frozen: int) -> Flight | None:
        chain = subject.counted.chain()
        origins = frozenset(message.origin for message in piece.messages if message.origin is not None)
        job = job_of(ask, subject, messages=piece.messages, previous="", ask=piece.ask, piece=piece)
        length = max(max(origins, default=0) + 1, frozen)
        mark = chain[length - 1]
        flight = Flight(subject.place, rules, piece.key, length, frozenset(chain), mark, job, origins)
        return flight if self._flights.begin(flight) else None

    async def _missed(
        self, look: Callable[[], Sequence[Piece]], reading: Reading, size_bytes: int
    ) -> Sequence[Piece]:
        """Return what steps ask for and neither this process nor the store has, *look* running them."""
        return await last_of(
            lambda: self._counting.off_loop(look, size_bytes),
            lambda: unless_away(reading.load(), self._failed_open, "store_read"),
        )
