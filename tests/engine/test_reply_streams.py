"""A stream is held until it is known to be an answer, and then passes in its own bytes."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from gateway.core.errors import UpstreamUnreachable
from gateway.core.failures import Overflow
from gateway.core.frozen import replace
from gateway.engine.refusal import Told
from gateway.engine.reply import FAILURE_BYTES
from listening import ASKED, DONE, ERROR, ROLE, TEXT, TOO_LONG, heard, opened, released
from wired import Feed, stream


@pytest.mark.parametrize(
    "pieces",
    [
        [ERROR],
        [ROLE, ERROR],
        [b": waiting\n\n", ROLE, ERROR, DONE],
        [b"event: error\n" + ERROR],
        [b"error: " + TOO_LONG + b"\n\n"],
        [ERROR.rstrip()],
        [bytes([byte]) for byte in ROLE + ERROR],
    ],
)
def test_overflow_inside_a_stream_is_found(pieces: list[bytes]) -> None:
    """An error after a status of 200, after the role or after comments, can still be rescued."""
    assert isinstance(heard(stream(Feed(*pieces)))[0], Overflow)


@pytest.mark.parametrize("cut", [1, 5, 100, 10_000])
def test_stream_passes_in_its_own_chunks(cut: int) -> None:
    """From the first piece of the answer on, every chunk passes as it arrived."""
    data = ROLE + TEXT + TEXT + DONE
    pieces = [data[at : at + cut] for at in range(0, len(data), cut)]

    async def run() -> None:
        reply = await opened(stream(Feed(*pieces)))
        await reply.listen(None)
        assert reply.failure is None
        assert await released(reply) == pieces

    asyncio.run(run())


def test_first_piece_releases_the_stream() -> None:
    """Nobody waits for the second piece of an answer to see the first."""

    async def run() -> None:
        feed = Feed(ROLE, TEXT, is_open=True)
        reply = await opened(stream(feed))
        await reply.listen(None)
        assert (reply.pending, reply.failure) == (False, None)

    asyncio.run(run())


def test_error_after_the_first_piece_is_the_clients() -> None:
    """What comes once something was said is not ours to mend."""
    assert heard(stream(Feed(TEXT, ERROR))) == (None, TEXT + ERROR)


def test_stream_that_says_nothing_is_an_answer() -> None:
    """An empty stream is passed on as such."""
    assert heard(stream(Feed())) == (None, b"")
    assert heard(stream(Feed(ROLE))) == (None, ROLE)


def test_stream_of_comments_without_end_is_an_answer() -> None:
    """What is held is bounded: after so many chunks without a word it is released."""
    assert heard(stream(Feed(*[b":\n\n"] * 4100)))[1] == b":\n\n" * 4100


def test_events_are_found_whatever_the_type_says() -> None:
    """A server that streams under another content type is understood, if a stream was asked for."""
    asked = replace(ASKED, stream=True)

    assert isinstance(heard(httpx.Response(200, content=ROLE + ERROR), asked)[0], Overflow)
    assert heard(httpx.Response(200, content=ROLE + TEXT), asked) == (None, ROLE + TEXT)
    assert heard(httpx.Response(200, content=ROLE + ERROR))[0] is None


@pytest.mark.parametrize("kind", [None, "text/plain", "application/json", "Text/Event-Stream"])
@pytest.mark.parametrize("before", [b"", b": hm\n\n", b"\xef\xbb\xbf", b"\r\n", b"event: message\n"])
def test_stream_that_is_not_called_one_is_not_waited_for(kind: str | None, before: bytes) -> None:
    """Who asked for a stream gets its first piece at once, whatever type the server gives it, or none."""

    async def run() -> None:
        headers = {} if kind is None else {"content-type": kind}
        feed = Feed(before + TEXT, is_open=True)
        reply = await opened(httpx.Response(200, headers=headers, stream=feed), replace(ASKED, stream=True))
        await asyncio.wait_for(reply.listen(None), 10)
        assert (reply.is_stream, reply.failure) == (True, None)
        feed.end()
        assert b"".join(await released(reply)) == before + TEXT

    asyncio.run(run())


def test_answer_in_pieces_is_read_whole_where_a_stream_was_asked_for() -> None:
    """JSON in place of a stream is understood, however it is cut."""
    asked = replace(ASKED, stream=True)
    pieces = [TOO_LONG[at : at + 7] for at in range(0, len(TOO_LONG), 7)]

    assert isinstance(heard(httpx.Response(200, stream=Feed(*pieces)), asked)[0], Overflow)
    assert heard(httpx.Response(200, stream=Feed()), asked) == (None, b"")


ANSWERED = b'{"choices": [{"message": {"content": "see data: 1"}, "finish_reason": "stop"}]}'


@pytest.mark.parametrize("cut", [1000, 9])
@pytest.mark.parametrize("kind", ["text/event-stream", "application/json"])
@pytest.mark.parametrize("is_asked", [True, False])
def test_whole_answer_is_one_whatever_it_is_called(cut: int, kind: str, is_asked: bool) -> None:
    """JSON that comes as a stream without an event is neither thrown away nor asked for again."""
    asked = replace(ASKED, stream=is_asked, estimate=9000, window=None)
    for body, failure in ((ANSWERED, type(None)), (TOO_LONG, Overflow)):
        pieces = [body[at : at + cut] for at in range(0, len(body), cut)]
        response = httpx.Response(200, headers={"content-type": kind}, stream=Feed(*pieces))
        found, released = heard(response, asked)
        assert isinstance(found, failure)
        assert released == body


def test_hold_ends_with_comments_only() -> None:
    """After the hold the client gets the comments, and data only when it is known to be an answer."""

    async def run() -> None:
        feed = Feed(b": one\n\n", ROLE, b": two\n\n", is_open=True)
        reply = await opened(stream(feed))
        await reply.listen(0)
        assert reply.pending
        assert reply.take_comments() == b": one\n\n: two\n\n"
        assert reply.take_comments() == b""
        feed.put(TEXT)
        feed.put(DONE)
        feed.end()
        await reply.listen_on()
        assert not reply.pending
        assert b"".join(await released(reply)) == ROLE + TEXT + DONE

    asyncio.run(run())


def test_overflow_after_the_hold_is_found() -> None:
    """As long as no data was released, a late refusal can still be rescued."""

    async def run() -> None:
        feed = Feed(b": one\n\n", ROLE, is_open=True)
        reply = await opened(stream(feed))
        await reply.listen(0)
        reply.take_comments()
        feed.put(ERROR)
        await reply.listen_on()
        assert not reply.pending
        assert isinstance(reply.failure, Overflow)

    asyncio.run(run())


def test_no_byte_is_lost_where_a_hold_cuts_an_event() -> None:
    """An event of which half had arrived when the comments went is passed on whole."""

    async def run() -> None:
        feed = Feed(b": one\n\n" + TEXT[:20], is_open=True)
        reply = await opened(stream(feed))
        await reply.listen(0)
        assert reply.take_comments() == b": one\n\n"
        feed.put(TEXT[20:] + DONE[:4])
        await reply.listen_on()
        feed.put(DONE[4:])
        feed.end()
        assert b"".join(await released(reply)) == TEXT + DONE

    asyncio.run(run())


def test_broken_connection_is_an_error() -> None:
    """An upstream that breaks off while it is listened to has given no answer."""

    async def run() -> None:
        reply = await opened(stream(Feed(ROLE, httpx.ReadError("gone"))))
        with pytest.raises(UpstreamUnreachable):
            await reply.listen(None)

    asyncio.run(run())


def test_closing_lets_the_upstream_go() -> None:
    """An answer that nobody wants any more is not read on."""

    async def run() -> None:
        feed = Feed(ROLE, is_open=True)
        reply = await opened(stream(feed))
        await reply.close()
        assert feed.is_closed

    asyncio.run(run())


def test_failure_inside_a_stream_is_kept_to_its_end() -> None:
    """What comes right after the error belongs to it; comments that the client has got are not repeated."""

    async def run(is_late: bool) -> bytes:
        feed = Feed(b": one\n\n", is_open=True)
        reply = await opened(stream(feed))
        await reply.listen(0)
        if is_late:
            reply.take_comments()
        for piece in (ERROR, DONE):
            feed.put(piece)
        feed.end()
        while reply.pending:
            await reply.listen_on()
        return (await reply.spoken()).body

    assert asyncio.run(run(False)) == b": one\n\n" + ERROR + DONE
    assert asyncio.run(run(True)) == ERROR + DONE


@pytest.mark.parametrize("size", [FAILURE_BYTES, 100])
def test_failure_that_breaks_off_is_kept_as_far_as_it_came(size: int) -> None:
    """An upstream that says no and then breaks the connection, or talks on for ever, has said no."""

    async def run() -> None:
        reply = await opened(stream(Feed(ERROR, b"x" * size, httpx.ReadError("gone"))))
        await reply.listen(None)
        assert (await reply.spoken()).body == ERROR + b"x" * size

    asyncio.run(run())


def test_silence_is_an_overflow_where_the_window_must_be_full() -> None:
    """A stream that ends without a word, for a conversation that fills a known window, did not fit."""
    full = replace(ASKED, estimate=950, sure_window=1000)

    for feed in (Feed(), Feed(ROLE), Feed(DONE)):
        assert heard(stream(feed), full)[0] == Overflow()
    asked = replace(full, stream=True)
    assert heard(httpx.Response(200, content=ROLE), asked)[0] == Overflow()
    assert heard(stream(Feed(TEXT)), full)[0] is None


def test_late_silence_is_an_overflow_too() -> None:
    """The same after the hold, when comments have gone to the client."""

    async def run() -> None:
        feed = Feed(b": one\n\n", is_open=True)
        reply = await opened(stream(feed), replace(ASKED, estimate=950, sure_window=1000))
        await reply.listen(0)
        feed.end()
        while reply.pending:
            await reply.listen_on()
        assert reply.failure == Overflow()
        assert reply.told is Told.UNSAID

    asyncio.run(run())
