"""Usage is read from a copy, however a stream was cut; only an event that we asked for is taken out."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from gateway.engine.observer import TAIL_BYTES, Observer, without_usage
from gateway.wire.anthropic_messages import AnthropicMessages
from gateway.wire.base import Usage, WireFormat
from gateway.wire.openai_responses import OpenAIResponses
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


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("size", [3, 1000, 100_000])
def test_long_event_goes_out_as_it_comes(line_end: bytes, size: int) -> None:
    """One without end would take all memory; behind a long one the usage is taken out as ever."""
    long = b"data: " + b"x" * 150_000 + b"\n: a comment\n\n"
    came = [piece.replace(b"\n", line_end) for piece in (START, long, STREAM.removeprefix(START))]
    passed, observer = filtered(chunks(b"".join(came), size))

    assert b"".join(passed) == (START + long + DONE).replace(b"\n", line_end)
    assert max(map(len, passed)) < 70_000 + size
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


@pytest.mark.parametrize(
    "end",
    [
        DONE,
        b"data: [DONE]\n\n: comment\n\n",
        b'event: message_stop\ndata: {"type":"message_stop"}\n\n',
        b'event: response.completed\ndata: {"type":"response.completed","response":{}}\n\n',
        b'event: response.incomplete\ndata: {"sequence_number":3,"type":"response.incomplete"}\n\n',
        b'event: error\ndata: {"type": "error","error":{}}\n\n',
    ],
)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_end_of_an_answer_is_known(end: bytes, size: int) -> None:
    """Each format has its last event; a client that hangs up behind it has got everything."""
    observer = observed(chunks(START, size))
    assert not observer.is_over

    for piece in chunks(end, size):
        observer.feed(piece)
    assert observer.is_over


@pytest.mark.parametrize("text", ["[DONE]", '{"type":"message_stop"}', "data: [DONE]\n\n"])
def test_end_is_not_what_a_model_writes(text: str) -> None:
    """An answer about streams does not end where it quotes the end of one."""
    assert not observed([START, delta(content=text)]).is_over
    assert not observed([]).is_over


def test_long_last_event_is_read_at_its_end() -> None:
    """The last event of the Responses API repeats instructions and tools; usage stands behind them."""
    long = json.dumps({"tools": [{"usage": {"type": "object"}, "text": "x" * TAIL_BYTES}]})[1:-1]
    last = b'data: {"type":"response.completed","response":{%s,"usage":' % long.encode()
    last += b'{"prompt_tokens":70,"completion_tokens":4,"details":{"a":1}},"metadata":{}}}\n\n'

    observer = observed(chunks(START + last, 1000))
    assert (observer.usage(), observer.is_over) == (Usage(70, 4), True)
    assert observed([last[:-60]]).usage() is None


def test_prompt_that_only_the_beginning_tells_is_known() -> None:
    """Anthropic says at the start what the prompt took, and at the end what the answer did."""
    first = event({"usage": {"prompt_tokens": 70, "completion_tokens": 1, "cached_tokens": 30}})
    last = event({"usage": {"prompt_tokens": 0, "completion_tokens": 9}})
    long = delta(content="x" * TAIL_BYTES)

    assert observed([first, long, long, last]).usage() == Usage(70, 9, 30)
    assert observed([long, long, last]).usage() == Usage(0, 9)


def ended(wire: WireFormat, *values: dict[str, Any]) -> Usage | None:
    """Return the usage of a stream of these events, a few bytes at a time."""
    observer = Observer(wire, "")
    for piece in chunks(b"".join(map(event, values)), 50):
        observer.feed(piece)
    return observer.usage()


BEGUN = {"type": "message_start", "message": {"usage": {"input_tokens": 150_000, "output_tokens": 1}}}


def test_end_of_a_messages_stream_says_that_the_window_ended_it() -> None:
    """The prompt is told at the beginning, the output and the reason at the end."""
    text = {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "so far"}}
    last = {"stop_reason": "model_context_window_exceeded", "stop_sequence": None}
    end = {"type": "message_delta", "delta": last, "usage": {"output_tokens": 50_000}}

    told = ended(AnthropicMessages(), BEGUN, text, end, {"type": "message_stop"})

    assert told == Usage(150_000, 50_000, is_ended_by_window=True)


def test_end_of_a_messages_stream_says_that_the_prompt_was_edited() -> None:
    """What the vendor cleared is told at the end, the tokens of the rest at the beginning."""
    cleared = {"applied_edits": [{"type": "clear_tool_uses_20250919", "cleared_input_tokens": 50_000}]}
    end = {"type": "message_delta", "context_management": cleared, "usage": {"output_tokens": 50}}

    told = ended(AnthropicMessages(), BEGUN, end, {"type": "message_stop"})

    assert told == Usage(150_000, 50, is_edited=True)


def test_end_of_a_chat_stream_says_that_the_window_ended_it() -> None:
    """The reason stands in the last choice, the usage behind it."""
    last = {"choices": [{"index": 0, "delta": {}, "finish_reason": "model_context_window_exceeded"}]}
    spent = {"choices": [], "usage": {"prompt_tokens": 9000, "completion_tokens": 1000}}

    assert ended(WIRE, last, spent) == Usage(9000, 1000, is_ended_by_window=True)


def test_cap_and_quoted_reason_do_not_tell_the_window() -> None:
    """An answer may speak of a full window, and end at the client's own cap."""
    quoted = {"type": "text_delta", "text": '"stop_reason":"model_context_window_exceeded"'}
    text = {"type": "content_block_delta", "delta": quoted}
    end = {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": 50}}
    assert ended(AnthropicMessages(), BEGUN, text, end) == Usage(150_000, 50)

    response = {
        "status": "incomplete",
        "incomplete_details": {"reason": "max_output_tokens"},
        "usage": {"input_tokens": 9000, "output_tokens": 1000},
        "output": [{"type": "message", "content": [{"type": "output_text", "text": str(quoted)}]}],
    }
    told = ended(OpenAIResponses(), {"type": "response.incomplete", "response": response})
    assert told is not None
    assert not told.is_ended_by_window


def test_torn_event_does_not_tell_the_window() -> None:
    """What cannot be read says nothing."""
    assert observed([b'data: {"model_context_window_exceeded\n\n', USAGE]).usage() == Usage(70, 4)
