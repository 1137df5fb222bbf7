"""Where the policy lets clients wait for a summary, they wait once, together, and not too long."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from engine.summing import OVER, POLICY, Scripted, run, sent, started, summing
from gateway.core.frozen import replace
from gateway.policy.rules import SummarizerRules
from gateway.store.base import Prepared
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from stores import opened
from wired import Engine


def test_inline_summary_is_waited_for_and_shared() -> None:
    """Where the policy lets clients wait, the first request over the trigger has it, and all others."""
    writer = Scripted(is_slow=True)
    policy = replace(POLICY, summarizer=SummarizerRules(mode="inline"))

    async def check(made: Engine) -> None:
        async with asyncio.TaskGroup() as group:
            requests = [group.create_task(sent(made, OVER, policy)) for _ in range(10)]
            tasks: list[asyncio.Task[None]] = []
            while not writer.jobs:
                await asyncio.sleep(0)
                tasks += started(made, writer)
            writer.go.set()
        assert all(b"Build the parser." in request.result() for request in requests)
        assert len(writer.jobs) == 1
        await asyncio.gather(*tasks, *started(made, writer))

    run(check, writer)


def test_inline_gives_up_when_the_time_is_over() -> None:
    """A model that hangs is waited for as long as the policy says, and no longer."""
    writer = Scripted(is_slow=True)
    policy = replace(POLICY, summarizer=SummarizerRules(mode="inline", timeout_s=0))

    async def check(made: Engine) -> None:
        body = await sent(made, OVER, policy)
        assert b"haversack-digest" in body
        assert b"Build the parser." not in body

    run(check, writer)


class Held(SqliteStore):
    """A store in which whoever looks first for a summary waits until it is let go."""

    def __init__(self) -> None:
        super().__init__(MEMORY)
        self.go = asyncio.Event()
        self._is_first = True

    async def summaries(self, *asked: Any) -> Sequence[Prepared]:
        """Return what is stored."""
        is_first, self._is_first = self._is_first, False
        if is_first:
            await self.go.wait()
        return await super().summaries(*asked)


def test_waiting_for_ones_turn_is_waiting_too() -> None:
    """Another conversation that is looked at, for however long, makes no client wait longer than allowed."""
    policy = replace(POLICY, summarizer=SummarizerRules(mode="inline", timeout_s=0))

    async def check() -> None:
        writer, store = Scripted(), Held()
        async with opened(store), summing(writer, store) as made:
            await sent(made)
            tasks = started(made, writer)
            await asyncio.sleep(0)
            assert b"haversack-digest" in await asyncio.wait_for(sent(made, OVER, policy), 5)
            store.go.set()
            await asyncio.gather(*tasks)
            await asyncio.gather(*started(made, writer))

    asyncio.run(check())
