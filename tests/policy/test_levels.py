"""Sizes of a conversation, as a policy names them."""

from __future__ import annotations

import pytest

from gateway.policy.levels import Level, Limit, When, in_proportion, limit_of, order_of


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
        (Limit(messages=0), "messages must be at least 1, got 0"),
        (Limit(below=0), "below must be at least 1, got 0"),
    ],
)
def test_size_out_of_range_is_a_problem(level: Level | Limit, problem: str) -> None:
    """A level knows what its values must satisfy."""
    assert list(level.problems()) == [problem]


@pytest.mark.parametrize(
    ("early", "before", "now", "expected"),
    [
        (Level(ratio=0.65), Level(ratio=0.8), Level(ratio=0.6), Level(ratio=0.4875)),
        (Level(ratio=0.6), Level(ratio=0.8), Level(tokens=1000), Level(ratio=0.6, tokens=750)),
        (Level(ratio=0.65), Level(tokens=1000), Level(ratio=0.6), Level(ratio=0.4875)),
        (Level(tokens=50), Level(tokens=100), Level(tokens=80, turns=1), Level(tokens=40, turns=1)),
        (Level(ratio=1.0), Level(ratio=1.0), Level(ratio=0.8, messages=9), Level(ratio=0.8, messages=9)),
    ],
)
def test_level_before_another_moves_with_it(early: Level, before: Level, now: Level, expected: Level) -> None:
    """Size by size; one that was not named before has the share of the ratios."""
    assert in_proportion(early, before, now) == expected


BY_WINDOW = (
    Limit(below=16_000, messages=20),
    Limit(below=64_000, messages=50),
    Limit(below=128_000, messages=100),
    Limit(messages=200),
)


@pytest.mark.parametrize(
    ("window", "messages"),
    [(8192, 20), (16_000, 50), (63_999, 50), (64_000, 100), (127_999, 100), (128_000, 200), (None, 200)],
)
def test_limit_is_that_of_the_window(window: int | None, messages: int) -> None:
    """The first that a window is below; what nobody knows has the limit for all others."""
    assert limit_of(BY_WINDOW, window) == messages


def test_there_may_be_no_limit() -> None:
    """Large windows, and unknown ones, have none where none is named for all."""
    assert limit_of(BY_WINDOW[:2], 128_000) is None
    assert limit_of(BY_WINDOW[:2], None) is None
    assert limit_of((), 4096) is None


def test_limit_that_is_never_reached_is_a_problem() -> None:
    """Smaller windows come first, and nothing comes behind the limit for all."""
    assert list(order_of(BY_WINDOW)) == []
    assert list(order_of(BY_WINDOW[::-1])) == [
        "goes on behind the limit for all windows, which has no `below`",
        "names 64000 behind 128000; smaller windows come first",
        "names 16000 behind 64000; smaller windows come first",
    ]
