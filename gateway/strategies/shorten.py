"""Shorten a text to its beginning and its end, with a notice of what was left out in between.

The beginning says what a text is, the end says how it came out; the middle is what is read least, but for
what `lines_of_note` finds in it. JSON stays JSON as long as there is room for that. Counting is what costs,
and a text may have a megabyte: only candidates of about the wanted size are counted, mostly one or two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from gateway.core.conversation import Count
from gateway.strategies.cut_json import JsonCut
from gateway.strategies.cut_text import TextCut

_TRIES = 12
_CLOSE_ENOUGH = 0.85
"""Share of the cap from which on a candidate is good enough: another count would cost more than it brings."""

_FAR_OFF = 2
_FRAME_CHARS = 500
"""Notices, keys and brackets: what JSON takes beside the values that are cut."""

_CAUTION = 0.97
"""The first guess stays a little under the cap: one just over it would cost another count."""


class Cap(msgspec.Struct, frozen=True):
    """How long a text may be."""

    tokens: int | None = None
    chars: int | None = None
    lines: int = 0
    """At most this many lines at each end; 0: as many as fit."""
    head_share: float = 0.6
    """Share of what stays that is taken from the beginning."""

    def holds(self, text: Counted) -> bool:
        """Return whether a text is within the cap."""
        return self.filled(text) <= 1

    def filled(self, text: Counted) -> float:
        """Return the share of the cap that a text takes; above 1 if it is too long."""
        shares = [0.0]
        if self.tokens is not None:
            shares.append(_share(text.tokens, self.tokens))
        if self.chars is not None:
            shares.append(_share(len(text.text), self.chars))
        return max(shares)


def _share(size: int, most: int) -> float:
    return size / most if most > 0 else 2.0 * size


class Counted(msgspec.Struct, frozen=True):
    """A text and what it takes: whoever shortened it has counted it already."""

    text: str
    tokens: int

    def known(self, text: str) -> int:
        """Return the tokens without counting again: a `Count` for this text only."""
        return self.tokens


def shorten(whole: Counted, cap: Cap, count: Count, original: str = "", held: Sequence[str] = ()) -> Counted:
    """Return a text within the cap, the middle of *whole* left out; *whole* itself if that is not shorter.

    A cap below the length of the notice gives the notice alone. *original* is the id under which the whole
    text can be had, *held* what of it is quoted before anything else.

    >>> print(shorten(Counted("one two\\n" * 40, 80), Cap(14), lambda text: len(text.split())).text.rstrip())
    one two
    one two
    [haversack: 297 of 320 characters left out]
    one two
    """
    if cap.holds(whole):
        return whole
    for cut in _cuts(whole.text, cap, original, held):
        shorter = _fitting(cut, whole, cap, count)
        if shorter is not None and shorter.tokens < whole.tokens:
            return shorter
    return whole


def _cuts(text: str, cap: Cap, original: str, held: Sequence[str]) -> Iterator[TextCut | JsonCut]:
    """Yield the ways to cut a text, the best one first."""
    as_json = JsonCut(text, cap.head_share, original)
    if not cap.lines and as_json.is_json():
        yield as_json
    yield TextCut.of(text, cap.head_share, cap.lines, original, held)


def _fitting(cut: TextCut | JsonCut, whole: Counted, cap: Cap, count: Count) -> Counted | None:
    """Return the longest candidate found within the cap; of a text, its notice alone if none is."""
    bare: Counted | None = None
    used, spent = 0, 0
    if isinstance(cut, TextCut):
        text = cut.at(0)
        bare = Counted(text, count(text))
        used, spent = bare.tokens, len(text) + 2
    most = len(whole.text)
    size = most
    if cap.tokens is not None:
        size = min(size, int(_CAUTION * (cap.tokens - used) * len(whole.text) / max(1, whole.tokens)))
    if cap.chars is not None:
        most = cap.chars - spent
        size = min(size, most)
    return _search(cut, size, most, cap, count) or bare


def _search(cut: TextCut | JsonCut, size: int, most: int, cap: Cap, count: Count) -> Counted | None:
    """Return the best of the candidates from *size* on, smaller ones until one fits, then one larger."""
    best: Counted | None = None
    for attempt in range(_TRIES):
        if size <= 0:
            break
        text = cut.at(size)
        if len(text) > _FAR_OFF * size + _FRAME_CHARS and isinstance(cut, JsonCut):
            break  # its values cannot be cut so far; to count all of it again and again would find no more
        candidate = Counted(text, count(text))
        filled = cap.filled(candidate)
        if filled <= 1:
            if best is not None or size == most or filled >= _CLOSE_ENOUGH:
                return candidate if best is None or candidate.tokens > best.tokens else best
            best = candidate
            size = min(most, int(size * _CAUTION / max(filled, 0.01)))
        elif best is not None:
            break
        else:
            size = int(size * min(0.95 if attempt < _TRIES // 2 else 0.5, _CAUTION / filled))
    return best
