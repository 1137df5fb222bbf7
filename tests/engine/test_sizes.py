"""When steps are due, and how far they go."""

from __future__ import annotations

import pytest

from engine.subjects import subject
from gateway.core.budget import Correction
from gateway.core.frozen import replace
from gateway.engine.sizes import aim_of, factor_of, most_of, steps_due, until_trigger
from gateway.policy.levels import Level, When
from gateway.policy.schema import Policy, Step
from gateway.strategies.clear import Clear
from gateway.strategies.trim_turns import TrimTurns
from wired import REACTING, TRIMMING

TRIM, CLEAR = Step("trim_turns", TrimTurns()), Step("clear", Clear())


def due(policy: Policy, tokens: int, messages: int = 7, correction: float = 1.0) -> list[str]:
    """Return the steps that run on messages of that size."""
    return [step.use for step in steps_due(subject(policy, correction=correction), tokens, messages)]


def test_nothing_is_due_under_the_trigger() -> None:
    """A conversation is left alone until it reaches the share of the budget that the policy names."""
    assert due(TRIMMING, 639) == []
    assert due(TRIMMING, 640) == ["trim_turns"]


@pytest.mark.parametrize(
    ("trigger", "is_due"),
    [
        (Level(tokens=100), True),
        (Level(tokens=301), False),
        (Level(messages=7), True),
        (Level(messages=8), False),
        (Level(turns=4), True),
        (Level(turns=5), False),
        (Level(ratio=0.9, turns=4), True),
        (Level(ratio=0.9, tokens=299), True),
    ],
)
def test_trigger_is_any_of_its_sizes(trigger: Level, is_due: bool) -> None:
    """Tokens, messages and turns start a compaction as well as the share of the budget."""
    assert bool(due(replace(TRIMMING, trigger=trigger), 300)) is is_due


def test_nothing_is_due_while_nobody_knows_the_window() -> None:
    """A share of an unknown window is reached by no conversation; a number of tokens is."""
    assert due(REACTING, 1_000_000) == []
    assert due(replace(REACTING, trigger=Level(tokens=500)), 500) == ["trim_turns"]


def test_tokens_of_a_policy_are_the_upstreams() -> None:
    """Who writes `tokens: 500` means tokens of the model, however we count."""
    for policy in (REACTING, TRIMMING):
        asked = replace(policy, trigger=Level(tokens=500))
        assert due(asked, 249, correction=2.0) == []
        assert due(asked, 250, correction=2.0) == ["trim_turns"]


def test_step_with_a_size_of_its_own_does_not_wait_for_the_trigger() -> None:
    """`when` takes the place of the trigger for its step, in both directions."""
    policy = replace(TRIMMING, steps=(replace(TRIM, when=When(tokens=100)), CLEAR))

    assert due(policy, 99) == []
    assert due(policy, 100) == ["trim_turns"]
    assert due(policy, 640) == ["trim_turns", "clear"]
    assert due(replace(TRIMMING, steps=(replace(TRIM, when=When(tokens=700)), CLEAR)), 640) == ["clear"]


def test_step_may_wait_for_turns() -> None:
    """Turns are those of the client's list.

    Seen: a step with nothing but `min_turns` never ran, and one with `max_turns` always did.
    """
    assert due(replace(TRIMMING, steps=(replace(TRIM, when=When(turns=4)),)), 10) == ["trim_turns"]
    assert due(replace(TRIMMING, steps=(replace(TRIM, when=When(min_turns=4)),)), 10) == ["trim_turns"]
    assert due(replace(TRIMMING, steps=(replace(TRIM, when=When(max_turns=4)),)), 10) == ["trim_turns"]
    assert due(replace(TRIMMING, steps=(replace(TRIM, when=When(turns=5)),)), 10) == []
    assert due(replace(TRIMMING, steps=(replace(TRIM, when=When(min_turns=5)),)), 10) == []
    assert due(replace(TRIMMING, steps=(replace(TRIM, when=When(max_turns=3)),)), 10) == []


def test_share_of_an_unknown_window_is_not_reached_by_a_step() -> None:
    """A step that waits for a ratio waits while nobody knows the window."""
    assert due(replace(REACTING, steps=(replace(TRIM, when=When(ratio=0.5)),)), 1_000_000) == []


def test_aim_is_the_target() -> None:
    """Compaction goes down to the target of the policy; without a window, to what is said otherwise."""
    assert aim_of(subject(), 800) == 360
    assert aim_of(subject(replace(TRIMMING, target=Level(tokens=100))), 5) == 100
    assert aim_of(subject(REACTING), 5) == 5


def test_aim_is_a_share_of_what_fits_where_the_policy_is_wrong_about_the_window() -> None:
    """What was refused comes down far, or each of the next requests would be refused again."""
    assert aim_of(subject(), 300) == int(300 * 0.45)


def test_what_is_enough_now_is_what_will_be_enough_at_the_trigger() -> None:
    """Light steps have to leave room for what comes until then; past it nothing does."""
    assert until_trigger(subject(), 600) == (40, 520 - 40)
    assert until_trigger(subject(), 700) == (0, 520)
    assert until_trigger(subject(), 700, 30) == (30, 490)
    assert until_trigger(subject(), 10) == (630, 0)
    assert until_trigger(subject(replace(TRIMMING, light_margin=0)), 600) == (40, 0)


def test_window_is_used_up_to_a_size() -> None:
    """A policy may do with less than a model has, and with so much of a window that nobody knows."""
    capped = replace(TRIMMING, window_max=600)
    assert budget(capped) == 400
    assert budget(replace(REACTING, window_max=600)) == 400
    assert budget(replace(TRIMMING, window_max=5000)) == budget(TRIMMING) == 800


def test_what_a_policy_does_not_use_is_no_reason_to_cut() -> None:
    """What the upstream takes is decided by the window that it has."""
    assert most_of(subject(replace(TRIMMING, window_max=600))) == most_of(subject(TRIMMING)) == 1000


def test_reserve_is_capped_at_its_share() -> None:
    """A reserve that is meant for large windows takes no more than its share of a small one."""
    policy = replace(TRIMMING, reserve_output=20_000, reserve_ratio=0.25)
    assert budget(policy) == 750
    assert budget(replace(policy, window=200_000)) == 180_000


def test_margin_counts_until_usage_has_told() -> None:
    """An estimate may be too small by so much; what was learned takes its place, and is not multiplied."""
    careful = replace(TRIMMING, margin=1.25)
    assert budget(careful) == 640
    assert budget(careful, 1.1) == budget(TRIMMING, 1.1) == 727
    assert factor_of(careful, Correction((1.4,))) == 1.4


def budget(policy: Policy, correction: float = 1.0) -> int:
    """Return the tokens that messages may take, in our count."""
    found = subject(policy, correction=correction).budget
    assert found is not None
    return found.tokens
