"""What of the texts of users stays where there is not room for all of them."""

from __future__ import annotations

import re

import pytest

from gateway.strategies import marks
from gateway.strategies.said import bounding, fitting, missing

TALK = "So we went on and on about the sea and the hills."


def words(text: str) -> int:
    return len(text.split())


def test_all_stays_where_there_is_room() -> None:
    """Nothing is cut before it has to be."""
    texts = ["Build it.", "Thanks!", TALK]
    assert list(fitting(texts, 100, (), words)) == texts


def test_small_talk_goes_before_what_lasts() -> None:
    """The first message states the task; of the others questions and thanks go first, also new ones."""
    texts = ["Build it.", "Never restart db-1 before noon.", "Why is it so slow?", "Thanks!"]
    kept = fitting(texts, 16, (), words)
    assert list(kept) == ["Build it.", "Never restart db-1 before noon."]


def test_sentences_are_taken_out_of_a_long_message() -> None:
    """Of a message that does not fit, the sentence that matters is left, with a sign where others stood."""
    texts = ["Build it.", f"{TALK} The port of db-1 is 8443. {TALK} {TALK}"]
    assert fitting(texts, 24, (), words)[1] == "The port of db-1 is 8443. …"


def test_item_of_a_list_stays_with_what_it_is_one_of() -> None:
    """By itself it would read as the user's own, and after being joined with others as nothing at all."""
    listed = "Here is what Anna's notes say:\n- small commits\n- tests first\n- never push to main"
    texts = ["Build it.", f"{TALK} {TALK}\n{listed}\n{TALK} {TALK}"]
    kept = fitting(texts, 20, (), words)
    assert kept[1] == "Here is what Anna's notes say: …\n- never push to main …"
    assert fitting([*kept, TALK], 20, (), words) == kept


def test_what_matters_stays_of_the_middle_of_the_first_text() -> None:
    """The task stands at its ends; a rule between them that the ledger does not carry was gone at once."""
    rule = "My colleague Anna says never deploy on Fridays."
    texts = [f"Build it. {f'{TALK} ' * 12} {rule} {f'{TALK} ' * 12} Go.", "Thanks!"]
    kept = fitting(texts, 80, (), words)
    assert rule not in kept[0]
    assert kept[1] == f"{rule} …"
    assert fitting(kept, 80, (), words) == kept
    assert fitting(kept, 34, (), words)[1] == f"{rule} …"


def test_what_the_ledger_says_goes_first() -> None:
    """Where room is short nothing is said twice."""
    texts = ["Build it.", "Never restart db-1.", "Always use tabs in src/app.py."]
    kept = fitting(texts, 14, {"Never restart db-1."}, words)
    assert list(kept) == ["Build it.", "Always use tabs in src/app.py."]


def test_what_is_missing_is_counted() -> None:
    """Only sentences that matter, and stand neither in what is kept nor in the ledger."""
    texts = ["Never restart db-1.", "Use port 8443 for db-2.", "Keep ports below 9000.", "Thanks!"]
    assert missing(texts, ["Use port 8443 for db-2."], {"Never restart db-1."}, words) == 5


def test_what_is_doubted_goes_before_what_may_have_taken_its_place() -> None:
    """Where there is room for one of them, the old value is not the one that is left."""
    old, new = "Never spend more than 500 EUR.", "It may be 900 EUR now."
    texts = ["Build it.", old, new]

    assert fitting(texts, 15, (), words) == ["Build it.", old]
    assert fitting(texts, 15, (), words, {old}) == ["Build it.", new]


def test_bans_and_limits_that_the_ledger_does_not_say_are_counted() -> None:
    """What else users said claims no room before what was reported."""
    ban, limit = "Never restart db-1 before noon.", "Spend at most 40 EUR on seeds."
    texts = [f"Thanks! {ban}", f"The port of db-1 is 8443. {limit}"]
    assert bounding(texts, (), words) == words(ban) + words(limit) + 2
    assert bounding(texts, {ban}, words) == words(limit) + 1


@pytest.mark.parametrize("room", [120, 240, 480, 960])
@pytest.mark.parametrize("between", [" ", ", and ", ". ", "; ", "\n"])
def test_of_long_texts_no_stumps_are_told(between: str, room: int) -> None:
    """Seen: of five of eight long messages `- det` was all that was told, and others ended in mid-word."""
    detail = "Please remember detail {0} about the ledger, item {1}"
    texts = [between.join(detail.format(n, item) for item in range(100)) for n in range(8)]

    kept = fitting(texts, room, (), letters)

    spoken = set(words_of(" ".join(texts)))
    assert len(kept) > 1
    for text in kept:
        told = words_of(marks.NOTICE.sub(" ", text))
        assert len(told) > 4
        assert spoken.issuperset(told)
    assert sum(letters(f"- {text}") + 1 for text in kept) <= room
    assert fitting(kept, room, (), letters) == kept


def test_what_stands_behind_a_sentence_that_was_cut_stays() -> None:
    """Read back, the two were one long sentence, and its end went."""
    texts = ["Build it.", f"{'and so we went on ' * 60}\n{TALK}\nThe port of db-1 is 8443."]
    kept = fitting(texts, 110, (), letters)
    assert kept[1].endswith("The port of db-1 is 8443.")
    assert fitting(kept, 110, (), letters) == kept


def letters(text: str) -> int:
    """Four characters are one token."""
    return (len(text) + 3) // 4


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def test_reason_that_is_given_each_time_leaves_room_for_what_was_asked() -> None:
    """Of sixty texts the sentence that all share stood there fifty times, and most questions nowhere."""
    texts = [f"Why is page {number} so slow? I ask because the customer waits." for number in range(60)]
    kept = fitting(texts, 600, (), words)

    assert sum(text.count("Why is page") for text in kept) > 50
    assert [text.endswith("I ask because the customer waits.") for text in kept].count(True) == 2
    assert kept[-1] == texts[-1]
