"""The values of a policy."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gateway.policy.schema import (
    Level,
    OverflowRules,
    Policy,
    Step,
    StoreRules,
    SummarizerRules,
    When,
    with_fingerprint,
)
from gateway.strategies import STRATEGIES
from gateway.strategies.base import Keep


def test_defaults_have_no_problems() -> None:
    """A policy that says nothing is a sound one."""
    policy = Policy(name="x")
    assert not [*policy.problems(), *policy.overflow.problems(), *policy.store.problems()]
    assert not [*policy.summarizer.problems(), *policy.trigger.problems()]


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
    ("policy", "problem"),
    [
        (Policy(name="x", window=0), "window must be at least 1, got 0"),
        (Policy(name="x", reserve_output=-1), "reserve_output must be at least 1, got -1"),
        (
            Policy(name="x", target=Level(ratio=0.8)),
            "target.ratio (0.8) must be below trigger.ratio (0.8)",
        ),
        (
            Policy(name="x", prepare=Level(ratio=0.9)),
            "prepare.ratio (0.9) must be below trigger.ratio (0.8)",
        ),
        (
            Policy(name="x", trigger=Level(tokens=100), target=Level(tokens=200)),
            "target.tokens (200) must be below trigger.tokens (100)",
        ),
        (
            Policy(name="x", window=10_000, reserve_output=6000),
            "reserve_output (6000) is more than half of window (10000)",
        ),
        (
            Policy(name="x", windows={"gpt-*": 4000}, reserve_output=6000),
            "reserve_output (6000) is more than half of windows.gpt-* (4000)",
        ),
        (Policy(name="x", windows={"gpt-*": 0}), "windows.gpt-* must be at least 1, got 0"),
        (
            Policy(name="x", keep=Keep(recent_ratio=1.5)),
            "keep.recent_ratio must be between 0 and 1, got 1.5",
        ),
        (Policy(name="x", keep=Keep(recent_turns=-1)), "keep.recent_turns must not be negative, got -1"),
    ],
)
def test_contradiction_is_a_problem(policy: Policy, problem: str) -> None:
    """Values that cannot both be meant are reported before they do harm."""
    assert list(policy.problems()) == [problem]


@pytest.mark.parametrize(
    ("part", "problem"),
    [
        (OverflowRules(attempts=0), "attempts must be between 1 and 10, got 0"),
        (OverflowRules(rungs=("clear", "clear")), "rungs names one twice"),
        (StoreRules(retention_days=0), "retention_days must be between 1 and 36500, got 0"),
        (SummarizerRules(timeout_s=0), "timeout_s must be at least 1, got 0"),
        (SummarizerRules(retries=-1), "retries must be between 0 and 10, got -1"),
        (Level(ratio=0.0), "ratio must be above 0 and at most 1, got 0.0"),
        (Level(ratio=80), "ratio must be above 0 and at most 1, got 80"),
        (Level(turns=0), "turns must be at least 1, got 0"),
        (
            When(min_turns=5, max_turns=4),
            "min_turns (5) is above max_turns (4): the step never runs",
        ),
    ],
)
def test_value_out_of_range_is_a_problem(
    part: OverflowRules | StoreRules | SummarizerRules | Level, problem: str
) -> None:
    """Each section knows what its values must satisfy."""
    assert list(part.problems()) == [problem]


def test_fingerprint_is_of_what_is_said() -> None:
    """Two policies that say the same have one fingerprint; any other value gives another."""
    policy = with_fingerprint(Policy(name="a"))
    assert policy.fingerprint.startswith("sha256-")
    assert with_fingerprint(replace(policy, name="b")).fingerprint == policy.fingerprint
    for other in (
        replace(policy, window=1),
        replace(policy, keep=Keep(recent_turns=3)),
        replace(policy, steps=(Step("clear", STRATEGIES["clear"]()),)),
        replace(policy, steps=(Step("digest", STRATEGIES["digest"]()),)),
        replace(policy, steps=(Step("clear", STRATEGIES["clear"](), When(always=True)),)),
        replace(policy, windows={"m": 5}),
    ):
        assert with_fingerprint(other).fingerprint != policy.fingerprint
