"""Words by which it is told that a value became another."""

from __future__ import annotations

import re

from gateway.core.ledger.words_turned import OPEN, TURNED, WHEN, ZH_OPEN, ZH_TURNED


def test_verbs_of_change_need_to_what() -> None:
    """ "Raised" alone gives no value."""
    assert re.search(TURNED, "the fee went up to 9")
    assert not re.search(TURNED, "the fee was raised")


def test_chinese_needs_a_number_behind() -> None:
    """The same, in Chinese."""
    assert ZH_TURNED.search("预算涨到900元")
    assert not ZH_TURNED.search("预算涨了")


def test_words_that_leave_it_open_are_known() -> None:
    """In both languages."""
    assert re.search(OPEN, "they want it moved to may")
    assert ZH_OPEN.search("可能推迟到5月")
    assert "recent" in WHEN
