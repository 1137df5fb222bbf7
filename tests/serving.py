"""Serve the gateway, or any ASGI app, on a real socket with the production server; speak raw bytes to it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import uvicorn

from gateway.app import build
from gateway.settings import Settings
from gateway.web import server
from gateway.web.asgi import App
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


@contextlib.asynccontextmanager
async def relaying(base_url: str) -> AsyncIterator[int]:
    """Serve the whole gateway on a fresh store before this upstream, and yield its port."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            upstream=base_url,
            anthropic_upstream=base_url,
            data_dir=Path(folder),
            allowed_hosts=("gateway.test",),
        )
        async with build(settings) as app, serving(app) as port:
            yield port


async def asked(upstream: RawUpstream, *requests: bytes) -> list[bytes]:
    """Return what comes back for each request, one after the other, through a gateway before *upstream*."""
    async with upstream, relaying(upstream.url + "/v1") as port:
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
