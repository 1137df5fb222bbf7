"""Settings of `turn_text`; what it does is in tests/cases/turn_text."""

from __future__ import annotations

from gateway.core.conversation import Block, Conversation, Kind, Message, Role, made
from gateway.strategies.base import Keep, Room
from gateway.strategies.turn_text import TurnText


def words(text: str) -> int:
    return len(text.split())


def test_files_of_an_old_turn_become_markers() -> None:
    """A file that the user once sent is named in its place between their words."""
    blocks = Block(Kind.TEXT, "Read this:", 2), Block(Kind.OTHER, "", 3000), Block(Kind.TEXT, "Agreed?", 1)
    view = Conversation(
        (Message(Role.USER, blocks, 3007), *(made(role, "x", words) for role in (Role.ASSISTANT, Role.USER)))
    )

    after = TurnText(keep_turns=1).apply(view, Room(0, 1000, words, Keep(first_user=False)))

    assert after.messages[0].text == "Read this:\n[haversack: attachment left out]\nAgreed?"


def test_problems() -> None:
    """The active turn cannot be reduced, and sizes are not negative."""
    found = list(TurnText(keep_turns=0, min_tokens=-1).problems())
    assert [line.split()[0] for line in found] == ["keep_turns", "min_tokens"]
