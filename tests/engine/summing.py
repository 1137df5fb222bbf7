"""An engine whose summaries are written as a test says, when it says so. One word is one token."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from exchanging import answered
from gateway.core.frozen import replace
from gateway.core.memo import Memo
from gateway.engine.background import Background
from gateway.engine.compactor import Compactor
from gateway.engine.counting import Counting
from gateway.engine.prepared import Summaries
from gateway.engine.summarizer import Job
from gateway.policy.schema import Policy, Step
from gateway.store.base import Store
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.strategies.base import Keep
from gateway.strategies.digest import Digest
from gateway.strategies.summarize import Summarize
from stores import opened
from wired import TRIMMING, Edge, Engine, answer, ask, chat, engine, message, turns

Check = Callable[[Engine], Awaitable[None]]

TEXT = "## Goal\n- Build the parser."
POLICY = replace(
    TRIMMING,
    name="summing",
    keep=Keep(recent_ratio=0.1),
    steps=(Step("summarize", Summarize()), Step("digest", Digest())),
)
"""A budget of 800: prepared from 520 on, compacted from 640 on down to 360."""

NEAR = chat([message("system", 10, "rules"), *turns(5)])
"""A conversation of 560 tokens."""
OVER = chat([message("system", 10, "rules"), *turns(7)])


class Scripted:
    """Writes what it is told, when it is told; it keeps what it was asked."""

    def __init__(self, *texts: str | None, is_slow: bool = False) -> None:
        self.texts = list(texts)
        self.jobs: list[Job] = []
        self.cancelled = 0
        self.go = asyncio.Event()
        self.is_resting_now = False
        self.rested: list[tuple[str, str, str, float]] = []
        self.skipped = 0
        self.group = asyncio.TaskGroup()
        if not is_slow:
            self.go.set()

    def is_resting(self, job: Job) -> bool:
        """Return whether it is to be left alone."""
        return self.is_resting_now

    def skip(self, job: Job) -> None:
        """Take note that nobody is asked."""
        self.skipped += 1

    def rest(
        self, scope: str, upstream: str, model: str, seconds: float, about: Mapping[str, object]
    ) -> None:
        """Take note of who is to be left alone."""
        self.rested.append((scope, upstream, model, seconds))

    async def write(self, job: Job) -> str | None:
        """Return the next text."""
        self.jobs.append(job)
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return self.texts.pop(0) if self.texts else TEXT


async def sent(made: Engine, body: bytes = NEAR, policy: Policy = POLICY, **fields: Any) -> bytes:
    """Send a request through, and return what the upstream got."""
    edge = Edge(answer())
    asked = msgspec.structs.replace(ask(edge, body, policy), **fields)
    status, _, _, _ = await answered(made, asked)
    assert status == 200
    return edge.bodies[0]


async def drained(made: Engine) -> None:
    """Do what was started in the background, and what that starts."""
    while made.background:
        await made.background.pop(0)[1]


def started(made: Engine, writer: Scripted) -> list[asyncio.Task[None]]:
    """Start what waits in the background, side by side."""
    tasks = [writer.group.create_task(work) for _, work in made.background]
    made.background.clear()
    return tasks


async def begun(made: Engine, writer: Scripted) -> list[asyncio.Task[None]]:
    """Start what waits in the background, until something is being written."""
    tasks = started(made, writer)
    while not writer.jobs:
        await asyncio.sleep(0)
        tasks += started(made, writer)
    return tasks


@asynccontextmanager
async def summing(writer: Scripted, store: Store) -> AsyncIterator[Engine]:
    """Put an engine together whose summaries are written as scripted."""
    async with engine(store) as made, asyncio.TaskGroup() as writer.group:
        parts, summaries, fail = made.parts, Summaries(store), made.parts.metrics.failed_open.add
        counting = Counting(Memo(), made.executor)
        compactor = Compactor(counting, parts.checkpoints, store, parts.windows, fail, made.clock, summaries)
        background = Background(writer, summaries, counting, parts.start, made.clock, fail)
        made.parts = replace(parts, compactor=compactor, background=background)
        yield made


def run(check: Check, writer: Scripted, store: Store | None = None) -> None:
    """Run a check on an engine whose summaries are written as scripted, on a store in memory or another."""

    async def main() -> None:
        if store is not None:
            async with summing(writer, store) as made:
                await check(made)
            return
        async with opened(SqliteStore(MEMORY)) as fresh, summing(writer, fresh) as made:
            await check(made)

    asyncio.run(main())
