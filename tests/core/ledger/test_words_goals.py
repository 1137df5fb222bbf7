"""English wordings of goals."""

from __future__ import annotations

import pytest

from gateway.core.ledger.cues import kind_of
from gateway.core.ledger.entry import Kind

SAID = (
    "the goal is to migrate the shop",
    "i'm trying to find out why churn went up",
    "we need to migrate the user service",
    "help me write a grant proposal",
    "we're building a booking system",
    "your task is to reconcile the ledgers",
    "build a parser for our log format",
    "our aim is to halve the load time",
    "success means that nobody calls",
)


@pytest.mark.parametrize("sentence", SAID)
def test_goal_is_known(sentence: str) -> None:
    """What people are after is found however they begin to tell."""
    found = kind_of(sentence, frozenset((Kind.GOAL,)))

    assert found is not None
    assert found[0] is Kind.GOAL


@pytest.mark.parametrize("sentence", ["i went home", "the build is green"])
def test_description_is_none(sentence: str) -> None:
    """What only tells how things are sets nothing."""
    assert kind_of(sentence, frozenset((Kind.GOAL,))) is None
