"""What goes out: a raw upstream receives, byte for byte, what a raw client sent over a real socket.

The host is `localhost`, because cookie jars ignore bare addresses. Every test goes through uvicorn and the
production transport. The written list of what may differ is `engine/headers.py`.
"""

from __future__ import annotations

import asyncio

import pytest

from raw_upstream import CLOSE, OK, RESET, Answer, RawUpstream, Step
from serving import asked, relaying

END = b"\r\nConnection: close\r\n\r\n"


def _sent(*requests: bytes, answers: tuple[Answer | Step, ...] = ()) -> RawUpstream:
    upstream = RawUpstream(*answers)
    asyncio.run(asked(upstream, *requests))
    return upstream


def test_headers_arrive_in_order_with_case_and_duplicates() -> None:
    """Every header that is not hop-by-hop reaches the upstream as it was sent, however often it was."""
    lines = [
        b"Authorization: Bearer sk-1",
        b"X-Custom-CASE: One",
        b"X-Custom-CASE: two",
        b"Cookie: a=1",
        b"Cookie: b=2",
        b"X-Empty: ",
        b"X-Quoted: \"a, b\"; c='d'",
        b"X-Utf8: \xc3\xa9\xe4\xb8\xad",
        b"X-Latin1: \xe9",
        b"OpenAI-Beta: assistants=v2",
        b"Forwarded: for=1.2.3.4",
        b"X-Forwarded-For: 1.2.3.4",
    ]
    upstream = _sent(b"\r\n".join([b"GET /v1/models HTTP/1.1", b"Host: gateway.test", *lines]) + END)

    assert upstream.headers() == lines


def test_duplicates_in_different_spelling_all_arrive() -> None:
    """Two headers whose names differ in case only are both sent, each as it is spelled."""
    upstream = _sent(b"GET /v1/models HTTP/1.1\r\nHost: gateway.test\r\nX-Key: one\r\nx-key: two" + END)

    assert upstream.headers() == [b"X-Key: one", b"x-key: two"]


def test_no_header_of_ours_is_added() -> None:
    """A request with no User-Agent, Accept, Accept-Encoding or Content-Type leaves without them."""
    upstream = _sent(b"POST /v1/x HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 3" + END + b"abc")

    assert upstream.head() == [
        b"POST /v1/x HTTP/1.1",
        f"Host: localhost:{upstream.port}".encode(),
        b"Content-Length: 3",
    ]
    assert upstream.body() == b"abc"


def test_hop_by_hop_headers_stay_on_their_hop() -> None:
    """Headers about the connection, those that `Connection` names, and the gateway's own go no further."""
    upstream = _sent(
        b"GET /v1/x HTTP/1.1\r\nHost: gateway.test\r\nKeep-Alive: timeout=5\r\nTE: trailers"
        b"\r\nProxy-Authorization: Basic x\r\nProxy-Connection: keep-alive\r\nX-Hop: 1\r\nX-Stays: 1"
        b"\r\nx-haversack-bypass: 1\r\nConnection: close, X-Hop\r\n\r\n"
    )

    assert upstream.headers() == [b"X-Stays: 1"]


@pytest.mark.parametrize(
    "target",
    [
        b"/v1/files/a%2Fb/%41/./..c",
        b"/v1/files/a%2fb?x=%20+a;b&c=%C3%BC&d=&e",
        b"/v1/a//b/",
        b"/v1/%zz/?q=a?b",
        b"/v1/models?limit=2&after=x%3D",
        b"/v1/a|b'(c)*!$&,;=:@~",
    ],
)
def test_the_target_is_not_rewritten(target: bytes) -> None:
    """Escapes, dots, doubled slashes and the query of a path arrive as they were written."""
    upstream = _sent(b"GET " + target + b" HTTP/1.1\r\nHost: gateway.test" + END)

    assert upstream.head()[0] == b"GET " + target + b" HTTP/1.1"


@pytest.mark.parametrize("method", [b"GET", b"POST", b"PUT", b"PATCH", b"DELETE", b"OPTIONS", b"HEAD"])
def test_every_method_passes(method: bytes) -> None:
    """Whatever the method, the upstream sees the same one with the same body."""
    upstream = _sent(method + b" /v1/x HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 2" + END + b"{}")

    assert upstream.head()[0] == method + b" /v1/x HTTP/1.1"
    assert upstream.body() == b"{}"


def test_chunked_upload_arrives_chunked_and_whole() -> None:
    """A body without a length is sent on in chunks, never with a length besides."""
    body = b"5\r\nhello\r\n1;ext=1\r\n \r\n5\r\nworld\r\n0\r\nTrailer: x\r\n\r\n"
    upstream = RawUpstream()

    async def run() -> None:
        async with upstream, relaying(upstream.url + "/v1") as port:
            head = b"POST /v1/audio HTTP/1.1\r\nHost: gateway.test\r\nTransfer-Encoding: chunked" + END
            reader, writer = await asyncio.open_connection("localhost", port)
            for at in range(0, len(head + body), 7):
                writer.write((head + body)[at : at + 7])
                await asyncio.sleep(0)
            await reader.read()
            writer.close()

    asyncio.run(run())

    assert upstream.body() == b"hello world"


