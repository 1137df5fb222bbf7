"""English wordings of prohibitions."""

from __future__ import annotations

import pytest

from gateway.core.ledger.cues import kind_of
from gateway.core.ledger.entry import Kind

SAID = (
    "never push to main",
    "don't you dare delete the backups",
    "hands off the billing module",
    "production is off-limits",
    "under no circumstances restart it",
    "i'd rather you didn't mention it",
    "leave the css alone",
    "no emojis please",
    "please avoid new dependencies",
    "stop adding comments",
    "refrain from giving advice",
    "nothing ships without a review",
    "the staging database is read-only",
    "let's not use globals",
    "i don't eat meat",
    "exclude test accounts",
    "you must not change it",
    "it can't cost more than a coffee",
)


@pytest.mark.parametrize("sentence", SAID)
def test_prohibition_is_known(sentence: str) -> None:
    """Whoever forbids something need not say "never"."""
    found = kind_of(sentence, frozenset((Kind.PROHIBITION,)))

    assert found is not None
    assert found[0] is Kind.PROHIBITION


@pytest.mark.parametrize(
    "sentence",
    [
        "i don't know what happened",
        "never mind",
        "no problem",
        "i could never understand it",
        "it must be late",
    ],
)
def test_description_is_none(sentence: str) -> None:
    """What only tells how things are sets nothing."""
    assert kind_of(sentence, frozenset((Kind.PROHIBITION,))) is None
