"""What is told of a job: numbers, and words of our own."""

from __future__ import annotations

from gateway.core.summary.verdict import Finding, Reason, Verdict
from gateway.engine.summary_record import Outcome, Record, Trouble
from gateway.wire.base import Usage


def test_log_is_told_numbers_and_words_of_ours() -> None:
    """All calls of a job count, those whose answer was not used too."""
    record = Record("acme", "default", Outcome.FAILED, Trouble.BUSY, 1.23456, 2, form="calls", model="n\n")
    record.session = "5e55"
    record.calls.update({"ok": 2, Trouble.BUSY: 1})
    record.usages += [("m", Usage(900, 100)), ("n", Usage(10, 1))]

    assert record.told == {
        "tenant": "acme",
        "policy": "default",
        "session": "5e55",
        "form": "calls",
        "model": "n",
        "outcome": "failed",
        "reason": "busy",
        "seconds": 1.235,
        "parts": 2,
        "calls": 3,
        "input_tokens": 910,
        "output_tokens": 101,
    }


def test_what_the_cache_had_is_told_where_there_is_some() -> None:
    """Whoever sets `reuse_prefix` sees at each summary what it comes to; others have no field more."""
    record = Record("acme", "default")
    record.usages += [("m", Usage(900, 100)), ("m", Usage(900, 100, cached_tokens=0))]
    assert "tokens_cached" not in record.told

    record.usages += [("m", Usage(900, 100, cached_tokens=512)), ("m", Usage(900, 100, cached_tokens=128))]
    assert (record.told["input_tokens"], record.told["tokens_cached"]) == (3600, 640)


def test_findings_are_counted_without_their_details() -> None:
    """What exactly was missing is content."""
    record = Record("acme", "default")
    fault, advice = Finding(Reason.EMPTY), Finding(Reason.MISSING_LEDGER, ("Never touch it.",))
    record.judged(Verdict("text", (fault,), (advice,)))

    assert record.findings == {"empty": 1, "missing_ledger": 1}
