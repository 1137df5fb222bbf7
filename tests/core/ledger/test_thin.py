"""What stays when room is short."""

from __future__ import annotations

import pytest

from gateway.core.ledger.entry import ORDER, Entry, Kind
from gateway.core.ledger.thin import thin


def one(entry: Entry) -> int:
    """Each entry takes one token."""
    return 1


def words(entry: Entry) -> int:
    """One word is one token."""
    return len(entry.text.split())


EACH = tuple(Entry(kind, f"of {kind.name}") for kind in reversed(Kind))


def test_everything_stays_where_there_is_room() -> None:
    """Nothing is dropped without need."""
    assert thin(EACH, 100, one) == EACH


@pytest.mark.parametrize("room", range(len(EACH) + 1))
def test_most_important_kinds_stay(room: int) -> None:
    """Prohibitions and limits are the last to go, and the order is that in which things were said."""
    kept = thin(EACH, room, one)

    assert {ORDER[entry.kind] for entry in kept} == set(range(room))
    assert list(kept) == [entry for entry in EACH if entry in kept]


@pytest.mark.parametrize("room", [0, 1, 5, 13, 60])
def test_room_is_never_exceeded(room: int) -> None:
    """However uneven the sizes are."""
    entries = [Entry(Kind.RULE, "word " * (n % 7 + 1)) for n in range(20)]

    assert sum(map(words, thin(entries, room, words))) <= room


def test_reports_go_before_what_users_said() -> None:
    """A user's least value outlives an assistant's decision."""
    report, value = Entry(Kind.DECISION, "a", "assistant"), Entry(Kind.VALUE, "b")

    assert thin([report, value], 1, one) == (value,)


def test_reports_take_no_more_than_their_share_while_users_need_the_room() -> None:
    """A chatty tool cannot crowd out the user."""
    said = [Entry(Kind.VALUE, f"said {n}") for n in range(70)]
    reports = [Entry(Kind.VALUE, f"report {n}", "tool") for n in range(70)]

    kept = thin([*reports, *said], 100, one)

    assert sum(not entry.source for entry in kept) == 70
    assert sum(bool(entry.source) for entry in kept) == 30


def test_newest_reports_stay() -> None:
    """The last state of a thing is worth more than an earlier one."""
    reports = [Entry(Kind.VALUE, f"report {n}", "tool") for n in range(10)]

    assert thin(reports, 3, one) == tuple(reports[-3:])


def test_early_words_of_users_count_as_much_as_late_ones() -> None:
    """Where a kind does not fit, it is thinned evenly over the conversation."""
    said = [Entry(Kind.RULE, f"rule {n}") for n in range(90)]

    kept = thin(said, 30, one)

    thirds = [sum(entry in kept for entry in said[start : start + 30]) for start in (0, 30, 60)]
    assert min(thirds) >= 8


def test_update_stays_as_long_as_a_rule() -> None:
    """What says that something is otherwise goes after values and decisions that only state something."""
    stated, update = Entry(Kind.PREFERENCE, "I like short answers"), Entry(Kind.DECISION, "It is 900 now")

    assert thin([stated, update], 1, lambda entry: 1) == (update,)
