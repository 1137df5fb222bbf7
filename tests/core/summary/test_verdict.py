"""A verdict says whether a summary may be used, and why not in words that can be labels."""

from __future__ import annotations

import re

from gateway.core.summary.verdict import Finding, Reason, Verdict


def test_fault_makes_it_unusable_and_advice_does_not() -> None:
    """What is only advisable to put right is no reason to refuse a summary."""
    assert Verdict("x", advice=(Finding(Reason.MISSING_LEDGER),)).is_usable
    assert not Verdict("x", faults=(Finding(Reason.SECRET),)).is_usable
    assert not Verdict("", is_nothing=True).is_usable


def test_reasons_are_named_once_and_in_order() -> None:
    """The same faults give the same label, in whatever order they were found."""
    verdict = Verdict("x", (Finding(Reason.SECRET), Finding(Reason.EMPTY), Finding(Reason.SECRET)))

    assert verdict.reasons == (Reason.EMPTY, Reason.SECRET)


def test_reasons_can_be_labels() -> None:
    """Plain lower-case words, each for one reason."""
    assert all(re.fullmatch("[a-z_]+", reason) for reason in Reason)
