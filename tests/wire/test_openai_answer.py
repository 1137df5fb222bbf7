"""What the observer reads off answers and off the events of streams."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.wire.base import Usage
from gateway.wire.openai_chat import OpenAIChat

CHAT = OpenAIChat()
SPENT = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}


def event(**members: Any) -> bytes:
    return json.dumps({"id": "c", "object": "chat.completion.chunk", **members}).encode()


def delta(finish_reason: str | None = None, **fields: Any) -> bytes:
    return event(choices=[{"index": 0, "delta": fields, "finish_reason": finish_reason}], usage=None)


@pytest.mark.parametrize(
    ("spent", "usage"),
    [
        (SPENT, Usage(9, 3)),
        ({**SPENT, "prompt_tokens_details": {"cached_tokens": 4}}, Usage(9, 3, 4)),
        ({**SPENT, "prompt_tokens_details": {"cached_tokens": 0}}, Usage(9, 3, 0)),
        ({**SPENT, "prompt_tokens_details": None}, Usage(9, 3)),
        ({**SPENT, "prompt_tokens_details": {"cached_tokens": "4"}}, Usage(9, 3)),
        (
            {**SPENT, "prompt_tokens_details": {"cached_tokens": 2, "cache_write_tokens": 7}},
            Usage(9, 3, 2, 7),
        ),
        ({**SPENT, "prompt_cache_hit_tokens": 6, "prompt_cache_miss_tokens": 3}, Usage(9, 3, 6)),
        ({**SPENT, "cached_tokens": 5}, Usage(9, 3, 5)),
        (
            {**SPENT, "prompt_tokens_details": {"cached_tokens": 0}, "cache_read_input_tokens": 4},
            Usage(9, 3, 4),
        ),
        ({**SPENT, "cache_read_input_tokens": 1, "cache_creation_input_tokens": 8}, Usage(9, 3, 1, 8)),
        (
            {**SPENT, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 20},
            Usage(129, 3, 100, 20),
        ),
        ({"prompt_tokens": 9}, Usage(9, 0)),
        ({"prompt_tokens": 9, "completion_tokens": -3}, Usage(9, 0)),
        ({"prompt_tokens": 9, "cached_tokens": 10**30}, Usage(9, 0)),
        ({"prompt_tokens": True}, None),
        ({"prompt_tokens": None}, None),
        (None, None),
        ([], None),
    ],
)
def test_usage_is_read_where_the_upstream_gives_it(spent: Any, usage: Usage | None) -> None:
    """Spent tokens are counted from a whole answer and from the last event of a stream alike."""
    assert CHAT.usage(event(choices=[], usage=spent)) == usage


@pytest.mark.parametrize(
    "data", [b"", b"[DONE]", b'"usage"', b'{"usage":{', b'["usage"]', b'\xff"finish_reason"']
)
def test_what_cannot_be_read_says_nothing(data: bytes) -> None:
    """A broken event does not break the observer."""
    assert (CHAT.usage(data), CHAT.is_usage_only(data)) == (None, False)


@pytest.mark.parametrize(
    "data",
    [
        delta(content="a"),
        delta(role="assistant", content="a"),
        delta(tool_calls=[{"index": 0}]),
        delta(function_call={"name": "f"}),
        delta(refusal="no"),
        delta(reasoning_content="hm"),
        delta(some_future_field="x"),
        delta(finish_reason="stop"),
        event(choices=[], usage=SPENT),
        event(choices=[{"index": 0, "message": {"role": "assistant", "content": None}}]),
        event(type="content_block_delta", delta={"text": "a"}),
        event(choices=None, text="a"),
        b"[DONE]",
        b"{not json",
    ],
)
def test_a_piece_of_the_answer_releases_the_stream(data: bytes) -> None:
    """From the first content, call, refusal, thought, end or usage on, the client is served."""
    assert CHAT.is_delta(data)


@pytest.mark.parametrize(
    "data",
    [
        delta(role="assistant", content=""),
        delta(role="assistant", content=None, tool_calls=[], refusal=None),
        delta(),
        event(choices=[], prompt_filter_results=[{"prompt_index": 0}]),
        event(error={"code": "context_length_exceeded"}),
    ],
)
def test_an_opening_or_an_error_does_not_release_the_stream(data: bytes) -> None:
    """Behind an event that only names the role, an overflow can still be rescued (dyn-20)."""
    assert not CHAT.is_delta(data)


def test_only_the_extra_event_is_taken_for_usage_only() -> None:
    """The event that a client did not ask for is told from one that carries usage beside a choice."""
    assert CHAT.is_usage_only(event(choices=[], usage=SPENT))
    assert not CHAT.is_usage_only(event(choices=[], usage=None))
    assert not CHAT.is_usage_only(event(choices=[{"index": 0, "delta": {}}], usage=SPENT))
    assert not CHAT.is_usage_only(event(usage=SPENT))
