"""The last rung but one reaches the target cheaply; the rest is in tests/cases/newest_content."""

from __future__ import annotations

import json

from gateway.core.conversation import Conversation
from gateway.strategies import marks
from gateway.strategies.base import Room
from gateway.strategies.newest_content import NewestContent
from gateway.wire.openai_chat import OpenAIChat

WIRE = OpenAIChat()


def quarters(text: str) -> int:
    return (len(text) + 3) // 4


def conversation(*values: object) -> Conversation:
    raws = [json.dumps(value).encode() for value in values]
    return Conversation(tuple(WIRE.message(raw, quarters, index) for index, raw in enumerate(raws)))


CALL = {
    "role": "assistant",
    "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
}


def test_a_megabyte_fits_after_a_few_counts() -> None:
    """A result of a megabyte comes down to the target, and no more than it takes is counted."""
    counted: list[int] = []

    def count(text: str) -> int:
        counted.append(len(text))
        return quarters(text)

    view = conversation(
        {"role": "user", "content": "scan"},
        CALL,
        {"role": "tool", "tool_call_id": "a", "content": "x" * 1_000_000},
    )
    after = NewestContent().apply(view, Room(5000, 8000, count))

    assert 4200 <= after.tokens <= 5000
    assert sum(counted) < 60_000


def test_whole_text_is_named_and_kept() -> None:
    """The model can get back what it has just asked for: the notice names it, and it is put away."""
    text = "line\n" * 4000
    view = conversation(
        {"role": "user", "content": "scan"}, CALL, {"role": "tool", "tool_call_id": "a", "content": text}
    )
    after = NewestContent().apply(view, Room(900, 1000, quarters))
    assert [(o.id, o.text) for o in after.offloads] == [(marks.content_id(text), text)]
    assert marks.content_id(text) in after.messages[2].blocks[0].text

    without = NewestContent().apply(view, Room(900, 1000, quarters, archive=False))
    assert without.offloads == ()
    assert "sha256" not in without.messages[2].blocks[0].text


def test_huge_request_spares_the_small_result() -> None:
    """One huge user message does not cost a small new result its content."""
    view = conversation(
        {"role": "user", "content": "log line\n" * 9000},
        CALL,
        {"role": "tool", "tool_call_id": "a", "content": "row\n" * 300},
    )
    after = NewestContent().apply(view, Room(3000, 4000, quarters))
    assert after.tokens <= 3000
    assert after.messages[2] is view.messages[2]


def test_many_small_arguments_go_as_a_whole() -> None:
    """Arguments without one long string still come down to the target, as valid JSON."""
    arguments = json.dumps({"rows": list(range(5000))})
    call = {
        "role": "assistant",
        "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": arguments}}],
    }
    view = conversation(
        {"role": "user", "content": "go"}, call, {"role": "tool", "tool_call_id": "a", "content": "ok"}
    )
    after = NewestContent().apply(view, Room(100, 200, quarters))
    assert after.tokens <= 100
    assert list(json.loads(after.messages[1].blocks[0].text)) == ["haversack"]


def test_problems() -> None:
    """A floor below zero and a share above one are told."""
    assert len(list(NewestContent(floor_tokens=-1, head_share=2).problems())) == 2
