"""Settings of `trim_turns`; what it does is in tests/cases/trim_turns."""

from __future__ import annotations

from gateway.core.conversation import Conversation, Role, made
from gateway.strategies import marks
from gateway.strategies.base import Room
from gateway.strategies.notes import Notes, Section
from gateway.strategies.trim_turns import TrimTurns


def words(text: str) -> int:
    return len(text.split())


def test_boundary_moves_rarely() -> None:
    """Sixty turns against a turn limit of twenty move the boundary five times, not forty."""
    view = Conversation(())
    moves = 0
    for number in range(60):
        view = Conversation((*view.messages, made(Role.USER, f"q{number} " + "w " * 20, words)))
        after = TrimTurns(max_turns=20).apply(view, Room(10_000, 10_000, words))
        moves += after is not view
        view = Conversation((*after.messages, made(Role.ASSISTANT, f"a{number}", words)))
    assert moves <= 5
    assert len(view.turns) <= 21
    assert view.messages[0].text.startswith("q0 ")


def test_digest_behind_the_first_message_is_nobodys_turn() -> None:
    """A limit of turns counts what users said, and a note what was theirs: not what the gateway said."""
    said = "<haversack-digest>\n## Values\n- The port is 80.\n</haversack-digest>"
    view = Conversation(
        (
            made(Role.USER, "q0", words),
            made(Role.ASSISTANT, marks.gap(7), words),
            made(Role.USER, said, words),
            made(Role.ASSISTANT, marks.ACKNOWLEDGEMENT, words),
            *(made(role, "well", words) for _ in range(4) for role in (Role.USER, Role.ASSISTANT)),
        )
    )
    room = Room(10_000, 10_000, words)
    assert TrimTurns(max_turns=4).apply(view, room) is view
    after = TrimTurns(max_turns=3, to=3).apply(view, room)
    assert [m.text for m in after.messages] == ["q0", marks.gap(9), *["well"] * 6]


def test_digest_stays_where_there_are_too_many_messages() -> None:
    """Seen: with twenty messages at most, a digest went with the turns, and what users had said with it."""
    said = Notes({Section.USER: ["My colleague says never deploy on Fridays. " * 3]}).text()
    view = Conversation(
        (
            made(Role.USER, said, words),
            made(Role.ASSISTANT, marks.ACKNOWLEDGEMENT, words),
            *(made(role, "well", words) for _ in range(12) for role in (Role.USER, Role.ASSISTANT)),
        )
    )
    after = TrimTurns().apply(view, Room(1000, 2000, words, messages=8).crowded(view))
    assert after.messages[0].text == said
    assert len(after.messages) <= 10
    large = Conversation((made(Role.USER, said + "\n", words), *view.messages[2:]))
    assert TrimTurns().apply(large, Room(1000, 2000, words, messages=8).crowded(large)).tokens < 100


def test_problems() -> None:
    """Numbers below zero and a goal above the limit are told."""
    assert len(list(TrimTurns(max_turns=-1, to=-1).problems())) == 2
    assert list(TrimTurns(max_turns=5, to=9).problems()) == [
        "to (9) is larger than max_turns (5), which is never met"
    ]


def test_summary_is_cut_and_does_not_go_where_there_is_room_for_its_beginning() -> None:
    """What must stay leaves room for half of a digest: what users said can be put back, a summary cannot."""
    told = "## Goal\n- Build the parser.\n## Critical Context\n- " + "It is slow on Mondays. " * 20
    said = Notes({Section.SUMMARY: [told]}).text()
    view = Conversation(
        (
            made(Role.USER, said, words),
            made(Role.ASSISTANT, marks.ACKNOWLEDGEMENT, words),
            made(Role.USER, "Go on.", words),
            made(Role.ASSISTANT, "Well.", words),
            made(Role.USER, "w " * 100, words),
        )
    )
    room = Room(200, 1000, words)
    after = TrimTurns().apply(view, room)
    assert after.tokens <= room.target
    assert "Build the parser." in after.messages[0].text
    assert after.messages[-1] is view.messages[-1]
    assert "Build the parser." not in TrimTurns().apply(view, Room(110, 1000, words)).messages[0].text
