"""Settings of `tool_results`; what it does is in tests/cases/tool_results."""

from __future__ import annotations

from gateway.strategies.tool_results import ToolResults


def test_problems() -> None:
    """Caps below zero, a share above one and a step that could never do anything are told."""
    found = list(ToolResults(max_tokens=-1, keep_last=-2, head_share=1.5).problems())
    assert [line.split()[0] for line in found] == ["max_tokens", "keep_last", "head_share"]
    assert list(ToolResults(max_tokens=0, current_turn_max_tokens=0).problems()) == [
        "without any cap nothing is ever shortened; set max_tokens"
    ]


def test_the_least_is_less_than_the_cap() -> None:
    """A least that is no less would never be reached, and without a cap there is nothing to go below."""
    assert list(ToolResults(max_tokens=100, least_tokens=100).problems()) == [
        "least_tokens must be below max_tokens (100), got 100"
    ]
    assert list(ToolResults(max_tokens=0, least_tokens=100).problems()) == [
        "least_tokens must have max_tokens above it, got 100"
    ]
