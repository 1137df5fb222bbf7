"""The parts of speech that the tables are built from."""

from __future__ import annotations

import re

import pytest

from gateway.core.ledger import phrases


@pytest.mark.parametrize("before", ["please ", "and ", "ok, ", "note: ", "you ", "- also "])
def test_imperative_can_begin_behind_a_word_that_leads_to_it(before: str) -> None:
    """Between the start of a sentence and its verb stand only words of this kind."""
    assert phrases.starts(before + "push")[-1] == len(before)


@pytest.mark.parametrize("verb", ["happened", "worked", "got", "mind"])
def test_verb_of_the_past_is_no_order(verb: str) -> None:
    """What never happened is not what never must."""
    assert not re.match(rf"never {phrases.PAST}[a-z]", f"never {verb}")


@pytest.mark.parametrize("verb", ["exceed", "push", "touch", "need"])
def test_verb_of_an_order_is_one(verb: str) -> None:
    """A verb that only looks like the past is none."""
    assert re.match(rf"never {phrases.PAST}[a-z]", f"never {verb}")
