"""The least a gateway can do: a raw ASGI app that passes requests through our transport, and nothing more.

`python bare.py PORT UPSTREAM` serves it; the bench measures the gateway against it.
"""

from __future__ import annotations

import sys

import httpx
import uvicorn

from gateway.engine.transport import Transport
from gateway.web.asgi import Receive, Scope, Send
from gateway.web.server import config

HOP = {b"host", b"connection", b"transfer-encoding", b"keep-alive"}


class Bare:
    """The app."""

    def __init__(self, upstream: str) -> None:
        self._upstream = upstream
        self._transport = Transport()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        headers = [(name, value) for name, value in scope["headers"] if name not in HOP]
        url = self._upstream + scope["path"]
        request = httpx.Request(scope["method"], url, headers=headers, content=body)
        response = await self._transport.handle_async_request(request)
        kept = [(name.lower(), value) for name, value in response.headers.raw if name.lower() not in HOP]
        await send({"type": "http.response.start", "status": response.status_code, "headers": kept})
        async for chunk in response.stream:  # type: ignore[union-attr]  # our transport makes async streams
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        await response.aclose()


if __name__ == "__main__":
    app = Bare(sys.argv[2])
    uvicorn.Server(
        config(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", lifespan="off")
    ).run()
