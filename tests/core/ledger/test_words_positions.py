"""Words by which the place of a value is known."""

from __future__ import annotations

from gateway.core.ledger.words_positions import BOUNDS, COPULAS, GENERAL, NO_LABELS, SAYS_OF, VAGUE


def test_what_stands_before_a_value_is_known() -> None:
    """With or without a word between that only says how exact it is."""
    assert COPULAS.search("the limit is now at most ")
    assert not COPULAS.search("the key is for room ")
    assert BOUNDS.search("不超过")


def test_what_stands_behind_a_thing_is_known() -> None:
    """In English, German and Chinese."""
    assert SAYS_OF.match(" is full")
    assert SAYS_OF.match(" ist kaputt")
    assert SAYS_OF.match("的磁盘")


def test_words_that_name_nothing_are_known() -> None:
    """A task is none, and neither is anything that is only "one"."""
    assert "todo" in GENERAL
    assert VAGUE.match("there ")
    assert {"than", "most"} <= NO_LABELS
