"""Images can be had again as the client sent them; the rest is in tests/cases/images."""

from __future__ import annotations

import json

from gateway.core.conversation import Conversation, Kind, Role, made
from gateway.strategies import marks
from gateway.strategies.base import Room
from gateway.strategies.images import Images
from gateway.wire.openai_message import read_message


def words(text: str) -> int:
    return len(text.split())


def test_every_marker_has_its_image() -> None:
    """The offload holds the whole part, data included, under the id in the marker."""
    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "iVBORw0K" * 100}}
    result = json.dumps({"role": "tool", "tool_call_id": "c", "content": [part, part]}).encode()
    call = {"id": "c", "type": "function", "function": {"name": "screenshot", "arguments": "{}"}}
    asks = json.dumps({"role": "assistant", "content": None, "tool_calls": [call]}).encode()
    view = Conversation(
        (
            made(Role.USER, "look", words),
            read_message(asks, words),
            read_message(result, words),
            made(Role.ASSISTANT, "ok", words),
            made(Role.USER, "on", words),
        )
    )

    after = Images(keep_last=0).apply(view, Room(0, 100, words))

    assert [json.loads(offload.text) for offload in after.offloads] == [part, part]
    for block, offload in zip(after.messages[2].blocks, after.offloads, strict=True):
        assert block.kind is Kind.TOOL_RESULT
        assert marks.stub_id(block.text) == offload.id


def test_problems() -> None:
    """A number below zero is told."""
    assert len(list(Images(keep_last=-1).problems())) == 1
