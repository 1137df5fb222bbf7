"""The one text that an upstream says is too long is cut, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.conversation import Conversation
from gateway.core.rescue import DropThinking, TrimItem
from gateway.engine.trim_item import mended, trimmed
from gateway.wire.anthropic_messages import AnthropicMessages
from gateway.wire.base import WireFormat
from gateway.wire.openai_responses import OpenAIResponses
from wired import WIRE, words

LONG = " ".join(f"w{number}" for number in range(500))


def conversation(*entries: dict[str, Any]) -> Conversation:
    """Return the view of these messages."""
    raws = [json.dumps(entry).encode() for entry in entries]
    return Conversation(tuple(WIRE.message(raw, words, index) for index, raw in enumerate(raws)))


VIEW = conversation(
    {"role": "user", "content": LONG},
    {"role": "user", "content": [{"type": "text", "text": "short"}, {"type": "text", "text": LONG}]},
    {"role": "user", "content": LONG},
)


@pytest.mark.parametrize(
    "param", ["messages[1].content", "messages.[1].content[1].text", "messages[1]", "input[1].content"]
)
def test_middle_of_the_text_goes(param: str) -> None:
    """The text named keeps its beginning and its end; every other text stays whole."""
    after = trimmed(VIEW, TrimItem(param, 300), words)

    first, second = after.messages[1].blocks
    assert first.text == "short"
    assert len(second.text) <= 300
    assert second.text.startswith("w0 ")
    assert second.text.endswith(" w499")
    assert (after.messages[0], after.messages[2]) == (VIEW.messages[0], VIEW.messages[2])
    assert after.tokens < VIEW.tokens


@pytest.mark.parametrize(
    ("param", "limit"),
    [
        ("messages[1].content", len(LONG)),
        ("messages[3].content", 10),
        ("tools[0].function.description", 10),
        ("prompt", 10),
        ("", 10),
    ],
)
def test_anything_else_is_left_alone(param: str, limit: int) -> None:
    """A text that is short enough, one that is not there, or what is no message's: nothing is changed."""
    assert trimmed(VIEW, TrimItem(param, limit), words).messages == VIEW.messages


def test_what_is_no_text_is_left_alone() -> None:
    """An image of any length is not cut into."""
    url = "data:image/png;base64," + "A" * 1000
    view = conversation({"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]})

    assert trimmed(view, TrimItem("messages[0].content", 100), words).messages == view.messages


def after(wire: WireFormat, list_key: str, items: list[dict[str, Any]], param: str) -> list[dict[str, Any]]:
    """Return the items that are sent once the one at *param* was cut to 300 characters."""
    request = wire.read(json.dumps({"model": "m", list_key: items}).encode())
    raws = enumerate(request.messages)
    view = Conversation(tuple(wire.message(raw, words, index) for index, raw in raws))
    sent = wire.write(request, trimmed(view, TrimItem(param, 300), words))
    found: list[dict[str, Any]] = json.loads(sent)[list_key]
    return found


def changed(before: list[dict[str, Any]], sent: list[dict[str, Any]]) -> list[int]:
    """Return which items were changed."""
    return [index for index, (a, b) in enumerate(zip(before, sent, strict=True)) if a != b]


@pytest.mark.parametrize("index", [0, 4, 5, 6])
def test_item_of_responses_is_found_behind_rows_of_several(index: int) -> None:
    """The vendor counts items; what a model did in one go are several of them, and stays whole."""
    call = {"type": "function_call", "name": "f", "arguments": "{}"}
    items: list[dict[str, Any]] = [
        {"role": "user", "content": LONG},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"},
        {**call, "call_id": "a"},
        {**call, "call_id": "b"},
        {"type": "function_call_output", "call_id": "a", "output": LONG},
        {"type": "function_call_output", "call_id": "b", "output": LONG},
        {"role": "assistant", "content": [{"type": "output_text", "text": LONG}]},
        {"role": "user", "content": "Go on."},
    ]

    assert changed(items, after(OpenAIResponses(), "input", items, f"input[{index}].output")) == [index]


@pytest.mark.parametrize("index", [0, 2, 4, 6])
def test_item_of_messages_is_found_where_results_stand_together(index: int) -> None:
    """The vendor counts messages; one may hold the results of several calls, and what the user adds."""

    def use(*ids: str) -> dict[str, Any]:
        blocks = [{"type": "tool_use", "id": id, "name": "f", "input": {}} for id in ids]
        return {"role": "assistant", "content": blocks}

    def results(*ids: str) -> list[dict[str, Any]]:
        return [{"type": "tool_result", "tool_use_id": id, "content": LONG} for id in ids]

    items: list[dict[str, Any]] = [
        {"role": "user", "content": LONG},
        use("a", "b"),
        {"role": "user", "content": results("a", "b")},
        use("c", "d"),
        {"role": "user", "content": [*results("c", "d"), {"type": "text", "text": LONG}]},
        use("e"),
        {"role": "user", "content": results("e")},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "Go on."},
    ]
    sent = after(AnthropicMessages(), "messages", items, f"messages.{index}.content")

    assert changed(items, sent) == [index]
    assert LONG not in json.dumps(sent[index])


THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
CALL = {"type": "tool_use", "id": "a", "name": "run", "input": {}}


def test_all_thinking_goes_where_it_is_bound() -> None:
    """That of the open turn too, its calls stay; a message that says nothing else goes with it."""
    wire = AnthropicMessages()
    items: list[dict[str, Any]] = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [THOUGHT]},
        {"role": "assistant", "content": [THOUGHT, CALL]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "done"}]},
    ]
    raws = [json.dumps(item).encode() for item in items]
    view = Conversation(tuple(wire.message(raw, words, at) for at, raw in enumerate(raws)))

    result = mended(view, DropThinking(), words)

    assert [json.loads(message.raw)["content"] for message in result.view.messages] == [
        "go",
        [CALL],
        items[3]["content"],
    ]
    assert [report.step for report in result.reports] == ["reasoning"]
    assert mended(result.view, DropThinking(), words).view is result.view
