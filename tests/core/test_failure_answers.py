"""Where a 200 hides its error."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core import failures
from gateway.core.failure_answers import answer, error_part, events, is_plain, is_stream
from gateway.core.failures import Final, Overflow


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"data: 1\n\ndata: 2", [(b"1", ""), (b"2", "")]),
        (b"event: error\r\ndata: 1\r\n\r\n", [(b"1", "error")]),
        (b": ping\n\ndata:1\n\n", [(b"1", "")]),
        (b'error: {"code": 1}\n\ndata: [DONE]\n\n', [(b'{"code": 1}', "error"), (b"[DONE]", "")]),
        (b'data: 1\n\n{"error": 2}\n\n', [(b"1", ""), (b'{"error": 2}', "")]),
        ("data: a\u2028b\n\n".encode(), [("a\u2028b".encode(), "")]),
    ],
)
def test_events_are_split_as_they_come(body: bytes, expected: list[tuple[bytes, str]]) -> None:
    """Every way in which servers frame events is understood, the irregular ones too."""
    assert list(events(body)) == expected


@pytest.mark.parametrize("body", [b"data: x", b"event: x", b": x", b"\n\ndata: x", b"error: x"])
def test_stream_is_recognised(body: bytes) -> None:
    """A body that begins with a field of an event is a stream."""
    assert is_stream(body)


@pytest.mark.parametrize("body", [b"", b'{"data": 1}', b"<html>", b"database is down"])
def test_other_bodies_are_no_stream(body: bytes) -> None:
    """JSON, HTML and prose are read whole."""
    assert not is_stream(body)


@pytest.mark.parametrize(
    "value",
    [
        {"error": "x"},
        {"errors": ["x"]},
        {"error_code": 1, "error_msg": "x"},
        {"base_resp": {"status_code": 2013}},
        {"object": "error", "message": "x"},
        {"type": "error", "message": "x"},
        {"message": "x", "code": 20015, "data": None},
        {"detail": "x"},
        {"detail": [{"loc": ["body", "messages"], "msg": "x", "type": "value_error"}]},
        {"detail": {"error_code": "TOKEN_LIMIT_EXCEEDED", "message": "x"}},
        {"id": "7f3a", "message": "x"},
        {"Message": "x"},
        [{"error": "x"}],
        {"choices": [{"finish_reason": "error"}], "error": {"code": 400}},
        {"object": "response", "status": "failed", "error": {"code": "x"}},
    ],
)
def test_error_envelope_is_found(value: Any) -> None:
    """Every envelope in which an error comes inside a 200 is one."""
    assert error_part(value) is not None


@pytest.mark.parametrize(
    "value",
    [
        None,
        "error",
        {},
        [],
        {"choices": [{"message": {"content": "error"}}], "error": None},
        {"base_resp": {"status_code": 0}, "id": "1"},
        {"object": "response", "status": "completed", "error": None, "metadata": {"message": "x"}},
        {"id": "1", "object": "file", "message": "x"},
        {"detail": [{"type": "text"}, "low"]},
        {"detail": []},
    ],
)
def test_answer_is_no_error_envelope(value: Any) -> None:
    """An answer with an empty error field, or the word somewhere, is an answer."""
    assert error_part(value) is None


@pytest.mark.parametrize("reason", ["stop", "length", "tool_calls"])
def test_warning_beside_an_answer_is_no_error(reason: str) -> None:
    """A relay that tells which model it asked in vain gives an answer all the same; a broken one is none."""
    told = {"message": "first model: maximum context length exceeded"}
    choice = {"message": {"content": "text"}, "finish_reason": reason}

    assert error_part({"choices": [choice], "error": told}) is None
    assert error_part({"choices": [{**choice, "finish_reason": "error"}], "error": told}) is not None
    assert error_part({"choices": [{**choice, "message": {"content": ""}}], "error": told}) is not None


def test_what_is_no_answer_says_nothing() -> None:
    """A body that is not an object has no finish reason and no usage; what is no block says nothing."""
    found = answer({"type": "message", "content": [1, None, "x"]})

    assert answer([1]) is None
    assert found is not None
    assert not found.has_output


@pytest.mark.parametrize(
    ("answer", "asked", "window"),
    [
        ({"message": {"content": "Hi"}, "finish_reason": "length"}, 1, 8192),
        ({"message": {"content": ""}, "finish_reason": "length"}, 1, 8192),
        ({"message": {"content": "a long text"}, "finish_reason": "length"}, None, 8192),
        (
            {"message": {"content": None, "tool_calls": [{"id": "c"}]}, "finish_reason": "tool_calls"},
            None,
            8192,
        ),
        ({"message": {"content": "", "reasoning": "hm"}, "finish_reason": "length"}, None, None),
        ({"message": {"content": ""}, "finish_reason": "stop"}, None, 8192),
        ({"message": {"content": "", "thinking": "hm"}, "finish_reason": "length"}, 500, None),
        (
            {"message": {"content": "", "images": [{"type": "image_url"}]}, "finish_reason": "length"},
            500,
            None,
        ),
        ({"text": "a legacy completion", "finish_reason": "length"}, None, None),
        (
            {"message": {"content": "prompt is too long: 9 tokens > 8 maximum"}, "finish_reason": "stop"},
            None,
            8192,
        ),
    ],
)
def test_answer_is_no_failure(answer: dict[str, Any], asked: int | None, window: int | None) -> None:
    """An answer that its own cap ended, or that only talks about overflow, reaches the client."""
    usage = {"prompt_tokens": 100, "completion_tokens": 1, "total_tokens": 101}
    body = json.dumps({"id": "1", "choices": [{"index": 0, **answer}], "usage": usage}).encode()

    assert failures.read_answer(body, window=window, asked_output=asked) is None


@pytest.mark.parametrize(
    ("usage", "content"),
    [
        ({"prompt_tokens": 9000, "completion_tokens": 0, "total_tokens": 9000}, ""),
        ({"prompt_tokens": 9000, "completion_tokens": 3, "total_tokens": 9003}, "cut"),
        ({"prompt_tokens": 8190, "completion_tokens": 2, "total_tokens": 8192}, "cu"),
        ({"prompt_tokens": 900, "completion_tokens": -800, "total_tokens": 100}, ""),
        ({"prompt_tokens": 900, "completion_tokens": 0, "total_tokens": 0}, ""),
        ({"prompt_tokens": 8000, "completion_tokens": 192, "total_tokens": 8192}, ""),
    ],
)
def test_silent_overflow_is_seen_in_the_usage(usage: dict[str, Any], content: str) -> None:
    """An upstream that swallows the prompt in silence gives itself away by what it counted."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "length"}
    body = json.dumps({"id": "1", "choices": [choice], "usage": usage}).encode()

    assert isinstance(failures.read_answer(body, window=8192), Overflow)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b'{"choices": [{"delta": {"content": "an error: maximum context length exceeded"}}]}', ""),
        (
            b'{"type": "response.created", "response": {"status": "in_progress", "error": null}}',
            "response.created",
        ),
        (b'{"type": "response.output_text.delta", "delta": "error"}', "response.output_text.delta"),
        (b'{"choices": [{"delta": {}, "finish_reason": "length"}], "error": null}', ""),
        (b'{"type": "message_delta", "delta": {"stop_reason": "end_turn"}}', "message_delta"),
        (b"[DONE]", ""),
        (b"", ""),
    ],
)
def test_event_of_an_answer_is_no_failure(data: bytes, name: str) -> None:
    """Events of a running answer pass, whatever words the model writes in them."""
    assert failures.read_event(data, name) is None


