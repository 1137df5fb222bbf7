"""Wordings that only look like rules."""

from __future__ import annotations

import pytest

from gateway.core.ledger.decoys import is_unreal, live


@pytest.mark.parametrize(
    "sentence",
    [
        "he keeps telling his kids to never run with scissors",
        "had we agreed on a maximum, nobody would have complained",
        "the compiler complains that the name must be unique",
        "my neighbour's kids must always be in bed by eight",
        "in the novel nobody may speak after sunset",
        "one could argue that every function should be pure",
        "it isn't necessary to test each branch",
        'rewrite this politely: "never call me again"',
    ],
)
def test_talk_about_rules_sets_none(sentence: str) -> None:
    """Of what others demand, and of stories and suppositions, no word of a rule is left."""
    assert not {"never", "must", "may", "should", "maximum", "test"} & set(live(sentence).split())


@pytest.mark.parametrize(
    "sentence", ["小说里规定天黑以后谁也不准出声", "没人说今天一定要做完", "前一位租客不允许养猫"]
)
def test_talk_about_rules_sets_none_in_chinese(sentence: str) -> None:
    """The same in Chinese."""
    assert not any(word in live(sentence) for word in ("不准", "一定", "不允许"))


@pytest.mark.parametrize(
    "sentence",
    [
        "suppose the limit were 905: would that change anything?",
        'translate into polish: "never leave model 760-x unattended."',
        "back in 1980 we weren't allowed to use it",
        "如果上限是 905，结果会不一样吗？",
    ],
)
def test_value_that_is_supposed_is_none(sentence: str) -> None:
    """A number in a supposition does not hold."""
    assert is_unreal(sentence)


@pytest.mark.parametrize("sentence", ["the limit is 905", "上限是 905", "if it fails, use port 8443"])
def test_value_that_is_stated_is_one(sentence: str) -> None:
    """What is simply said holds."""
    assert not is_unreal(sentence)
