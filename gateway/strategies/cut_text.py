"""Cut the middle out of a text: at the end of a line, a sentence or a word, with a notice in its place.

The notice quotes what is of note in the middle. A text that was cut before keeps one notice, which goes on
telling the size of the whole and takes over what the earlier ones quote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from gateway.strategies import marks
from gateway.strategies.lines_of_note import Line, by_weight, lines_of_note, order, rank_of
from gateway.strategies.word_end import word_end, word_start

_SENTENCE_ENDS = "。！？；"
"""Where scripts without spaces can be cut. A Latin full stop ends nothing in `server.ts` and `3.14`."""

_QUOTED_SHARE = 0.3
"""How much of what stays may be quotes out of the middle."""
_QUOTED_SHARE_OF_LITTLE = 0.45
_LITTLE_CHARS = 300
"""Where it would be less than this, it may be that larger share: a few lines are what matters most."""

_QUOTE_FRAME = len("\n  | ")
_QUOTES_FRAME = len("; of note in them:\n")
_MARK = "[haversack: "


class _Quote(NamedTuple):
    """A line of the middle that is quoted, or a line that an earlier notice quotes."""

    start: int
    """Where it stands, or the notice,"""
    rank: int
    """as which line of the notice,"""
    stop: int
    """and where that ends."""
    number: str
    """Of the line in the whole text; empty if nobody knows it any more."""
    text: str

    @property
    def length(self) -> int:
        """By how much it lengthens a notice."""
        return _QUOTE_FRAME + len(self.number) + len(self.text)


@dataclass(frozen=True, slots=True)
class _Omission:
    """An earlier notice in the text, the line breaks around it included."""

    start: int
    stop: int
    left_out: int
    quotes: Sequence[tuple[str, str]]
    """The lines that it quotes, with their numbers."""


def quoted_room(size: int) -> int:
    """Return how many characters of so many may be quotes out of the middle.

    >>> quoted_room(400), quoted_room(1000), quoted_room(4000)
    (180, 300, 1200)
    """
    return max(int(size * _QUOTED_SHARE), min(int(size * _QUOTED_SHARE_OF_LITTLE), _LITTLE_CHARS))


@dataclass(frozen=True)
class TextCut:
    """A text about to be cut, and what is known of it whatever the size."""

    body: str
    prefix: str
    suffix: str
    original: str
    head_share: float
    lines: int
    """At most this many lines at each end; 0: as many as fit."""
    omissions: Sequence[_Omission]
    held: Sequence[str]
    """What of it is quoted before anything else."""

    @classmethod
    def of(
        cls, text: str, head_share: float, lines: int = 0, original: str = "", held: Sequence[str] = ()
    ) -> TextCut:
        """Return the text, taken apart."""
        prefix, body, suffix = marks.frame(text)
        found = tuple(marks.NOTICE.finditer(body)) if _MARK in body else ()
        if found:
            original = next((match["original"] for match in found if match["original"]), "")
        omissions = [_Omission(m.start(), m.end(), int(m["left_out"]), marks.quotes(m)) for m in found]
        return cls(body, prefix, suffix, original, head_share, lines, omissions, held)

    def at(self, size: int) -> str:
        """Return the text with about *size* characters of its body kept, and never more."""
        size = max(0, size)
        room = quoted_room(size)
        quotes = self._quotes(size, room) if room > _QUOTES_FRAME else []
        taken = _QUOTES_FRAME + sum(quote.length for quote in quotes) if quotes else 0
        stop, start = self._gap(size - taken)
        if start == stop:
            return "\n".join(part for part in (self.prefix, self.body, self.suffix) if part)
        middle = [gap for gap in self.omissions if stop <= gap.start and gap.stop <= start]
        hidden = [
            (quote.number, quote.text) for quote in quotes if stop <= quote.start and quote.stop <= start
        ]
        notice = marks.notice(start - stop - _hidden(middle), self._whole(), self.original, quotes=hidden)
        parts = (self.prefix, self.body[:stop], notice, self.body[start:], self.suffix)
        return "\n".join(part for part in parts if part)

    def _whole(self) -> int:
        """Return how long the body was before anything was left out of it."""
        return len(self.body) - _hidden(self.omissions)

    def _quotes(self, size: int, room: int) -> list[_Quote]:
        """Return what of the middle is quoted within *room* characters of *size*, in the order of the text.

        What an earlier notice quotes comes first; of what matters equally, the first and the last.
        """
        if not self.omissions and not self.noted:
            return []
        stop, start = self._gap(size - room)
        chosen: list[_Quote] = []
        room -= _QUOTES_FRAME
        for quote in self._candidates(stop, start):
            # A shorter one behind it may fit.
            if quote.length <= room:
                room -= quote.length
                chosen.append(quote)
        return sorted(chosen)

    def _candidates(self, stop: int, start: int) -> Iterator[_Quote]:
        for gap in self.omissions:
            for n in order([self._rank(text) for _, text in gap.quotes]):
                yield _Quote(gap.start, n, gap.stop, *gap.quotes[n])
        for line in by_weight([line for line in self.noted if stop <= line.start and line.stop <= start]):
            yield _Quote(line.start, 0, line.stop, self._number(line), line.text)

    @cached_property
    def noted(self) -> Sequence[Line]:
        """The lines of the body that are worth quoting: none of what was written here."""
        if self.prefix:
            return ()
        held = [Line(at, at + len(text), -1, text) for text in self.held if (at := self.body.find(text)) >= 0]
        first, others = map(self._own, (held, lines_of_note(self.body)))
        return [*first, *(line for line in others if not any(map(line.overlaps, first)))]

    def _rank(self, text: str) -> int:
        """Return how much a line matters that an earlier notice quotes; smaller is more."""
        return -1 if any(one in text for one in self.held) else rank_of(text)

    def _own(self, lines: Iterable[Line]) -> list[Line]:
        """Return the lines that are the text's own: none that an earlier notice holds."""
        return [
            line
            for line in lines
            if _MARK not in line.text
            and not any(gap.start <= line.start < gap.stop for gap in self.omissions)
        ]

    def _number(self, line: Line) -> str:
        """Return the number of a line; nothing if lines before it were left out earlier."""
        if any(gap.start < line.start for gap in self.omissions):
            return ""
        return str(self.body.count("\n", 0, line.start) + 1)

    def _gap(self, size: int) -> tuple[int, int]:
        """Return where what is left out begins and ends; equal if nothing is."""
        size = max(0, size)
        head = int(size * self.head_share)
        stop = self._head_stop(min(head, len(self.body)))
        return stop, max(stop, self._tail_start(max(len(self.body) - (size - head), 0)))

    def _head_stop(self, stop: int) -> int:
        """Return where the head ends: at a good place, and not inside an earlier notice."""
        if self.lines:
            stop = min(stop, _after_lines(self.body, self.lines))
        if 0 < stop < len(self.body) and self.body[stop] != "\n":
            stop = _place_before(self.body, stop)
        inside = (gap.start for gap in self.omissions if gap.start < stop < gap.stop)
        return next(inside, stop)

    def _tail_start(self, start: int) -> int:
        """Return where the tail begins, by the same rule."""
        if self.lines:
            start = max(start, _before_lines(self.body, self.lines))
        if 0 < start < len(self.body) and self.body[start - 1] != "\n":
            start = _place_behind(self.body, start)
        inside = (gap.stop for gap in self.omissions if gap.start <= start < gap.stop)
        return next(inside, start)


def _hidden(omissions: Sequence[_Omission]) -> int:
    """Return by how much longer the notices are than what they stand for (mostly a negative number)."""
    return sum(gap.stop - gap.start - gap.left_out for gap in omissions)


def _place_before(text: str, stop: int) -> int:
    """Return the best place to end at, at most half as far: the end of a line, of a sentence, of a word."""
    line = text.rfind("\n", stop // 2, stop)
    if line >= 0:
        return line
    if not text.isascii():
        sentence = max(text.rfind(mark, stop // 2, stop) for mark in _SENTENCE_ENDS)
        if sentence >= 0:
            return sentence + 1
    return word_end(text, stop, stop // 2)


def _place_behind(text: str, start: int) -> int:
    """Return the best place to go on from, by the same rule."""
    half = start + (len(text) - start) // 2
    line = text.find("\n", start, half)
    if line >= 0:
        return line + 1
    if not text.isascii():
        sentences = [place for mark in _SENTENCE_ENDS if (place := text.find(mark, start, half)) >= 0]
        if sentences:
            return min(sentences) + 1
    return word_start(text, start, half)


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
