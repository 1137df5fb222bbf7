"""Where the policy lets clients wait for a summary, they wait once, together, and not too long."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from engine.summing import OVER, POLICY, Scripted, run, sent, started
from gateway.policy.schema import SummarizerRules
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
