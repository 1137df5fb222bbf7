"""English wordings of customs."""

from __future__ import annotations

import pytest

from gateway.core.ledger.cues import kind_of
from gateway.core.ledger.entry import Kind

SAID = (
    "no exceptions",
    "outliers stay in",
    "weeks start on monday",
    "revenue is always net of returns",
    "api keys belong in the vault",
    "keys go in the vault, not in code",
    "hold the deploy until monday",
    "wait for my go before sending",
    "any change goes through olga first",
    "refunds need a manager",
    "for dates use dd.mm.yyyy",
    "i expect every claim to have a citation",
    "default to dark mode",
)


@pytest.mark.parametrize("sentence", SAID)
def test_custom_is_known(sentence: str) -> None:
    """What is said as a matter of course is to be followed as well."""
    found = kind_of(sentence, frozenset((Kind.RULE,)))

    assert found is not None
    assert found[0] is Kind.RULE


@pytest.mark.parametrize("sentence", ["it was slow, not broken", "users complain a lot", "thanks a lot"])
def test_description_is_none(sentence: str) -> None:
    """What only tells how things are sets nothing."""
    assert kind_of(sentence, frozenset((Kind.RULE,))) is None
