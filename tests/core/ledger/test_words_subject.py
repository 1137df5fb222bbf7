"""Words that are no part of a subject."""

from __future__ import annotations

from gateway.core.ledger.words_subject import FRAME, HAN_FRAME, LIGHT, TURNS


def test_words_of_change_are_a_part_of_those_that_can_be_left_out() -> None:
    """What says that something changes can be left out as well."""
    assert TURNS < FRAME
    assert "moved" in TURNS


def test_small_words_are_light() -> None:
    """Articles and the like tell nothing."""
    assert {"the", "of", "is"} <= LIGHT
    assert "out" not in LIGHT


def test_chinese_words_of_the_frame_are_known() -> None:
    """So are words of time of day and of excuse."""
    assert HAN_FRAME.sub("", "抱歉下午") == ""
