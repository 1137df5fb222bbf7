"""Values and names of a file in the words of the person who wrote it, and names that are like them."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

SURELY = 0.8
"""How much alike two names are of which one is the other with a slip in it."""


def describe(value: Any) -> str:
    """Return a value in the words of the person who wrote it, cut short.

    >>> describe("many"), describe(True), describe([1]), describe(None)
    ("'many'", 'true', 'a list', 'nothing')
    """
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case dict():
            return "keys and values"
        case list():
            return "a list"
        case _:
            text = repr(value)
            return text if len(text) <= 60 else text[:57] + "..."


def nearest(word: str, known: Sequence[str], alike: float = 0.6) -> str:
    """Return the end of a sentence about an unknown word: the one that is *alike* it so much; or nothing.

    >>> nearest("triger", ["trigger", "target"]), nearest("part_ratio", ["reserve_ratio"], SURELY)
    ('; did you mean trigger?', '')
    """
    close = get_close_matches(word.lower(), known, 1, alike)
    return f"; did you mean {close[0]}?" if close else ""


def suggestion(word: str, known: Sequence[str]) -> str:
    """Return the end of a sentence about an unknown word: a known one that is like it, or all.

    >>> suggestion("triger", ["trigger", "target"])
    '; did you mean trigger?'
    >>> suggestion("xyz", ["trigger", "target"])
    '; known are: target, trigger'
    """
    return nearest(word, known) or listed(known)


def listed(known: Sequence[str]) -> str:
    """Return the end of a sentence about a word that is missing, or none of those known."""
    return f"; known are: {', '.join(sorted(known))}" if known else ""
