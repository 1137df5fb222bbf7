"""What is being written by a model, or is about to be: once for all who want it, a few at a time.

A queue of a tenant is bounded; what finds it full is left out and asked for again after the next answer. Jobs
hold their clients' keys, so the queue is in memory only; what they write is kept.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from gateway.core.recent import Recent
from gateway.engine.afresh import Later
from gateway.engine.attempt import Ask
from gateway.engine.away import unless_away
from gateway.engine.lineage import Place
from gateway.engine.prepared import Summaries
from gateway.engine.sessions import session
from gateway.engine.subject import Subject
from gateway.engine.summarizer import Job
from gateway.engine.summary_rest import EVERY
from gateway.policy.schema import Mode
from gateway.store.base import Checkpoint, Prepared
from gateway.strategies.marks import DIGEST_START

MAX_RUNNING = 2
"""Summaries that are written for one tenant at the same time."""

MAX_PIECES_RUNNING = 4
"""The same of pieces: each is one call, where a summary is several. Neither waits for the other."""

MAX_JOBS = 16
"""And with those that wait for their turn."""

RETRY_S = 300.0
"""How long something is left alone of which no text could be written."""

MAX_GIVEN_UP = 10_000


class Writer(Protocol):
    """What writes summaries and texts of pieces (`engine.summarizer`)."""

    def is_resting(self, job: Job) -> bool: ...

    def skip(self, job: Job) -> None: ...

    def rest(
        self, scope: str, upstream: str, model: str, seconds: float, about: Mapping[str, object]
    ) -> None: ...

    async def write(self, job: Job) -> str | None: ...


@dataclass(eq=False, slots=True)
class Flight:
    """A text that is being written, or is about to be."""

    place: Place
    rules: str
    key: bytes
    """Under which it is kept: the hash of a beginning, or what a piece is known by."""
    length: int
    """How many of the client's messages it reaches over."""
    chain: frozenset[bytes]
    """Of the list for which it was asked."""
    mark: bytes
    """What a list has in its chain that goes on from there."""
    job: Job = field(repr=False)
    origins: frozenset[int] = frozenset()
    """Which of them a piece is about, as far as that is known."""
    done: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None
    laters: list[Later] = field(default_factory=list)
    """Decisions that can be made better when it is written."""

    @property
    def is_piece(self) -> bool:
        """Whether it is about a piece; else it is a summary of the beginning."""
        return self.job.piece is not None

    def then(self, later: Later) -> None:
        """Tell a decision that lacks this text when it is there."""
        if not self.done.is_set():
            self.laters.append(later)
            later.begin()

    def is_for(self, prefix: bytes) -> bool:
        """Return whether the decision with that prefix waits for this text."""
        return any(later.prefix == prefix for later in self.laters)

    def is_in(self, base: Checkpoint) -> bool:
        """Return whether what it is about is still there, message by message, in what is frozen."""
        return bool(self.origins) and self.origins.issubset(base.items)

    def is_of(self, place: Place, chain: Sequence[bytes]) -> bool:
        """Return whether a list is of the same lineage: one continues what the other has."""
        return place == self.place and bool(chain) and (chain[-1] in self.chain or self.mark in chain)


