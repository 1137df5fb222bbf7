"""Upstreams behind TLS: only those that a trusted authority vouches for, directly or through a proxy.

`localhost.pem` is a certificate for localhost and models.test with its key, made for these tests alone.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from gateway.engine.connector import ConnectionSettings
from gateway.engine.transport import Transport
from raw_upstream import OK

CERTIFICATE = Path(__file__).with_name("localhost.pem")


class Secure:
    """An upstream behind TLS that answers `closes_after` requests of each connection."""

    def __init__(self, closes_after: int = 100) -> None:
        self.connections = 0
        self._closes_after = closes_after

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[int]:
        """Listen, and yield the port."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(CERTIFICATE)
        async with await asyncio.start_server(self._serve, "localhost", 0, ssl=context) as server:
            yield server.sockets[0].getsockname()[1]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            for _ in range(self._closes_after):
                await reader.readuntil(b"\r\n\r\n")
                writer.write(OK)
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()


async def asked(transport: Transport, url: str) -> bytes:
    """Return the body of an answer."""
    got = await transport.send(url, "GET", b"/", [])
    try:
        return b"".join([chunk async for chunk in got])
    finally:
        await got.aclose()


async def seen(upstream: Secure, settings: ConnectionSettings, times: int = 1) -> list[bytes]:
    """Return what an upstream answers to so many requests, one after the other."""
    transport = Transport(settings)
    async with upstream.listening() as port:
        try:
            answers = []
            for _ in range(times):
                answers.append(await asked(transport, f"https://localhost:{port}"))
                await asyncio.sleep(0.01)  # the closing of a connection arrives
            return answers
        finally:
            await transport.aclose()


TRUSTING = ConnectionSettings(ca_file=str(CERTIFICATE))


@pytest.mark.parametrize(("closes_after", "connections"), [(100, 1), (1, 3)])
def test_trusted_upstream_is_asked_over_tls(closes_after: int, connections: int) -> None:
    """Its connection is kept, and made anew where the upstream closes it."""
    upstream = Secure(closes_after)

    assert asyncio.run(seen(upstream, TRUSTING, times=3)) == [b"ok"] * 3
    assert upstream.connections == connections


def test_upstream_that_nobody_vouches_for_is_not_asked() -> None:
    """A certificate of an unknown authority ends the connection before a key is sent."""
    with pytest.raises(httpx.ConnectError, match="certificate"):
        asyncio.run(seen(Secure(), ConnectionSettings()))


def test_upstream_under_another_name_is_not_asked() -> None:
    """A certificate for another name is not good enough."""

    async def run() -> None:
        transport = Transport(TRUSTING)
        async with Secure().listening() as port:
            try:
                await asked(transport, f"https://127.0.0.1:{port}")
            finally:
                await transport.aclose()

    with pytest.raises(httpx.ConnectError):
        asyncio.run(run())


def test_tls_goes_through_a_proxy_untouched() -> None:
    """The proxy is told host and port and sees nothing more; one tunnel serves several requests."""
    tunnels: list[bytes] = []

    async def run() -> list[bytes]:
        upstream = Secure()
        async with (
            upstream.listening() as port,
            await asyncio.start_server(lambda r, w: tunnel(r, w, port), "localhost", 0) as proxy,
        ):
            address = f"http://localhost:{proxy.sockets[0].getsockname()[1]}"
            transport = Transport(ConnectionSettings(ca_file=str(CERTIFICATE), proxy=lambda origin: address))
            try:
                return [await asked(transport, f"https://localhost:{port}") for _ in range(2)]
            finally:
                await transport.aclose()

    async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
        tunnels.append((await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")[0])
        there, back = await asyncio.open_connection("localhost", port)
        writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
        async with asyncio.TaskGroup() as group:
            group.create_task(pumped(reader, back))
            group.create_task(pumped(there, writer))

    async def pumped(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            sink.write(data)
        sink.close()

    assert asyncio.run(run()) == [b"ok", b"ok"]
    (asked_for,) = tunnels
    assert asked_for.startswith(b"CONNECT localhost:")
