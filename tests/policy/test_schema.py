"""The values of a policy."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gateway.policy.levels import Level, When
from gateway.policy.schema import ForModels, Policy, Step, with_fingerprint
from gateway.strategies import STRATEGIES
from gateway.strategies.base import Keep


def test_defaults_have_no_problems() -> None:
    """A policy that says nothing is a sound one."""
    policy = Policy(name="x")
    assert not [*policy.problems(), *policy.overflow.problems(), *policy.store.problems()]
    assert not [*policy.summarizer.problems(), *policy.trigger.problems()]


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
        replace(policy, models=(ForModels("m", {"window": 5}, policy),)),
    ):
        assert with_fingerprint(other).fingerprint != policy.fingerprint
