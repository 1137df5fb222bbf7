"""A plain completion by Responses: golden bodies, and what answers say, whole or in events."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.summary.answer import Answer
from gateway.wire.plain_call import Call
from gateway.wire.plain_responses import PlainResponses

RESPONSES = PlainResponses()


def message(text: str) -> dict[str, Any]:
    """Return an item of an output that says so."""
    return {"type": "message", "content": [{"type": "output_text", "text": text}]}


def events(*values: dict[str, Any]) -> bytes:
    """Return a stream."""
    return b"".join(b"event: x\ndata: " + json.dumps(value).encode() + b"\n\n" for value in values)


def test_body_leaves_nothing_with_the_vendor() -> None:
    """The golden body, and then one for a backend that knows no bound and answers in events only."""
    assert RESPONSES.bodies(Call("m", "Notes.", "Talk.", 900)) == (
        b'{"model":"m","instructions":"Notes.","input":[{"role":"user","content":[{"type":"input_text",'
        b'"text":"Talk."}]}],"store":false,"max_output_tokens":900,"stream":false}',
        b'{"model":"m","instructions":"Notes.","input":[{"role":"user","content":[{"type":"input_text",'
        b'"text":"Talk."}]}],"store":false,"stream":true}',
    )


def test_model_that_thinks_is_told_to_think_little() -> None:
    """A summary needs no long thoughts, and they would be paid for."""
    bodies = [json.loads(body) for body in RESPONSES.bodies(Call("gpt-5", "", "Talk.", 900))]

    assert [body.get("reasoning") for body in bodies] == [{"effort": "low"}, None, {"effort": "low"}]


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        ({"status": "completed", "output": [message("a"), message("b")]}, Answer("ab", "completed")),
        (
            {
                "status": "incomplete",
                "incomplete_details": {"reason": "max_output_tokens"},
                "output": [{"type": "reasoning", "summary": []}, message("a")],
            },
            Answer("a", "max_output_tokens"),
        ),
        (
            {"status": "completed", "output": [{"type": "function_call", "name": "f"}]},
            Answer("", "completed", has_calls=True),
        ),
        (
            {"output": [{"type": "message", "content": [{"type": "refusal", "refusal": "I cannot."}]}]},
            Answer("I cannot."),
        ),
    ],
)
def test_answer_is_the_text_of_its_messages(value: dict[str, Any], answer: Answer) -> None:
    """Thoughts and calls are no summary, and why it ended is told."""
    assert RESPONSES.answer(json.dumps(value).encode()) == answer
    assert RESPONSES.answer(events({"type": "response.completed", "response": value})) == answer


def test_pieces_of_a_stream_are_read_where_its_end_does_not_repeat_them() -> None:
    """Codex's backend sends an empty output at the end, and a call in an item of its own."""
    done = {"type": "response.completed", "response": {"status": "completed", "output": []}}
    text = {"type": "response.output_text.done", "text": "Notes"}
    call = {"type": "response.output_item.done", "item": {"type": "function_call"}}

    assert RESPONSES.answer(events(text, done)) == Answer("Notes", "completed")
    assert RESPONSES.answer(events(call, done)).has_calls
