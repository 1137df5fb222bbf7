"""Signs of life for a client that waits for a stream: comments, until what it waits for is done.

With the first of them status and headers are out. So whoever reads on has to tell in the stream what goes
wrong, and headers that say what was done are missing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any, Generic, TypeVar

from gateway.engine.attempt import Ask
from gateway.engine.headers import RawHeaders

T = TypeVar("T")

COMMENT = b": a summary is being written\n\n"
"""Every parser of event streams passes over it."""

STATUS = 200
HEADERS: RawHeaders = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache")]


def interval_s(ask: Ask) -> float:
    """Return after how long without a byte the client of a request is told to wait on; 0: never."""
    rules = ask.policy.summarizer
    return rules.heartbeat_s if rules.mode == "inline" and ask.request.stream else 0.0


class Awaited(Generic[T]):
    """Work that a client waits for. `end` it in any case."""

    def __init__(self, work: Coroutine[Any, Any, T], every_s: float) -> None:
        # Not a task group: whoever waits for it opens in one function and reads on in another.
        self._task = asyncio.get_running_loop().create_task(work)
        self._every_s = every_s

    async def is_done(self) -> bool:
        """Wait until it is time for a sign of life, at most; return whether the work is done by then."""
        await asyncio.wait({self._task}, timeout=self._every_s)
        return self._task.done()

    async def comments(self) -> AsyncIterator[bytes]:
        """Yield a comment at once, and one whenever it is time, until the work is done."""
        yield COMMENT
        while not await self.is_done():
            yield COMMENT

    def result(self) -> T:
        """Return what came of it. Raise what it raised."""
        return self._task.result()

    async def end(self) -> None:
        """Stop it, if nobody waits any more."""
        self._task.cancel()
        await asyncio.wait({self._task})
        if not self._task.cancelled():
            self._task.exception()
