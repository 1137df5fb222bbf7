"""A plain completion by Chat Completions: golden bodies, and what answers say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.summary.answer import Answer
from gateway.wire.plain_call import Call
from gateway.wire.plain_chat import PlainChat

CHAT = PlainChat()


def answered(finish: Any = "stop", **message: Any) -> Answer:
    """Return what an answer with that message says."""
    return CHAT.answer(json.dumps({"choices": [{"message": message, "finish_reason": finish}]}).encode())


def test_body_is_a_system_message_and_a_text() -> None:
    """The golden body, and then what is tried where its form is refused."""
    assert CHAT.bodies(Call("m", "Notes.", "Talk.", 900)) == (
        b'{"model":"m","messages":[{"role":"system","content":"Notes."},{"role":"user","content":"Talk."}],'
        b'"max_tokens":900,"stream":false}',
        b'{"model":"m","messages":[{"role":"system","content":"Notes."},{"role":"user","content":"Talk."}],'
        b'"max_completion_tokens":900,"stream":false}',
        b'{"model":"m","messages":[{"role":"user","content":"Notes.\\n\\nTalk."}],'
        b'"max_tokens":900,"stream":false}',
    )


def test_model_that_thinks_is_told_to_think_little() -> None:
    """Reasoning models know only the newer name of the bound."""
    first = json.loads(CHAT.bodies(Call("gpt-5", "", "Talk.", 900))[0])

    assert first == {
        "model": "gpt-5",
        "messages": [{"role": "user", "content": "Talk."}],
        "max_completion_tokens": 900,
        "reasoning_effort": "low",
        "stream": False,
    }


def test_model_with_a_switch_is_kept_from_thinking() -> None:
    """And a server that refuses what it does not know is asked without."""
    bodies = [json.loads(body) for body in CHAT.bodies(Call("qwen3-8b", "Notes.", "Talk.", 900))]

    assert [body.get("enable_thinking") for body in bodies] == [False, None, None, None]
    assert bodies[0]["max_tokens"] == bodies[1]["max_tokens"] == 900


def test_model_in_the_path_is_not_in_the_body() -> None:
    """Azure names the model in the path, and so does its client."""
    assert all("model" not in json.loads(body) for body in CHAT.bodies(Call("", "a", "b", 1)))


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ({"content": "Notes"}, Answer("Notes", "stop")),
        (
            {"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Notes"}]},
            Answer("Notes", "stop"),
        ),
        ({"content": None, "reasoning_content": "hm"}, Answer("", "stop")),
        ({"content": None, "refusal": "I cannot."}, Answer("I cannot.", "stop")),
        ({"content": None, "tool_calls": [{"id": "c"}]}, Answer("", "stop", has_calls=True)),
        ({"content": "", "function_call": {"name": "f"}}, Answer("", "stop", has_calls=True)),
    ],
)
def test_answer_is_the_text_of_the_first_choice(message: dict[str, Any], answer: Answer) -> None:
    """What the model thought, or called, is no summary."""
    assert answered(**message) == answer


def test_reason_of_the_end_is_told() -> None:
    """An answer that ran into its bound can be told from one that came to its end."""
    assert answered("length", content="No").is_limited
    assert answered(None, content="No").finish == ""
