"""The server's settings and its protocol."""

from __future__ import annotations

import asyncio
import contextlib
import logging

import pytest

from gateway.web import asgi
from gateway.web.asgi import Receive, Scope, Send
from gateway.web.relay import AnswerCut, leaving
from gateway.web.server import HEAD_BYTES
from serving import serving, talk


async def _echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the names of the headers and the body."""
    body = await asgi.read_body(scope, receive, 1_000_000)
    names = b",".join(name for name, _ in asgi.raw_headers(scope))
    await asgi.send_response(send, 200, [], names + b"|" + body)


def _answer(*pieces: bytes) -> bytes:
    async def run() -> bytes:
        async with serving(_echo) as port:
            return await talk(port, *pieces)

    return asyncio.run(run())


def test_server_adds_no_headers_of_its_own() -> None:
    """No Date and no Server beside the upstream's."""
    assert _answer(b"GET / HTTP/1.1\r\nX-Case: 1\r\nConnection: close\r\n\r\n") == (
        b"HTTP/1.1 200 OK\r\ncontent-length: 18\r\nconnection: close\r\n\r\nX-Case,Connection|"
    )


async def _drip(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with a stream, or with a length where the path says so."""
    headers = [(b"content-length", b"4")] if scope["path"] == "/length" else []
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for piece in (b"dr", b"ip"):
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


@pytest.mark.parametrize("path", [b"/", b"/length"])
@pytest.mark.parametrize("more", [b"", b"Connection: keep-alive\r\n"])
def test_old_client_gets_no_chunks(path: bytes, more: bytes) -> None:
    """A client that speaks HTTP/1.0 cannot read chunks: its answer ends with the connection."""

    async def run() -> tuple[bytes, bytes]:
        async with serving(_drip) as port:
            answer = await talk(port, b"GET " + path + b" HTTP/1.0\r\n" + more + b"\r\n")
            head = await talk(port, b"HEAD " + path + b" HTTP/1.0\r\n\r\n")
            return answer, head

    answer, head = asyncio.run(run())
    assert answer.endswith(b"\r\n\r\ndrip")
    assert head.endswith(b"\r\n\r\n")
    assert b"chunked" not in answer + head


@pytest.mark.parametrize(
    ("framing", "body"),
    [
        (b"Content-Length: 5", b"hello"),
        (b"Transfer-Encoding: chunked", b"2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"),
        (b"X: 1", b""),
    ],
)
@pytest.mark.parametrize("protocol", [b"h2c", b"websocket", b"TLS/1.0"])
def test_offer_to_upgrade_does_not_cost_the_body(framing: bytes, body: bytes, protocol: bytes) -> None:
    """A request that offers another protocol is read to its end, and so is the one after it."""
    head = b"POST / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: " + protocol + b"\r\n" + framing + b"\r\n\r\n"
    last = b"POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: 4\r\n\r\nlast"
    whole = b"hello" if body else b""

    for pieces in ((head + body, last), (head, body, last), (head + body + last,)):
        first, second = _answer(*pieces).split(b"HTTP/1.1 200 OK\r\n")[1:]
        assert first.endswith(b"|" + whole)
        assert second.endswith(b"|last")


def test_body_that_comes_after_an_offer_to_upgrade_is_waited_for() -> None:
    """The head alone is not taken for the whole request: a client that asks first sends its body later."""
    head = (
        b"POST / HTTP/1.1\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n"
        b"Expect: 100-continue\r\nContent-Length: 5\r\n\r\n"
    )

    async def run() -> tuple[bytes, bytes]:
        async with serving(_echo) as port:
            reader, writer = await asyncio.open_connection("localhost", port)
            writer.write(head)
            first = await reader.readuntil(b"\r\n\r\n")
            writer.write(b"hello")
            rest = await reader.read()
            writer.close()
            return first, rest

    first, rest = asyncio.run(run())

    assert first == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert rest.endswith(b"|hello")


def test_head_without_end_is_hung_up_on() -> None:
    """One client cannot keep the server busy with a header that goes on and on."""

    async def run() -> bytes:
        async with serving(_echo) as port:
            reader, writer = await asyncio.open_connection("localhost", port)
            writer.write(b"GET / HTTP/1.1\r\nX: ")
            with contextlib.suppress(ConnectionError):
                while not reader.at_eof():
                    writer.write(b"x" * 65_536)
                    await writer.drain()
            writer.close()
            return await talk(port, b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")

    assert asyncio.run(asyncio.wait_for(run(), 30)).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("begun", [b"X: ", b"1;x="])
def test_chunked_body_does_not_end_without_end(begun: bytes) -> None:
    """Nor with what may stand behind a body, or beside the size of a piece of it."""

    async def run() -> None:
        async with serving(_echo) as port:
            reader, writer = await asyncio.open_connection("localhost", port)
            pieces = b"1\r\nx\r\n" + (b"0\r\n" if begun == b"X: " else b"")
            writer.write(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + pieces + begun)
            with contextlib.suppress(ConnectionError):
                while not reader.at_eof():
                    writer.write(b"x" * 65_536)
                    await writer.drain()
            writer.close()

    asyncio.run(asyncio.wait_for(run(), 30))


@pytest.mark.parametrize("upgrade", [b"", b"Connection: Upgrade\r\nUpgrade: h2c\r\n"])
def test_what_comes_behind_a_body_is_no_header(upgrade: bytes) -> None:
    """A key in the trailers would have passed whoever looks at headers before us."""
    head = b"POST / HTTP/1.1\r\n" + upgrade + b"Transfer-Encoding: chunked\r\nX-Own: 1\r\n\r\n"
    trailers = b"5\r\nhello\r\n0\r\nAuthorization: Bearer k\r\nX-Other: 2\r\n\r\n"
    last = b"GET / HTTP/1.1\r\nX-Last: 1\r\nConnection: close\r\n\r\n"

    first, second = _answer(head + trailers, last).split(b"HTTP/1.1 200 OK\r\n")[1:]

    assert first.endswith(b"X-Own|hello")
    assert second.endswith(b"X-Last,Connection|")


def test_large_headers_are_taken() -> None:
    """Half a megabyte of headers is no reason to refuse a request, nor is one request after another."""
    head = b"GET / HTTP/1.1\r\nX: " + b"x" * (HEAD_BYTES // 2) + b"\r\n"
    last = head + b"Connection: close\r\n\r\n"

    assert _answer(*[head + b"\r\n"] * 4, last).count(b"HTTP/1.1 200 OK") == 5


def test_what_is_not_http_is_a_400() -> None:
    """Garbage gets an answer and an end."""
    assert _answer(b"garbage\r\n\r\n").startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("before", [False, True])
def test_client_that_leaves_ends_what_is_done_for_it(before: bool) -> None:
    """Also after a body so large that the server stopped reading, and before anybody asks to be told."""

    async def run() -> None:
        asked, gone, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def wait(scope: Scope, receive: Receive, send: Send) -> None:
            await asgi.read_body(scope, receive, 1_000_000)
            asked.set()
            if before:
                await gone.wait()
            with pytest.raises(asgi.ClientLeft):
                async with leaving(receive, scope[asgi.TELL]):
                    await asyncio.Event().wait()
            ended.set()

        async with serving(wait) as port, asyncio.timeout(10):
            _, writer = await asyncio.open_connection("localhost", port)
            writer.write(b"POST / HTTP/1.1\r\nContent-Length: 500000\r\n\r\n" + b"x" * 500_000)
            await asked.wait()
            writer.close()
            await writer.wait_closed()
            await asyncio.sleep(0.05)
            gone.set()
            await ended.wait()

    asyncio.run(run())


def test_client_that_leaves_two_requests_ends_the_first(caplog: pytest.LogCaptureFixture) -> None:
    """What is done for it ends, as without a second behind it, and nothing is logged as a mistake."""

    async def run() -> None:
        asked, told = asyncio.Event(), asyncio.Event()

        async def wait(scope: Scope, receive: Receive, send: Send) -> None:
            await receive()
            asked.set()
            while (await receive())["type"] != "http.disconnect":
                pass
            told.set()

        async with serving(wait) as port, asyncio.timeout(10):
            _, writer = await asyncio.open_connection("localhost", port)
            writer.write(b"GET / HTTP/1.1\r\n\r\n" * 3)
            await asked.wait()
            writer.transport.abort()
            await told.wait()
            await asyncio.sleep(0.05)

    caplog.set_level(logging.ERROR)
    asyncio.run(run())
    assert caplog.records == []


def test_client_that_stays_is_let_be() -> None:
    """Once an answer is over, its connection may close without anybody being told."""

    async def run() -> bytes:
        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            async with leaving(receive, scope[asgi.TELL]) as client:
                await asgi.send_response(send, 200, [], b"done")
            assert not client.left

        async with serving(answer) as port:
            return await talk(port, b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")

    assert asyncio.run(run()).endswith(b"done")


@pytest.mark.parametrize(
    ("error", "is_told"),
    [(AnswerCut("the upstream broke off"), False), (asyncio.CancelledError(), False), (OSError("x"), True)],
)
def test_answer_that_was_cut_leaves_no_trace_in_the_log(error: BaseException, is_told: bool) -> None:
    """The request's own line says so; a trace is for mistakes."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise error

    seen: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = seen.append  # type: ignore[assignment]

    async def run() -> bytes:
        async with serving(app) as port:
            log = logging.getLogger("uvicorn.error")
            log.setLevel(logging.ERROR)
            log.addHandler(handler)
            try:
                return await talk(port, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            finally:
                log.removeHandler(handler)

    asyncio.run(run())
    assert bool(seen) == is_told
