"""Starting over never empties the list; the rest is in tests/cases/clear."""

from __future__ import annotations

from gateway.core.conversation import Block, Conversation, Kind, Message, Role, made
from gateway.strategies.base import Room
from gateway.strategies.clear import Clear


def words(text: str) -> int:
    return len(text.split())


def test_list_without_user_message_keeps_its_newest() -> None:
    """A list in which no user speaks keeps its last round: an empty list is refused everywhere."""
    call = Message(Role.ASSISTANT, (Block(Kind.TOOL_CALL, "{}", 1, None, "a", "f"),), 50)
    result = Message(Role.TOOL, (Block(Kind.TOOL_RESULT, "r", 1, None, "a"),), 50)
    view = Conversation((made(Role.ASSISTANT, "hello", words), call, result))
    assert Clear().apply(view, Room(0, 10, words)).messages == (call, result)


def test_nothing_to_clear() -> None:
    """A request that is head and user message only stays the very same."""
    view = Conversation((made(Role.SYSTEM, "s", words), made(Role.USER, "u", words)))
    assert Clear().apply(view, Room(0, 10, words)) is view
