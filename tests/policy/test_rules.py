"""The sections of a policy that are not about steps."""

from __future__ import annotations

import pytest

from gateway.policy.rules import OverflowRules, StoreRules, SummarizerRules


@pytest.mark.parametrize(
    ("part", "problem"),
    [
        (OverflowRules(attempts=0), "attempts must be between 1 and 10, got 0"),
        (OverflowRules(rungs=("clear", "clear")), "rungs names one twice"),
        (OverflowRules(turns=-1), "turns must not be negative, got -1"),
        (StoreRules(retention_days=0), "retention_days must be between 1 and 36500, got 0"),
        (SummarizerRules(timeout_s=0), "timeout_s must be at least 1, got 0"),
        (SummarizerRules(retries=-1), "retries must be between 0 and 10, got -1"),
    ],
)
def test_value_out_of_range_is_a_problem(
    part: OverflowRules | StoreRules | SummarizerRules, problem: str
) -> None:
    """Each section knows what its values must satisfy."""
    assert list(part.problems()) == [problem]
