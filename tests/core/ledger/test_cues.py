"""How a sentence gets its kind."""

from __future__ import annotations

import pytest

from gateway.core.ledger.cues import is_worth_a_look, kind_of, words
from gateway.core.ledger.entry import Kind

ALL = frozenset(Kind)


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("never exceed 40 requests", Kind.LIMIT),
        ("never push to main", Kind.PROHIBITION),
        ("please always answer in french", Kind.RULE),
        ("call me sam", Kind.PREFERENCE),
        ("预算不得超过500元", Kind.LIMIT),
        ("务必备份", Kind.RULE),
    ],
)
def test_most_exact_kind_wins(sentence: str, kind: Kind) -> None:
    """A cap is more exact than the "not" it is worded with."""
    found = kind_of(sentence, ALL)

    assert found is not None
    assert found[0] is kind


def test_only_kinds_that_are_asked_for_are_found() -> None:
    """A rule is none where rules are not looked for."""
    assert kind_of("never push to main", frozenset((Kind.TASK,))) is None


def test_sentence_without_an_anchor_is_not_searched() -> None:
    """Most sentences cost one look at their words."""
    assert not is_worth_a_look("hello there", words("hello there"))
    assert is_worth_a_look("never!", words("never!"))
    assert is_worth_a_look("你好", words("你好"))


def test_place_of_the_words_is_told() -> None:
    """A long sentence can be cut around the words that made it count."""
    found = kind_of("by the way, never push", ALL)

    assert found is not None
    assert "by the way, never push"[found[1] : found[2]].startswith("never")
