"""What users said later than a summary is about is the last word: the summary says so."""

from __future__ import annotations

from drawn import words
from gateway.core.conversation import Conversation, Message, Role, made
from gateway.strategies.base import Room
from gateway.strategies.contested import marked, with_marks
from gateway.strategies.notes import Notes, Section, read
from gateway.strategies.outdated import MARK

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
    talk = said("And now?", "Thanks!", "Is it done?", "What is to be done with src/part10.py?")
    assert marked(TEXT, talk, ROOM) == TEXT
    assert marked("- Parts 1 to 9 of billing/invoice.py are kept.", talk, ROOM).endswith("are kept.")


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


def test_line_that_the_ledger_has_lost_is_marked_all_the_same() -> None:
    """What was doubted once is carried no more: its update finds nothing to replace but the summary."""
    text = "- Reviewer for packages/ledger-866 is Leila Lind.\n- Reviewer for packages/core-1 is Ann Bo."
    later = said("From Monday on Ivo Kow reviews packages/ledger-866 rather than Leila Lind.")
    assert marked(text, later, ROOM).split("\n") == [
        f"- Reviewer for packages/ledger-866 is Leila Lind.{MARK}",
        "- Reviewer for packages/core-1 is Ann Bo.",
    ]


def test_doubtful_update_is_enough_for_a_mark() -> None:
    """Which of two weights is right may be open; that the older one holds must not be told as sure."""
    text = "- The sample ROSTER480192 weighs 54134 mg. It is dry."
    later = said("I misread the scale: ROSTER480192 weighs 300 mg, not 54134.")
    assert marked(text, later, ROOM) == f"- The sample ROSTER480192 weighs 54134 mg.{MARK} It is dry."


def test_bare_value_is_marked_by_what_it_was_said_of() -> None:
    """A summary in few words names a value alone; the digest quotes of what it was, and that is replaced."""
    quoted = said(Notes({Section.USER: ["My order number is ORD-44956. Thanks!"]}).text())
    later = said("Sorry, wrong number, the order is #195510.")
    assert marked("- LH9068, ORD-44956, 14 files", later, ROOM, quoted) == (
        f"- LH9068, ORD-44956{MARK}, 14 files"
    )
    assert marked("- LH9068, 14 files", later, ROOM, quoted) == "- LH9068, 14 files"


def test_line_that_reads_like_the_end_of_something_is_marked_too() -> None:
    """ "Switched off" could be news of something said before; here it is what was lifted since."""
    text = "- Keep ff.falcon.310 switched off."
    assert marked(text, said("ff.falcon.310 doesn't have to stay off any more."), ROOM) == text + MARK
