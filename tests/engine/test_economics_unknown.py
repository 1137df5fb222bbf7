"""What an account says where something is not told: nothing that is guessed, and bounds that are named.

Prices are those of the model `m` in `wired.py`: 2 USD a million for input, 0.5 from the cache, 8 for output.
"""

from __future__ import annotations

import pytest

from engine.accounts import FIRST, Books, dollars, plan, subjects
from gateway.core.prices import Price, Prices
from gateway.wire.base import Usage


@pytest.mark.parametrize(
    ("usage", "reason", "billed"),
    [(None, "usage", False), (Usage(400, 1), "cache", False), (Usage(400, 1, 0), "before", True)],
)
def test_what_is_not_told_is_not_guessed(usage: Usage | None, reason: str, billed: bool) -> None:
    """Without usage, without a word of the cache, without the request before, no saving is claimed."""
    account = Books().settle(plan(1000, 400, FIRST), usage)

    assert (account.unknown, account.lost, account.saved_usd) == (reason, 0, 0)
    assert (account.billed_usd > 0) is billed
    assert account.unique == 600


def test_model_without_a_price_has_tokens_only() -> None:
    """Where nobody has named a price, tokens and cache are told, and that money is not."""
    books = Books(Prices({}))
    account = books.settle(plan(1000, 1000), Usage(1000, 10, 400))

    assert (account.read, account.unknown, dollars(account)) == (400, "price", [0, 0, 0])


@pytest.mark.parametrize(
    ("usage", "reason"), [(None, "usage"), (Usage(400, 1), "price"), (Usage(400, 1, 0), "before")]
)
def test_price_that_nobody_named_is_told_before_the_cache(usage: Usage | None, reason: str) -> None:
    """Advice on the cache's price helps nobody who has yet to name the model's price at all."""
    account = Books(Prices({})).settle(plan(1000, 400, FIRST), usage)

    assert (account.unknown, dollars(account)) == (reason, [0, 0, 0])


@pytest.mark.parametrize("cached_input", [None, 2])
def test_price_without_a_cache_needs_no_word_of_it(cached_input: float | None) -> None:
    """Where the cache makes no difference in price, what the upstream says of it is not missed."""
    books = Books(Prices({"m": Price(input=2, cached_input=cached_input, output=8)}))
    account = books.settle(plan(1000, 400, FIRST), Usage(400, 1))

    assert (account.unknown, dollars(account)) == ("", [808, 1200, 0])


def test_reads_without_a_price_make_the_sums_bounds() -> None:
    """No more was billed than is said, and no less was gained; and that it is a bound is said, too.

    Seen: what a moved boundary cost was called nothing, and a token saved again worth as much as a new one.
    """
    unnamed, least, most = (
        Books(Prices({"m": Price(input=2, cached_input=price, output=8)})) for price in (None, 0, 2)
    )
    requests = [
        (plan(10_000, 10_000), Usage(10_000, 0, 0)),
        (plan(11_000, 11_000), Usage(11_000, 0, 9000)),
        (plan(12_000, 4000, FIRST), Usage(4000, 0, 1000)),
        (plan(13_000, 5000, FIRST, frozen=5000), Usage(5000, 0, 4000)),
    ]
    for made, usage in requests:
        told, low, high = (each.settle(made, usage) for each in (unnamed, least, most))

        assert told.billed_usd == high.billed_usd
        assert (told.saved_usd, told.lost_usd) == (low.saved_usd, low.lost_usd)
        assert told.unknown == ("cached_input" if usage.cached_tokens else "")
        assert low.unknown == high.unknown == ""


def test_bound_is_not_told_where_the_saving_is_not_known() -> None:
    """What came before is what is missing then."""
    account = Books(Prices({"m": Price(input=2, output=8)})).settle(
        plan(1000, 400, FIRST), Usage(400, 1, 100)
    )

    assert (account.unknown, dollars(account)) == ("before", [808, 0, 0])


def test_attempt_of_which_nobody_can_tell_the_cost_is_left_out() -> None:
    """As with an answer: where reads have a price of their own and nobody tells them, no sum is right."""
    books = Books()
    account = books.settle(plan(1000, 1000), Usage(1000, 0, 0), [Usage(700, 10)])
    assert (account.overhead, account.unknown, dollars(account)) == (710, "cache", [2000, 0, 0])

    [subject] = subjects(2)
    last = books.economics.settle(subject, None, Usage(700, 10))
    assert (last.unknown, dollars(last)) == ("cache", [0, 0, 0])
