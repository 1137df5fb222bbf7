"""A statement may say by how much something moves, or that it ends, and not name it."""

from __future__ import annotations

import pytest

from gateway.core.conversation import Role, made
from gateway.core.ledger.entry import Kind
from gateway.core.ledger.find import find
from gateway.core.ledger.moves import Move, can_move, gives_date, moved


@pytest.mark.parametrize(
    "sentence",
    [
        "marketing slipped us by nine days",
        "we got two more weeks",
        "they pushed it 90 min later",
        "another week would help",
        "编辑部说往后顺延一周",
        "会议提前半小时",
        "再给三天",
    ],
)
def test_lapse_of_time_moves_a_date(sentence: str) -> None:
    """Something is due later, or sooner, by so much."""
    assert moved(sentence) is Move.TIME


@pytest.mark.parametrize(
    "sentence",
    [
        "try doubling it",
        "i could stretch another forty",
        "a quarter of that was stable",
        "cut it by a third",
        "twice that much",
        "砍一半",
        "再加两个",
    ],
)
def test_factor_or_difference_moves_an_amount(sentence: str) -> None:
    """What it comes to must be reckoned from what was said before."""
    assert moved(sentence) is Move.AMOUNT


@pytest.mark.parametrize(
    "sentence",
    ["price is no longer the tiebreaker", "we don't ask for that any more", "no need to wait", "不用老问我"],
)
def test_end_of_something_ends_a_rule(sentence: str) -> None:
    """It is no more, whatever it was."""
    assert moved(sentence) is Move.RULE


@pytest.mark.parametrize(
    "sentence",
    [
        "the port is 8443",
        "never push to main",
        "the meeting took two hours",
        "it rained for a week",
        "端口是8443",
        "每组最多18人。",
        "most of that is noise in the logs, as far as anybody can tell" + " and so on" * 12,
    ],
)
def test_plain_statement_moves_nothing(sentence: str) -> None:
    """What states a value, or how long something was, moves none; what says much says of what it is."""
    assert moved(sentence) is None


def test_each_is_moved_by_its_own() -> None:
    """Dates are moved by lapses of time, amounts by factors, rules by their end."""
    launch = (Kind.VALUE, "The launch is on March 12.")

    assert can_move(Move.TIME, *launch)
    assert not can_move(Move.AMOUNT, *launch)
    assert not can_move(Move.RULE, *launch)
    assert can_move(Move.AMOUNT, Kind.RULE, "Flag any transfer above 500 euros.")
    assert can_move(Move.AMOUNT, Kind.LIMIT, "At most 64.")
    assert not can_move(Move.AMOUNT, Kind.RULE, "Cover the bed of 64 with straw in winter")
    assert can_move(Move.RULE, Kind.PREFERENCE, "Use tabs.")


def test_day_and_time_of_day_are_dates() -> None:
    """Both can be moved by a lapse of time; how long something takes cannot."""
    assert gives_date("It is due on 4 June.")
    assert gives_date("Backups run at 02:00.")
    assert not gives_date("It takes 3 weeks.")


@pytest.mark.parametrize("text", ["Way too many hits. Try doubling it", "OOM. A quarter of that was stable"])
def test_move_is_heard_and_never_sure(text: str) -> None:
    """Nothing by itself, it is news of what was said before."""
    last = find(made(Role.USER, text, len))[-1]

    assert last.text in text.split(". ")
    assert not last.is_sure
