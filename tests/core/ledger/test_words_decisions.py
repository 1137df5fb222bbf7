"""English wordings of decisions and corrections."""

from __future__ import annotations

import pytest

from gateway.core.ledger.cues import kind_of
from gateway.core.ledger.entry import Kind

SAID = (
    "let's go with postgres because we need locking",
    "we decided to keep the monolith",
    "i chose option b since it is cheaper",
    "ok, going with redis",
    "no, i meant the invoice table",
    "it turns out the dns was slow",
    "approved, take the second variant",
    "change the deadline to friday",
    "we moved to staging-2",
    "the cap is now 900",
    "make it 300 words",
)


@pytest.mark.parametrize("sentence", SAID)
def test_decision_is_known(sentence: str) -> None:
    """What was settled or corrected is found."""
    found = kind_of(sentence, frozenset((Kind.DECISION,)))

    assert found is not None
    assert found[0] is Kind.DECISION


@pytest.mark.parametrize("sentence", ["hello there", "the page loads"])
def test_description_is_none(sentence: str) -> None:
    """What only tells how things are sets nothing."""
    assert kind_of(sentence, frozenset((Kind.DECISION,))) is None
