"""Listen to one answer of an upstream within the process, and see what is made of it."""

from __future__ import annotations

import asyncio

import httpx

from gateway.core.failures import Failure
from gateway.engine.reply import Expected, Reply
from gateway.engine.upstream import Upstream
from wired import URL, WIRE, Edge, delta, event, refusal

ASKED = Expected(estimate=500, window=1000, output=None, stream=False)
"""A conversation that half fills its window, of which nobody is sure."""

TOO_LONG = refusal(1200, 1000).content
ERROR = event(TOO_LONG)
ROLE, TEXT, DONE = delta(role="assistant", content=""), delta(content="Hi"), event(b"[DONE]")


async def opened(response: httpx.Response, expected: Expected = ASKED) -> Reply:
    """Return the reply that this response is, not yet listened to."""
    answer = await Upstream("openai", URL, Edge(response)).send("POST", b"/v1/chat/completions", [])
    return Reply(answer, WIRE, expected)


async def released(reply: Reply) -> list[bytes]:
    """Return what the client gets, in its pieces."""
    return [chunk async for chunk in reply.chunks()]


def heard(
    response: httpx.Response, expected: Expected = ASKED, limit_s: float | None = None
) -> tuple[Failure | None, bytes]:
    """Return what is made of a response, and what of it the client would get."""

    async def run() -> tuple[Failure | None, bytes]:
        reply = await opened(response, expected)
        await reply.listen(limit_s)
        assert not reply.pending
        return reply.failure, b"".join(await released(reply))

    return asyncio.run(run())
