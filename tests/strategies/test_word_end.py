"""Where a text can be cut between words."""

from __future__ import annotations

import pytest

from gateway.strategies.word_end import WORD_CHARS, word_end, word_start

TEXT = "Never restart the gateway, at night."


@pytest.mark.parametrize(
    ("most", "left"),
    [
        (25, "Never restart the gateway"),
        (24, "Never restart the"),
        (17, "Never restart the"),
        (18, "Never restart the"),
        (35, "Never restart the gateway, at night"),
        (len(TEXT), TEXT),
    ],
)
def test_word_that_is_whole_stays(most: int, left: str) -> None:
    """Where a word ends a cut stays; of a broken one nothing is left, nor of the space before it."""
    assert TEXT[: word_end(TEXT, most)] == left


def test_script_without_spaces_is_cut_anywhere() -> None:
    """A Latin word within it is not broken."""
    text = "请用 sqlite 保存，不要用 redis。" * 4

    assert [text[: word_end(text, most)] for most in (1, 2, 5, 11)] == [
        "请",
        "请用",
        "请用",
        "请用 sqlite 保",
    ]
    assert [text[word_start(text, start, 30) :][:4] for start in (1, 4, 10)] == [
        "用 sq",
        "保存，不",
        "保存，不",
    ]


def test_cut_does_not_go_further_than_a_long_word() -> None:
    """What has no end of a word nearby is cut where the room ends."""
    text = "a " + "x" * 900 + " b"

    assert word_end(text, 500) == word_start(text, 500, 900) == 500
    assert word_end("a" + " " * 2 * WORD_CHARS + "b", 60) == 60
    assert word_end("ab cd", 4, 3) == 4


@pytest.mark.parametrize(("start", "left"), [(0, TEXT), (6, TEXT[6:]), (7, TEXT[14:]), (13, TEXT[14:])])
def test_what_goes_on_begins_with_a_whole_word(start: int, left: str) -> None:
    """A tail that begins with a word begins there; one that begins with a space, behind it."""
    assert TEXT[word_start(TEXT, start, len(TEXT)) :] == left


def test_no_word_is_looked_for_behind_the_most() -> None:
    """There it begins in the middle of one."""
    assert word_start("abcdefgh i", 2, 7) == 2
