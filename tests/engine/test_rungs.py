"""The rungs of the ladder are there, and do what the policy says of them."""

from __future__ import annotations

from typing import get_args

import pytest

from gateway.engine.rungs import RUNGS
from gateway.policy.rules import OverflowRules, Rung
from gateway.strategies.base import Strategy
from gateway.strategies.digest import Digest
from gateway.strategies.tool_results import ToolResults
from gateway.strategies.trim_turns import TrimTurns
from gateway.strategies.user_text import UserText

CAPPED = OverflowRules(tool_result_chars=10_000, user_text_chars=9000, turns=5)


def test_every_rung_that_a_policy_may_name_is_there() -> None:
    """No policy can name a rung that fails when it is needed."""
    assert {"target", *RUNGS} == set(get_args(Rung))
    assert not [problem for make in RUNGS.values() for problem in make(CAPPED).problems()]


@pytest.mark.parametrize(
    ("rung", "plain", "capped"),
    [
        (
            "tool_results",
            ToolResults(keep_last=0, max_tokens=200, current_turn_max_tokens=200),
            ToolResults(
                keep_last=0,
                max_tokens=0,
                max_chars=10_000,
                current_turn_max_tokens=0,
                current_turn_max_chars=10_000,
            ),
        ),
        ("user_text", UserText(), UserText(max_tokens=0, max_chars=9000)),
        ("digest", Digest(), Digest(keep_turns=5)),
        ("trim_turns", TrimTurns(), TrimTurns(to=5)),
    ],
)
def test_policy_says_how_far_a_rung_goes(rung: str, plain: Strategy, capped: Strategy) -> None:
    """Without a word of it a rung has what suits an emergency, else the policy's own caps."""
    assert RUNGS[rung](OverflowRules()) == plain
    assert RUNGS[rung](CAPPED) == capped
