"""Have what models write ready before it is needed: after an answer, beside the requests.

One job for a beginning of a conversation, or for a piece of it, whoever asks: while one runs, others of the
same lineage go on with what they have (`engine.flights`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Literal

from gateway.core.ledger.find import find
from gateway.engine.afresh import Before, Later
from gateway.engine.attempt import Ask
from gateway.engine.away import unless_away
from gateway.engine.counting import Counting
from gateway.engine.flights import Flight, Flights, Writer, job_of
from gateway.engine.pieces import Reading
from gateway.engine.pieces_ahead import Ahead
from gateway.engine.prepared import Summaries, ready, rules_of, summarizing
from gateway.engine.subject import Action, Plan, Subject
from gateway.engine.summary_material import Find
from gateway.engine.summary_reuse import Whole
from gateway.engine.summary_state import State, Texts, state
from gateway.engine.wanted import is_near, serves, wanted
from gateway.policy.schema import Mode
from gateway.store.base import Checkpoint
from gateway.strategies.base import Summary
from gateway.strategies.piece import Piece, unwritten

MAX_LOOKED_AT = 64
"""Requests that may wait to be looked at; each holds its body."""

REST_S = 60.0
"""How long nothing is asked of a model in the background after a client was told to slow down, where its
upstream does not say."""


class Background:
    """Decides what is to be written. One per process."""

    def __init__(
        self,
        writer: Writer,
        summaries: Summaries,
        counting: Counting,
        start: Callable[[str, Coroutine[Any, Any, None]], None],
        clock: Callable[[], float],
        failed_open: Callable[[str], None],
        find: Find = find,
    ) -> None:
        """*clock* tells Unix time in seconds; *find* finds what of a message is the ledger's."""
        self._flights = Flights(writer, summaries, start, clock, failed_open)
        self._ahead = Ahead(self._flights, summaries, counting, find, failed_open)
        self._summaries = summaries
        self._counting = counting
        self._start = start
        self._failed_open = failed_open
        self._looked_at = 0
        self._turn = asyncio.Lock()
        self._turn_of_pieces = asyncio.Lock()

    def after(self, ask: Ask, subject: Subject, plan: Plan | None) -> None:
        """Look at a request that was answered: what a model writes of it may be wanted soon."""
        if plan is None or ask.whole_first or plan.action is Action.FAILED_OPEN:
            return
        if not ask.policy.uses_model:
            return
        base = plan.standing
        if self._flights:
            later = self._later(ask, plan, "background")
            self._flights.overtake(ask.place, subject.counted.chain(), base, later)
        if not _is_due(subject, plan) or self._looked_at >= MAX_LOOKED_AT:
            return
        self._looked_at += 1
        later = self._later(ask, plan, "next")
        self._start("summary", self._look(ask, subject, plan.base if later is not None else base, later))

    def _later(self, ask: Ask, plan: Plan, mode: Literal["background", "next"]) -> Later | None:
        """Return what waits for texts that a decision lacked, if one was made and that is the mode."""
        made = plan.checkpoint
        if ask.policy.summarizer.mode != mode or plan.view is None or made is None or not made.length:
            return None
        before = Before(plan.base.prefix if plan.base is not None else b"", is_urgent=mode == "next")
        return Later(self._summaries.afresh, ask.place, made.prefix, before)

    async def summary(self, ask: Ask, subject: Subject, base: Checkpoint | None) -> None:
        """Have a summary written, and wait for it."""
        # Others may be looked at before it.
        async with self._turn:
            flight = await self._summary(ask, subject, base)
        if flight is not None:
            await flight.done.wait()

    async def pieces(self, ask: Ask, subject: Subject, pieces: Sequence[Piece]) -> None:
        """Have pieces written, and wait for them."""
        for flight in self._ahead.begin(ask, subject, pieces):
            await flight.done.wait()

    async def state(self, ask: Ask, subject: Subject, plan: Plan) -> State | None:
        """Return how far the summary of a request is that is only asked about: nothing is begun for it."""
        step = summarizing(ask.policy.steps)
        if step is None or ask.whole_first:
            return None
        rules, chain = rules_of(ask.policy, step), subject.counted.chain()
        if self._flights.summary(ask.place, rules, chain) is not None:
            return State.WRITING
        finding = self._summaries.find(ask.place, rules, chain)
        found = await unless_away(finding, self._failed_open, "store_read")
        written = Reading.of(subject, self._summaries) or unwritten
        size_bytes = len(ask.request.body)
        told = await self._counting.off_loop(lambda: state(subject, plan, found, written), size_bytes)
        if told is State.WANTED and not self._may_begin(ask, subject, chain):
            return State.PAUSED
        return told

    async def texts(self, ask: Ask, subject: Subject, plan: Plan) -> Texts | None:
        """Return how many texts of pieces such a request would find, and would lack; none is begun."""
        if ask.whole_first or subject.policy.mode is Mode.OFF:
            return None
        return await self._ahead.texts(ask, subject, plan, await self._ready(subject))

    def _may_begin(self, ask: Ask, subject: Subject, chain: Sequence[bytes]) -> bool:
        job = job_of(ask, subject, messages=(), previous="", ask="")
        return self._flights.may_begin(job) and not self._flights.is_given_up(ask.place, chain)

    def rest(self, ask: Ask, seconds: float) -> None:
        """Leave an upstream alone that told a client to slow down, for that long; 0: it does not say."""
        self._flights.rest(ask, seconds or REST_S)

    def stop(self) -> None:
        """End all that is being written: the process ends."""
        self._flights.stop()

    async def _look(self, ask: Ask, subject: Subject, base: Checkpoint | None, later: Later | None) -> None:
        try:
            # One at a time: of fifty at once one asks, and the others find that it did.
            async with self._turn:
                summary = await self._summary(ask, subject, base)
                if summary is not None and later is not None:
                    summary.then(later)
            # Of pieces too, in a line of their own: clients may wait for their turn in the other.
            async with self._turn_of_pieces:
                await self._look_for_pieces(ask, subject, base, later)
        finally:
            self._looked_at -= 1
            if later is not None:
                later.end()

    async def _look_for_pieces(
        self, ask: Ask, subject: Subject, base: Checkpoint | None, later: Later | None
    ) -> None:
        if not self._ahead.is_due(subject):
            return
        if self._flights.is_resting(job_of(ask, subject, messages=(), previous="", ask="")):
            return  # a look would find what cannot be asked for
        for piece in await self._ahead.look(ask, subject, base, await self._ready(subject)):
            if later is not None:
                piece.then(later)

    async def _summary(self, ask: Ask, subject: Subject, base: Checkpoint | None) -> Flight | None:
        """Return the summary that is being written for this lineage, begun here if one is wanted."""
        step = summarizing(ask.policy.steps)
        if step is None:
            return None
        rules, chain = rules_of(ask.policy, step), subject.counted.chain()
        flight = self._flights.summary(ask.place, rules, chain)
        if flight is None:
            flight = await self._wanted(ask, subject, base, rules, chain)
            if flight is not None and not self._flights.begin(flight):
                return None
        return flight

    async def _wanted(
        self, ask: Ask, subject: Subject, base: Checkpoint | None, rules: str, chain: Sequence[bytes]
    ) -> Flight | None:
        if self._flights.is_full(ask.place.scope) or self._flights.is_given_up(ask.place, chain):
            return None
        finding = self._summaries.find(ask.place, rules, chain)
        found = await unless_away(finding, self._failed_open, "store_read")
        if found is not None and serves(subject, base, found):
            return None
        size_bytes = len(ask.request.body)
        written = Reading.of(subject, self._summaries) or unwritten
        asked = await self._counting.off_loop(lambda: wanted(subject, base, found, written), size_bytes)
        if asked is None:
            return None
        about: dict[str, Any] = {"messages": asked.messages, "previous": asked.previous, "ask": asked.ask}
        if ask.policy.summarizer.reuse_prefix:
            about["whole"] = await self._counting.off_loop(
                lambda: Whole.of(subject, base, asked.length), size_bytes
            )
        job = job_of(ask, subject, **about)
        prefix = chain[asked.length - 1]
        return Flight(ask.place, rules, prefix, asked.length, frozenset(chain), prefix, job)

    async def _ready(self, subject: Subject) -> Summary | None:
        """Return the summary that is ready for a list, which steps will have beside texts of pieces."""
        finding = ready(self._summaries, subject, subject.counted.chain(), None, waits=False)
        return await unless_away(finding, self._failed_open, "store_read")


def _is_due(subject: Subject, plan: Plan) -> bool:
    """Return whether it is looked at what is to be written; who waits for it has asked before the answer."""
    return subject.policy.summarizer.mode != "inline" and is_near(subject, plan)
