"""What the bars were set beside: a raw ASGI app over the ready-made transport that httpx has for aiohttp.

`python readymade.py PORT UPSTREAM` serves it, in an environment of its own.
"""

from __future__ import annotations

import sys
from typing import Any

import httpx
import uvicorn
from httpx_aiohttp import AiohttpTransport

HOP = {b"host", b"connection", b"transfer-encoding", b"keep-alive"}


class Readymade:
    """The app."""

    def __init__(self, upstream: str) -> None:
        self._upstream = upstream
        self._transport: Any = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if self._transport is None:
            self._transport = AiohttpTransport()
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
        async for chunk in response.stream:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        await response.aclose()


if __name__ == "__main__":
    uvicorn.run(
        Readymade(sys.argv[2]),
        host="127.0.0.1",
        port=int(sys.argv[1]),
        loop="uvloop",
        http="httptools",
        lifespan="off",
        access_log=False,
        log_level="warning",
    )
