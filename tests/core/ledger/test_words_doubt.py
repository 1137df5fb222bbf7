"""The tables of doubt hold words as plain text has them."""

from __future__ import annotations

import re

import pytest

from gateway.core.ledger.words_doubt import DOCS, PHRASES, POINTS_BACK, QUOTED, WEAK_WORDS, WORDS


def test_words_are_plain() -> None:
    """A word with a capital or a space would never be met."""
    assert WORDS
    assert WEAK_WORDS
    assert all(word == word.lower().strip() and " " not in word for word in WORDS | WEAK_WORDS)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (PHRASES, "we used to tag every release"),
        (DOCS, "it is in the staff handbook"),
        (QUOTED, "«never do this at home»"),
        (QUOTED, "他喊“绝对不要打开这扇门”"),
        (POINTS_BACK, "isn't that odd?"),
        (POINTS_BACK, "听着不错。"),
    ],
)
def test_signs_are_seen(pattern: re.Pattern[str], text: str) -> None:
    """Each table sees what it was made for."""
    assert pattern.search(text)
