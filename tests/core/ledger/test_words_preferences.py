"""English wordings of preferences."""

from __future__ import annotations

import pytest

from gateway.core.ledger.cues import kind_of
from gateway.core.ledger.entry import Kind

SAID = (
    "i'd rather have short answers",
    "refer to me as dr. okafor",
    "call me sam",
    "i prefer tabs over spaces",
    "keep your answers short",
    "answer in bullet points",
    "ideally the charts are dark",
    "i hate long introductions",
    "write in a friendly tone",
    "talk to me like i'm five",
    "spare me the pleasantries",
    "language: french",
    "quote prices in euros",
    "window seats whenever possible",
    "use british spelling",
)


@pytest.mark.parametrize("sentence", SAID)
def test_preference_is_known(sentence: str) -> None:
    """What somebody would like is remembered, however softly it is said."""
    found = kind_of(sentence, frozenset((Kind.PREFERENCE,)))

    assert found is not None
    assert found[0] is Kind.PREFERENCE


@pytest.mark.parametrize("sentence", ["i like it a lot", "she called yesterday", "what a nice day"])
def test_description_is_none(sentence: str) -> None:
    """What only tells how things are sets nothing."""
    assert kind_of(sentence, frozenset((Kind.PREFERENCE,))) is None
