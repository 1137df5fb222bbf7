"""What stands behind stubs can be had again; the rest is in tests/cases/offload."""

from __future__ import annotations

from gateway.core.conversation import Block, Conversation, Kind, Message, Role, made
from gateway.strategies import marks
from gateway.strategies.base import Room
from gateway.strategies.offload import OffloadContent


def words(text: str) -> int:
    return len(text.split())


def test_every_stub_has_its_content() -> None:
    """The offloads of the conversation hold, under the id in the stub, the text and the tool it came from."""
    text = "half an emoji \ud83d \x00 " * 50
    call = Message(Role.ASSISTANT, (Block(Kind.TOOL_CALL, "{}", 1, None, "a", "read"),), 5)
    result = Message(Role.TOOL, (Block(Kind.TOOL_RESULT, text, words(text), ("content",), "a"),), words(text))
    view = Conversation((made(Role.USER, "go", words), call, result, made(Role.ASSISTANT, "ok", words)))

    after = OffloadContent(min_tokens=20, keep_last=0).apply(
        Conversation((*view.messages, made(Role.USER, "on", words))), Room(0, 100, words)
    )

    (offload,) = after.offloads
    assert (offload.id, offload.text, offload.name) == (marks.content_id(text), text, "read")
    assert marks.stub_id(after.messages[2].blocks[0].text) == offload.id


def test_problems() -> None:
    """An unknown role, a number below zero and a step that could never do anything are told."""
    assert len(list(OffloadContent(min_tokens=0, keep_last=-1, roles=("robot",)).problems())) == 3
