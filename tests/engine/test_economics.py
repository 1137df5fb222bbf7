"""The account of an exchange: tokens and money saved, reads of the provider's cache lost.

Prices are those of the model `m` in `wired.py`: 2 USD a million for input, 0.5 from the cache, 8 for output.
"""

from __future__ import annotations

from engine.accounts import FIRST, SECOND, Books, dollars, plan, read, subjects, talk
from gateway.core.frozen import replace
from gateway.core.prices import Price, Prices
from gateway.engine.economics import COLD_S, LOOK_BACK, Economics
from gateway.wire.base import Usage
from stores import Clock
from wired import PRICES, chat, message


def test_request_as_it_came_saves_nothing_and_costs_what_it_costs() -> None:
    """Input, input from the cache and output each have their price."""
    books = Books()
    account = books.settle(plan(1000, 1000), Usage(1000, 10, 400))

    assert (account.unique, account.repeated, account.lost, account.unknown) == (0, 0, 0, "")
    assert dollars(account) == [600 * 2 + 400 * 0.5 + 10 * 8, 0, 0]


def test_token_is_unique_once_and_repeated_after() -> None:
    """What a boundary move removes is unique; replayed, it is repeated; removed further, both."""
    books = Books()
    accounts = [
        books.settle(plan(1000, 400, FIRST), Usage(400, 1, 0)),
        books.settle(plan(1100, 500, FIRST, frozen=500), Usage(500, 1, 384)),
        books.settle(replace(plan(1200, 300, SECOND), tokens_frozen=600, base=FIRST), Usage(300, 1, 0)),
    ]

    assert [(account.unique, account.repeated) for account in accounts] == [(600, 0), (0, 600), (300, 600)]


def test_moved_boundary_loses_what_the_cache_would_have_given() -> None:
    """Nine tenths of a request came from the cache the time before; so much of the last one is lost now."""
    books = Books()
    books.settle(plan(10_000, 10_000), Usage(10_000, 0, 0))
    books.settle(plan(11_000, 11_000), Usage(11_000, 0, 9000))
    moved = books.settle(plan(12_000, 4000, FIRST), Usage(4000, 0, 1000))

    assert (moved.read, round(moved.lost, 6)) == (1000, 0.9 * 11_000 - 1000)
    # 8000 tokens were not sent, at the price of new ones; 8900 were new that would have been read.
    assert dollars(moved) == [3000 * 2 + 1000 * 0.5, 8000 * 2, 8900 * 1.5]


def test_part_of_a_block_is_not_missed() -> None:
    """A cache that gives whole blocks gives all it can: what it lacks of the last one is no miss."""
    books = Books()
    books.settle(plan(1000, 1000), Usage(1000, 0, 0))
    books.settle(plan(1100, 1100), Usage(1100, 0, 896))
    moved = books.settle(plan(1200, 400, FIRST), Usage(400, 0, 0))

    assert moved.lost == 1100


def test_replayed_token_is_worth_a_read_of_the_cache() -> None:
    """What was removed before would have come from the cache, so no more than that is saved again."""
    books = Books()
    books.settle(plan(1000, 400, FIRST), Usage(400, 0, 0))
    replayed = books.settle(plan(1100, 500, FIRST, frozen=500), Usage(500, 0, 400))

    assert replayed.lost == 0
    assert dollars(replayed) == [100 * 2 + 400 * 0.5, 600 * 0.5, 0]


def test_cache_that_gives_nothing_loses_nothing() -> None:
    """Where the provider has no cache, a token saved again is worth as much as one saved once."""
    books = Books()
    books.settle(plan(1000, 1000), Usage(1000, 0, 0))
    books.settle(plan(1100, 1100), Usage(1100, 0, 0))
    moved = books.settle(plan(1200, 400, FIRST), Usage(400, 0, 0))
    replayed = books.settle(plan(1300, 500, FIRST, frozen=500), Usage(500, 0, 0))

    assert (moved.lost, replayed.lost) == (0, 0)
    assert (dollars(moved)[1], dollars(replayed)[1]) == (1600, 1600)


def test_what_is_written_to_the_cache_has_its_price() -> None:
    """Where new tokens are written to the cache at a price of their own, one not sent saves that price."""
    price = Price(input=3, cached_input=0.3, cache_write=3.75, output=15)
    books = Books(Prices({"m": price}))
    books.settle(plan(1000, 1000), Usage(1000, 0, 0, 1000))
    moved = books.settle(plan(1100, 300, FIRST), Usage(300, 0, 0, 150))
    assert moved.unknown == "before"

    again = books.settle(plan(1200, 400, FIRST, frozen=400), Usage(400, 0, 300, 50))
    assert dollars(again) == [50 * 3.75 + 50 * 3 + 300 * 0.3, 800 * 0.3, 0]


