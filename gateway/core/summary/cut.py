"""Cut the middle out of a text for a summariser: what it is, what of note is in the middle, how it ended.

The end gets the larger share: it holds the error of a command, the total of a table and what closes a
structure. The notice says how much is missing; lines of the middle that tell of a failure or a total are
quoted in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from gateway.core.conversation import Count

Shorten = Callable[[str, int, Count], str]
"""Brings a text to a number of tokens; where even its notice is longer, that notice is returned."""

# By how much they matter, each without its first letter where that may be a capital.
_WORDS: tuple[tuple[str, ...], ...] = (
    ("rror", "ERROR", "xception", "atal", "FATAL", "anic", "ailed", "ailure", "FAIL", "错误", "失败", "异常"),
    ("denied", "ot found", "arning", "WARN", "警告"),
    ("otal", "passed", "合计", "总计", "共计"),
)
_MOST_HITS = 40
"""Of each word: what says more often that it failed says nothing new."""
_LINE_CHARS = 160
_BEFORE_CHARS = 40
_HEAD_SHARE = 0.4
_NOTED_SHARE = 0.3
_WORD_CHARS = 40
_TRIES = 8
_CAUTION = 0.95
_NUMBERS = re.compile(r"\d+")


def shorten(text: str, max_tokens: int, count: Count) -> str:
    """Return a text of at most *max_tokens*, its middle left out.

    >>> print(shorten("one two\\n" * 40 + "KeyError: 'a'", 14, lambda text: len(text.split())))
    one two
    [… 313 of 333 characters left out …]
    KeyError: 'a'
    """
    tokens = count(text)
    if tokens <= max_tokens:
        return text
    nothing = _notice(len(text), len(text), ())
    size = int(len(text) * _CAUTION * max(0, max_tokens - count(nothing)) / tokens)
    for _ in range(_TRIES):
        if size <= 0:
            break
        shorter = _cut(text, size)
        tokens = count(shorter)
        if tokens <= max_tokens:
            return shorter
        size = int(size * min(0.9, _CAUTION * max_tokens / tokens))
    return nothing


def _cut(text: str, size: int) -> str:
    """Return a text with about *size* characters of it kept, what is quoted from its middle included."""
    room = int(size * _NOTED_SHARE)
    stop, start = _gap(text, size - room)
    noted = _noted(text, stop, start, room)
    if not noted:
        stop, start = _gap(text, size)
    return "\n".join(filter(None, (text[:stop], _notice(start - stop, len(text), noted), text[start:])))


def _gap(text: str, size: int) -> tuple[int, int]:
    """Return where what is left out begins and ends: at line breaks or between words, if any is near."""
    stop = int(size * _HEAD_SHARE)
    start = len(text) - (size - stop)
    line = text.rfind("\n", stop // 2, stop)
    word = text.rfind(" ", max(0, stop - _WORD_CHARS), stop)
    stop = line if line >= 0 else word if word >= 0 else stop
    line = text.find("\n", start, start + (len(text) - start) // 2)
    word = text.find(" ", start, start + _WORD_CHARS)
    return stop, (line if line >= 0 else word if word >= 0 else start - 1) + 1


def _notice(left_out: int, whole: int, noted: Sequence[str]) -> str:
    said = f"[… {left_out:,} of {whole:,} characters left out"
    return said + "; of note in them:\n  " + "\n  ".join(noted) + "\n…]" if noted else said + " …]"


def _noted(text: str, start: int, stop: int, room: int) -> list[str]:
    """Return what is quoted of the middle, in its order, within *room* characters."""
    chosen: list[tuple[int, str]] = []
    seen: set[str] = set()
    for at, line in _telling(text, start, stop):
        kind = _NUMBERS.sub("0", line)
        if kind in seen:
            continue
        if len(line) > room:
            break
        seen.add(kind)
        chosen.append((at, line))
        room -= len(line) + 3
    return [line for _, line in sorted(chosen)]


def _telling(text: str, start: int, stop: int) -> Iterator[tuple[int, str]]:
    """Yield the lines that tell of something, with where they begin, the most important kind first."""
    for words in _WORDS:
        yield from sorted({hit for word in words for hit in _hits(text, word, start, stop)})


def _hits(text: str, word: str, start: int, stop: int) -> Iterator[tuple[int, str]]:
    at = text.find(word, start, stop)
    for _ in range(_MOST_HITS):
        if at < 0:
            return
        first = max(text.rfind("\n", start, at) + 1, at - _BEFORE_CHARS, start)
        last = text.find("\n", at, min(stop, first + _LINE_CHARS))
        last = last if last >= 0 else min(stop, first + _LINE_CHARS)
        yield first, text[first:last].strip()
        at = text.find(word, max(last, at + 1), stop)
