"""What a text is about."""

from __future__ import annotations

import pytest

from gateway.core.ledger.topic import masked, topic


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The cap is now 900", "Cap: 500"),
        ("Deliver on Monday", "The deadline is Friday"),
        ("预算改成900元", "预算上限是500"),
        ("Retry 3 times", "No more than 5 retries"),
        ("Plots with lib-4 now", "Use lib-3 for plotting"),
        ("Please answer in German from now on", "Always answer in French"),
    ],
)
def test_same_subject_in_other_words(one: str, other: str) -> None:
    """How it is said does not matter, only of what."""
    first, second = topic(one), topic(other)

    assert first.words & second.words
    assert first.values != second.values


def test_names_and_values_are_told_apart() -> None:
    """Numbers, dates and languages are values; names are names."""
    about = topic("The cap for EU ads is 500 EUR until Friday")

    assert about.names == {"eu"}
    assert about.values == {"500", "friday"}
    assert about.words == {"limit", "ad", "eur"}
    assert about.units == {"eur"}


def test_numbered_name_keeps_its_stem() -> None:
    """The next of a series is about the same as the one before."""
    assert topic("We moved to staging-2").words == topic("staging").words


def test_polarity() -> None:
    """Forbidding is told from demanding."""
    assert topic("never use tabs").is_negative
    assert topic("不要用").is_negative
    assert not topic("always use tabs").is_negative


def test_values_can_be_masked() -> None:
    """What is left says of what they were."""
    assert masked("The API runs on port 8443.") == "The API runs on port …."
    assert masked("周五之前交") == "…之前交"