def test_attempt_of_no_use_is_paid_for() -> None:
    """What an upstream billed for an answer that was not used is overhead, whatever came after it."""
    books = Books()
    account = books.settle(plan(1000, 1000), Usage(1000, 0, 0), [Usage(700, 10, 0)])
    assert (account.overhead, len(account.usages)) == (710, 2)
    assert dollars(account) == [2000 + 1480, 0, 1480]

    [subject] = subjects(2)
    refused = books.economics.settle(subject, None, None, [Usage(700, 10, 0)])
    assert (refused.plan, refused.overhead, refused.unknown) == (None, 710, "")
    last = books.economics.settle(subject, None, Usage(700, 10, 0))
    assert (last.overhead, dollars(last)) == (0, [1480, 0, 0])


def test_relay_that_leaves_cached_tokens_out_of_the_input_pays_nothing_back() -> None:
    """Seen in Responses: more from the cache than input, and so a bill of less than nothing."""
    books = Books(Prices({"m": Price(input=3, cached_input=0.3, output=15)}))
    account = books.settle(plan(1000, 1000), Usage(100, 0, 900))
    assert dollars(account) == [900 * 0.3, 0, 0]

    books.settle(plan(1100, 1100), Usage(100, 0, 1000))
    moved = books.settle(plan(1200, 300, FIRST), Usage(100, 0, 0))
    assert moved.lost <= 100


def test_cold_cache_is_nobodys_loss() -> None:
    """After a long pause nobody knows what the provider still held, so nothing is called lost."""
    books = Books()
    books.settle(plan(1000, 1000), Usage(1000, 0, 0))
    books.settle(plan(1100, 1100), Usage(1100, 0, 1000))
    books.clock.now += COLD_S + 1
    moved = books.settle(plan(1200, 400, FIRST), Usage(400, 0, 0))

    assert (moved.lost, moved.unknown) == (0, "before")


def test_two_conversations_have_books_of_their_own() -> None:
    """Another conversation, another model, or one that grew too far at once is not taken for this one."""
    economics = Economics(PRICES, Clock())
    short, long = subjects(3, 4 + LOOK_BACK)
    [other] = subjects(5, model="n")
    economics.settle(short, plan(100, 100), Usage(100, 0, 0))

    for subject in (other, long):
        account = economics.settle(subject, plan(1000, 400, FIRST), Usage(400, 0, 0))
        assert account.unknown == "before"


def test_list_that_is_sent_again_goes_on_from_itself() -> None:
    """A client that repeats a request continues its own books."""
    economics = Economics(PRICES, Clock())
    [subject] = subjects(3)
    economics.settle(subject, plan(1000, 400, FIRST), Usage(400, 0, 0))
    again = economics.settle(subject, plan(1000, 400, FIRST, frozen=400), Usage(400, 0, 384))

    assert (again.unknown, again.repeated) == ("", 600)


def test_memory_is_bounded() -> None:
    """However many conversations there are, the oldest are forgotten first."""
    economics = Economics(PRICES, Clock(), max_lineages=2)
    for length in (1, 100, 200):
        [subject] = subjects(length)
        economics.settle(subject, plan(1000, 400, FIRST), Usage(400, 0, 0))

    for length, reason in ((3, "before"), (202, "")):
        [subject] = subjects(length)
        again = economics.settle(subject, plan(1100, 500, FIRST, frozen=500), Usage(500, 0, 384))
        assert again.unknown == reason


def test_reminder_at_the_end_does_not_hide_the_conversation() -> None:
    """An agent that takes the last message out again, and goes on without it, is still the same one."""
    economics = Economics(PRICES, Clock())
    first, second = read(chat([*talk(5), message("user", 9, "reminder")]), chat(talk(7)))
    economics.settle(first, plan(1000, 400, FIRST), Usage(400, 0, 0))
    after = economics.settle(second, plan(1000, 400, FIRST, frozen=400), Usage(400, 0, 384))

    assert after.unknown == ""


def test_list_without_messages_has_an_account() -> None:
    """A request that says nothing is accounted for like any other."""
    [empty] = subjects(0)

    assert Economics(PRICES, Clock()).settle(empty, plan(3, 3), Usage(3, 1, 0)).unknown == ""
