"""Shorten a text to its beginning and its end, with a notice of what was left out in between.

The beginning says what a text is, the end says how it came out; the middle is what is read least. A text
that was shortened before keeps one notice, which goes on telling the size of the whole. Counting is what
costs, and a text may have a megabyte: only candidates of about the wanted size are counted, mostly one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gateway.core.conversation import Count
from gateway.strategies import marks

_TRIES = 12
_CLOSE_ENOUGH = 0.85
"""Share of the cap from which on a candidate is good enough: another count would cost more than it brings."""

_CAUTION = 0.97
"""The first guess stays a little under the cap: one just over it would cost another count."""

_WORD_CHARS = 40
"""A cut moves at most this far to fall between words; some scripts have no spaces."""


@dataclass(frozen=True, slots=True)
class Cap:
    """How long a text may be."""

    tokens: int | None = None
    chars: int | None = None
    lines: int = 0
    """At most this many lines at each end; 0: as many as fit."""
    head_share: float = 0.6
    """Share of what stays that is taken from the beginning."""

    def holds(self, text: Counted) -> bool:
        """Return whether a text is within the cap."""
        return (self.tokens is None or text.tokens <= self.tokens) and (
            self.chars is None or len(text.text) <= self.chars
        )


@dataclass(frozen=True, slots=True)
class Counted:
    """A text and what it takes: whoever shortened it has counted it already."""

    text: str
    tokens: int

    def known(self, text: str) -> int:
        """Return the tokens without counting again: a `Count` for this text only."""
        return self.tokens


def shorten(whole: Counted, cap: Cap, count: Count, original: str = "") -> Counted:
    """Return a text within the cap, the middle of *whole* left out; *whole* itself if that is not shorter.

    A cap below the length of the notice gives the notice alone. *original* is the id under which the whole
    text can be had.

    >>> print(shorten(Counted("one two\\n" * 40, 80), Cap(14), lambda text: len(text.split())).text.rstrip())
    one two
    one two
    [haversack: 297 of 320 characters left out]
    one two
    """
    if cap.holds(whole):
        return whole
    shorter = _Draft.of(whole, cap, original).fit(whole.tokens / max(1, len(whole.text)), count)
    return shorter if shorter.tokens < whole.tokens else whole


def level(sizes: Sequence[int], total: int) -> int:
    """Return the largest cap under which the sizes add up to no more than *total*: the largest lose first.

    >>> level([10, 500, 300], 400)
    195
    """
    left = total
    for rank, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - rank)
        if size > share:
            return max(0, share)
        left -= size
    return max(sizes, default=0)


@dataclass(frozen=True, slots=True)
class _Omission:
    """An earlier notice in the text, the line breaks around it included."""

    start: int
    stop: int
    left_out: int


@dataclass(frozen=True, slots=True)
class _Draft:
    """A text about to be shortened."""

    prefix: str
    body: str
    suffix: str
    cap: Cap
    original: str
    omissions: tuple[_Omission, ...] = field(default=())

    @classmethod
    def of(cls, whole: Counted, cap: Cap, original: str) -> _Draft:
        prefix, body, suffix = marks.frame(whole.text)
        found = tuple(marks.NOTICE.finditer(body)) if "[haversack: " in body else ()
        if found:
            original = next((match["original"] for match in found if match["original"]), "")
        omissions = tuple(_Omission(m.start(), m.end(), int(m["left_out"])) for m in found)
        return cls(prefix, body, suffix, cap, original, omissions)

    def fit(self, tokens_per_char: float, count: Count) -> Counted:
        """Return the longest candidate found within the cap; the notice alone if none is."""
        text = self.cut(0)
        bare = Counted(text, count(text))
        most = len(self.body) if self.cap.chars is None else self.cap.chars - len(text) - 2
        if self.cap.tokens is None:
            text = self.cut(most)
            return Counted(text, count(text))
        room = _CAUTION * (self.cap.tokens - bare.tokens)
        return self._search(min(most, int(room / max(tokens_per_char, 1e-9))), most, count) or bare

    def _search(self, size: int, most: int, count: Count) -> Counted | None:
        """Return the best of the candidates from *size* on, smaller ones until one fits, then one larger."""
        best: Counted | None = None
        cap = self.cap.tokens or 0
        for attempt in range(_TRIES):
            if size <= 0:
                break
            text = self.cut(size)
            tokens = count(text)
            if tokens <= cap:
                grown, best = best is not None, Counted(text, tokens)
                if grown or size == most or tokens >= _CLOSE_ENOUGH * cap:
                    break
                size = min(most, int(size * _CAUTION * cap / max(1, tokens)))
            elif best is not None:
                break
            else:
                size = int(size * min(0.95 if attempt < _TRIES // 2 else 0.5, _CAUTION * cap / tokens))
        return best

    def cut(self, size: int) -> str:
        """Return the text with about *size* characters of its body kept."""
        size = max(0, size)
        head = int(size * self.cap.head_share)
        stop = self._head_stop(min(head, len(self.body)))
        start = max(stop, self._tail_start(max(len(self.body) - (size - head), 0)))
        if start == stop:
            return "\n".join(part for part in (self.prefix, self.body, self.suffix) if part)
        middle = [gap for gap in self.omissions if stop <= gap.start and gap.stop <= start]
        notice = marks.notice(start - stop - _hidden(middle), self._whole(), self.original)
        parts = (self.prefix, self.body[:stop], notice, self.body[start:], self.suffix)
        return "\n".join(part for part in parts if part)

    def _whole(self) -> int:
        """Return how long the body was before anything was left out of it."""
        return len(self.body) - _hidden(self.omissions)

    def _head_stop(self, stop: int) -> int:
        """Return where the head ends: at the end of a line or a word, and not inside an earlier notice."""
        if self.cap.lines:
            stop = min(stop, _after_lines(self.body, self.cap.lines))
        line = self.body.rfind("\n", stop // 2, stop)
        word = self.body.rfind(" ", max(stop - _WORD_CHARS, stop // 2), stop)
        if 0 < stop < len(self.body) and self.body[stop] != "\n":
            stop = line if line >= 0 else word if word >= 0 else stop
        inside = (gap.start for gap in self.omissions if gap.start < stop < gap.stop)
        return next(inside, stop)

    def _tail_start(self, start: int) -> int:
        """Return where the tail begins, by the same rule."""
        end = len(self.body)
        if self.cap.lines:
            start = max(start, _before_lines(self.body, self.cap.lines))
        line = self.body.find("\n", start, start + (end - start) // 2)
        word = self.body.find(" ", start, min(start + _WORD_CHARS, start + (end - start) // 2))
        if 0 < start < end and self.body[start - 1] != "\n":
            start = line + 1 if line >= 0 else word + 1 if word >= 0 else start
        inside = (gap.stop for gap in self.omissions if gap.start <= start < gap.stop)
        return next(inside, start)


def _hidden(omissions: Sequence[_Omission]) -> int:
    """Return by how much longer the notices are than what they stand for (mostly a negative number)."""
    return sum(gap.stop - gap.start - gap.left_out for gap in omissions)


def _after_lines(text: str, lines: int) -> int:
    """Return where the first *lines* lines end."""
    position = -1
    for _ in range(lines):
        position = text.find("\n", position + 1)
        if position < 0:
            return len(text)
    return position


def _before_lines(text: str, lines: int) -> int:
    """Return where the last *lines* lines begin; a line break at the very end ends the last line."""
    position = len(text) - text.endswith("\n")
    for _ in range(lines):
        position = text.rfind("\n", 0, position)
        if position < 0:
            return 0
    return position + 1
