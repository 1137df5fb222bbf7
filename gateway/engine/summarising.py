"""Put together what writes summaries; count what that takes against whose conversation it is, and log it."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Coroutine
from typing import Any

from gateway.core.ledger.find import find
from gateway.core.prices import Prices
from gateway.core.recent import Recent
from gateway.engine.background import Background
from gateway.engine.counting import Counting
from gateway.engine.economics import cost, unpriced
from gateway.engine.prepared import Summaries
from gateway.engine.summarizer import Summarizer
from gateway.engine.summary_material import Find
from gateway.engine.summary_record import CANCELLED, Outcome, Record
from gateway.engine.summary_route import Routes
from gateway.engine.upstream import Upstream
from gateway.engine.windows import Windows
from gateway.metrics import Metrics

log = logging.getLogger(__name__)


def background_of(
    summaries: Summaries,
    windows: Windows,
    counting: Counting,
    upstream_at: Callable[[str], Upstream],
    start: Callable[[str, Coroutine[Any, Any, None]], None],
    metrics: Metrics,
    prices: Prices,
    find: Find = find,
) -> Background:
    """Return what has texts written. Keys that policies name are taken from the environment.

    *find* finds what of a message is the ledger's.
    """
    routes = Routes(upstream_at, os.environ)
    told = Told(metrics, prices)
    writer = Summarizer(windows, counting, routes, time.monotonic, told, find=find)
    return Background(writer, summaries, counting, start, time.time, metrics.failed_open.add, find)


NO_REASON = "none"
"""Of what was written at once, by the first model that was asked."""

MAX_WARNED = 1000
"""Reasons, by policy, of which it is remembered that a warning was given."""


class Told:
    """What is known of summaries outside: numbers, and a line in the log for each."""

    def __init__(self, metrics: Metrics, prices: Prices) -> None:
        self._metrics = metrics
        self._prices = prices
        self._warned: Recent[tuple[str, str], None] = Recent(MAX_WARNED)

    def __call__(self, record: Record) -> None:
        """Count one that was written, or was not."""
        metrics, who, policy = self._metrics, record.tenant, record.policy
        metrics.summaries.add(who, policy, str(record.outcome), str(record.reason) or NO_REASON)
        if record.outcome is not Outcome.SKIPPED:
            metrics.summary_latency.observe(record.seconds, who, policy, str(record.outcome))
        for outcome, number in record.calls.items():
            metrics.summary_calls.add(who, policy, str(outcome), amount=number)
        if untold := record.calls[CANCELLED]:
            metrics.unaccounted.add(who, policy, "usage", amount=untold)
        for reason, number in record.findings.items():
            metrics.summary_findings.add(who, policy, reason, amount=number)
        self._log(record, self._spent(record))

    def _spent(self, record: Record) -> float:
        """Count what was spent, and return it in USD as far as prices are known."""
        metrics, who, policy = self._metrics, record.tenant, record.policy
        total = 0.0
        for model, usage in record.usages:
            metrics.summary_tokens.add(who, policy, "input", amount=usage.input_tokens)
            metrics.summary_tokens.add(who, policy, "output", amount=usage.output_tokens)
            if usage.cached_tokens:
                metrics.summary_tokens.add(who, policy, "cached", amount=usage.cached_tokens)
            price = self._prices.of(model)
            if why := unpriced(usage, price):
                metrics.unaccounted.add(who, policy, why)
            if price is None or why == "cache":
                continue
            spent = cost(usage, price)
            # It is paid for saving tokens, as reads of the cache that are lost are.
            for count in (metrics.billed, metrics.lost_money, metrics.summary_money):
                count.add(who, policy, amount=spent)
            total += spent
        return total

    def _log(self, record: Record, spent: float) -> None:
        """Say what became of it: in a warning where it failed for a reason not yet told of its policy."""
        level = logging.DEBUG if record.outcome is Outcome.SKIPPED else logging.INFO
        failure = record.policy, str(record.reason)
        if record.outcome is Outcome.FAILED and failure not in self._warned:
            level = logging.WARNING
            self._warned.put(failure, None)
        money = {"billed_usd": round(spent, 6), "net_saved_usd": round(-spent, 6)} if spent else {}
        log.log(level, "summary", extra={**record.told, **money})
