"""What the gateway costs, beside a bare pass-through over the same transport and one straight over aiohttp.

    python tests/bench/passing.py [SECONDS]

The upstream and the load run in a second process; the apps under test take turns in this one, each process
pinned to its own core. Prints medians of three interleaved rounds at 16 connections: requests per second, and
CPU time of the gateway's process per request, which a busy machine changes little.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import cast

import aiohttp
import httpx
import uvicorn
import uvloop

from gateway.app import build
from gateway.engine.transport import Transport
from gateway.settings import Settings
from gateway.web import server
from gateway.web.asgi import App, Receive, Scope, Send

CONNECTIONS = 16
REQUEST_BODY = b'{"model":"gpt-4o","messages":[{"role":"user","content":"' + b"word " * 180 + b'"}]}'
REQUEST = (
    b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sk-1\r\n"
    b"Accept: application/json\r\nAccept-Encoding: gzip, deflate\r\nUser-Agent: OpenAI/Python 2\r\n"
    b"Content-Type: application/json\r\nX-Stainless-Lang: python\r\nX-Stainless-OS: Linux\r\n"
    b"Content-Length: %d\r\n\r\n" % len(REQUEST_BODY)
) + REQUEST_BODY
ANSWER_BODY = b'{"choices":[{"message":{"role":"assistant","content":"' + b"y" * 300 + b'"}}]}'
ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nx-request-id: r1\r\n"
    b"openai-processing-ms: 1\r\nx-ratelimit-remaining-requests: 9\r\nContent-Length: %d\r\n\r\n"
    % len(ANSWER_BODY)
) + ANSWER_BODY


def gateway_app(base_url: str) -> App:
    """Return the whole gateway with its default policy, on a store of its own."""
    folder = tempfile.mkdtemp()
    return build(Settings(upstream=base_url + "/v1", data_dir=Path(folder)))


def bare_app(base_url: str) -> App:
    """Return the least that passes a request on over the same transport."""
    transport = Transport()
    url = httpx.URL(base_url + "/v1/chat/completions")
    drop = (b"host", b"content-length")

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return
        body: bytes = (await receive())["body"]
        headers = [pair for pair in scope["headers"] if pair[0] not in drop]
        request = httpx.Request("POST", url, headers=headers, content=body)
        response = await transport.handle_async_request(request)
        head = [(k, v) for k, v in response.headers.raw if k.lower() not in (b"connection",)]
        await send({"type": "http.response.start", "status": response.status_code, "headers": head})
        assert isinstance(response.stream, httpx.AsyncByteStream)
        async for chunk in response.stream:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    return app


def aiohttp_app(base_url: str) -> App:
    """Return a pass-through straight over an aiohttp session."""
    session: aiohttp.ClientSession | None = None

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal session
        if scope["type"] == "lifespan":
            return
        session = session or aiohttp.ClientSession(auto_decompress=False)
        body: bytes = (await receive())["body"]
        headers = [(k.decode(), v.decode()) for k, v in scope["headers"] if k != b"host"]
        async with session.post(base_url + "/v1/chat/completions", headers=headers, data=body) as response:
            head = [(k, v) for k, v in response.raw_headers if k.lower() != b"connection"]
            await send({"type": "http.response.start", "status": response.status, "headers": head})
            async for chunk in response.content.iter_any():
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
            await send({"type": "http.response.body", "body": b""})

    return app


APPS: dict[str, Callable[[str], App]] = {"aiohttp": aiohttp_app, "bare": bare_app, "gateway": gateway_app}


class _Upstream(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._data = b""

    def data_received(self, data: bytes) -> None:
        self._data += data
        if self._data.endswith(b"]}"):
            self._data = b""
            self._transport.write(ANSWER)


async def _load(port: int, seconds: float) -> int:
    count, end = 0, time.monotonic() + seconds

    async def client() -> None:
        nonlocal count
        reader, writer = await asyncio.open_connection("localhost", port)
        while time.monotonic() < end:
            writer.write(REQUEST)
            await reader.readuntil(b'"}}]}')
            count += 1
        writer.close()

    async with asyncio.TaskGroup() as group:
        for _ in range(CONNECTIONS):
            group.create_task(client())
    return count


def _other_side(pipe: Connection, cores: set[int]) -> None:
    os.sched_setaffinity(0, cores)

    async def main() -> None:
        loop = asyncio.get_running_loop()
        listening = await loop.create_server(_Upstream, "localhost", 0)
        pipe.send(listening.sockets[0].getsockname()[1])
        while job := await asyncio.to_thread(pipe.recv):
            pipe.send(await _load(*job))

    uvloop.run(main())


async def _serve(app: App, measure: Callable[[int], Awaitable[int]]) -> tuple[int, float]:
    listener = socket.create_server(("localhost", 0))
    web = uvicorn.Server(server.config(app, log_level="error"))
    async with asyncio.TaskGroup() as group:
        group.create_task(web.serve(sockets=[listener]))
        await asyncio.sleep(0.3)
        started_s = time.process_time()
        count = await measure(listener.getsockname()[1])
        spent_s = time.process_time() - started_s
        web.should_exit = True
    return count, spent_s


def main(seconds: float) -> None:
    """Measure, and print requests per second and microseconds per request."""
    cores = sorted(os.sched_getaffinity(0))
    pipe, other = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_other_side, args=(other, {cores[-1]}), daemon=True)
    process.start()
    os.sched_setaffinity(0, {cores[0]})
    base_url = f"http://localhost:{pipe.recv()}"
    rounds: dict[str, list[tuple[int, float]]] = {name: [] for name in APPS}

    async def measure(port: int) -> int:
        pipe.send((port, seconds))
        return int(await asyncio.to_thread(pipe.recv))

    for _ in range(3):
        for name, make in APPS.items():
            rounds[name].append(uvloop.run(_serve(make(base_url), measure)))
    pipe.send(None)
    for name, measured in rounds.items():
        rate = statistics.median(count / seconds for count, _ in measured)
        cpu_us = statistics.median(1e6 * spent_s / count for count, spent_s in measured)
        print(f"{name:8} {rate:8.0f} req/s {cpu_us:6.0f} us of CPU per request")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
