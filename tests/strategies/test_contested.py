"""What users said later than a summary is about is the last word: the summary says so."""

from __future__ import annotations

from drawn import words
from gateway.core.conversation import Conversation, Message, Role, made
from gateway.strategies.base import Room
from gateway.strategies.contested import MARK, marked, with_marks
from gateway.strategies.notes import Notes, Section, read

ROOM = Room(1000, 1000, words)
TEXT = "## Constraints\n- Answer in English.\n- The staging server is at 10.0.0.7.\n## Goal\n- Ship it."


def said(*texts: str) -> list[Message]:
    """Return what users said."""
    return [made(Role.USER, text, words) for text in texts]


def test_line_of_which_something_else_may_be_said_is_marked_and_stays() -> None:
    """It is not known which of two addresses holds: both stand there, and the older one is marked."""
    lines = marked(TEXT, said("No, 10.0.0.9."), ROOM).split("\n")
    assert [line.removesuffix(MARK) for line in lines] == TEXT.split("\n")
    assert [line for line in lines if line.endswith(MARK)] == ["- The staging server is at 10.0.0.7." + MARK]


def test_nothing_is_marked_for_talk() -> None:
    """A question that may be about anything says nothing against what was said."""
    assert marked(TEXT, said("And now?", "Thanks!", "Is it done?"), ROOM) == TEXT


def test_digest_that_carries_a_summary_on_marks_it() -> None:
    """The summary was written before, and no other is ready: what came since is said against it."""
    digest = Notes({Section.SUMMARY: [TEXT]}).text()
    view = Conversation((*said(digest, "No, 10.0.0.9."), made(Role.ASSISTANT, "Well.", words)))
    after = with_marks(view, ROOM)
    assert read(after.messages[0].text).entries[Section.SUMMARY] == [marked(TEXT, view.messages[1:], ROOM)]
    assert after.messages[1:] == view.messages[1:]
    assert with_marks(after, ROOM) is after


def test_mark_is_made_once() -> None:
    """The next compaction finds it there, and a reader finds one."""
    later = said("No, 10.0.0.9.", "Sorry, 10.0.0.9 it is.")
    once = marked(TEXT, later[:1], ROOM)
    assert once.count(MARK) == 1
    assert marked(once, later, ROOM) == once
