"""Chinese orders of the user's own are told from rules that bind others."""

from __future__ import annotations

import pytest

from gateway.core.ledger.words_doubt_zh import OTHERS, OWN, WORK, ZH


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
