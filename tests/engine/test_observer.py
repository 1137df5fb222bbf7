"""Usage is read from a copy, however a stream was cut; only an event that we asked for is taken out."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Sequence

import pytest

from gateway.engine.observer import TAIL_BYTES, Observer, without_usage
from gateway.wire.base import Usage
from wired import WIRE, delta, event

USAGE = event({"choices": [], "usage": {"prompt_tokens": 70, "completion_tokens": 4}})
DONE = event(b"[DONE]")
START = delta(role="assistant") + delta(content="Hel") + delta(content="lo \u2028 there")
STREAM = START + USAGE + DONE


def chunks(data: bytes, size: int) -> list[bytes]:
    """Return the data in pieces of that size."""
    return [data[at : at + size] for at in range(0, len(data), size)]


def observed(pieces: Sequence[bytes], coding: str = "") -> Observer:
    """Return an observer that has seen these pieces."""
    observer = Observer(WIRE, coding)
    for piece in pieces:
        observer.feed(piece)
    return observer


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 10_000])
def test_usage_is_found_in_any_chunking(size: int) -> None:
    """What the upstream spent is known, wherever its chunks end."""
    observer = observed(chunks(STREAM, size))

    assert observer.usage() == Usage(70, 4)


def test_usage_is_found_at_the_end_of_a_long_stream() -> None:
    """However much was said before, the end is what counts, and only the end is kept."""
    long = delta(content="x" * TAIL_BYTES)

    assert observed([long, long, USAGE, DONE]).usage() == Usage(70, 4)
    assert observed([USAGE, long, long]).usage() is None


def test_last_usage_counts() -> None:
    """Servers that report as they go have said all at the end."""
    early = event({"choices": [], "usage": {"prompt_tokens": 70, "completion_tokens": 1}})

    assert observed([early, USAGE]).usage() == Usage(70, 4)


def test_usage_in_a_stream_that_lacks_its_end_is_found() -> None:
    """A server that forgets the last empty line is read all the same."""
    assert observed([START, USAGE.rstrip()]).usage() == Usage(70, 4)


@pytest.mark.parametrize("size", [1, 50, 10_000])
def test_compressed_stream_is_read(size: int) -> None:
    """Usage is known although what passes is compressed."""
    assert observed(chunks(gzip.compress(STREAM), size), "gzip").usage() == Usage(70, 4)


@pytest.mark.parametrize(("data", "coding"), [(START, ""), (b"", ""), (STREAM, "br"), (STREAM, "gzip")])
def test_usage_that_is_not_there_is_not_invented(data: bytes, coding: str) -> None:
    """A stream without usage, or one that cannot be read, teaches nothing."""
    assert observed([data], coding).usage() is None


def filtered(pieces: Sequence[bytes]) -> tuple[list[bytes], Observer]:
    """Return what passes of these pieces, and who watched."""

    async def source() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    async def run() -> list[bytes]:
        return [piece async for piece in without_usage(source(), observer, WIRE)]

    observer = Observer(WIRE, "")
    return asyncio.run(run()), observer


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_only_the_usage_that_we_asked_for_is_taken_out(size: int) -> None:
    """The client gets every other byte as it was, and we have read what was taken out."""
    passed, observer = filtered(chunks(STREAM, size))

    assert b"".join(passed) == START + DONE
    assert b"" not in passed
    assert observer.usage() == Usage(70, 4)


def test_usage_beside_content_stays() -> None:
    """An event that says something else too is not ours to take."""
    both = event({"choices": [{"delta": {"content": "x"}}], "usage": {"prompt_tokens": 1}})

    assert filtered([both])[0] == [both]


def test_end_without_an_empty_line_passes() -> None:
    """What is left when the stream breaks off is the client's."""
    assert b"".join(filtered([START, b"data: [DO"])[0]) == START + b"data: [DO"


def test_usage_without_an_empty_line_is_taken_out_too() -> None:
    """The event that we asked for is not passed on because its last line end is missing."""
    assert b"".join(filtered([START, USAGE.rstrip()])[0]) == START
