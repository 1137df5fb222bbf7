"""Patterns behind a gate: searched for only where a text has a word that every match must have.

The tables of the ledger are long alternations of wordings; to look for one takes up to a hundred microseconds
in a sentence that holds none of them, as most do. What words a match cannot do without is read off the
pattern itself, so whoever edits a pattern need not think of its gate. A gate changes no answer: what it
cannot tell, it lets through.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from gateway.core.ledger.grammar import (
    Either,
    Gap,
    Node,
    Repeat,
    Row,
    Text,
    Unreadable,
    alternatives,
    begins_with_gap,
    ends_with_gap,
    parsed,
)

_ANY = "\0"
"""Stands for what nobody knows: any characters, or none."""

_MOST_WAYS = 3_000
_MOST_PARTS = 20
"""Each is looked for by itself, and takes about as long as a hundredth of a long pattern."""

_LEAST_PART = 2
# Words that stand in most sentences tell little.
_COMMON_WORDS = (
    "a an the i we you it is are was be to of in on at for and or not no do that this with can will have has"
    " my our me as by if so but all any up its s t ll re ve d m"
)
_COMMON = frozenset(_COMMON_WORDS.split())
_COMMON_SIGNS = frozenset(".,:;-'\"!?()")
_WORDS = re.compile(r"\w+")
_SIGNS = {code: " " for code in range(128) if not _WORDS.match(chr(code))}


class _Way(NamedTuple):
    """One way through a pattern: the best of what it needs so far, and the letters it stands in."""

    worth: int = 0
    text: str = ""
    is_word: bool = False
    """Whether it must stand as a word of its own."""
    open: str = _ANY


class Gate:
    """A pattern, and the words and parts of words of which a text needs one."""

    __slots__ = ("_folds", "_is_for_ascii", "_needed", "_parts", "_pattern", "_rest")

    def __init__(self, pattern: re.Pattern[str], needed: Iterable[_Way], rest: str) -> None:
        """*rest*: the alternatives of the pattern that do without what is *needed*; there may be none."""
        self._pattern = pattern
        self._rest = re.compile(rest, pattern.flags) if rest else None
        self._folds = bool(pattern.flags & re.IGNORECASE)
        texts = frozenset((way.text, way.is_word) for way in needed)
        self._needed = frozenset(text for text, is_word in texts if is_word)
        self._parts = tuple(sorted(text for text, is_word in texts if not is_word and text.isascii()))
        # Some letters beyond ASCII are the same as letters of it, where case does not count.
        self._is_for_ascii = not self._folds and all(text.isascii() for text, _ in texts)

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match in a text."""
        if self.opens(text):
            return self._pattern.search(text)
        return self._rest.search(text) if self._rest is not None else None

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the beginning of a text."""
        if self.opens(text):
            return self._pattern.match(text)
        return self._rest.match(text) if self._rest is not None else None

    @property
    def pattern(self) -> str:
        """The pattern itself."""
        return self._pattern.pattern

    @property
    def flags(self) -> int:
        """Those of the pattern."""
        return self._pattern.flags

    def opens(self, text: str) -> bool:
        """Return whether a text has what most alternatives need; the rest are always looked for."""
        if not (self._is_for_ascii or text.isascii()):
            return True
        if self._folds:
            text = text.lower()
        if not self._needed.isdisjoint(words(text)):
            return True
        for part in self._parts:  # noqa: SIM110 (asked of every sentence)
            if part in text:
                return True
        return False


def gated(pattern: str, flags: int = 0) -> Gate:
    r"""Return a pattern with its gate.

    >>> gate = gated(r"\b(?:turns|turned) out\b|\bmax\w* of")
    >>> gate.search("it turns out well") is not None, gate.search("the end") is None
    (True, True)
    """
    compiled = re.compile(pattern, flags)
    parts = [(_needed(part, flags), part) for part in alternatives(pattern)]
    if compiled.groups and not all(needed for needed, _ in parts):
        return Gate(compiled, (), pattern)
    needed: list[_Way] = []
    left, rest = _MOST_PARTS, set()
    for ways, part in sorted(parts, key=lambda pair: sum(not way.is_word for way in pair[0])):
        left -= sum(not way.is_word and way.text.isascii() for way in ways)
        if ways and left >= 0:
            needed += ways
        else:
            rest.add(part)
    return Gate(compiled, needed, "|".join(part for _, part in parts if part in rest))


@lru_cache(512)
def words(text: str) -> frozenset[str]:
    """Return the words of a text, as a pattern knows where they end."""
    return frozenset(text.translate(_SIGNS).split() if text.isascii() else _WORDS.findall(text))


def _needed(pattern: str, flags: int) -> set[_Way]:
    """Return of what a match needs one; nothing, if it can do without."""
    try:
        ways = _ways(parsed(pattern, bool(flags & re.IGNORECASE)), {_Way()})
    except Unreadable:
        return set()
    found = {_closed(way._replace(open=way.open + _ANY))._replace(open="", worth=1) for way in ways}
    return found if all(way.text for way in found) else set()


def _ways(node: Node, ways: set[_Way]) -> set[_Way]:
    """Return the ways behind a part of a pattern."""
    match node:
        case Text(text):
            after = {_Way(worth, best, is_word, open + text) for worth, best, is_word, open in ways}
        case Gap(sign):
            after = {_closed(way, sign) for way in ways}
        case Either(parts):
            after = set().union(*(_ways(part, ways) for part in parts))
        case Row(parts):
            after = ways
            for part in parts:
                after = _ways(part, after)
        case Repeat(part, least, is_more):
            after = _repeated(part, least, is_more, ways)
        case _:
            after = _with_any(ways)
    if len(after) > _MOST_WAYS:
        raise Unreadable
    return after


def _repeated(part: Node, least: int, is_more: bool, ways: set[_Way]) -> set[_Way]:
    if not is_more:
        return _ways(part, ways) if least else ways | _ways(part, ways)
    first = _ways(part, ways) if least else ways
    more = _with_any(map(_closed, first) if begins_with_gap(part) else first)
    return first | (set(map(_closed, more)) if ends_with_gap(part) else more)


def _with_any(ways: Iterable[_Way]) -> set[_Way]:
    return {way if way.open[-1:] == _ANY else way._replace(open=way.open + _ANY) for way in ways}


def _closed(way: _Way, sign: str = "") -> _Way:
    """Return a way behind the end of a word: with that word, if it tells more than what was known."""
    worth, text, is_word, open = way
    parts = open.split(_ANY)
    longest = max(parts, key=len)
    is_whole = len(parts) == 1
    if (new := _worth(longest, is_whole)) > worth:
        worth, text, is_word = new, longest, is_whole
    if sign and not worth and sign not in _COMMON_SIGNS:
        worth, text, is_word = 1, sign, False
    return _Way(worth, text, is_word, "")


def _worth(text: str, is_word: bool) -> int:
    """Return how much it tells that a text holds this; nothing: 0."""
    if not is_word:
        return max(3 * len(text) - 4, 2) if len(text) >= _LEAST_PART or text > "\u2e80" else 0
    return (2 if text in _COMMON else 3 * len(text) + 2) if text else 0
