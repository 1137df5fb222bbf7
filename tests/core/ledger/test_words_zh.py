"""Chinese wordings, and those of a few other languages."""

from __future__ import annotations

import pytest

from gateway.core.ledger.cues import kind_of
from gateway.core.ledger.entry import Kind

SAID = (
    "千万别动生产环境的数据库。",
    "严禁把密钥写进日志。",
    "没有我的同意，不要发布。",
    "周日不发版。",
    "未经我批准不得对外发送邮件。",
    "别碰支付模块。",
    "不新增依赖。",
    "bitte niemals auf den main-branch pushen",
    "ne touche jamais au module de paiement",
    "nunca borres los datos",
    "本番環境には絶対に触らないでください。",
)


@pytest.mark.parametrize("sentence", SAID)
def test_rule_is_known(sentence: str) -> None:
    """Chinese needs no spaces to be understood."""
    found = kind_of(sentence, frozenset((Kind.PROHIBITION,)))

    assert found is not None
    assert found[0] is Kind.PROHIBITION


@pytest.mark.parametrize("sentence", ["今天天气不错。", "服务不能启动了。", "别担心。", "不要紧。"])
def test_description_is_none(sentence: str) -> None:
    """What only tells how things are sets nothing."""
    assert kind_of(sentence, frozenset((Kind.PROHIBITION,))) is None
