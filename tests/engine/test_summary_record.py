"""What is told of a job: numbers, and words of our own."""

from __future__ import annotations

from gateway.core.summary.verdict import Finding, Reason, Verdict
from gateway.engine.summary_record import Outcome, Record, Trouble
from gateway.wire.base import Usage


def test_log_is_told_numbers_and_words_of_ours() -> None:
    """All calls of a job count, those whose answer was not used too."""
    record = Record("acme", "default", Outcome.FAILED, Trouble.BUSY, 1.23456, 2, form="calls", model="n\n")
    record.calls.update({"ok": 2, Trouble.BUSY: 1})
    record.usages += [("m", Usage(900, 100)), ("n", Usage(10, 1))]

    assert record.told == {
        "tenant": "acme",
        "policy": "default",
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


def test_findings_are_counted_without_their_details() -> None:
    """What exactly was missing is content."""
    record = Record("acme", "default")
    fault, advice = Finding(Reason.EMPTY), Finding(Reason.MISSING_LEDGER, ("Never touch it.",))
    record.judged(Verdict("text", (fault,), (advice,)))

    assert record.findings == {"empty": 1, "missing_ledger": 1}
