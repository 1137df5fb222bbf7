"""What is folded makes way for one message; the head and the latest request never do."""

from __future__ import annotations

from collections.abc import Sequence

from drawn import words
from gateway.core.conversation import Message, Role, made
from gateway.strategies import marks
from gateway.strategies.fold import fold, is_news
from gateway.strategies.place import is_digest
from test_cases import conversation

LIST = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Why is it so slow on Mondays?"},
    {"role": "assistant", "content": "Because of the backup that runs until noon."},
    {"role": "user", "content": "And now?"},
]
NOTE = made(Role.USER, "note", words)


def test_what_is_before_the_point_is_one_message() -> None:
    """The writer sees what goes, and its message stands behind the head, acknowledged before a user's."""
    seen: list[str] = []

    def write(folded: Sequence[Message]) -> Message:
        seen.extend(message.text for message in folded)
        return NOTE

    after = fold(conversation(LIST, words), 3, write, words)
    assert seen == [message["content"] for message in LIST[1:3]]
    assert [message.text for message in after.messages] == [
        "Be brief.",
        "note",
        marks.ACKNOWLEDGEMENT,
        "And now?",
    ]


def test_what_would_not_be_shorter_is_left_alone() -> None:
    """A message that takes more than what it stands for is not put there."""
    view = conversation(LIST, words)
    assert fold(view, 3, lambda _: made(Role.USER, "note " * 50, words), words) is view


def test_what_only_a_digest_says_is_no_news() -> None:
    """Digests and their acknowledgements are not folded for their own sake."""
    digest = made(Role.USER, f"{marks.DIGEST_START}\nx\n{marks.DIGEST_END}", words)
    noted = made(Role.ASSISTANT, marks.ACKNOWLEDGEMENT, words)
    assert is_digest(digest)
    assert not is_news(digest)
    assert not is_news(noted)
    assert is_news(NOTE)


def test_question_that_is_replied_to_stays() -> None:
    """A short reply says nothing without what was asked, so that stands where an acknowledgement would."""
    plan = "It was like this. " * 60 + "I would drop OLD_T. Shall I run it now?"
    said = [*LIST[:2], {"role": "assistant", "content": plan}, {"role": "user", "content": "Yes."}]
    after = fold(conversation(said, words), 3, lambda _: NOTE, words)
    _, note, asked, reply = after.messages
    assert (note.text, reply.text) == ("note", "Yes.")
    assert asked.role is Role.ASSISTANT
    assert asked.text.endswith("I would drop OLD_T. Shall I run it now?")
    assert len(asked.text) <= 300

    own = {"role": "user", "content": "Please tell me instead why the import takes so long. " * 9}
    after = fold(conversation([*said[:3], own], words), 3, lambda _: NOTE, words)
    assert after.messages[2].text == marks.ACKNOWLEDGEMENT
