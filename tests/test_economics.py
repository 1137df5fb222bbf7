"""What /metrics says of tokens and money is what the provider charged, and would have charged without us.

The provider keeps books of its own (`caching.py`): once for what it was sent, and once for the same
conversation as the client sent it. The gateway knows only the `usage` in its answers.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from caching import Meter, Provider
from siting import CHAT, site
from wired import chat, message, value

WHO = {"tenant": "open", "policy": "default"}
MICRO = 1e6


@dataclass
class Books:
    """What the provider charged, what it would have charged, and what the gateway says."""

    charged: Meter
    as_it_came: Meter
    before: int
    """Tokens of all requests as the client sent them."""
    said: dict[str, float]


def talk(requests: int, block: int) -> Books:
    """Return the books after a conversation of so many turns, with a cache in blocks of so many tokens."""

    async def run() -> Books:
        provider, without = Provider(Meter(block=block)), Meter(block=block)
        async with site(edge=provider) as here:
            messages = [message("system", 30, "rules")]
            for number in range(requests):
                messages.append(message("user", 50, f"u{number}"))
                body = chat(messages)
                without.charge(body)
                await here.call(CHAT, body).read()
                messages.append(message("assistant", 50, f"a{number}"))
            metrics = here.engine.parts.metrics
            said = {
                name: value(metrics, name, **WHO)
                for name in ("billed_usd", "saved_usd", "lost_usd", "overhead_tokens")
            }
            for name in ("unique", "repeated"):
                said[name] = value(metrics, "tokens_saved", **WHO, kind=name)
            for name in ("read", "lost"):
                said[name] = value(metrics, "cache_tokens", **WHO, kind=name)
            for name in ("usage", "cache", "before", "price"):
                assert value(metrics, "unaccounted", **WHO, reason=name) == 0
        return Books(provider.meter, without, without.input, said)

    return asyncio.run(run())


@pytest.fixture(scope="module")
def books() -> Books:
    """The books of 60 turns, most of them compacted, with a cache that gives back every token."""
    return talk(60, block=1)


def test_tokens_saved_are_those_not_charged(books: Books) -> None:
    """Unique and repeated savings together are what the provider was not sent."""
    saved = books.said["unique"] + books.said["repeated"]

    assert saved == books.before - books.charged.input
    # What is in the last list and not in its request was removed once, whatever was repeated in between.
    assert 0 < books.said["unique"] < 6100
    assert books.said["repeated"] > 10 * books.said["unique"]


def test_money_is_that_of_the_provider(books: Books) -> None:
    """What was billed is what was charged, and the net is the difference to what it would have been."""
    said = books.said
    assert said["billed_usd"] * MICRO == pytest.approx(books.charged.micro_usd, rel=1e-9)

    net = books.as_it_came.micro_usd - books.charged.micro_usd
    assert (said["saved_usd"] - said["lost_usd"]) * MICRO == pytest.approx(net, rel=1e-9)
    assert (said["overhead_tokens"], said["lost_usd"] > 0) == (0, True)


def test_cache_reads_are_those_of_the_provider(books: Books) -> None:
    """What was read is what the cache gave; what was lost cost the difference of two prices."""
    assert books.said["read"] == books.charged.read
    difference = books.charged.new_usd - books.charged.read_usd
    assert books.said["lost_usd"] * MICRO == pytest.approx(books.said["lost"] * difference, rel=1e-9)


def test_cache_in_blocks_is_met_within_a_block() -> None:
    """Where the cache gives whole blocks only, the net is right to a block a request."""
    requests, block = 60, 32
    books = talk(requests, block)
    said = books.said
    assert said["billed_usd"] * MICRO == pytest.approx(books.charged.micro_usd, rel=1e-9)

    net = books.as_it_came.micro_usd - books.charged.micro_usd
    most = requests * block * (books.charged.new_usd - books.charged.read_usd)
    assert abs((said["saved_usd"] - said["lost_usd"]) * MICRO - net) <= most
    assert most < net / 5
