"""A number with its unit is the same amount in many ways of writing, and with another unit it is not."""

from __future__ import annotations

import pytest

from gateway.core.summary.measures import Amounts, measures


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a TTL of 72 hours, at most 500 EUR", ["72 hours", "500 EUR"]),
        ("$1,200.50 for 3 licences", ["$1,200.50"]),
        ("p99 is 45ms at 120 req/s", ["45ms", "120 req/s"]),
        ("预算5万元，2小时内", ["5万元", "2小时"]),
        ("80% complete. " + "and so on " * 5 + "45% of memory", ["45%"]),
        ("3 of 4 tests pass (75%)", []),
        ("$1.2M, €5k and 10k tokens", ["$1.2M", "€5k", "10k tokens"]),
        ("3 files, step 2, v1.5 s", []),
    ],
)
def test_measures_are_found(text: str, found: list[str]) -> None:
    """Counts of things are none, nor is how much of a task is done."""
    assert [value for value, _ in measures(text)] == found


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("500 EUR", "€500.00"),
        ("1200 EUR", "1,200 euros"),
        ("30 s", '{"timeout_s":30,"n":1}'),
        ("30 s", "timeout=30"),
        ("30 s", '{"text": "wait\\n30 seconds"}'),
        ("45%", "45 percent"),
        ("2 hours", "for two hours"),
        ("5万元", "50000 元"),
        ("2小时", "2 hours"),
        ("512 MB", "512MiB"),
        ("$1.2M", "1,200,000 USD"),
        ("5000 EUR", "€5k"),
        ("10k tokens", "10000 tokens"),
        ("45 s", "30-45 s"),
    ],
)
def test_amount_is_there_in_another_way_of_writing(value: str, text: str) -> None:
    """Signs and words of one unit are one; a bare number may have its unit elsewhere."""
    assert Amounts.of(text).has(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("30 s", "30 minutes"),
        ("500 EUR", "500 USD"),
        ("750 EUR", "500 EUR"),
        ("45 s", "src/a45/b.py, v1.45, #45, a45"),
        ("2 hours", "for four hours"),
        ("10 EUR", "on the often used path"),
        ("5万元", "5元"),
        ("no number", "no number"),
    ],
)
def test_other_amount_is_not_there(value: str, text: str) -> None:
    """Another unit, another number, or digits of something else."""
    assert not Amounts.of(text).has(value)
