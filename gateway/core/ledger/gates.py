"""Patterns behind a gate: searched for only where a text has a word that every match must have.

The tables of the ledger are long alternations of wordings; to look for one takes up to a hundred microseconds
in a sentence that holds none of them, as most do. What words a match cannot do without is read off the
pattern itself, so whoever edits a pattern need not think of its gate. A gate changes no answer: what it
cannot tell, it lets through.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import count
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

_INDEX: dict[str, dict[int, tuple[int, ...]]] = {}
"""By every word that a gate knows, and the number of the gate, which of its alternatives need the word."""
_COUNT = count()
_NOTHING: dict[int, tuple[int, ...]] = {}

Search = Callable[[str], re.Match[str] | None]

_ANY = "\0"
"""Stands for what nobody knows: any characters, or none."""

_MOST_WAYS = 3_000
_MOST_PARTS = 12
"""Each is looked for by itself; an alternative with more of them is as fast without."""

_MOST_CHARS = 4_000
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
    """A pattern, and of each of its alternatives the words and parts of words of which a text needs one."""

    __slots__ = ("_alternatives", "_folds", "_is_ascii", "_number", "_parts", "_pattern", "_rest", "_tried")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._pattern = re.compile(pattern, flags)
        self._folds = bool(flags & re.IGNORECASE)
        self._alternatives = alternatives(pattern)
        self._tried: dict[int, Search] = {}
        self._number = next(_COUNT)
        needed: set[str] = set()
        parts: dict[str, list[int]] = {}
        rest = []
        for number, alternative in enumerate(self._alternatives):
            ways = _needed(alternative, flags)
            if not ways or sum(not way.is_word for way in ways) > _MOST_PARTS:
                rest.append(alternative)
                continue
            for way in ways:
                needed.add(way.text)
                if way.is_word:
                    gates = _INDEX.setdefault(way.text, {})
                    gates[self._number] = (*gates.get(self._number, ()), number)
                else:
                    parts.setdefault(way.text, []).append(number)
        _alternatives_by_gate.cache_clear()
        self._parts = [(part, numbers) for part, numbers in parts.items() if part.isascii()]
        # Some letters beyond ASCII are the same as letters of it, where case does not count.
        self._is_ascii = not self._folds and all(map(str.isascii, needed))
        starting = [part for part in rest if part.startswith("^")]
        others = [part for part in rest if not part.startswith("^")]
        self._rest = [_search("|".join(some), flags) for some in (starting, others) if some]

    @property
    def pattern(self) -> str:
        """The pattern itself."""
        return self._pattern.pattern

    @property
    def flags(self) -> int:
        """Those of the pattern."""
        return self._pattern.flags

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match in a text."""
        if self._is_beyond(text):
            return self._pattern.search(text)
        opened = self.opened(text)
        if not opened and not self._rest:
            return None
        found = [
            match for search in (*map(self._alternative, opened), *self._rest) if (match := search(text))
        ]
        # Of those that begin at one place the pattern itself knows which comes first.
        return self._pattern.match(text, min(match.start() for match in found)) if found else None

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the beginning of a text."""
        if self._rest or self._is_beyond(text) or self.opened(text):
            return self._pattern.match(text)
        return None

    def _is_beyond(self, text: str) -> bool:
        """Return whether a text has letters that are not known, or is too long to be remembered."""
        return not (self._is_ascii or text.isascii()) or len(text) > _MOST_CHARS

    def opened(self, text: str) -> Sequence[int]:
        """Return the numbers of the alternatives that may match in a text."""
        if self._folds:
            text = text.lower()
        found = _alternatives_by_gate(text).get(self._number, ())
        for part, numbers in self._parts:
            if part in text:
                found = (*found, *numbers)
        return found

    def _alternative(self, number: int) -> Search:
        search = self._tried.get(number)
        if search is None:
            search = self._tried[number] = _search(self._alternatives[number], self.flags)
        return search


def _search(pattern: str, flags: int) -> Search:
    """Return what looks for a pattern; what stands at the beginning is looked for only there."""
    compiled = re.compile(pattern, flags)
    return compiled.match if pattern.startswith("^") and not flags & re.MULTILINE else compiled.search


def gated(pattern: str, flags: int = 0) -> Gate:
    r"""Return a pattern with its gate.

    >>> gate = gated(r"\b(?:turns|turned) out\b|\bmax\w* of")
    >>> gate.search("it turns out well") is not None, gate.search("the end") is None
    (True, True)
    """
    return Gate(pattern, flags)


# Most texts are asked for by a dozen gates.
@lru_cache(256)
def _alternatives_by_gate(text: str) -> Mapping[int, Sequence[int]]:
    """Return for each gate of which the text has a word which of its alternatives need that word."""
    found: dict[int, tuple[int, ...]] = {}
    for word in frozenset(text.translate(_SIGNS).split() if text.isascii() else _WORDS.findall(text)):
        for gate, numbers in _INDEX.get(word, _NOTHING).items():
            found[gate] = found[gate] + numbers if gate in found else numbers
    return found


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
