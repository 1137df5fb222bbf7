"""What an exchange spent and saved: in tokens, in reads of the provider's prompt cache, in money.

Everything rests on the `usage` that upstreams report; what they do not say is not guessed but counted as
unknown. What a request would have cost as it came is told from three numbers: the tokens that were not sent,
now and the time before, and the share of a request that the cache gives back to the next one, as last
measured in this lineage. A token that is removed is missing from all later requests too, but there the cache
would have had it: so it is worth the price of input once, and the price of a read from then on.

Where a model has no price for reads, and its upstream tells of some, the sums are bounds, and the answer is
counted: what was read is billed as other input, so that no more was charged than is said; what is saved and
lost is worked out as if a read cost nothing, so that no less was gained.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from gateway.core.memo import Facts
from gateway.core.prices import MILLION, Price, Prices
from gateway.engine.subject import Plan, Subject
from gateway.wire.base import Usage

MAX_LINEAGES = 20_000
"""Lineages whose last request is remembered; one takes about 600 bytes."""

LOOK_BACK = 64
"""Messages by which a request may be longer than the one before it: more than a round has calls."""

BLOCK_TOKENS = 128
"""Caches give whole blocks (OpenAI 128 tokens, DeepSeek 64, vLLM 16): less than one is not a miss."""

COLD_S = 600.0
"""Idle seconds after which nobody knows what a provider's cache still holds: five minutes to an hour."""


@dataclass(slots=True)
class Account:
    """What one exchange spent and saved."""

    plan: Plan | None = None
    """What was accepted; None: nothing was."""
    usages: Sequence[Usage] = ()
    """Of all attempts that say what they are billed."""
    unique: float = 0.0
    """True tokens that are missing for the first time, and"""
    repeated: float = 0.0
    """those that were missing before, because a decision is replayed."""
    read: int = 0
    """Tokens from the provider's cache, and"""
    written: int = 0
    """into it."""
    lost: float = 0.0
    """Tokens that the cache would have given had the boundary not moved."""
    overhead: int = 0
    """Tokens of attempts whose answer was not used."""
    billed_usd: float = 0.0
    saved_usd: float = 0.0
    """What the missing tokens would have cost."""
    lost_usd: float = 0.0
    """What was paid for it: reads of the cache lost, and overhead."""
    unknown: str = ""
    """Why something of this is missing: a value of a metric label."""


class _Sent(msgspec.Struct, gc=False):
    """One request of a lineage. There are many, and nothing in them for a garbage collector."""

    boundary: bytes
    """Prefix hash of the checkpoint it went out with; empty: as it came."""
    removed: float
    """True tokens that were not sent."""
    usage: Usage | None
    hit: float | None
    """The share of a request that the cache gives back to the next one, as last measured until then."""
    at: float


class Economics:
    """Keeps the books of all exchanges. One per process; no content is in it."""

    def __init__(self, prices: Prices, clock: Callable[[], float], max_lineages: int = MAX_LINEAGES) -> None:
        self._prices = prices
        self._clock = clock
        self._max_lineages = max_lineages
        self._last: OrderedDict[int, _Sent] = OrderedDict()

    def settle(
        self, subject: Subject, plan: Plan | None, usage: Usage | None, unused: Sequence[Usage] = ()
    ) -> Account:
        """Return the account of an exchange that is over.

        *plan* is what was accepted, *usage* what the last answer says, *unused* what attempts before it say.
        """
        price = self._prices.of(subject.asked.model)
        account = Account(plan, (*unused, usage) if usage is not None else (*unused,))
        if unused:
            account.overhead = sum(one.input_tokens + one.output_tokens for one in unused)
            account.billed_usd = account.lost_usd = sum(_paid(one, price) for one in unused)
        if plan is not None:
            self._settle(account, subject, plan, usage, price)
        elif usage is not None:
            account.billed_usd += _paid(usage, price)
        account.unknown = account.unknown or next(
            filter(None, (unpriced(one, price) for one in account.usages)), ""
        )
        return account

    def _settle(
        self, account: Account, subject: Subject, plan: Plan, usage: Usage | None, price: Price | None
    ) -> None:
        removed = max(plan.tokens_before - plan.tokens, 0) * subject.correction
        account.unique = min(max(plan.tokens_frozen - plan.tokens, 0) * subject.correction, removed)
        account.repeated = removed - account.unique
        checkpoint = plan.checkpoint or plan.base
        boundary = checkpoint.prefix if checkpoint is not None else b""
        facts, head, now = subject.counted.facts, _head(subject), self._clock()
        before = self._take(head, facts)
        hit, hit_known = _hits(before, boundary, usage, now)
        self._keep(head, facts, _Sent(boundary, removed, usage, hit_known, now))
        if usage is not None:
            account.read, account.written = usage.cached_tokens or 0, usage.written_tokens
        account.unknown = _unknown(before, boundary, usage, hit)
        if _is_moved(before, boundary):
            account.lost = _lost(before, usage, hit)
        removed_before = before.removed if before is not None else 0.0
        _price(account, usage, price, removed, (hit or 0.0) * removed_before)

    def _take(self, head: int, facts: Sequence[Facts]) -> _Sent | None:
        """Return the request before this one in its lineage, and forget it: this one takes its place."""
        last, length = self._last, len(facts)
        for at in range(length, max(length - LOOK_BACK, 0), -1):
            mark = _mark(head, facts, at)
            if mark in last:
                return last.pop(mark)
        return None

    def _keep(self, head: int, facts: Sequence[Facts], sent: _Sent) -> None:
        last, length = self._last, len(facts)
        # Agents put a reminder at the end of a list and take it out of the next one: known without it, too.
        for at in range(max(length - 1, 1), length + 1):
            last[_mark(head, facts, at)] = sent
        while len(last) > 2 * self._max_lineages:
            last.popitem(last=False)


