"""Bodies read within bounds or as they arrive."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from gateway.core.errors import TooLarge
from gateway.web.asgi import ClientLeft, Message, Receive, Scope, Upload, incoming, raw_headers, read_body


def _client(*pieces: bytes | None) -> Receive:
    """Return a client that sends these pieces; None: it leaves."""
    waiting = list(pieces)

    async def receive() -> Message:
        piece = waiting.pop(0) if waiting else None
        if piece is None:
            return {"type": "http.disconnect"}
        more = bool(waiting)
        return {"type": "http.request", "body": piece, "more_body": more}

    return receive


def _scope(*headers: tuple[bytes, bytes]) -> Scope:
    return {"headers": list(headers)}


def test_body_in_pieces_is_put_together() -> None:
    """However a client's body is cut, it is read whole."""
    assert asyncio.run(read_body(_scope(), _client(b"a", b"", b"bc"), 3)) == b"abc"
    assert asyncio.run(read_body(_scope(), _client(b""), 0)) == b""


@pytest.mark.parametrize("pieces", [(b"abcd",), (b"ab", b"cd", b"e")])
def test_body_over_the_bound_is_refused(pieces: tuple[bytes, ...]) -> None:
    """A body that turns out too large is an error that says how large it may be."""
    with pytest.raises(TooLarge, match="larger than 3 bytes"):
        asyncio.run(read_body(_scope(), _client(*pieces), 3))


def test_body_that_says_it_is_too_large_is_not_read() -> None:
    """The bound holds before the first byte where the length is declared."""

    async def receive() -> Message:
        raise AssertionError("the body was asked for")

    with pytest.raises(TooLarge):
        asyncio.run(read_body(_scope((b"content-length", b"4")), receive, 3))


@pytest.mark.parametrize("read", [lambda r: read_body(_scope(), r, 9), incoming])
def test_client_that_leaves_before_its_body_is_no_request(
    read: Callable[[Receive], asyncio.Future[object]],
) -> None:
    """A client that breaks off before the first byte is told apart from an empty body."""
    with pytest.raises(ClientLeft):
        asyncio.run(_await(read(_client(None))))


async def _await(waiting: asyncio.Future[object]) -> object:
    return await waiting


def test_upload_arrives_piece_by_piece_and_then_tells_of_the_client() -> None:
    """A body of several pieces is a stream; what comes after it is the client leaving."""

    async def run() -> tuple[list[bytes], str]:
        body, after = await incoming(_client(b"a", b"b", b"c"))
        assert isinstance(body, Upload)
        pieces = [piece async for piece in body]
        return pieces, (await after())["type"]

    assert asyncio.run(run()) == ([b"a", b"b", b"c"], "http.disconnect")


def test_upload_that_breaks_off_is_no_end() -> None:
    """A client that leaves in the middle of a body does not make it look complete."""

    async def run() -> bytes:
        body, after = await incoming(_client(b"a", b"b", None))
        assert isinstance(body, Upload)
        arrived = await anext(body) + await anext(body)
        with pytest.raises(ClientLeft):
            await anext(body)
        assert (await after())["type"] == "http.disconnect"
        return arrived

    assert asyncio.run(run()) == b"ab"


def test_headers_keep_their_case_where_the_server_does() -> None:
    """Names come as the client wrote them if the server kept them, in lower case otherwise."""
    scope = _scope((b"x-a", b"1"))
    assert raw_headers(scope) == [(b"x-a", b"1")]

    scope["haversack.headers"] = [(b"X-A", b"1")]
    assert raw_headers(scope) == [(b"X-A", b"1")]