class Flights:
    """The queue. One per process."""

    def __init__(
        self,
        writer: Writer,
        summaries: Summaries,
        start: Callable[[str, Coroutine[Any, Any, None]], None],
        clock: Callable[[], float],
        failed_open: Callable[[str], None],
    ) -> None:
        """*clock* tells Unix time in seconds."""
        self._writer = writer
        self._summaries = summaries
        self._start = start
        self._clock = clock
        self._failed_open = failed_open
        self._flights: list[Flight] = []
        self._slots: dict[tuple[str, bool], asyncio.Semaphore] = {}
        self._jobs: Counter[str] = Counter()
        self._given_up: Recent[tuple[Place, bytes], float] = Recent(MAX_GIVEN_UP)
        self._is_stopped = False

    def summary(self, place: Place, rules: str, chain: Sequence[bytes]) -> Flight | None:
        """Return the summary that is being written for a lineage."""
        found = (one for one in self._flights if not one.is_piece and one.rules == rules)
        return next((one for one in found if one.is_of(place, chain)), None)

    def piece(self, place: Place, rules: str, key: bytes) -> Flight | None:
        """Return the text of a piece that is being written, for whoever asked."""
        names = place, rules, key
        return next((one for one in self._flights if (one.place, one.rules, one.key) == names), None)

    def has_pieces(self, place: Place, chain: Sequence[bytes]) -> bool:
        """Return whether pieces of a lineage are being written."""
        return any(one.is_piece and one.is_of(place, chain) for one in self._flights)

    def __bool__(self) -> bool:
        return bool(self._flights)

    def is_full(self, scope: str) -> bool:
        """Return whether a tenant has to wait with what it wants."""
        return self._jobs[scope] >= MAX_JOBS

    def is_given_up(self, place: Place, keys: Iterable[bytes]) -> bool:
        """Return whether a text of any of these could not be written a short while ago."""
        now = self._clock()
        while self._given_up and next(iter(self._given_up.values())) <= now:
            self._given_up.popitem(last=False)
        return bool(self._given_up) and any((place, key) in self._given_up for key in keys)

    def is_resting(self, job: Job) -> bool:
        """Return whether whoever could be asked is to be left alone now; it is counted if so."""
        if not self._writer.is_resting(job):
            return False
        self._writer.skip(job)
        return True

    def may_begin(self, job: Job) -> bool:
        """Return whether a text would be written, asked for now; nothing is counted."""
        return not (self._is_stopped or self.is_full(job.scope) or self._writer.is_resting(job))

    def begin(self, flight: Flight) -> bool:
        """Have a text written when its turn comes; return whether it will be."""
        if self._is_stopped or self.is_full(flight.place.scope) or self.is_resting(flight.job):
            return False
        self._flights.append(flight)
        self._jobs[flight.place.scope] += 1
        self._start("summary", self._write(flight))
        return True

    def rest(self, ask: Ask, seconds: float) -> None:
        """Leave all models of the upstream of a request alone for a while: limits are those of a key."""
        about = {"tenant": ask.tenant, "policy": ask.policy.name, "upstream": ask.upstream.name}
        told = about if ask.policy.uses_model and ask.policy.mode is Mode.COMPACT else {}
        self._writer.rest(ask.place.scope, ask.upstream.base_url, EVERY, seconds, told)

    def overtake(
        self, place: Place, chain: Sequence[bytes], base: Checkpoint | None, later: Later | None
    ) -> None:
        """End what tells less than a digest that took its place meanwhile, or has done so before.

        A summary that is overtaken for the first time is written to its end: it is paid for, and *later*, the
        decision that it came too late for, is made anew with it.
        """
        if base is not None and _has_digest(base):
            for flight in list(self._flights):
                is_outdated = flight.length < base.length and not flight.is_in(base)
                if not is_outdated or not flight.is_of(place, chain) or flight.is_for(base.prefix):
                    continue
                if later is None or flight.is_piece or flight.laters:
                    self._cancel(flight)
                else:
                    flight.then(later)
        if later is not None:
            later.end()

    def stop(self) -> None:
        """End all that is being written: the process ends."""
        self._is_stopped = True
        for flight in list(self._flights):
            self._cancel(flight)

    def _cancel(self, flight: Flight) -> None:
        if flight.task is not None:
            flight.task.cancel()
        self._flights.remove(flight)

    async def _write(self, flight: Flight) -> None:
        text = None
        flight.task = asyncio.current_task()
        try:
            async with self._slot(flight):
                if flight not in self._flights:
                    return
                text = await self._writer.write(flight.job)
            if text is not None:
                await self._keep(flight, text)
            elif not self._writer.is_resting(flight.job):
                # Otherwise it may be asked for again as soon as anybody may be asked.
                self._given_up.put((flight.place, flight.key), self._clock() + RETRY_S)
        finally:
            self._end(flight, text is not None)

    def _slot(self, flight: Flight) -> asyncio.Semaphore:
        most = MAX_PIECES_RUNNING if flight.is_piece else MAX_RUNNING
        return self._slots.setdefault((flight.place.scope, flight.is_piece), asyncio.Semaphore(most))

    def _end(self, flight: Flight, is_written: bool) -> None:
        scope = flight.place.scope
        if flight in self._flights:
            self._flights.remove(flight)
        self._jobs[scope] -= 1
        if not self._jobs[scope]:
            del self._jobs[scope]
            for is_piece in (False, True):
                self._slots.pop((scope, is_piece), None)
        flight.done.set()
        for later in flight.laters:
            later.end(is_written)

    async def _keep(self, flight: Flight, text: str) -> None:
        length = 0 if flight.is_piece else flight.length
        prepared = Prepared(flight.key, length, text, flight.rules, self._clock())
        await unless_away(self._summaries.commit(flight.place, prepared), self._failed_open, "store")


def job_of(ask: Ask, subject: Subject, /, **about: Any) -> Job:
    """Return the job of a client's request: with its key, of its upstream, counted against its tenant."""
    return Job(
        tenant=ask.tenant,
        policy=ask.policy,
        wire=ask.wire,
        upstream=ask.upstream,
        target=ask.target,
        headers=ask.headers,
        model=ask.model,
        count=ask.count,
        correction=subject.correction,
        scope=ask.place.scope,
        session=ask.session or session(ask.place.scope, (), None, subject.counted.root()).id,
        **about,
    )


def _has_digest(base: Checkpoint) -> bool:
    mark = DIGEST_START.encode()
    return any(isinstance(item, bytes) and mark in item for item in base.items)
