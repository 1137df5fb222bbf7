"""The values of a policy."""

from __future__ import annotations

import pytest

from gateway.core.frozen import replace
from gateway.policy.levels import Level, Limit, When
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
        (Policy(name="x", window_max=0), "window_max must be at least 1, got 0"),
        (Policy(name="x", reserve_ratio=0.6), "reserve_ratio must be above 0 and at most 0.5, got 0.6"),
        (Policy(name="x", margin=0.9), "margin must be between 1 and 5, got 0.9"),
        (Policy(name="x", light_margin=-1), "light_margin must not be negative, got -1"),
        (
            Policy(name="x", window_max=10_000, reserve_output=6000),
            "reserve_output (6000) is more than half of window_max (10000)",
        ),
        (
            Policy(name="x", keep=Keep(recent_tokens_min=9, recent_tokens_max=8)),
            "keep.recent_tokens_min (9) is above recent_tokens_max (8)",
        ),
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
        (
            Policy(name="x", history=(Limit(messages=5), Limit(below=5, messages=6))),
            "history goes on behind the limit for all windows, which has no `below`",
        ),
        (
            Policy(name="x", history=(Limit(messages=5),), trigger=Level(messages=9)),
            "history says how many messages there may be, and so does trigger.messages; write one",
        ),
        (
            Policy(name="x", trigger=Level(messages=9), target=Level(messages=9)),
            "target.messages (9) must be below trigger.messages (9)",
        ),
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
        replace(policy, history=(Limit(messages=5),)),
        replace(policy, models=(ForModels("m", {"window": 5}, policy),)),
    ):
        assert with_fingerprint(other).fingerprint != policy.fingerprint


def test_limit_of_messages_is_part_of_the_sizes_at_a_window() -> None:
    """What applies at a window has its limit in the trigger, and a share of it where things are prepared."""
    policy = Policy(name="x", history=(Limit(below=16_000, messages=20), Limit(messages=200)))
    assert policy.at(8192).trigger == Level(ratio=0.8, messages=20)
    assert policy.at(8192).prepare == Level(ratio=0.65, messages=16)
    assert policy.at(None).trigger.messages == 200
    assert policy.at(200_000).at(8192).trigger.messages == 20
    assert Policy(name="x").at(8192) == Policy(name="x")


def test_reserve_with_a_cap_of_its_own_may_be_large() -> None:
    """Who says what share of a window a reserve takes at most has thought of small windows."""
    policy = Policy(name="x", windows={"small": 16_385}, reserve_output=20_000, reserve_ratio=0.25)
    assert list(policy.problems()) == []
