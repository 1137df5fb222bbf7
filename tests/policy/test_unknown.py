"""A file over a policy that nobody knows: what is told of it is wrong whatever was meant."""

from __future__ import annotations

import pytest

from gateway.policy.document import Source, parse
from gateway.policy.read import read_policy
from gateway.policy.unknown import UNKNOWN, Unknown
from gateway.strategies import STRATEGIES


def problems(text: str) -> list[str]:
    """Return what is wrong with a file whatever it extends."""
    source = Source("f")
    policy = read_policy(parse(text.encode(), source), "x", UNKNOWN, STRATEGIES, source)
    assert isinstance(policy, Unknown)
    return [problem.path for problem in source.problems]


@pytest.mark.parametrize(
    "text",
    [
        "trigger: {ratio: 0.1}",
        "target: {ratio: 1, tokens: 99999999}",
        "prepare: {ratio: 1}",
        "history: [{messages: 5}]",
        "reserve_output: 9000\nwindow: 10000",
        "windows: {a: 600}\nreserve_output: 400",
        "keep: {recent_tokens_min: 99999999}",
        "keep: {recent_tokens_max: 1}",
        "summarizer: {part_ratio: 0.01}",
        "summarizer: {min_part_ratio: 0.9}",
        "summarizer: {min_parts: 64}",
        "summarizer: {reuse_prefix: true}",
        "summarizer: {model: small}",
        "models: {a: {target: {ratio: 0.99}}}",
    ],
)
def test_what_may_be_right_over_another_policy_is_not_wrong(text: str) -> None:
    """Nobody is told to change what was never a mistake."""
    assert problems(text) == []


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("trigger: {ratio: 0.3}\ntarget: {ratio: 0.4}", "target.ratio"),
        ("trigger: {ratio: 0.3}\nprepare: {ratio: 0.4}", "prepare.ratio"),
        ("trigger: {messages: 4}\nhistory: [{messages: 5}]", "history"),
        ("keep: {recent_tokens_min: 9, recent_tokens_max: 8}", "keep.recent_tokens_min"),
        ("summarizer: {part_ratio: 0.1, min_part_ratio: 0.2}", "summarizer.min_part_ratio"),
        ("summarizer: {min_parts: 3, max_parts: 2}", "summarizer.min_parts"),
        ("summarizer: {reuse_prefix: true, model: small}", "summarizer.reuse_prefix"),
        ("reserve_ratio: 0.9", "reserve_ratio"),
        ("models: {a: {trigger: {ratio: 0.3}, target: {ratio: 0.4}}}", "models.a.target.ratio"),
    ],
)
def test_file_that_contradicts_itself_is_wrong_anyway(text: str, path: str) -> None:
    """What can be known without the other policy is told at once."""
    assert problems(text) == [path]
