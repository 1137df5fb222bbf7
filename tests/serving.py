"""Serve an ASGI app on a real socket with the production server, and speak raw bytes to it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator

import uvicorn

from gateway.engine.connector import ConnectionSettings
from gateway.engine.transport import Transport
from gateway.engine.upstream import Upstream
from gateway.web import server
from gateway.web.asgi import App, Receive, Scope, Send
from gateway.web.relay import Relay, Relayed
from gateway.web.routes import route
from raw_upstream import RawUpstream


@contextlib.asynccontextmanager
async def serving(app: App) -> AsyncIterator[int]:
    """Run *app* behind uvicorn on a free port of localhost, and yield the port."""
    listener = socket.create_server(("localhost", 0))
    web = _Server(server.config(app, lifespan="off", log_level="critical"))
    async with asyncio.TaskGroup() as group:
        group.create_task(web.serve(sockets=[listener]))
        await web.ready.wait()
        try:
            yield int(listener.getsockname()[1])
        finally:
            web.force_exit = True
            web.stop.set()


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()
        self.stop = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        await self.stop.wait()


class Gateway:
    """An app that passes everything to one upstream, and what it recorded."""

    def __init__(self, base_url: str, settings: ConnectionSettings | None = None) -> None:
        self.transport = Transport(settings)
        self.upstream = Upstream("test", base_url, self.transport)
        self.outcomes: list[Relayed] = []
        self._relay = Relay(self.outcomes.append)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        where = route(scope["raw_path"], scope["query_string"], scope["headers"])
        await self._relay(where, self.upstream, scope, receive, send)


@contextlib.asynccontextmanager
async def relaying(
    base_url: str, settings: ConnectionSettings | None = None
) -> AsyncIterator[tuple[Gateway, int]]:
    """Serve a `Gateway` before this upstream, and yield it with its port."""
    gateway = Gateway(base_url, settings)
    try:
        async with serving(gateway) as port:
            yield gateway, port
    finally:
        await gateway.transport.aclose()


async def asked(upstream: RawUpstream, *requests: bytes) -> list[bytes]:
    """Return what comes back for each request, one after the other, through a gateway before *upstream*."""
    async with upstream, relaying(upstream.url + "/v1") as (_, port):
        return [await talk(port, request) for request in requests]


async def talk(port: int, *pieces: bytes) -> bytes:
    """Send these bytes and return all that comes back until the server closes the connection."""
    reader, writer = await asyncio.open_connection("localhost", port)
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
    answer = await reader.read()
    writer.close()
    return answer