def test_failed_response_is_judged_by_its_error_alone() -> None:
    """Instructions and metadata that a failed response repeats are the client's words, not the upstream's."""
    event = {
        "type": "response.failed",
        "response": {
            "error": {"code": "server_error", "message": "Something went wrong"},
            "instructions": "prompt is too long: 9000 tokens > 8000 maximum",
            "metadata": {"message": "context_length_exceeded"},
        },
    }

    assert failures.read_event(json.dumps(event).encode(), "response.failed") == Final()


def responses(reason: str | None, *output: dict[str, Any], **usage: int) -> dict[str, Any]:
    """Return a Responses answer that is incomplete for a reason; complete without one."""
    status = {"status": "incomplete", "incomplete_details": {"reason": reason}} if reason else {}
    begun = {"id": "r", "object": "response", "status": "completed", "error": None, "output": [*output]}
    return {**begun, "incomplete_details": None, **status, "usage": usage or None}


def messages(reason: str, *content: dict[str, Any], **usage: int) -> dict[str, Any]:
    """Return a Messages answer that stopped for a reason."""
    begun = {"id": "m", "type": "message", "role": "assistant", "content": [*content]}
    return {**begun, "stop_reason": reason, "stop_sequence": None, "usage": usage}


SAID = {"type": "message", "content": [{"type": "output_text", "text": "so far"}]}
NOT_SAID = {"type": "message", "content": [{"type": "output_text", "text": ""}]}
CALL = {"type": "function_call", "call_id": "c", "name": "f", "arguments": '{"stop_reason":"end_turn"}'}
TEXT = {"type": "text", "text": "so far"}
FULL = {"input_tokens": 8190, "output_tokens": 2}
CAP = {"input_tokens": 100, "output_tokens": 500}


