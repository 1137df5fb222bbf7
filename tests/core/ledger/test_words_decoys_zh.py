"""Chinese wordings that only look like rules."""

from __future__ import annotations

import pytest

from gateway.core.ledger.decoys import live


@pytest.mark.parametrize(
    "sentence",
    [
        "电影里主角必须在午夜前离开",
        "柏林那边从来不发版，那是他们的规矩，跟我们无关",
        "上一份工作里，所有代码都不能超过两百行",
        "蓝鲸公司要求所有员工必须打卡",
        "那条只是示例：不得超过七百元",
        "古罗马士兵每天必须行军",
    ],
)
def test_rule_of_others_in_chinese_is_none(sentence: str) -> None:
    """Films, other firms, the past and examples set nothing."""
    assert not any(word in live(sentence) for word in ("必须", "不能", "不得", "从来不"))


@pytest.mark.parametrize(
    "sentence",
    [
        "不管维基怎么说，必须用两个空格",
        "他说得对，所以必须先测试",
        "小说里绝不能提到国王，必须遵守",
        "旧接口必须保留",
        "同事老张必须审批每次发布",
        "错误信息必须写明文件名",
    ],
)
def test_own_rule_in_chinese_stays(sentence: str) -> None:
    """A mention of others does not hide what is set."""
    assert "必须" in live(sentence)
