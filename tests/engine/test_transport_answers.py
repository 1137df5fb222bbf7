"""How an answer may be framed: where it ends, what stands before it, and whether its connection is kept."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from gateway.engine.connector import ConnectionSettings, framed_once
from gateway.engine.transport import Arriving, Transport
from raw_upstream import CLOSE, HOLD, OK, WAIT, Answer, RawUpstream

PATIENCE = ConnectionSettings(connect_timeout_s=2, read_timeout_s=2)


def twice(answer: Answer, method: str = "POST") -> tuple[int, bytes, int]:
    """Return status and body of an answer, and the number of connections when a second request is over."""
    upstream = RawUpstream(answer, OK)

    async def ask(transport: Transport, method: str) -> tuple[int, bytes]:
        got = await transport.send(upstream.url, method, b"/x", [])
        try:
            return got.status, b"".join([chunk async for chunk in got])
        finally:
            await got.aclose()

    async def run() -> tuple[int, bytes, int]:
        transport = Transport(PATIENCE)
        async with upstream:
            try:
                status, body = await ask(transport, method)
                assert await ask(transport, "POST") == (200, b"ok")
                return status, body, upstream.connections
            finally:
                await transport.aclose()

    return asyncio.run(run())


WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nokay"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "answer",
    [
        [WHOLE],
        [WHOLE[:25], WHOLE[25:37], WHOLE[37:40], WHOLE[40:]],
        [CHUNKED + b"2\r\nok\r\n2;x=1\r\nay\r\n0\r\n\r\n"],
        [CHUNKED, b"4\r\nokay\r\n0\r\nX-Sum: 1\r\n", b"X-Other: 2\r\n\r\n"],
        [b"HTTP/1.1 100 Continue\r\n\r\n" + WHOLE],
        [b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\ncontent-length:4\r\n\r\nokay"],
        [b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", b"HTTP/1.1 102 Processing\r\n\r\n", WHOLE],
    ],
)
def test_answer_ends_where_it_says_and_its_connection_is_kept(answer: Answer) -> None:
    """Lengths, chunks with extensions and trailers, answers in pieces or behind others of 1xx."""
    assert twice(answer) == (200, b"okay", 1)


@pytest.mark.parametrize(
    ("status", "method"), [(b"204 No Content", "POST"), (b"304 Not Modified", "GET"), (b"200 OK", "HEAD")]
)
def test_answer_without_a_body_has_none_whatever_its_length(status: bytes, method: str) -> None:
    """What 204, 304 and answers to HEAD say of a length is about a body that is not sent."""
    length = b"" if status.startswith(b"204") else b"Content-Length: 9\r\n"
    answer = b"HTTP/1.1 %s\r\n%s\r\n" % (status, length)

    assert twice([answer], method) == (int(status[:3]), b"", 1)


@pytest.mark.parametrize(
    "answer",
    [
        [b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\nokay"],
        [b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\nokay", CLOSE],
        [b"HTTP/1.1 200 OK\r\n\r\nok", b"ay", CLOSE],
        [b"HTTP/1.0 200 OK\r\n\r\nokay", CLOSE],
        [b"HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nokay"],
        [WHOLE, CLOSE],
    ],
)
def test_connection_that_ends_with_its_answer_is_not_used_again(answer: Answer) -> None:
    """A server that says so, one that just closes, and one of HTTP/1.0: the next request has another."""
    assert twice(answer) == (200, b"okay", 2)


def test_what_comes_behind_an_answer_is_nobodys() -> None:
    """More than the length that was promised is never taken for the answer to the next request."""
    forged = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"

    assert twice([WHOLE + forged]) == (200, b"okay", 2)


def test_half_closed_connection_is_not_used_again() -> None:
    """A server that sends no more, though it would still read, gets no other request on that connection."""
    peers: list[asyncio.StreamWriter] = []

    async def answer_and_stop(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peers.append(writer)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OK)
        writer.write_eof()
        await reader.read()
        writer.close()

    async def run() -> int:
        transport = Transport(PATIENCE)
        async with await asyncio.start_server(answer_and_stop, "localhost", 0) as server:
            url = f"http://localhost:{server.sockets[0].getsockname()[1]}"
            for _ in range(3):
                got = await transport.send(url, "GET", b"/", [])
                assert [chunk async for chunk in got] == [b"ok"]
            await transport.aclose()
        return len(peers)

    assert asyncio.run(run()) == 3


@pytest.mark.parametrize(
    "answer",
    [
        [b"HTTP/1.1 200 OK\r\nX-Long: %s\r\nContent-Length: 0\r\n\r\n" % (b"x" * 70_000)],
        [b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 200_000],
        [b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nokay"],
        [b"HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\nokay"],
        [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nokay\r\n0\r\n\r\n"],
    ],
)
def test_answer_that_cannot_be_read_is_an_error_of_the_protocol(answer: Answer) -> None:
    """A header without end and framing that contradicts itself are told as the upstream's failure."""
    with pytest.raises(httpx.RemoteProtocolError):
        twice(answer)


@pytest.mark.parametrize("length", [b"4", b"9", b"0"])
@pytest.mark.parametrize("coding", [b"Transfer-Encoding: chunked", b"transfer-encoding:Chunked "])
def test_chunks_count_where_a_length_is_told_besides(length: bytes, coding: bytes) -> None:
    """Some gateways send both; their clients read the chunks, and so do we: the length goes no further."""
    head = b"HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: %s\r\n%s\r\nX-B: 2\r\n\r\n" % (length, coding)
    assert twice([head + b"4\r\nokay\r\n0\r\n\r\n"]) == (200, b"okay", 1)
    assert b"X-A: 1\r\n%s\r\nX-B: 2\r\n\r\n" % coding in framed_once(head)


@pytest.mark.parametrize("then", [b"zz\r\nokay\r\n0\r\n\r\n", b"2\r\nokay\r\n0\r\n\r\n"])
def test_framing_that_breaks_in_the_middle_of_an_answer_ends_it(then: bytes) -> None:
    """Whoever reads the answer is told so, though its beginning was good, and does not wait for ever."""
    upstream = RawUpstream([CHUNKED + b"2\r\nok\r\n", WAIT, then, HOLD])

    async def run() -> None:
        transport = Transport(PATIENCE)
        async with upstream:
            got = await transport.send(upstream.url, "POST", b"/x", [])
            assert await anext(got) == b"ok"
            upstream.go.set()
            with pytest.raises(httpx.RemoteProtocolError):
                async with asyncio.timeout(10):
                    [chunk async for chunk in got]
            await got.aclose()
            await transport.aclose()

    asyncio.run(run())


def test_only_silence_is_waited_for_so_long() -> None:
    """An answer may take longer than that as long as something comes of it, and no longer after its last."""
    piece = b"2\r\nok\r\n"
    upstream = RawUpstream([CHUNKED + piece, WAIT, piece, WAIT, piece, HOLD])
    got: list[bytes] = []

    def go_once() -> None:
        upstream.go.set()
        upstream.go.clear()

    async def read(answer: Arriving) -> None:
        async for chunk in answer:
            got.append(chunk)
            asyncio.get_running_loop().call_later(0.2, go_once)

    async def run() -> None:
        transport = Transport(ConnectionSettings(read_timeout_s=0.3))
        async with upstream:
            answer = await transport.send(upstream.url, "POST", b"/x", [])
            with pytest.raises(httpx.ReadTimeout):
                await read(answer)
            await answer.aclose()
            await transport.aclose()

    asyncio.run(run())

    assert got == [b"ok"] * 3
