"""Find the lines of a text that are worth quoting where its middle is left out.

In source code these are the signatures; anywhere else lines that tell of a failure, of a warning, or of a
total, and the few that stand out of rows that are all alike. Plain words are looked for, which takes
microseconds where an expression would take milliseconds: a line found without need costs a few tokens, a
lost error costs the next step.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

# By how much they matter. Each word costs a search through the text, so one that stands in few lines without
# another of them is not worth it.
_FAILURES = ("error", "exception", "fail", "fatal", "panic", "denied", "not found", "错误", "失败", "异常")
_WARNINGS = ("warn", "警告")
_TOTALS = ("total", "合计", "总计", "共计")
_WORDS = (_FAILURES, _WARNINGS, _TOTALS)

_BEGINNINGS = ("def ", "class ", "func", "fn ")
_MORE_BEGINNINGS = ("interface ", "struct ", "impl ", "trait ")
_SIGNATURE = re.compile(
    r"\s*(?:\d{1,7}\s*[|:→]?\s*)?"  # as files are shown with line numbers
    r"(?:(?:export|default|public|private|protected|static|async|pub|abstract|final|override|unsafe)\s+)*"
    r"(?:def|class|function|func|fn|interface|struct|impl|trait)\s+\S"
)

_MOST_HITS = 100
"""Of each word: a log of nothing but errors says with a hundred of them what it has to say."""

_MOST_LINES = 40
_LEAST_SIGNATURES = 3
"""With fewer it is no code, or too little to need an outline."""

_LINE_CHARS = 200
_BEFORE_CHARS = 60
"""How much of a longer line is quoted before the word that made it worth quoting."""

_NUMBERS = re.compile(r"\d+")

_MOST_CHARS = 100_000
_LEAST_ROWS = 12
_MOST_ODD = 3
"""With more of them it is a text or a log, in which most lines are like no other."""

_LETTERS = (string.ascii_letters + string.digits).encode()


class Line(NamedTuple):
    """A line worth quoting: *start* up to *stop* in its text."""

    start: int
    stop: int
    rank: int
    """Smaller ones matter more."""
    text: str
    """What is quoted of it."""

    def overlaps(self, other: Line) -> bool:
        """Return whether some of the text is in both."""
        return self.start < other.stop and other.start < self.stop


def lines_of_note(text: str) -> Sequence[Line]:
    """Return the lines worth quoting, in order of appearance; of several alike the first.

    >>> [line.text for line in lines_of_note("ok\\nKeyError: 'a'\\nok\\nKeyError: 'a'\\n3 in total")]
    ["KeyError: 'a'", '3 in total']
    """
    found: dict[int, Line] = {}
    _add_signatures(found, text, _BEGINNINGS)
    if len(found) >= _LEAST_SIGNATURES:
        _add_signatures(found, text, _MORE_BEGINNINGS)
    else:
        found = _different(chain(_told(text), _odd(text)))
    return sorted(list(found.values())[:_MOST_LINES], key=lambda line: line.start)


def by_weight(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, those that matter most first; of equal ones the first and the last come first."""
    return [lines[n] for n in order([line.rank for line in lines])]


def order(ranks: Sequence[int]) -> list[int]:
    """Return the places of the lines with these ranks, as `by_weight` has them.

    >>> order([1, 0, 0, 0])
    [3, 1, 2, 0]
    """
    last = len(ranks) - 1
    return [n for *_, n in sorted((rank, min(n, last - n), n) for n, rank in enumerate(ranks))]


def rank_of(text: str) -> int:
    """Return the rank of a line that was worth quoting once."""
    return min((line.rank for line in lines_of_note(text)), default=len(_WORDS))


def _add_signatures(found: dict[int, Line], text: str, beginnings: Sequence[str]) -> None:
    """Add the signatures that begin with one of these words, as far as there is room for more."""
    for word in [word for word in beginnings if word in text]:
        for start, stop, _ in _hits(text, word):
            if len(found) >= _MOST_LINES:
                return
            if start not in found and _SIGNATURE.match(text, start, stop):
                found[start] = Line(start, stop, 0, _quoted(text, start, stop, start))


def _told(text: str) -> Iterator[Line]:
    """Yield the lines that tell of something, the most important kind first."""
    folded = text.lower()
    if len(folded) != len(text):  # a few letters grow by that; positions would be wrong
        folded = text
    for rank, words in enumerate(_WORDS):
        spans = [span for word in words if word in folded for span in _hits(folded, word)]
        for start, stop, position in sorted(spans):
            yield Line(start, stop, rank, _quoted(text, start, stop, position))


def _odd(text: str) -> Iterator[Line]:
    """Yield the lines that stand out of rows of data: what a tool says beside its hits is not one of them."""
    text = text[:_MOST_CHARS]
    # Without letters and digits rows are alike; line by line it would take three times as long.
    shapes = text.encode(errors="replace").translate(None, _LETTERS).split(b"\n")
    times = Counter(shapes)
    if len(shapes) < _LEAST_ROWS or 1 not in times.values():
        return
    lines = text.split("\n")
    odd = [number for number, shape in enumerate(shapes) if times[shape] == 1 and lines[number].strip()]
    if not odd or len(odd) > _MOST_ODD:
        return
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    for number in odd:
        start, stop = starts[number], starts[number] + len(lines[number])
        yield Line(start, stop, len(_WORDS), _quoted(text, start, stop, start))


def _different(lines: Iterable[Line]) -> dict[int, Line]:
    """Return each line once, and of those that differ in their numbers only the first."""
    found: dict[int, Line] = {}
    seen: set[str] = set()
    for line in lines:
        kind = _NUMBERS.sub("0", line.text)
        if line.start not in found and kind not in seen:
            found[line.start] = line
            seen.add(kind)
    return found


def _hits(text: str, word: str) -> Iterator[tuple[int, int, int]]:
    """Yield the first and last position of each line that holds a word, and where in it the word begins."""
    stop = 0
    for _ in range(_MOST_HITS):
        position = text.find(word, stop)
        if position < 0:
            return
        start = text.rfind("\n", stop, position) + 1 or stop
        stop = text.find("\n", position)
        stop = len(text) if stop < 0 else stop
        yield start, stop, position


def _quoted(text: str, start: int, stop: int, position: int) -> str:
    """Return what is quoted of a line: all of it, or what stands around *position*."""
    if stop - start <= _LINE_CHARS:
        return text[start:stop].rstrip()
    first = max(start, position - _BEFORE_CHARS)
    last = min(stop, first + _LINE_CHARS)
    return ("…" if first > start else "") + text[first:last].strip() + ("…" if last < stop else "")
