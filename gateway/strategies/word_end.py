"""Where a text can be cut between words: one rule for all who shorten a text to a number of characters.

Chinese and Japanese are cut anywhere; so is what has no end of a word nearby.
"""

from __future__ import annotations

import re

WORD_CHARS = 40
"""A cut moves at most so far to fall between words."""

_ANYWHERE = r"\u3000-\u30ff\u3400-\u9fff\uff00-\uffef"

# What ends with the word before it, and what a cut leaves of a word.
_ENDS = re.compile(rf"[^\w\s]{{0,3}}(?:\s|\Z)|[{_ANYWHERE}]")
_BROKEN = re.compile(rf"[^\s{_ANYWHERE}]{{1,{WORD_CHARS}}}\Z")
_REST = re.compile(rf"[^\s{_ANYWHERE}]{{1,{WORD_CHARS}}}")
_BEGINS = re.compile(rf"[\s{_ANYWHERE}]")


def word_end(text: str, most: int, least: int = 0) -> int:
    """Return where the last word ends that is whole in *most* characters; as many, if none ends nearby.

    Not before *least*.

    >>> word_end("to the end of a word", 16), word_end("to the end of a word", 18), word_end("决定采用", 3)
    (15, 15, 3)
    """
    if _ENDS.match(text, most):
        return most
    floor = max(least, most - WORD_CHARS)
    broken = _BROKEN.search(text, floor, most)
    end = most if broken is None else broken.start()
    said = len(text[floor:end].rstrip())
    return floor + said if said else most


def word_start(text: str, start: int, most: int) -> int:
    """Return where the first word begins that is whole from *start* on; there, if none begins nearby.

    Not behind *most*.

    >>> word_start("to the end", 3, 10), word_start("to the end", 4, 10), word_start("决定采用", 1, 4)
    (3, 7, 1)
    """
    ceiling = min(start + WORD_CHARS, most)
    end = start
    if start and not _BEGINS.match(text, start - 1):
        rest = _REST.match(text, start, ceiling)
        end = rest.end() if rest else start
    if end >= ceiling:
        return start
    behind = text[end:ceiling]
    return end + len(behind) - len(behind.lstrip())
