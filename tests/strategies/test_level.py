"""Room is shared so that the largest lose first."""

from __future__ import annotations

from gateway.strategies.level import level


def test_level_takes_from_the_largest() -> None:
    """What is small already gives nothing."""
    assert level([10, 20, 900], 100) == 70
    assert level([10, 20], 100) == 20
    assert level([], 5) == 0
    assert level([10, 10], -5) == 0
