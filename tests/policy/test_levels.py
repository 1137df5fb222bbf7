"""Sizes of a conversation, as a policy names them."""

from __future__ import annotations

import pytest

from gateway.policy.levels import Level, When


@pytest.mark.parametrize(
    ("level", "reached"),
    [
        (Level(), False),
        (Level(ratio=0.5), True),
        (Level(ratio=0.51), False),
        (Level(tokens=500), True),
        (Level(tokens=501), False),
        (Level(messages=10), True),
        (Level(messages=11, turns=4), True),
        (Level(turns=5), False),
    ],
)
def test_level_is_reached_by_any_of_its_sizes(level: Level, reached: bool) -> None:
    """Any size that a level names is enough, exactly there and above."""
    assert level.is_reached(tokens=500, messages=10, turns=4, budget=1000) is reached


@pytest.mark.parametrize(
    ("when", "runs"),
    [
        (When(always=True), True),
        (When(min_turns=4), True),
        (When(min_turns=5), False),
        (When(max_turns=3), False),
        (When(always=True, max_turns=3), False),
        (When(ratio=0.9, min_turns=2), False),
        (When(ratio=0.4, min_turns=2, max_turns=9), True),
    ],
)
def test_step_runs_within_its_bounds(when: When, runs: bool) -> None:
    """Bounds of turns hold whatever else is named; with bounds alone, they decide."""
    assert when.is_reached(tokens=500, messages=10, turns=4, budget=1000) is runs


def test_no_budget_at_all_is_no_error() -> None:
    """A window that the tools alone fill is over every ratio."""
    assert Level(ratio=1.0).is_reached(tokens=5, messages=1, turns=1, budget=0)


@pytest.mark.parametrize(
    ("level", "problem"),
    [
        (Level(ratio=0.0), "ratio must be above 0 and at most 1, got 0.0"),
        (Level(ratio=80), "ratio must be above 0 and at most 1, got 80"),
        (Level(turns=0), "turns must be at least 1, got 0"),
        (
            When(min_turns=5, max_turns=4),
            "min_turns (5) is above max_turns (4): the step never runs",
        ),
    ],
)
def test_size_out_of_range_is_a_problem(level: Level, problem: str) -> None:
    """A level knows what its values must satisfy."""
    assert list(level.problems()) == [problem]
