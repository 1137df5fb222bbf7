"""Sentences that act on what was said before."""

from __future__ import annotations

import pytest

from gateway.core.ledger.turns import is_done, may_act, permits, withdraws


@pytest.mark.parametrize(
    "sentence",
    [
        "scratch that",
        "forget the rule about tabs",
        "the csv export is no longer needed",
        "you don't need to ask any more",
        "the freeze is lifted",
        "never mind",
        "drop the word limit",
        "i changed my mind",
        "刚才的限制作废",
        "不用再写测试了",
        "取消那条规则",
    ],
)
def test_withdrawal_is_known(sentence: str) -> None:
    """What is taken back is recognised however it is put."""
    assert withdraws(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "don't forget the tests",
        "never ignore the limits",
        "if a customer cancels the request, ask why",
        "别忘了更新文档",
        "cancel the order",
    ],
)
def test_rule_about_withdrawal_is_none(sentence: str) -> None:
    """Words of withdrawal also stand in rules and errands."""
    assert not withdraws(sentence)


@pytest.mark.parametrize(
    "sentence", ["you may push to main again", "emojis are fine again", "现在可以推送了"]
)
def test_permission_is_known(sentence: str) -> None:
    """What was forbidden may be allowed again."""
    assert permits(sentence)


@pytest.mark.parametrize("sentence", ["you may see errors", "服务不能启动了"])
def test_possibility_is_no_permission(sentence: str) -> None:
    """What can happen is not what is allowed."""
    assert not permits(sentence)


@pytest.mark.parametrize(
    "sentence", ["i've finished the script", "done with the export", "[x] write docs", "回滚脚本已完成"]
)
def test_completion_is_known(sentence: str) -> None:
    """What is done is recognised."""
    assert is_done(sentence)


def test_other_sentences_are_spared() -> None:
    """A sentence without any of the words is not searched."""
    assert not may_act("hello there", frozenset(("hello", "there")))
