"""The one text that an upstream says is too long is cut, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.conversation import Conversation
from gateway.core.rescue import TrimItem
from gateway.engine.trim_item import trimmed
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
