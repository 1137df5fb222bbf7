"""What a whole answer is, told before a byte of it is released; streams are in test_reply_streams.py."""

from __future__ import annotations

import asyncio
import gzip

import httpx
import pytest

from gateway.core.failures import Failure, Final, Overflow, Refused
from gateway.core.frozen import replace
from gateway.engine.reply import ANSWER_BYTES, FAILURE_BYTES, Spoken
from listening import ASKED, ERROR, TOO_LONG, heard, opened, released
from wired import WIRE, Feed, answer, failed, refusal, stream


def test_answer_passes_as_it_came() -> None:
    """A whole answer is an answer, byte for byte."""
    good = answer()

    assert heard(good) == (None, good.content)


def test_overflow_is_read_with_its_numbers() -> None:
    """The upstream's refusal tells the window and the prompt."""
    response = refusal(12_000, 10_000)

    assert heard(response) == (Overflow(limit=10_000, prompt=12_000), response.content)


@pytest.mark.parametrize(
    ("response", "failure"),
    [
        (failed(400, "Unknown parameter: 'x'."), Refused()),
        (failed(401, "Incorrect API key provided."), Final()),
        (failed(500, "The server had an error."), Final()),
        (httpx.Response(503), Final()),
    ],
)
def test_other_errors_are_told_apart(response: httpx.Response, failure: Failure) -> None:
    """An error of form may be our doing; keys and trouble on their side are not."""
    assert heard(response)[0] == failure


def test_compressed_error_is_read() -> None:
    """An upstream that compresses its errors is understood; the client gets them compressed, as it asked."""
    coded = gzip.compress(TOO_LONG)
    response = httpx.Response(400, stream=Feed(coded[:9], coded[9:]), headers={"content-encoding": "gzip"})

    failure, passed = heard(response)
    assert isinstance(failure, Overflow)
    assert passed == coded


def test_headers_of_an_error_count() -> None:
    """Bedrock names the kind of its error in a header."""
    headers = {"x-amzn-errortype": "ThrottlingException"}

    assert heard(httpx.Response(400, content=b"{}", headers=headers))[0] == Final()


def test_error_that_cannot_be_read_is_judged_by_its_status() -> None:
    """A 400 in a coding that we do not read is an overflow only where the window must be full."""
    headers = {"content-encoding": "br"}
    full = replace(ASKED, estimate=990)

    assert heard(httpx.Response(400, stream=Feed(b"??"), headers=headers)) == (Refused(), b"??")
    assert heard(httpx.Response(400, stream=Feed(b"??"), headers=headers), full) == (Overflow(), b"??")


def test_endless_error_passes_unread() -> None:
    """An error page of any length does not fill the memory; all of it still passes."""
    page = [b"x" * FAILURE_BYTES, b"y", TOO_LONG]

    assert heard(httpx.Response(400, stream=Feed(*page))) == (Final(), b"".join(page))


def test_error_inside_a_success_is_found() -> None:
    """Some servers say 200 and put the refusal into the body."""
    assert isinstance(heard(httpx.Response(200, content=TOO_LONG))[0], Overflow)


def test_answer_of_any_length_passes() -> None:
    """A very long answer is surely one: it is not held to its end."""

    async def run() -> None:
        feed = Feed(b"x" * ANSWER_BYTES, b"x" * 10, is_open=True)
        reply = await opened(httpx.Response(200, stream=feed))
        await reply.listen(None)
        assert (reply.failure, reply.pending) == (None, False)
        feed.end()
        assert len(b"".join(await released(reply))) == ANSWER_BYTES + 10

    asyncio.run(run())


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, stream=Feed(b"??", is_open=True), headers={"content-encoding": "br"}),
        httpx.Response(204, stream=Feed(is_open=True)),
    ],
)
def test_what_cannot_be_read_is_not_held(response: httpx.Response) -> None:
    """A success in an unknown coding, or without a body, is released at once."""

    async def run() -> None:
        reply = await opened(response)
        await reply.listen(None)
        assert (reply.failure, reply.pending, reply.text) == (None, False, b"")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("response", "failure"),
    [
        (httpx.Response(400, stream=Feed(TOO_LONG, is_open=True)), Final()),
        (httpx.Response(200, stream=Feed(TOO_LONG, is_open=True)), None),
        (stream(Feed(b"\x1f\x8b", is_open=True), **{"content-encoding": "gzip"}), None),
    ],
)
def test_what_cannot_be_held_in_part_is_released(response: httpx.Response, failure: Failure | None) -> None:
    """A body that is no stream of plain events, and takes longer than the hold, is taken for what it is."""

    async def run() -> None:
        reply = await opened(response)
        await reply.listen(0)
        assert (reply.pending, reply.failure) == (False, failure)

    asyncio.run(run())


def test_text_of_what_was_read_tells_usage() -> None:
    """A whole answer is read, decompressed, for its usage; so is what is held of a stream."""

    async def run() -> None:
        coded = gzip.compress(answer(prompt=7).content)
        reply = await opened(httpx.Response(200, stream=Feed(coded), headers={"content-encoding": "gzip"}))
        await reply.listen(None)
        usage = WIRE.usage(reply.text)
        assert usage is not None
        assert usage.input_tokens == 7
        streamed = await opened(stream(Feed(ERROR)))
        await streamed.listen(None)
        assert streamed.text == TOO_LONG

    asyncio.run(run())


def test_failure_can_be_told_later() -> None:
    """An error is kept with status, headers and all of its bytes, for when nothing better is found."""

    async def run() -> None:
        error = refusal(1200, 1000)
        reply = await opened(error)
        await reply.listen(None)
        assert await reply.spoken() == Spoken(400, error.headers.raw, TOO_LONG, TOO_LONG)

    asyncio.run(run())


def test_prompt_that_was_cut_is_an_overflow() -> None:
    """A server that keeps half of its context and says so in the usage has not read the conversation."""
    cut = replace(ASKED, estimate=9000, window=None)

    assert heard(answer(prompt=2051), cut)[0] == Overflow(limit=4096)
    assert heard(answer(prompt=2051), replace(cut, has_images=True))[0] is None
    assert heard(answer(prompt=8800), cut)[0] is None
