"""The transport over real sockets: exactly one request, exactly its bytes, httpx's errors."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import httpx
import pytest

from gateway.engine.connector import ConnectionSettings
from gateway.engine.transport import Transport
from raw_upstream import CLOSE, HOLD, OK, RESET, Answer, RawUpstream, Step

PATIENCE = ConnectionSettings(connect_timeout_s=0.2, read_timeout_s=0.2)


def _exchange(
    *answers: Answer | Step, settings: ConnectionSettings | None = None, method: str = "POST"
) -> tuple[bytes, RawUpstream]:
    upstream = RawUpstream(*answers)

    async def run() -> bytes:
        transport = Transport(settings)
        async with upstream:
            try:
                request = httpx.Request(method, upstream.url + "/v1/x", content=b"{}")
                response = await transport.handle_async_request(request)
                try:
                    return await response.aread()
                finally:
                    await response.aclose()
            finally:
                await transport.aclose()

    return asyncio.run(run()), upstream


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ([CLOSE], httpx.RemoteProtocolError),
        ([RESET], httpx.ReadError),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort", CLOSE], httpx.RemoteProtocolError),
        ([b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab", CLOSE], httpx.RemoteProtocolError),
        ([b"SSH-2.0-OpenSSH_9\r\n\r\n", CLOSE], httpx.RemoteProtocolError),
        (
            [b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"],
            httpx.RemoteProtocolError,
        ),
        ([HOLD], httpx.ReadTimeout),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort", HOLD], httpx.ReadTimeout),
    ],
)
def test_failures_are_httpx_errors(answer: Answer, error: type[Exception]) -> None:
    """Each way in which an upstream can fail is told apart, by the exceptions that httpx has for it."""
    with pytest.raises(error):
        _exchange(answer, settings=PATIENCE)


def test_refused_and_unknown_hosts_are_connect_errors() -> None:
    """Nobody listening, and no such name, are both failures to connect."""

    async def run(url: str) -> None:
        transport = Transport()
        try:
            with pytest.raises(httpx.ConnectError):
                await transport.handle_async_request(httpx.Request("GET", url))
        finally:
            await transport.aclose()

    async def refused() -> str:
        async with RawUpstream() as upstream:
            return upstream.url

    asyncio.run(run(asyncio.run(refused())))
    asyncio.run(run("http://no-such-host.invalid/"))


def test_peer_that_never_accepts_is_a_connect_timeout() -> None:
    """A connection that does not come about in time is told from an answer that does not."""

    async def run(port: int) -> None:
        transport = Transport(PATIENCE)
        with pytest.raises(httpx.ConnectTimeout):
            await transport.handle_async_request(httpx.Request("GET", f"https://localhost:{port}/"))
        await transport.aclose()

    # The kernel takes the connection, and nobody ever answers its TLS handshake.
    with socket.create_server(("localhost", 0)) as listener:
        asyncio.run(run(listener.getsockname()[1]))


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "POST"])
def test_nothing_is_sent_twice(method: str) -> None:
    """Not even a method that may be repeated is, once its request was on a connection."""
    upstream = RawUpstream([CLOSE])

    async def run() -> None:
        transport = Transport()
        async with upstream:
            with pytest.raises(httpx.RemoteProtocolError):
                await transport.handle_async_request(httpx.Request(method, upstream.url))
            await transport.aclose()

    asyncio.run(run())

    assert len(upstream.requests) == 1


def test_raw_headers_of_the_answer_are_kept() -> None:
    """Order, case and duplicates are those of the upstream."""
    upstream = RawUpstream(b"HTTP/1.1 200 OK\r\nX-B: 1\r\nx-a: 2\r\nX-B: \xe9\r\nContent-Length: 0\r\n\r\n")

    async def run() -> list[tuple[bytes, bytes]]:
        transport = Transport()
        async with upstream:
            response = await transport.handle_async_request(httpx.Request("GET", upstream.url))
            await response.aclose()
            await transport.aclose()
            return response.headers.raw

    assert asyncio.run(run()) == [
        (b"X-B", b"1"),
        (b"x-a", b"2"),
        (b"X-B", b"\xe9"),
        (b"Content-Length", b"0"),
    ]


def test_long_header_lines_are_read() -> None:
    """A header of 30 KB, as some gateways before vendors add, is no error."""
    answer = b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 30_000 + b"\r\nContent-Length: 2\r\n\r\nok"

    assert _exchange(answer)[0] == b"ok"


def test_closing_early_closes_the_connection() -> None:
    """When an answer is given up in the middle, the upstream sees it at once."""
    upstream = RawUpstream([b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n", HOLD])

    async def run() -> bytes:
        transport = Transport()
        async with upstream:
            response = await transport.handle_async_request(httpx.Request("GET", upstream.url))
            assert isinstance(response.stream, httpx.AsyncByteStream)
            first = await anext(aiter(response.stream))
            await response.stream.aclose()
            await upstream.seen(hangups=1)
            assert transport.connections == 0
            await transport.aclose()
            return first

    assert asyncio.run(run()) == b"one"


def test_failing_source_of_a_body_is_what_the_caller_sees() -> None:
    """When the body cannot be had to its end, the upstream call ends and the source's own error comes out."""

    class Gone(Exception):
        pass

    async def source() -> AsyncIterator[bytes]:
        yield b"begun"
        raise Gone

    upstream = RawUpstream(OK)

    async def run() -> None:
        transport = Transport()
        async with upstream:
            with pytest.raises(Gone):
                await transport.handle_async_request(httpx.Request("POST", upstream.url, content=source()))
            await upstream.seen(hangups=1)
            await transport.aclose()

    asyncio.run(run())

    assert upstream.requests == []


def test_body_may_be_refused_before_it_has_been_sent() -> None:
    """An answer that comes while the body is still going out is passed on, and sending stops."""

    async def run() -> int:
        stopped = asyncio.Event()

        async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 413 X\r\nContent-Length: 0\r\n\r\n")
            await reader.read()
            writer.close()
            await writer.wait_closed()
            stopped.set()

        async def endless() -> AsyncIterator[bytes]:
            while True:
                yield b"x" * 1000
                await asyncio.sleep(0)

        transport = Transport()
        async with await asyncio.start_server(refuse, "localhost", 0) as server:
            url = f"http://localhost:{server.sockets[0].getsockname()[1]}/"
            response = await transport.handle_async_request(httpx.Request("POST", url, content=endless()))
            await response.aread()
            await response.aclose()
            await stopped.wait()
        await transport.aclose()
        return response.status_code

    assert asyncio.run(run()) == 413
