"""Behind a digest roles alternate, whatever follows it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.conversation import Message
from gateway.strategies import marks
from gateway.strategies.acknowledge import acknowledged
from gateway.wire.openai_chat import OpenAIChat

WIRE = OpenAIChat()
CALL = {"id": "c", "type": "function", "function": {"name": "ls", "arguments": "{}"}}

USER = {"role": "user", "content": "hi"}
ANSWER = {"role": "assistant", "content": "yes"}
CALLING = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c", "content": "a.py"}
SYSTEM = {"role": "system", "content": "Be brief."}


def messages(*items: dict[str, Any]) -> list[Message]:
    return [WIRE.message(json.dumps(item).encode(), len, index) for index, item in enumerate(items)]


@pytest.mark.parametrize("follow", [[USER], [SYSTEM, USER], [CALLING, RESULT, USER], [RESULT, USER]])
def test_a_user_behind_a_digest_gets_an_answer_before(follow: list[dict[str, Any]]) -> None:
    """Calls, results and system messages do not count: templates that want alternation pass over them."""
    (answer,) = acknowledged(messages(*follow), len)
    assert answer.text == marks.ACKNOWLEDGEMENT


@pytest.mark.parametrize("follow", [[], [ANSWER, USER], [CALLING, RESULT, ANSWER, USER], [CALLING, RESULT]])
def test_nothing_is_said_where_roles_alternate(follow: list[dict[str, Any]]) -> None:
    """An assistant's own answer, or nothing at all, may stand behind a digest."""
    assert not acknowledged(messages(*follow), len)