@pytest.mark.parametrize(
    "value",
    [
        responses("max_output_tokens", input_tokens=9000, output_tokens=0, total_tokens=9000),
        responses("max_output_tokens", NOT_SAID, input_tokens=8100, output_tokens=0),
        responses("max_output_tokens", SAID, **FULL),
        responses("max_output_tokens", CALL, **FULL),
        responses("context_length_exceeded", SAID, **CAP),
        messages("max_tokens", **FULL),
        messages("max_tokens", TEXT, **FULL),
        messages("max_tokens", input_tokens=8100, output_tokens=0),
        messages("model_context_window_exceeded", TEXT, **CAP),
        messages("max_tokens", input_tokens=2, cache_read_input_tokens=9000, output_tokens=0),
    ],
)
def test_silent_overflow_is_seen_in_every_dialect(value: dict[str, Any]) -> None:
    """An answer that the window ended, or that counts more than the window, is no answer."""
    assert isinstance(failures.read_answer(json.dumps(value).encode(), window=8192), Overflow)


@pytest.mark.parametrize(
    "value",
    [
        responses(None, SAID, **CAP),
        responses(None, CALL, **CAP),
        responses("max_output_tokens", SAID, **CAP),
        responses("max_output_tokens", {"type": "reasoning", "summary": []}, **CAP),
        responses("content_filter", input_tokens=100, output_tokens=0),
        messages("end_turn", TEXT, **CAP),
        messages("end_turn", input_tokens=100, output_tokens=0),
        messages("max_tokens", TEXT, **CAP),
        messages("max_tokens", TEXT, input_tokens=2, cache_read_input_tokens=9000, output_tokens=90),
        messages("max_tokens", input_tokens=50, output_tokens=0),
        messages("tool_use", {"type": "tool_use", "id": "t", "input": {"error": "max_tokens"}}, **CAP),
        messages("refusal", input_tokens=100, output_tokens=0),
    ],
)
def test_answer_of_every_dialect_is_no_failure(value: dict[str, Any]) -> None:
    """An answer that ended by itself, for its own cap or for another reason reaches the client."""
    assert failures.read_answer(json.dumps(value).encode(), window=8192, asked_output=500) is None


@pytest.mark.parametrize(
    "event",
    [
        {"type": "response.incomplete", "response": responses("max_output_tokens", input_tokens=9000)},
        {"type": "message_delta", "delta": {"stop_reason": "model_context_window_exceeded"}},
    ],
)
def test_first_event_that_says_the_window_is_full_is_an_overflow(event: dict[str, Any]) -> None:
    """A stream that ends for length before it began is an overflow, whoever speaks."""
    assert isinstance(failures.read_event(json.dumps(event).encode(), event["type"]), Overflow)


def test_prompt_and_answer_that_fill_the_window_tell_its_size() -> None:
    """Where the window ended an answer, what was sent and what was said are as long as it."""
    value = messages("model_context_window_exceeded", TEXT, input_tokens=150_000, output_tokens=50_000)

    assert failures.read_answer(json.dumps(value).encode()) == Overflow(
        limit=200_000, prompt=150_000, is_filled=True
    )


@pytest.mark.parametrize(
    ("value", "is_told"),
    [
        (responses(None, SAID, **CAP), True),
        (messages("end_turn", TEXT, **CAP), True),
        (messages("tool_use", {"type": "tool_use", "input": {"stop_reason": "end_turn"}}, **CAP), True),
        (messages("max_tokens", {"type": "tool_use", "input": {"stop_reason": "end_turn"}}, **CAP), False),
        (responses("max_output_tokens", {**SAID, "status": "completed"}, **CAP), False),
        ({**responses(None), "status": "failed", "error": {"code": "x"}}, False),
    ],
)
def test_finished_answers_are_told_without_reading_them(value: dict[str, Any], is_told: bool) -> None:
    """Nearly all answers ended by themselves: they are let through without being taken apart."""
    assert is_plain(json.dumps(value).encode()) is is_told
