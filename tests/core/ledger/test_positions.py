"""Whether a value is given, or tells which thing is meant."""

from __future__ import annotations

import pytest

from gateway.core.ledger.anchors import anchors
from gateway.core.ledger.forms import Value
from gateway.core.ledger.positions import are_of_two, is_bound, is_given, is_one_label, tells_same


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The limit is 20 requests per second.", ("n reques", "20")),
        ("Max retries: 3", ("n", "3")),
        ("The launch is on 3 May.", ("date", "3 may")),
        ("Never send more than 3 mails.", ("n mail", "3")),
        ("Answer in German.", ("tongue", "german")),
        ("The reviewer is Ann Miller.", ("name", "ann")),
        ("Name the output file a_1.csv.", ("id", "a_1.csv")),
        ("端口是8080。", ("n", "8080")),
        ("回答不超过100字。", ("n word", "100")),
        ("请用英文", ("tongue", "英文")),
    ],
)
def test_value_behind_what_gives_it_is_given(text: str, value: Value) -> None:
    """It stands behind "is", a colon or a bound of something that is named."""
    assert is_given(text, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The disk of server 3 is full.", ("n", "3")),
        ("There is 3.", ("n", "3")),
        ("A file is 3.", ("n", "3")),
        ("TODO: 3", ("n", "3")),
        ("Never deploy on Friday.", ("date", "friday")),
        ("Keep the backups from January.", ("date", "january")),
        ("The shop is closed on Monday.", ("date", "monday")),
        ("The key is for room 3.", ("n", "3")),
        ("3号服务器的磁盘满了。", ("n 号", "3")),
        ("The rate is 30 of 30.", ("n", "30")),
    ],
)
def test_value_that_may_tell_what_is_meant_is_not_given(text: str, value: Value) -> None:
    """Where a word stands between, or nothing is named that it could be given to, it is in doubt."""
    assert not is_given(text, value)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Meter 2 north side is low.", "Meter 1 north side is high."),
        ("The limit of server 5 is 20.", "The limit of server 3 is 20."),
        ("Move chapter 5 behind the appendix.", "Move chapter 3 behind the appendix."),
        ("The tenant in flat 5 has paid.", "The tenant in flat 3 has paid."),
        ("The data of 2024 stays.", "The data of 2023 stays."),
        ("不要动5号服务器。", "不要动3号服务器。"),
        ("病人5的饮食是素食。", "病人3的饮食是素食。"),
    ],
)
def test_number_behind_a_word_names_a_thing(new: str, old: str) -> None:
    """Of one sort there are as many things as numbers."""
    assert are_of_two(new, old, anchors(new).values, anchors(old).values)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The limit is 50.", "The limit is 20."),
        ("We moved to room 5.", "The class is in room 3."),
        ("Got an upgrade - row 2!", "We have tickets for row 7."),
        ("Retry 5 times.", "Retry 3 times."),
        ("会议在5号楼。", "会议在3号楼。"),
        ("The limit is 20.", "The limit is 20."),
    ],
)
def test_number_that_is_given_names_no_thing(new: str, old: str) -> None:
    """Where the class is now is no other class."""
    assert not are_of_two(new, old, anchors(new).values, anchors(old).values)


def test_whose_it_is_tells_two_statements_apart() -> None:
    """Her limit is not his."""
    assert not tells_same("Her limit is 5.", "His limit is 3.", ("n", "5"), ("n", "3"))
    assert tells_same("The limit is 5.", "Our limit is 3.", ("n", "5"), ("n", "3"))


def test_bound_is_of_a_measure() -> None:
    """A path is no measure."""
    assert is_bound("Keep it under 200 words.", ("n word", "200"))
    assert not is_bound("Never write under /srv.", ("path", "/srv"))


def test_of_some_labels_there_are_many() -> None:
    """Each ticket is another one; a count of tickets is a count."""
    assert not is_one_label("ticket", ("id", "ops-3"))
    assert is_one_label("ticket", ("n", "3"))
