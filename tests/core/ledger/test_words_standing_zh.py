"""The weak signs in Chinese."""

from __future__ import annotations

import re

import pytest

from gateway.core.ledger import words_standing_zh as signs


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        (signs.ZH_TASTE, "安静比便宜重要"),
        (signs.ZH_AIM, "争取减一半"),
        (signs.ZH_SETTLED, "改到周四"),
        (signs.ZH_OPEN, "还没发"),
        (signs.ZH_BAN, "合同不外借"),
        (signs.ZH_RULE, "超过 200 元的转给主管"),
        (signs.ZH_ERRAND, "帮我看看"),
    ],
)
def test_form_is_recognised(pattern: str, sentence: str) -> None:
    """Each sign is found in a sentence of its sort."""
    assert re.search(pattern, sentence)
