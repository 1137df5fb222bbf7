"""Values and names in the words of their author."""

from __future__ import annotations

import pytest

from gateway.policy.words import SURELY, describe, listed, nearest, suggestion


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("many", "'many'"),
        ("x" * 100, "'" + "x" * 56 + "..."),
        ("a\nb", "'a\\nb'"),
        ("\x1b[2J", "'\\x1b[2J'"),
        (0.5, "0.5"),
        (False, "false"),
        (None, "nothing"),
        ({"a": 1}, "keys and values"),
        ([1], "a list"),
    ],
)
def test_value_is_told_as_it_was_written(value: object, words: str) -> None:
    """Short, in a line, and with nothing that a terminal would obey."""
    assert describe(value) == words


def test_unknown_word_is_answered_with_the_nearest_or_with_all() -> None:
    """Whatever its capitals; where none is like it, all that may stand there are named."""
    known = ["trigger", "target"]
    assert suggestion("Triger", known) == "; did you mean trigger?"
    assert suggestion("x", known) == listed(known) == "; known are: target, trigger"
    assert (suggestion("x", []), nearest("x", known), nearest("targets_of", known, SURELY)) == ("", "", "")
