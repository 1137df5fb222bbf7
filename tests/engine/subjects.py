"""A request as the compactor sees it, examined on an engine of its own."""

from __future__ import annotations

import asyncio

from gateway.engine.subject import Subject
from gateway.policy.schema import Policy
from wired import TRIMMING, chat, engine, turns


def subject(policy: Policy = TRIMMING, number: int = 3, correction: float = 1.0) -> Subject:
    """Return a request of so many turns, and a question; the budget is 800."""

    async def run() -> Subject:
        async with engine() as made:
            for _ in range(3 if correction != 1.0 else 0):
                made.parts.windows.counted("http://upstream/v1", "m", 1000, int(1000 * correction))
            return await made.subject(chat(turns(number)), policy)

    return asyncio.run(run())
