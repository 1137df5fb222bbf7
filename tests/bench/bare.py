"""The least a gateway can do: a raw ASGI app that passes requests through a transport, and nothing more.

`python bare.py PORT UPSTREAM` serves it over our own transport; the bench measures the gateway against it.
`python bare.py PORT UPSTREAM readymade` serves what the bars were set beside: the same over the transport
that httpx has for aiohttp, in an environment of its own, in which there is no gateway.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import httpx
import uvicorn

if TYPE_CHECKING:
    from gateway.web.asgi import App, Receive, Scope, Send

HOP = {b"host", b"connection", b"transfer-encoding", b"keep-alive"}


class Bare:
    """The app."""

    def __init__(self, upstream: str, transport: Callable[[], httpx.AsyncBaseTransport]) -> None:
        self._upstream = upstream
        self._make = transport
        self._transport: httpx.AsyncBaseTransport | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        if self._transport is None:
            self._transport = self._make()
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
        async for chunk in response.stream:  # type: ignore[union-attr]  # both transports make async streams
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        await response.aclose()


def _ours(upstream: str, **options: Any) -> uvicorn.Config:
    server, transport = import_module("gateway.web.server"), import_module("gateway.engine.transport")
    config: uvicorn.Config = server.config(Bare(upstream, transport.Transport), **options)
    return config


def _readymade(upstream: str, **options: Any) -> uvicorn.Config:
    app: App = Bare(upstream, import_module("httpx_aiohttp").AiohttpTransport)
    return uvicorn.Config(app, loop="uvloop", http="httptools", access_log=False, **options)


if __name__ == "__main__":
    made = _readymade if sys.argv[3:] == ["readymade"] else _ours
    options: dict[str, Any] = {"host": "127.0.0.1", "log_level": "warning", "lifespan": "off"}
    uvicorn.Server(made(sys.argv[2], port=int(sys.argv[1]), **options)).run()
