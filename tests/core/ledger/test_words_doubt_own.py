"""English orders of the user's own are told from rules that bind others."""

from __future__ import annotations

import pytest

from gateway.core.ledger.words_doubt_own import LATER_ORDERS, ORDERS, SETTLED, WORDS_IT


@pytest.mark.parametrize(
    "sentence",
    [
        "never push to main",
        "also, please keep it short",
        "you must not rebase",
        "no need to ask",
    ],
)
def test_imperative_where_a_clause_begins_is_an_order(sentence: str) -> None:
    """Who is told to do something is addressed."""
    assert ORDERS.search(sentence)


@pytest.mark.parametrize(
    "sentence", ["swimmers must shower", "an old proverb: never look back", "no dogs in the hall"]
)
def test_rule_for_others_is_no_order(sentence: str) -> None:
    """A rule with a subject of its own addresses nobody."""
    assert not ORDERS.search(sentence)


def test_imperative_where_a_later_clause_begins_is_an_order() -> None:
    """A condition may stand before what is to be done."""
    assert LATER_ORDERS.search("if the import fails, give the query")
    assert not LATER_ORDERS.search("passengers may take one bike, never two")


def test_what_is_settled_here_is_the_users_own() -> None:
    """What counts from now on, or in this project, needs no "we"."""
    assert SETTLED.search("from now on no more tabs")
    assert SETTLED.search("this project only supports linux")


def test_an_order_of_wording_may_quote() -> None:
    """Quotation marks in "say 'guest'" hold words, not somebody's rule."""
    assert WORDS_IT.match('say "guest", not "customer"')
    assert not WORDS_IT.match('the sign says "no dogs"')


def test_long_runs_of_leading_words_cost_little() -> None:
    """A text made of the words that lead to an order is searched in one pass."""
    assert not ORDERS.search("and rule 5 so now " * 20_000)
