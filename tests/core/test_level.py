"""Room is shared so that the largest lose first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gateway.core.level import level


def test_level_takes_from_the_largest() -> None:
    """What is small already gives nothing."""
    assert level([10, 20, 900], 100) == 70
    assert level([10, 20], 100) == 20
    assert level([], 5) == 0
    assert level([10, 10], -5) == 0


@given(st.lists(st.integers(0, 1000)), st.integers(0, 5000))
def test_level_is_the_largest_that_fits(sizes: list[int], total: int) -> None:
    """One more would be too much, unless nothing has to be cut."""
    cap = level(sizes, total)

    assert sum(min(one, cap) for one in sizes) <= total or cap == 0
    if cap < max(sizes, default=0):
        assert sum(min(one, cap + 1) for one in sizes) > total
