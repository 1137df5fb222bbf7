"""What tokens cost: which row of the table counts, and what it says of tokens it does not name."""

from __future__ import annotations

import pytest

from gateway.core.prices import Price, Prices

TABLE = Prices(
    {
        "gpt-4o-mini*": Price(input=0.15, output=0.6, cached_input=0.075),
        "gpt-4o*": Price(input=2.5, output=10, cached_input=1.25),
        "our/model": Price(input=1, output=2),
    }
)


@pytest.mark.parametrize(
    ("model", "cost"),
    [
        ("gpt-4o-mini", 0.15),
        ("gpt-4o-2024-08-06", 2.5),
        ("GPT-4o", 2.5),
        ("openrouter/openai/gpt-4o:free", 2.5),
        ("ft:gpt-4o-mini:acme::1", 0.15),
        ("our/model", 1),
    ],
)
def test_first_row_that_matches_counts(model: str, cost: float) -> None:
    """A model is found under its own name and under what providers make of it, special rows first."""
    for _ in range(2):
        price = TABLE.of(model)
        assert price is not None
        assert price.input == cost


def test_unknown_model_has_no_price() -> None:
    """A model that nobody has named has no price, however many such names come."""
    assert len(TABLE) == 3
    for number in range(5000):
        assert TABLE.of(f"alias-{number}") is None
    assert TABLE.of("gpt-4o") is not None


def test_what_is_not_named_costs_as_other_input() -> None:
    """Without a price of its own, a token from the cache or for it is a token of input."""
    plain = Price(input=2, output=8)
    assert (plain.read, plain.read_least, plain.written) == (2, 0, 2)
    assert (Price(input=2, cached_input=0.0).read, Price(input=2, cache_write=2.5).written) == (0, 2.5)


def test_row_that_cannot_be_is_a_problem() -> None:
    """No vendor pays for tokens, and none asks more for a token it has already."""
    assert list(Price(input=2, output=8, cached_input=0.5, cache_write=2.5).problems()) == []
    assert list(Price(input=-1).problems()) == ["input must not be negative, got -1"]
    assert list(Price(input=1, cached_input=2).problems()) == [
        "cached_input must not be above input (1), got 2"
    ]
