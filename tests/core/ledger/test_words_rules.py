"""English wordings of rules."""

from __future__ import annotations

import pytest

from gateway.core.ledger.cues import kind_of
from gateway.core.ledger.entry import Kind

SAID = (
    "always run the tests",
    "from now on, answer in french",
    "make sure every function has a docstring",
    "only use the standard library",
    "ask me before you delete anything",
    "all dates must be in iso format",
    "unless i say so, work on develop",
    "stick to the naming scheme",
    "follow pep 8",
    "remember that prices are net",
    "whenever you show code, include the file name",
    "use postgres rather than mysql",
    "it is essential that the totals match",
    "the house rule is one migration per pr",
    "every endpoint needs a test",
)


@pytest.mark.parametrize("sentence", SAID)
def test_rule_is_known(sentence: str) -> None:
    """Whatever is to be done each time is a rule."""
    found = kind_of(sentence, frozenset((Kind.RULE,)))

    assert found is not None
    assert found[0] is Kind.RULE


@pytest.mark.parametrize(
    "sentence", ["i only noticed it yesterday", "she must be busy", "it always fails on windows"]
)
def test_description_is_none(sentence: str) -> None:
    """What only tells how things are sets nothing."""
    assert kind_of(sentence, frozenset((Kind.RULE,))) is None
