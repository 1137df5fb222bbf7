"""Have summaries written before they are needed: after an answer, beside the requests.

One job for a beginning of a conversation, whoever asks: while one runs, others of the same lineage go on with
what they have. A queue of a tenant is bounded; what finds it full is left out and asked for again after the
next answer. Jobs hold their clients' keys, so the queue is in memory only; what they write is kept.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from gateway.core.recent import Recent
from gateway.engine.attempt import Ask
from gateway.engine.counting import Counting
from gateway.engine.lineage import Place
from gateway.engine.prepared import Summaries, rules_of, summarizing
from gateway.engine.sizes import is_past
from gateway.engine.subject import Action, Plan, Subject
from gateway.engine.summarizer import Job
from gateway.engine.wanted import serves, wanted
from gateway.store.base import Checkpoint, Prepared, StoreError
from gateway.strategies.marks import DIGEST_START

MAX_LOOKED_AT = 64
"""Requests that may wait to be looked at; each holds its body."""

MAX_RUNNING = 2
"""Summaries that are written for one tenant at the same time."""

MAX_JOBS = 16
"""And with those that wait for their turn."""

RETRY_S = 300.0
"""How long a beginning is left alone of which no summary could be written."""

REST_S = 60.0
"""How long nothing is asked of a model in the background after a client was told to slow down."""

MAX_GIVEN_UP = 10_000


class Writer(Protocol):
    """What writes summaries (`engine.summarizer`)."""

    def is_resting(self, job: Job) -> bool: ...

    def rest(self, tenant: str, upstream: str, model: str, seconds: float) -> None: ...

    async def write(self, job: Job) -> str | None: ...


@dataclass(eq=False, slots=True)
class Flight:
    """A summary that is being written, or is about to be."""

    place: Place
    rules: str
    prefix: bytes
    length: int
    chain: frozenset[bytes]
    """Of the list for which it was asked."""
    job: Job = field(repr=False)
    done: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    def is_of(self, place: Place, rules: str, chain: Sequence[bytes]) -> bool:
        """Return whether a list is of the same lineage: one continues what the other has."""
        if (place, rules) != (self.place, self.rules) or not chain:
            return False
        return chain[-1] in self.chain or self.prefix in chain


class Background:
    """Decides, queues and keeps. One per process."""

    def __init__(
        self,
        writer: Writer,
        summaries: Summaries,
        counting: Counting,
        start: Callable[[str, Coroutine[Any, Any, None]], None],
        clock: Callable[[], float],
        failed_open: Callable[[str], None],
    ) -> None:
        """*clock* tells Unix time in seconds."""
        self._writer = writer
        self._summaries = summaries
        self._counting = counting
        self._start = start
        self._clock = clock
        self._failed_open = failed_open
        self._flights: list[Flight] = []
        self._slots: dict[str, asyncio.Semaphore] = {}
        self._jobs: Counter[str] = Counter()
        self._given_up: Recent[tuple[Place, bytes], float] = Recent(MAX_GIVEN_UP)
        self._looked_at = 0
        self._is_stopped = False
        self._turn = asyncio.Lock()

    def after(self, ask: Ask, subject: Subject, plan: Plan | None) -> None:
        """Look at a request that was answered: a summary of it may be wanted soon."""
        if plan is None or ask.whole_first or plan.action is Action.FAILED_OPEN:
            return
        step = summarizing(ask.policy.steps)
        if step is None:
            return
        base = plan.checkpoint if plan.checkpoint is not None and plan.checkpoint.length else plan.base
        if self._flights:
            self._drop_outdated(ask.place, rules_of(ask.policy, step), subject.counted.chain(), base)
        if not _is_near(subject, plan) or self._looked_at >= MAX_LOOKED_AT:
            return
        self._looked_at += 1
        self._start("summary", self._look(ask, subject, base))

    async def now(self, ask: Ask, subject: Subject, base: Checkpoint | None) -> None:
        """Have a summary written, and wait for it, at most as long as the policy says.

        It is written to its end all the same: whoever comes next has it.
        """
        try:
            # Others may be looked at before it.
            async with asyncio.timeout(ask.policy.summarizer.timeout_s):
                flight = await self._flight(ask, subject, base)
                if flight is not None:
                    await flight.done.wait()
        except TimeoutError:
            return

    def rest(self, ask: Ask) -> None:
        """Leave a model alone for a while: the client itself was told to slow down."""
        self._writer.rest(ask.tenant, ask.upstream.base_url, ask.model, REST_S)

    def stop(self) -> None:
        """End all that is being written: the process ends."""
        self._is_stopped = True
        for flight in self._flights:
            if flight.task is not None:
                flight.task.cancel()
        self._flights.clear()

    async def _look(self, ask: Ask, subject: Subject, base: Checkpoint | None) -> None:
        try:
            await self._flight(ask, subject, base)
        finally:
            self._looked_at -= 1

    async def _flight(self, ask: Ask, subject: Subject, base: Checkpoint | None) -> Flight | None:
        """Return what is written for this lineage now, begun here if it is wanted and nothing was."""
        step = summarizing(ask.policy.steps)
        if step is None:
            return None
        rules, chain = rules_of(ask.policy, step), subject.counted.chain()
        # One at a time: of fifty at once one asks, and the others find that it did.
        async with self._turn:
            running = next((one for one in self._flights if one.is_of(ask.place, rules, chain)), None)
            if running is not None:
                return running
            flight = await self._wanted(ask, subject, base, rules, chain)
            if flight is None or self._is_stopped:
                return None
            self._flights.append(flight)
            self._jobs[ask.place.scope] += 1
            self._start("summary", self._write(flight))
            return flight

    def _drop_outdated(
        self, place: Place, rules: str, chain: Sequence[bytes], base: Checkpoint | None
    ) -> None:
        """End what tells less than a digest that took its place meanwhile: it could not be used."""
        if base is None or not _has_digest(base):
            return
        for flight in list(self._flights):
            if flight.is_of(place, rules, chain) and flight.length < base.length:
                if flight.task is not None:
                    flight.task.cancel()
                self._flights.remove(flight)

    async def _wanted(
        self, ask: Ask, subject: Subject, base: Checkpoint | None, rules: str, chain: Sequence[bytes]
    ) -> Flight | None:
        if self._is_full(ask.place.scope) or self._is_given_up(ask.place, chain):
            return None
        found = await self._found(ask.place, rules, chain)
        if found is not None and serves(subject, base, found):
            return None
        size_bytes = len(ask.request.body)
        asked = await self._counting.off_loop(lambda: wanted(subject, base, found), size_bytes)
        if asked is None:
            return None
        job = Job(
            tenant=ask.tenant,
            policy=ask.policy,
            wire=ask.wire,
            upstream=ask.upstream,
            target=ask.target,
            headers=ask.headers,
            model=ask.model,
            count=ask.count,
            correction=subject.correction,
            messages=asked.messages,
            previous=asked.previous,
            ask=asked.ask,
        )
        if self._writer.is_resting(job):
            return None
        return Flight(ask.place, rules, chain[asked.length - 1], asked.length, frozenset(chain), job)

    async def _found(self, place: Place, rules: str, chain: Sequence[bytes]) -> Prepared | None:
        try:
            return await self._summaries.find(place, rules, chain)
        except StoreError:
            self._failed_open("store_read")
            return None

    def _is_full(self, scope: str) -> bool:
        return self._jobs[scope] >= MAX_JOBS

    def _is_given_up(self, place: Place, chain: Sequence[bytes]) -> bool:
        now = self._clock()
        while self._given_up and next(iter(self._given_up.values())) <= now:
            self._given_up.popitem(last=False)
        return bool(self._given_up) and any((place, prefix) in self._given_up for prefix in chain)

    async def _write(self, flight: Flight) -> None:
        scope = flight.place.scope
        flight.task = asyncio.current_task()
        try:
            async with self._slots.setdefault(scope, asyncio.Semaphore(MAX_RUNNING)):
                if flight not in self._flights:
                    return
                text = await self._writer.write(flight.job)
            if text is None:
                self._given_up.put((flight.place, flight.prefix), self._clock() + RETRY_S)
            else:
                await self._keep(flight, text)
        finally:
            self._end(flight)

    def _end(self, flight: Flight) -> None:
        scope = flight.place.scope
        if flight in self._flights:
            self._flights.remove(flight)
        self._jobs[scope] -= 1
        if not self._jobs[scope]:
            del self._jobs[scope]
            self._slots.pop(scope, None)
        flight.done.set()

    async def _keep(self, flight: Flight, text: str) -> None:
        summary = Prepared(flight.prefix, flight.length, text, flight.rules, self._clock())
        try:
            await self._summaries.commit(flight.place, summary)
        except StoreError:
            self._failed_open("store")


def _is_near(subject: Subject, plan: Plan) -> bool:
    """Return whether the conversation is where the policy has its next summary prepared."""
    policy, fixed = subject.policy, subject.counted.extras_tokens
    match policy.summarizer.mode:
        case "background":
            return is_past(policy.prepare, subject, plan.tokens - fixed, plan.messages)
        case "next":
            return is_past(policy.trigger, subject, plan.tokens_frozen - fixed, plan.messages)
    return False


def _has_digest(base: Checkpoint) -> bool:
    mark = DIGEST_START.encode()
    return any(isinstance(item, bytes) and mark in item for item in base.items)
