"""What summaries take is counted against whose conversation it is."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest

from gateway.core.frozen import replace
from gateway.core.prices import Price, Prices
from gateway.engine.summarising import Told
from gateway.engine.summary_record import Outcome, Record, Trouble
from gateway.logs import TextLines
from gateway.metrics import Metrics
from gateway.wire.base import Usage
from wired import value

README = Path(__file__).parents[2] / "README.md"


def test_summary_is_counted_with_its_tokens_and_its_price() -> None:
    """Each call counts, also those of a summary that came to nothing, and is less of what compaction saves.

    What a model without a price costs is not known.
    """
    metrics = Metrics()
    told = Told(metrics, Prices({"m": Price(input=2, output=8)}))
    told(Record("acme", "default", Outcome.WRITTEN, usages=[("m", Usage(1000, 100)), ("x", Usage(10, 1))]))
    told(Record("acme", "default", Outcome.FAILED, usages=[("m", Usage(500, 0))]))
    who = {"tenant": "acme", "policy": "default"}
    assert value(metrics, "summaries", **who, outcome="written", reason="none") == 1
    assert value(metrics, "summaries", **who, outcome="failed", reason="none") == 1
    assert value(metrics, "summarizer_tokens", **who, kind="input") == 1510
    assert value(metrics, "summarizer_tokens", **who, kind="output") == 101
    assert value(metrics, "unaccounted", **who, reason="price") == 1
    for name in ("billed_usd", "lost_usd", "summarizer_usd"):
        assert round(value(metrics, name, **who), 6) == 0.0038


def test_what_the_cache_had_is_counted_and_cheaper() -> None:
    """`reuse_prefix` lives from it: it is told as a kind of its own, part of the input, at its own price."""
    metrics = Metrics()
    told = Told(metrics, Prices({"m": Price(input=2, cached_input=0.2, output=8)}))
    told(Record("acme", "default", usages=[("m", Usage(10_000, 100, cached_tokens=9_000))]))
    who = {"tenant": "acme", "policy": "default"}
    assert value(metrics, "summarizer_tokens", **who, kind="input") == 10_000
    assert value(metrics, "summarizer_tokens", **who, kind="cached") == 9_000
    for name in ("billed_usd", "lost_usd", "summarizer_usd"):
        assert round(value(metrics, name, **who), 6) == 0.0046


def test_money_that_hangs_on_an_untold_cache_is_left_out() -> None:
    """As with requests: where reads have a price of their own and nobody tells them, no sum is right."""
    metrics = Metrics()
    prices = Prices({"m": Price(input=2, cached_input=0.2, output=8), "n": Price(input=2, output=8)})
    Told(metrics, prices)(Record("acme", "default", usages=[("m", Usage(1000, 0)), ("n", Usage(1000, 0))]))
    who = {"tenant": "acme", "policy": "default"}
    assert value(metrics, "unaccounted", **who, reason="cache") == 1
    assert round(value(metrics, "summarizer_usd", **who), 6) == 0.002


def test_reads_without_a_price_are_billed_as_other_input() -> None:
    """That is the most they can cost, and is said to be a bound."""
    metrics = Metrics()
    told = Told(metrics, Prices({"m": Price(input=2, output=8)}))
    told(Record("acme", "default", usages=[("m", Usage(1000, 0, 900))]))
    who = {"tenant": "acme", "policy": "default"}
    assert value(metrics, "unaccounted", **who, reason="cached_input") == 1
    assert round(value(metrics, "summarizer_usd", **who), 6) == 0.002


def test_why_and_how_long_is_counted() -> None:
    """Who watches sees what summaries fail of, what it took, and what was wrong before it was put right."""
    metrics = Metrics()
    record = Record("acme", "default", Outcome.FAILED, Trouble.BUSY, seconds=12.0)
    record.calls.update({"ok": 2, Trouble.BUSY: 1, "cancelled": 3})
    record.findings["invented_identifiers"] = 1
    Told(metrics, Prices({}))(record)
    who = {"tenant": "acme", "policy": "default"}
    assert value(metrics, "summaries", **who, outcome="failed", reason="busy") == 1
    assert value(metrics, "summarizer_seconds_sum", **who, outcome="failed") == 12
    assert value(metrics, "summarizer_calls", **who, outcome="ok") == 2
    assert value(metrics, "summarizer_calls", **who, outcome="busy") == 1
    assert value(metrics, "summarizer_calls", **who, outcome="cancelled") == 3
    assert value(metrics, "unaccounted", **who, reason="usage") == 3
    assert value(metrics, "summarizer_findings", **who, reason="invented_identifiers") == 1


def test_first_failure_for_a_reason_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    """Who reads warnings sees once, by policy, that summaries fail and why; the lines say what was spent."""
    told = Told(Metrics(), Prices({"m": Price(input=2, output=8)}))
    spent = [("m", Usage(1000, 100))]
    busy = Record("acme", "default", Outcome.FAILED, Trouble.BUSY, model="m", usages=spent)
    busy.session = "5e55"
    with caplog.at_level(logging.INFO):
        for record in (busy, busy, replace(busy, policy="other"), replace(busy, reason="empty")):
            told(record)
        told(Record("acme", "default", Outcome.CANCELLED, "unreachable"))
        told(Record("acme", "default", Outcome.SKIPPED, "busy"))

    assert [line.levelname for line in caplog.records] == ["WARNING", "INFO", "WARNING", "WARNING", "INFO"]
    (example,) = re.findall(r"^.* summary (tenant=.*)$", README.read_text(), re.MULTILINE)
    assert re.findall(r"(\w+)=", example) == re.findall(r" (\w+)=", TextLines().format(caplog.records[0]))
    said = vars(caplog.records[0])
    assert (said["message"], said["model"], said["reason"]) == ("summary", "m", "busy")
    assert (said["billed_usd"], said["net_saved_usd"]) == (0.0028, -0.0028)
