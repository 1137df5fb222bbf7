"""Signs of change."""

from __future__ import annotations

import pytest

from gateway.core.ledger.changes import UNCHANGED, adds, changes, corrects, may_change, sign
from gateway.core.ledger.cues import words


@pytest.mark.parametrize(
    "sentence",
    [
        "sorry, it is 12",
        "they rebooked me",
        "ken was reassigned to mia",
        "rent → 990",
        "i misread the scale",
        "make that 5",
        "会议改到周四",
        "看错了，是2.1",
        "预算涨到8000元了",
        "给错表了，是第二张",
    ],
)
def test_certain_change_is_known(sentence: str) -> None:
    """Whoever was wrong, or reports that something became another, replaces."""
    assert corrects(sentence)


def test_what_holds_now_is_a_change_but_no_certain_one() -> None:
    """ "Now" also stands in what is said for the first time."""
    assert changes("the cap is 900 now")
    assert not corrects("the cap is 900 now")


def test_what_is_so_for_now_may_be_otherwise_than_before() -> None:
    """Who takes something for now had something else, or will have."""
    assert changes("let's go with osprey for now")


def test_another_one_is_no_change() -> None:
    """A new error beside the old one takes no place."""
    assert not changes("there is a new error in writer.py")
    assert adds("also allow port 443")
    assert not adds("5 is fine too, make it 5")
    assert not adds("default_model: qwen-plus")
    assert not adds("全组统一 yarn 了，你也跟着吧")


def test_sign_is_all_of_it() -> None:
    """What a statement says about change, in one."""
    found = sign("actually, also allow 81", words("actually, also allow 81"))

    assert (found.changes, found.corrects, found.adds) == (True, True, True)
    assert sign("the port is 80", words("the port is 80")) == UNCHANGED


def test_plain_statements_are_spared() -> None:
    """A sentence without any of the words is not searched."""
    assert not may_change("the port is 80", words("the port is 80"))


@pytest.mark.parametrize(
    "sentence",
    [
        "it was repainted green",
        "they since shipped the crates to turin",
        "9000, not 8080",
        "8080 => 9000",
        "that's off",
        "on second thoughts tuesday",
        "the review went down to two days",
    ],
)
def test_change_is_known_by_its_form(sentence: str) -> None:
    """No list of verbs is needed where the form of a sentence tells that something became another."""
    assert corrects(sentence)
