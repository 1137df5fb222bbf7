"""English wordings of limits."""

from __future__ import annotations

import pytest

from gateway.core.ledger.cues import kind_of
from gateway.core.ledger.entry import Kind

SAID = (
    "keep it under 200 words",
    "no more than 3 retries",
    "we can't spend more than 500 eur",
    "budget cap: 500 eur",
    "it is due by friday noon",
    "use at most two columns",
    "you have 3 attempts",
    "max file size: 10 mb",
    "nothing over $50 without asking me",
    "we've got until thursday evening",
    "half a day is all we have",
    "cap the batch at 40 rows",
    "everything has to fit into 512 mb",
    "200 words or less",
    "the timeout should be 30 seconds",
)


@pytest.mark.parametrize("sentence", SAID)
def test_limit_is_known(sentence: str) -> None:
    """A bound with its number or date is a limit."""
    found = kind_of(sentence, frozenset((Kind.LIMIT,)))

    assert found is not None
    assert found[0] is Kind.LIMIT


@pytest.mark.parametrize(
    "sentence", ["the run was fast", "up to 5 people were in the room", "the response took 3 seconds"]
)
def test_description_is_none(sentence: str) -> None:
    """What only tells how things are sets nothing."""
    assert kind_of(sentence, frozenset((Kind.LIMIT,))) is None