def test_expect_continue_is_answered_here() -> None:
    """A client that waits for 100 Continue gets it, and the upstream sees no Expect."""
    upstream = RawUpstream()

    async def run() -> tuple[bytes, bytes]:
        async with upstream, relaying(upstream.url + "/v1") as port:
            reader, writer = await asyncio.open_connection("localhost", port)
            writer.write(
                b"POST /v1/files HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 4\r\nExpect: 100-continue"
                + END
            )
            first = await reader.readuntil(b"\r\n\r\n")
            writer.write(b"body")
            rest = await reader.read()
            writer.close()
            return first, rest

    first, rest = asyncio.run(run())

    assert first == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert rest.endswith(b"\r\n\r\nok")
    assert upstream.headers() == []
    assert upstream.body() == b"body"


@pytest.mark.parametrize("pieces", [1, 2], ids=["body with the head", "body after the head"])
def test_body_of_a_request_that_offers_an_upgrade_arrives(pieces: int) -> None:
    """Java's HttpClient offers h2c with its first POST: the offer is dropped, the body is not."""
    upstream = RawUpstream()
    head = (
        b"POST /v1/chat HTTP/1.1\r\nHost: gateway.test\r\nConnection: Upgrade, HTTP2-Settings\r\n"
        b"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\nContent-Length: 5\r\nX-Stays: 1\r\n\r\n"
    )
    again = b"GET /v1/again HTTP/1.1\r\nHost: gateway.test" + END

    async def run() -> None:
        async with upstream, relaying(upstream.url + "/v1") as port:
            reader, writer = await asyncio.open_connection("localhost", port)
            for piece in (head + b"hello",) if pieces == 1 else (head, b"hello"):
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.01)
            await reader.readuntil(b"ok")
            writer.write(again)
            await reader.read()
            writer.close()

    asyncio.run(run())

    assert upstream.headers(0) == [b"X-Stays: 1"]
    assert upstream.body(0) == b"hello"
    assert upstream.head(1)[0] == b"GET /v1/again HTTP/1.1"


def test_cookie_of_one_key_is_never_sent_for_another() -> None:
    """The gateway keeps no cookies: what a vendor sets for one key's client does not travel with the next."""
    upstream = _sent(
        b"GET /v1/x HTTP/1.1\r\nHost: gateway.test\r\nAuthorization: Bearer one" + END,
        b"GET /v1/x HTTP/1.1\r\nHost: gateway.test\r\nAuthorization: Bearer two" + END,
        answers=(b"HTTP/1.1 200 OK\r\nSet-Cookie: session=one; Path=/\r\nContent-Length: 0\r\n\r\n",),
    )

    assert [upstream.headers(0), upstream.headers(1)] == [
        [b"Authorization: Bearer one"],
        [b"Authorization: Bearer two"],
    ]


@pytest.mark.parametrize("method", [b"POST", b"PUT", b"GET", b"DELETE"])
@pytest.mark.parametrize("ending", [RESET, CLOSE])
def test_request_whose_connection_broke_is_not_repeated(method: bytes, ending: str) -> None:
    """When the connection breaks after the request was read, the client gets 502 and it is not sent twice."""
    upstream = RawUpstream(OK, [ending], OK)
    request = method + b" /v1/x HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 2" + END + b"{}"
    first, second = asyncio.run(asked(upstream, request, request))

    assert first.endswith(b"ok")
    assert second.startswith(b"HTTP/1.1 502 ")
    assert b'"code":"upstream_unreachable"' in second
    assert len(upstream.requests) == 2


@pytest.mark.slow
def test_large_upload_needs_no_memory() -> None:
    """An upload passes through without being kept: of 200 MB, less than half is ever in memory at once."""
    size, piece = 200_000_000, b"x" * 100_000

    async def run() -> int:
        received = 0

        async def swallow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal received
            await reader.readuntil(b"\r\n\r\n")
            while received < size:
                received += len(await reader.read(1_000_000))
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await reader.read()
            writer.close()
            await writer.wait_closed()

        async with await asyncio.start_server(swallow, "localhost", 0) as server:
            url = f"http://localhost:{server.sockets[0].getsockname()[1]}"
            async with relaying(url) as port:
                before = _resident_bytes()
                reader, writer = await asyncio.open_connection("localhost", port)
                writer.write(
                    b"POST /v1/files HTTP/1.1\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % size
                )
                for _ in range(size // len(piece)):
                    writer.write(piece)
                    await writer.drain()
                assert (await reader.read()).endswith(b"ok")
                writer.close()
                assert received == size
                return _resident_bytes() - before

    # What grows is the vocabulary, which loads meanwhile.
    assert asyncio.run(run()) < size // 2


def test_upload_that_the_client_breaks_off_breaks_off_upstream() -> None:
    """Half a file is never taken for a whole one, and the client's going is not the upstream's failure."""
    upstream = RawUpstream()

    async def run() -> None:
        async with upstream, relaying(upstream.url) as port:
            _, writer = await asyncio.open_connection("localhost", port)
            writer.write(b"POST /v1/files HTTP/1.1\r\nContent-Length: 100\r\n\r\nhalf")
            await writer.drain()
            await _until_connected(upstream)
            writer.close()
            await upstream.seen(hangups=1)

    asyncio.run(run())

    assert upstream.requests == []


async def _until_connected(upstream: RawUpstream) -> None:
    async with asyncio.timeout(10):
        while not upstream.connections:  # noqa: ASYNC110  the upstream tells of whole requests only
            await asyncio.sleep(0)


def _resident_bytes() -> int:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096
