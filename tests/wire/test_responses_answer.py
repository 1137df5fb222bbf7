"""Usage and pieces of answers, as the Responses API and those who speak it write them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.wire.base import Usage
from gateway.wire.responses_answer import is_delta, usage

SPENT = {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 60}, "output_tokens": 7}


def data(value: Any) -> bytes:
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    "said",
    [
        {"object": "response", "output": [], "usage": SPENT},
        {"type": "response.completed", "response": {"output": [{"usage": 1}], "usage": SPENT}},
        {"type": "response.incomplete", "response": {"usage": SPENT}},
        {"usage": SPENT, "metadata": "\ud83d"},
        {"response": {"usage": SPENT}, "x": "\ud83d"},
    ],
)
def test_usage_is_read_where_it_stands(said: Any) -> None:
    """A whole answer says what was spent, and so does the last event of a stream, however it ended."""
    assert usage(data(said)) == Usage(100, 7, 60, 0)


def test_silence_about_the_cache_is_not_nothing() -> None:
    """An upstream that does not know its cache is told from one that read nothing from it."""
    assert usage(data({"usage": {"input_tokens": 5, "output_tokens": 1}})) == Usage(5, 1, None, 0)
    zero = {"input_tokens": 5, "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 4}}
    assert usage(data({"usage": zero})) == Usage(5, 0, 0, 4)


@pytest.mark.parametrize(
    "said",
    [
        b'{"type":"response.created","response":{"usage":null}}',
        b'{"usage":{"input_tokens":"9"}}',
        b'{"usage":{"input_tokens":true}}',
        b'{"usage":[]}',
        b'{"usage":[],"x":"\\ud83d"}',
        b'["usage"]',
        b'"usage"',
        b'{"usage"',
        b"",
    ],
)
def test_what_cannot_be_read_says_nothing(said: bytes) -> None:
    """Nothing that an upstream writes raises."""
    assert usage(said) is None


@pytest.mark.parametrize(
    "kind",
    [
        "response.output_text.delta",
        "response.function_call_arguments.delta",
        "response.reasoning_summary_text.delta",
        "response.web_search_call.in_progress",
        "response.completed",
        "response.incomplete",
        "response.something_new",
    ],
)
def test_piece_of_an_answer_is_one(kind: str) -> None:
    """Whatever a model says or does, and the end of an answer, show that the request was accepted."""
    assert is_delta(data({"type": kind}))
    assert is_delta(data({"sequence_number": 1, "type": kind}))


@pytest.mark.parametrize(
    "kind",
    [
        "response.created",
        "response.queued",
        "response.in_progress",
        "response.content_part.added",
        "response.failed",
        "error",
        "keepalive",
    ],
)
def test_what_comes_before_an_answer_or_in_its_place_is_none(kind: str) -> None:
    """Announcements and failures do not show that the request was accepted, wherever the type stands."""
    assert not is_delta(data({"type": kind, "response": {"error": None}}))
    assert not is_delta(data({"sequence_number": 1, "type": kind}))


def test_new_item_is_a_piece_unless_it_is_an_empty_message() -> None:
    """Reasoning and calls begin with their item; a message begins with its first word."""
    added = {"type": "response.output_item.added", "output_index": 0}
    assert is_delta(data({**added, "item": {"type": "reasoning", "id": "rs_1"}}))
    assert not is_delta(data({**added, "item": {"type": "message", "content": []}}))
    assert is_delta(data(added))


def test_unknown_shapes_are_let_through_and_errors_are_not() -> None:
    """What cannot be read would be held to the end otherwise; an error in its own envelope is told."""
    assert is_delta(b"[DONE]")
    assert is_delta(b"[]")
    assert is_delta(b'{"type":1}')
    assert is_delta(b'{"hello":1}')
    assert not is_delta(b'{"error":{"message":"too long"}}')
    assert not is_delta(b'{"type":1,"error":{"message":"too long"}}')
