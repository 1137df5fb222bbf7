"""Reasoning goes whole or not at all; the rest is in tests/cases/reasoning."""

from __future__ import annotations

import json

import pytest

from gateway.core.conversation import Conversation, Role, made
from gateway.strategies.base import Room
from gateway.strategies.reasoning import Reasoning
from gateway.wire.openai_message import read_message


def chars(text: str) -> int:
    return len(text)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>hm</think>Two.", "Two."),
        ("\n<thinking>\nhm\n</thinking>\n\nTwo.\n", "Two."),
        ("<think>hm</thinking>Two.", None),
        ("<think>hm", None),
        ("<think>hm</think> \n", None),
        ("One <think>hm</think> two.", None),
        ("hm</think>Two.", None),
    ],
)
def test_tags_are_reasoning_only_where_they_open_an_answer(text: str, left: str | None) -> None:
    """What is not closed, or not at the beginning, or all there is, is what the assistant said."""
    answer = read_message(json.dumps({"role": "assistant", "content": text}).encode(), chars)
    view = Conversation((made(Role.USER, "q", chars), answer, made(Role.USER, "on", chars)))

    after = Reasoning().apply(view, Room(0, 100, chars))

    assert after.messages[1].text == (text if left is None else left)


def test_list_without_a_user_is_left_alone() -> None:
    """Without a user message there is no telling which turn is over."""
    answer = read_message(b'{"role":"assistant","content":"x","reasoning":"hm hm"}', chars)
    view = Conversation((answer, answer))

    assert Reasoning().apply(view, Room(0, 100, chars)) is view


def test_what_a_user_says_behind_results_begins_no_turn() -> None:
    """The model has yet to go on from them, and its vendor wants to see what led to the calls."""
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    thought = [{"type": "thinking", "thinking": "hm hm", "signature": "c2ln"}]
    asking = {"role": "assistant", "content": None, "tool_calls": [call], "thinking_blocks": thought}
    answered = {"role": "tool", "tool_call_id": "a", "content": "done"}
    round_ = [read_message(json.dumps(item).encode(), chars) for item in (asking, answered)]
    view = Conversation((made(Role.USER, "q", chars), *round_, made(Role.USER, "hurry", chars)))
    over = Conversation((*view.messages, made(Role.ASSISTANT, "so", chars), made(Role.USER, "on", chars)))

    assert Reasoning().apply(view, Room(0, 100, chars)) is view
    assert Reasoning().apply(over, Room(0, 100, chars)).messages[1] != round_[0]


def test_problems() -> None:
    """The active turn cannot be asked to lose its reasoning: every vendor would refuse that."""
    assert len(list(Reasoning(keep_turns=0).problems())) == 1
