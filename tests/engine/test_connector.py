"""Connections that the upstream has closed are not used."""

from __future__ import annotations

import asyncio
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from gateway.engine.connector import ConnectionSettings
from gateway.engine.transport import Transport
from raw_upstream import OK, RawUpstream


def _request(url: str, method: str = "POST") -> httpx.Request:
    return httpx.Request(method, url, content=b"{}" if method == "POST" else None)


async def _send(transport: Transport, url: str, method: str = "POST") -> int:
    response = await transport.handle_async_request(_request(url, method))
    await response.aread()
    await response.aclose()
    return response.status_code


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_connection_closed_while_it_was_idle_is_not_used(method: str) -> None:
    """A kept connection whose closing the event loop has not read yet costs no request its answer."""
    closed = threading.Event()
    listener = socket.create_server(("localhost", 0))
    listener.settimeout(10)

    def answer_and_close() -> list[bytes]:
        received = []
        for _ in range(2):
            connection, _ = listener.accept()
            received.append(connection.recv(65536))
            connection.sendall(OK)
            first_is_read.wait(10)
            connection.close()
            closed.set()
        return received

    first_is_read = threading.Event()

    async def run(url: str) -> list[int]:
        transport = Transport(ConnectionSettings())
        statuses = [await _send(transport, url, method)]
        first_is_read.set()
        closed.wait(10)  # blocks the loop on purpose: it must not see the closing before the next request
        statuses.append(await _send(transport, url, method))
        await transport.aclose()
        return statuses

    with ThreadPoolExecutor() as pool, listener:
        received = pool.submit(answer_and_close)
        assert asyncio.run(run(f"http://localhost:{listener.getsockname()[1]}/x")) == [200, 200]
        assert len(received.result()) == 2


@pytest.mark.parametrize("is_read", [True, False], ids=["read", "not read yet"])
def test_what_nobody_asked_for_is_no_answer(is_read: bool) -> None:
    """What an upstream says on a kept connection is never taken for the answer to the next request.

    A front says 408 there; or it took the body of an earlier request, another tenant's, for one more.
    """
    forged = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
    first_is_read, is_said = threading.Event(), threading.Event()
    listener = socket.create_server(("localhost", 0))
    listener.settimeout(10)

    def speak_unasked() -> None:
        first, _ = listener.accept()
        first.recv(65536)
        first.sendall(OK)
        first_is_read.wait(10)
        first.sendall(forged)
        is_said.set()
        with first, listener.accept()[0] as second:
            second.recv(65536)
            second.sendall(OK)

    async def run(url: str) -> list[bytes]:
        transport = Transport(ConnectionSettings())
        bodies = []
        for is_last in (False, True):
            response = await transport.handle_async_request(_request(url))
            bodies.append(await response.aread())
            await response.aclose()
            if not is_last:
                first_is_read.set()
                is_said.wait(10)  # blocks the loop on purpose
                await asyncio.sleep(0.05 if is_read else 0)
        await transport.aclose()
        return bodies

    with ThreadPoolExecutor() as pool, listener:
        spoken = pool.submit(speak_unasked)
        assert asyncio.run(run(f"http://localhost:{listener.getsockname()[1]}/x")) == [b"ok", b"ok"]
        spoken.result()


def test_connections_are_kept_no_longer_than_set() -> None:
    """With no time to keep them, every request gets a new connection; otherwise they share one."""

    async def run(keepalive_s: float) -> int:
        transport = Transport(ConnectionSettings(keepalive_s=keepalive_s))
        async with RawUpstream() as upstream:
            for _ in range(3):
                await _send(transport, upstream.url)
            await transport.aclose()
            return upstream.connections

    assert asyncio.run(run(60)) == 1
    assert asyncio.run(run(0)) == 3


def test_silent_connections_are_probed_by_the_kernel() -> None:
    """An hour of reasoning without a byte does not let a NAT forget the connection."""
    seen: list[int] = []

    async def run() -> None:
        transport = Transport(ConnectionSettings(probe_after_s=60))
        async with RawUpstream() as upstream:
            response = await transport.handle_async_request(_request(upstream.url))
            connector = transport._connector
            assert connector is not None
            for protocol in [
                *connector._acquired,
                *(kept for kept, _ in next(iter(connector._conns.values()), [])),
            ]:
                assert protocol.transport is not None
                sock = protocol.transport.get_extra_info("socket")
                seen.append(sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE))
            await response.aclose()
            await transport.aclose()

    asyncio.run(run())

    assert seen == [1]
