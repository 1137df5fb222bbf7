"""The transport over real sockets: exactly one request, exactly its bytes, httpx's errors."""

from __future__ import annotations

import asyncio
import socket

import httpx
import pytest

from gateway.engine.connector import ConnectionSettings
from gateway.engine.transport import Transport
from gateway.engine.transport_errors import ProxyDenies
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


@pytest.mark.parametrize(("answer", "body"), [(OK, b"ok"), (b"HTTP/1.1 204 No Content\r\n\r\n", b"")])
def test_body_that_is_here_can_be_taken(answer: bytes, body: bytes) -> None:
    """What came with the head need not be waited for; taken once, nothing of it comes again."""
    upstream = RawUpstream(answer)

    async def run() -> list[bytes]:
        transport = Transport()
        async with upstream:
            got = await transport.send(upstream.url, "GET", b"/", [])
            assert got.is_here
            taken = [got.take(), *[chunk async for chunk in got]]
            await got.aclose()
            await transport.aclose()
            return taken

    assert asyncio.run(run()) == [body]


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


def test_answer_may_have_any_number_of_headers() -> None:
    """A gateway between here and the vendor may add more than a library expects."""
    lines = b"".join(b"X-%d: 1\r\n" % number for number in range(500))
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" + lines + b"\r\nok"

    async def run() -> int:
        transport = Transport()
        async with RawUpstream([answer]) as upstream:
            got = await transport.send(upstream.url, "GET", b"/", [])
            await got.aclose()
            await transport.aclose()
            return len(got.headers)

    assert asyncio.run(run()) == 501


def test_head_that_http_cannot_carry_is_not_sent() -> None:
    """A line end in a header or a space in the target would be another request to the upstream."""
    upstream = RawUpstream(OK)

    async def run() -> None:
        transport = Transport()
        async with upstream:
            for target, value in (
                (b"/", b"a\r\nX: b"),
                (b"/", b"a\nb"),
                (b"/", b"\0"),
                (b"/ HTTP/1.1", b"a"),
            ):
                with pytest.raises(httpx.LocalProtocolError):
                    await transport.send(upstream.url, "GET", target, [(b"A", value)])
            await transport.aclose()

    asyncio.run(run())

    assert upstream.connections == 0


@pytest.mark.parametrize(
    ("method", "length"), [("POST", [b"Content-Length: 0"]), ("DELETE", []), ("GET", [])]
)
def test_post_without_a_body_says_so(method: str, length: list[bytes]) -> None:
    """A POST of nothing has a length of zero, which some servers wait for; others need none."""
    upstream = RawUpstream(OK)

    async def run() -> None:
        transport = Transport()
        async with upstream:
            answer = await transport.send(upstream.url, method, b"/x", [])
            await answer.aclose()
            await transport.aclose()

    asyncio.run(run())

    assert upstream.head()[2:] == length


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_proxy_is_told_where_to_go_and_who_asks(scheme: str) -> None:
    """Plain requests go to the proxy with the whole address, others through a tunnel; both with its key.

    Where it does not take the key, that is the proxy's answer and no upstream's.
    """
    proxy = RawUpstream([b"HTTP/1.1 407 Who?\r\nContent-Length: 0\r\n\r\n"])

    async def run() -> None:
        address = proxy.url.replace("//", "//me:pw%40@")
        transport = Transport(ConnectionSettings(proxy=lambda origin: address))
        try:
            answer = await transport.send(f"{scheme}://api.invalid", "GET", b"/v1/x?y", [(b"A", b"1")])
            await answer.aclose()
        finally:
            await transport.aclose()

    async def through() -> None:
        async with proxy:
            await run()

    with pytest.raises(ProxyDenies) as caught:
        asyncio.run(through())
    assert "pw" not in repr(caught.value)
    if scheme == "https":
        assert proxy.head()[0] == b"CONNECT api.invalid:443 HTTP/1.1"
    else:
        assert proxy.head()[0] == b"GET http://api.invalid/v1/x?y HTTP/1.1"
        assert proxy.head()[-1] == b"A: 1"
    assert b"Proxy-Authorization: Basic bWU6cHdA" in proxy.head()
