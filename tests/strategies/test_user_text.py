"""What users pasted long ago keeps its beginning and its end; what they ask now stays as it came."""

from __future__ import annotations

import pytest

from drawn import words
from gateway.strategies import marks
from gateway.strategies.base import Keep, Room
from gateway.strategies.user_text import UserText
from test_cases import conversation

PASTED = "Why does this fail?\n" + "line of a log\n" * 200 + "It began on Monday."
TALK = [
    {"role": "user", "content": "Help me."},
    {"role": "assistant", "content": "Yes."},
    {"role": "user", "content": PASTED},
    {"role": "assistant", "content": "Because of the clock."},
    {"role": "user", "content": PASTED},
]
ROOM = Room(0, 1000, words)


def test_old_text_keeps_its_ends_and_the_latest_is_whole() -> None:
    """The question at the beginning and the hint at the end are there, and an id for all of it."""
    view = conversation(TALK, words)
    after = UserText(max_tokens=0, max_chars=400).apply(view, ROOM)
    text = after.messages[2].text
    assert len(text) <= 400
    assert text.startswith("Why does this fail?")
    assert text.endswith("It began on Monday.")
    assert after.messages[4].raw == view.messages[4].raw
    assert [offload.text for offload in after.offloads] == [PASTED]
    assert after.offloads[0].id in text


def test_nothing_is_promised_where_nothing_can_be_stored() -> None:
    """Without a store the notice has no id."""
    after = UserText(max_tokens=50).apply(conversation(TALK, words), Room(0, 1000, words, archive=False))
    assert not after.offloads
    assert marks.ORIGINALS not in after.messages[2].text


def test_first_message_stays_where_it_is_kept() -> None:
    """What states the task is only shortened where the policy lets it go."""
    view = conversation(TALK[2:], words)
    for kept in (True, False):
        after = UserText(max_tokens=50).apply(view, Room(0, 1000, words, Keep(first_user=kept)))
        assert (after is view) is kept


@pytest.mark.parametrize(
    "step", [UserText(max_tokens=0), UserText(max_chars=-1), UserText(max_tokens=-1), UserText(head_share=2)]
)
def test_impossible_settings_are_told(step: UserText) -> None:
    """A cap that is none, and a share that cannot be."""
    assert list(step.problems())
