"""Which words a text has that gates and lists wait for: told for all of them by one look at the text.

Each alternative of a gate has a bit of a number, and each list of words has one. What a word sets is found
out when it is first seen, and most words of a conversation come again and again in it. So to ask a text for
one more pattern, or for one more list, takes no look at it at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache, reduce
from operator import or_

_WORDS = re.compile(r"\w+")
_ASCII_WORDS = re.compile(r"[A-Za-z0-9_]+")
_SMALL = re.compile(r"[a-z]+")

_AROUND = ".,;:!?()[]{}<>*`'\""

_HEAD = 2
"""Parts of words are found by so many of their first letters."""
_REMEMBERED = 1024
_MOST_KNOWN = 8_192
_MOST_LETTERS = 40
MOST_CHARS = 4_000
"""A longer text is not worth to be remembered."""


class _Known(dict[str, int]):
    """What is set by each run of characters without a space that was seen."""

    def __missing__(self, run: str) -> int:
        bits = _set_by(run)
        if len(run) <= _MOST_LETTERS:
            if len(self) >= _MOST_KNOWN:
                self.clear()
            self[run] = bits
        return bits


_WHOLE: dict[str, int] = {}
"""What is set by a word that stands on its own."""
_LISTED: dict[str, int] = {}
"""What is set by small letters between whatever else."""
_PARTS: dict[str, dict[str, int]] = {}
"""What is set by a part of a word, by its first letters."""
_BESIDE: dict[str, int] = {}
"""What is set by a sign."""
_KNOWN = _Known()


class _Bits:
    """Gives out bits, and knows those that any text sets that is not all ASCII."""

    def __init__(self) -> None:
        self.beyond = 0
        self._next = 0

    def take(self, number: int) -> int:
        """Return the first of so many new bits."""
        first, self._next = self._next, self._next + number
        # What was found out before knows nothing of them.
        _KNOWN.clear()
        opening.cache_clear()
        return first


BITS = _Bits()


def wait_for(text: str, is_word: bool, bit: int) -> None:
    """Let a word, a part of one or a sign set a bit; what is not all ASCII sets none."""
    if not text.isascii():
        return
    where = _WHOLE if is_word else _BESIDE
    if not is_word and _WORDS.match(text):
        where = _PARTS.setdefault(text[:_HEAD], {})
    where[text] = where.get(text, 0) | 1 << bit


class Listed:
    """Words in small letters, of which a text has one or none, whatever stands around it.

    >>> listed = Listed("swap cut")
    >>> listed.are_in("we cut_it"), listed.are_in("we cutit")
    (True, False)
    """

    __slots__ = ("_bit",)

    def __init__(self, words: str | Iterable[str]) -> None:
        self._bit = 1 << BITS.take(1)
        for word in words.split() if isinstance(words, str) else words:
            _LISTED[word] = _LISTED.get(word, 0) | self._bit

    def are_in(self, text: str) -> bool:
        """Return whether a text has one of them."""
        return (opening(text) if len(text) <= MOST_CHARS else _look(text)) & self._bit != 0


# Most texts are asked for by a dozen gates.
@lru_cache(_REMEMBERED)
def opening(text: str) -> int:
    """Return the bits of all that a text has; what is longer than MOST_CHARS is better not remembered."""
    return _look(text)


def _look(text: str) -> int:
    bits = reduce(or_, filter(None, map(_KNOWN.__getitem__, text.split())), 0)
    return bits if text.isascii() else bits | BITS.beyond


def _set_by(run: str) -> int:
    if run.isascii():
        if run.isalnum():
            return _WHOLE.get(run, 0) | _within(run)
        # Most words are known already without the signs around them.
        if (word := run.strip(_AROUND)) != run:
            return (_KNOWN[word] if word.isalpha() else _set_by(word)) | _set_by_signs(run)
    return _set_by_words(run) | _set_by_signs(run)


def _set_by_words(run: str) -> int:
    bits = 0
    for word in _WORDS.findall(run):
        bits |= _WHOLE.get(word, 0)
    for word in _ASCII_WORDS.findall(run):
        bits |= _within(word)
    return bits


def _set_by_signs(run: str) -> int:
    # Most runs have at most a stop or a comma, which set nothing.
    if _BESIDE.keys().isdisjoint(run):
        return 0
    return reduce(or_, (more for sign, more in _BESIDE.items() if sign in run))


def _within(word: str) -> int:
    """Return what is set by the parts of a word."""
    bits = 0
    for letters in (word,) if word.isalpha() and word.islower() else _SMALL.findall(word):
        bits |= _LISTED.get(letters, 0)
    for at in range(len(word) - 1):
        if parts := _PARTS.get(word[at : at + _HEAD]):
            for part, more in parts.items():
                if word.startswith(part, at):
                    bits |= more
    return bits