def _head(subject: Subject) -> int:
    """Return what tells requests apart that have no cache in common."""
    place, asked, facts = subject.place, subject.asked, subject.counted.facts
    first = facts[0].digest if facts else b""
    return hash((place.scope, place.wire_format, asked.upstream, asked.model, first))


def _mark(head: int, facts: Sequence[Facts], length: int) -> int:
    """Return by what the first so many messages are known: cheaper than a chain, and enough for numbers."""
    return hash((head, length, facts[length - 1].digest, facts[length - 2].digest if length > 1 else b""))


def _is_moved(before: _Sent | None, boundary: bytes) -> bool:
    """Return whether the provider got another beginning than the time before, by our doing."""
    return before is not None and before.boundary != boundary


def _hits(
    before: _Sent | None, boundary: bytes, usage: Usage | None, now: float
) -> tuple[float | None, float | None]:
    """Return two shares of the request before: what the cache would give back of it were the boundary left
    alone, and what is to be expected the next time. None: nobody knows."""
    if before is None:
        return None, None
    is_cold = now - before.at > COLD_S
    if _is_moved(before, boundary):
        return None if is_cold else before.hit, before.hit
    if before.usage is None or usage is None or usage.cached_tokens is None:
        return None, before.hit
    sent, read = before.usage.input_tokens, usage.cached_tokens
    measured = 1.0 if read and sent - read < BLOCK_TOKENS else min(read / max(sent, 1), 1.0)
    return measured, before.hit if is_cold else measured


def _unknown(before: _Sent | None, boundary: bytes, usage: Usage | None, hit: float | None) -> str:
    """Return why this cannot all be told: a value of the label of `unaccounted`; empty: it can."""
    if usage is None:
        return "usage"
    if usage.cached_tokens is None:
        return "cache"
    if before is None:
        return "before" if boundary else ""
    is_needed = before.removed > 0 or _is_moved(before, boundary)
    return "before" if is_needed and (hit is None or before.usage is None) else ""


def _lost(before: _Sent | None, usage: Usage | None, hit: float | None) -> float:
    """Return how many tokens the cache does not give back because the boundary moved; 0 if nobody knows."""
    if before is None or before.usage is None or hit is None or usage is None or usage.cached_tokens is None:
        return 0.0
    return max(hit * before.usage.input_tokens - usage.cached_tokens, 0.0)


def _price(
    account: Account, usage: Usage | None, price: Price | None, removed: float, would_be_read: float
) -> None:
    """Say it in money, too: *removed* tokens were not sent, and some of them would have been read."""
    if usage is None:
        return
    if price is None:
        if account.unknown in ("", "cache"):  # that nobody tells of the cache matters to a price alone
            account.unknown = "price"
        return
    if account.unknown == "cache":
        if not _is_told(usage, price):
            return
        account.unknown = ""
    account.billed_usd += cost(usage, price)
    fresh = _fresh(usage, price)
    discount = fresh - price.read_least
    if account.unknown == "before" and discount:
        return
    if not removed and not account.lost:
        return
    saved = (removed * fresh - would_be_read * discount) / MILLION
    account.saved_usd = max(saved, 0.0)
    account.lost_usd += account.lost * discount / MILLION - min(saved, 0.0)


def unpriced(usage: Usage, price: Price | None) -> str:
    """Return why the cost of an answer is not known, or a bound: a value of the label of `unaccounted`."""
    if price is None:
        return "price"
    if not _is_told(usage, price):
        return "cache"
    return "cached_input" if usage.cached_tokens and price.cached_input is None else ""


def _is_told(usage: Usage, price: Price) -> bool:
    """Return whether an answer says all that its cost depends on."""
    return usage.cached_tokens is not None or price.read == price.input


def _paid(usage: Usage, price: Price | None) -> float:
    """Return what an answer cost, in USD; nothing where nobody can tell."""
    return cost(usage, price) if price is not None and _is_told(usage, price) else 0.0


def cost(usage: Usage, price: Price) -> float:
    """Return what an answer cost, in USD; at most, where there is no price for what the cache had."""
    cached = usage.cached_tokens or 0
    # Some relays leave out of the input what the cache had: nothing was paid back for it.
    new = max(usage.input_tokens - cached - usage.written_tokens, 0)
    spent = cached * price.read + usage.written_tokens * price.written + new * price.input
    return (spent + usage.output_tokens * price.output) / MILLION


def _fresh(usage: Usage, price: Price) -> float:
    """Return what a million tokens cost that the cache did not have: some of them are written to it."""
    new = usage.input_tokens - (usage.cached_tokens or 0)
    if not usage.written_tokens or new <= 0:
        return price.input
    written = min(usage.written_tokens / new, 1.0)
    return written * price.written + (1 - written) * price.input
