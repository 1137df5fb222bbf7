"""A plain completion by Messages: the golden body, and what answers say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.summary.answer import Answer
from gateway.wire.plain_call import Call
from gateway.wire.plain_messages import PlainMessages

MESSAGES = PlainMessages()


def test_body_has_the_bound_that_the_vendor_demands() -> None:
    """The golden body: there is no other to try."""
    assert MESSAGES.bodies(Call("claude", "Notes.", "Talk.", 900)) == (
        b'{"model":"claude","max_tokens":900,"system":"Notes.",'
        b'"messages":[{"role":"user","content":"Talk."}],"stream":false}',
    )


def test_nothing_is_said_where_there_is_nothing() -> None:
    """A system text that is empty is left out: the vendor refuses it."""
    assert "system" not in json.loads(MESSAGES.bodies(Call("claude", "", "Talk.", 900))[0])


@pytest.mark.parametrize(
    ("content", "finish", "answer"),
    [
        ([{"type": "text", "text": "Notes"}], "end_turn", Answer("Notes", "end_turn")),
        (
            [
                {"type": "thinking", "thinking": "hm"},
                {"type": "text", "text": "a"},
                {"type": "text", "text": "b"},
            ],
            "max_tokens",
            Answer("ab", "max_tokens"),
        ),
        ([{"type": "tool_use", "id": "t"}], "tool_use", Answer("", "tool_use", has_calls=True)),
        ([{"type": "server_tool_use", "id": "t"}], None, Answer("", "", has_calls=True)),
        ("text", 4, Answer("")),
    ],
)
def test_answer_is_the_text_of_its_blocks(content: Any, finish: Any, answer: Answer) -> None:
    """Thoughts and calls are no summary."""
    assert MESSAGES.answer(json.dumps({"content": content, "stop_reason": finish}).encode()) == answer
