"""Chinese orders of the user's own are told from rules that bind others."""

from __future__ import annotations

import pytest

from gateway.core.ledger.words_doubt_zh import INSIDE, OTHERS, OWN, WORK, ZH


@pytest.mark.parametrize(
    "sentence", ["请不要推送到 main", "另外，回答控制在 200 字以内", "我们只用 postgres"]
)
def test_order_or_speaker_is_seen(sentence: str) -> None:
    """Who is addressed, or who speaks, makes a rule the user's own."""
    assert OWN.search(sentence)


@pytest.mark.parametrize(
    "sentence", ["选手每人只有三分钟。", "俗话说，吃饭不能吃太饱。", "房东不让我们钉钉子。"]
)
def test_rules_of_others_are_seen(sentence: str) -> None:
    """Players, proverbs and landlords rule nothing here."""
    assert OTHERS.search(sentence)


def test_what_users_work_on_is_seen() -> None:
    """A rule about requests or files needs no speaker."""
    assert WORK.search("请求最多重试三次")
    assert not WORK.search("海滩上不准生火")


def test_signs_of_others_are_seen() -> None:
    """What is heard or imagined is not said."""
    assert ZH.search("听说那边不能超过 500")


@pytest.mark.parametrize(
    "sentence",
    [
        "我们讨论过只支持中文，最后没采纳。",
        "合作方自己的规范是四空格缩进，咱们别跟。",
        "阿杰的习惯是周五不碰生产。",
        "风传明年禁用 python 2，未经证实。",
        "脚本输出了一行：file size must stay below 4 mb。",
    ],
)
def test_sentence_that_says_itself_that_it_does_not_hold_is_seen(sentence: str) -> None:
    """What was given up, is of others, was heard, or came out of a program binds nobody here."""
    assert INSIDE.search(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "测试没通过不准合并。",
        "跟本项目无关的文件不要改。",
        "大写字母不要出现在文件名里。",
        "周五从不发版，这是我们的规矩。",
        "高优先级的工单从来不能过夜。",
        "数据组的表只读，不许写。",
    ],
)
def test_rules_with_words_of_that_kind_are_not_taken_for_it(sentence: str) -> None:
    """A rule about what did not pass, about a team's table or a size is the user's own."""
    assert not INSIDE.search(sentence)
