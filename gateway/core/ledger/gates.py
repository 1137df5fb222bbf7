"""Patterns behind a gate: searched for only where a text has a word that every match must have.

The tables of the ledger are long alternations of wordings; to look for one takes up to a hundred microseconds
in a sentence that holds none of them, as most do. What words a match cannot do without is read off the
pattern itself, so whoever edits a pattern need not think of its gate. A gate changes no answer: what it
cannot tell, it lets through.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gateway.core.ledger.grammar import (
    Beyond,
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
    spread,
)
from gateway.core.ledger.openings import BITS, MOST_CHARS, opening, wait_for
from gateway.core.ledger.searches import Search, search_for

_ESCAPED = re.compile(r"\\.")

_ANY = "\0"
"""Stands for what nobody knows: any characters, or none."""

_LETTER_BEYOND = "\u4e00"
"""Stands for any letter beyond ASCII: where there is one, a gate that needs any is open."""
_SURELY = 1_000
_SIGN = 3
"""A sign tells more than a word that is in most sentences, and less than any other."""

_MOST_WAYS = 3_000
_MOST_PARTS = 100
"""Where so many parts of words are enough, most texts have one."""

_LEAST_PART = 2
_MANY = 3
_MOST_PLANS = 256
_OFTEN = 3
"""From so many times on a part is looked for by itself: to make ready for it takes as long as some looks."""
_MOST_BESIDE = 100
"""With more characters around its parts an alternative is looked for as a whole."""
# Words that stand in most sentences tell little.
_COMMON_WORDS = (
    "a an the i we you it is are was be to of in on at for and or not no do that this with can will have has"
    " my our me as by if so but all any up its s t ll re ve d m"
)
_COMMON = frozenset(_COMMON_WORDS.split())
_COMMON_SIGNS = frozenset(".,")


class _Way(NamedTuple):
    """One way through a pattern: the best of what it needs so far, and the letters it stands in."""

    worth: int = 0
    text: str = ""
    is_word: bool = False
    """Whether it must stand as a word of its own."""
    open: str = _ANY


_NOTHING: frozenset[_Way] = frozenset()


class Gate:
    """A pattern, and of each of its alternatives the words and parts of words of which a text needs one."""

    __slots__ = (
        "_alternatives",
        "_beyond",
        "_first",
        "_flags",
        "_folds",
        "_mask",
        "_pattern",
        "_plans",
        "_rest",
        "_times",
        "_tried",
    )

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._pattern = re.compile(pattern, flags)
        self._folds = bool(flags & re.IGNORECASE)
        # What is written in small letters is looked for in small letters, which takes a part of the time.
        self._flags = flags & ~re.IGNORECASE if _is_small(pattern) else flags
        found = [(whole, *one) for whole in alternatives(pattern) for one in _spread(whole, flags)]
        self._alternatives = [(part, whole) for whole, part, _ in found]
        needed = [ways for _, _, ways in found]
        self._times: dict[str, int] = {}
        self._tried: dict[str, Search] = {}
        self._plans: dict[int, Sequence[Search]] = {}
        # The last bit is of texts with other letters than the needed ones that may match all the same.
        self._first, self._beyond = BITS.take(len(needed) + 1), 1 << len(needed)
        self._mask = (2 << len(needed)) - 1 << self._first
        for bit, ways in enumerate(needed, self._first):
            for way in ways:
                wait_for(way.text, way.is_word, bit)
        # Some letters beyond ASCII are the same as letters of it, where case does not count.
        if self._folds or not all(way.text.isascii() for ways in needed for way in ways):
            BITS.beyond |= self._beyond << self._first
        rest = [part for _, part, ways in found if not ways]
        starting = [part for part in rest if part.startswith("^")]
        others = [part for part in rest if not part.startswith("^")]
        self._rest = [search_for("|".join(some), self._flags) for some in (starting, others) if some]

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
        if len(text) > MOST_CHARS:
            return self._pattern.search(text)
        small = text.lower() if self._folds else text
        bits = (opening(small) & self._mask) >> self._first
        if not bits and not self._rest:
            return None
        if bits & self._beyond:
            return self._pattern.search(text)
        plan = self._plans.get(bits) or self._planned(bits)
        found = [match.start() for search in plan if (match := search(small))]
        # Of those that begin at one place the pattern itself knows which comes first.
        return self._pattern.match(text, min(found)) if found else None

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the beginning of a text."""
        if self._rest or len(text) > MOST_CHARS:
            return self._pattern.match(text)
        is_open = opening(text.lower() if self._folds else text) & self._mask
        return self._pattern.match(text) if is_open else None

    def sub(self, by: str, text: str) -> str:
        """Return a text with something else in the place of each match."""
        return self._pattern.sub(by, text) if self.search(text) else text

    def opened(self, text: str) -> Sequence[int]:
        """Return the numbers of the alternatives that may match in a text."""
        return _numbers(opening(text.lower() if self._folds else text) >> self._first & self._beyond - 1)

    def _planned(self, bits: int) -> Sequence[Search]:
        """Return what is to be searched for where these alternatives may match; it is remembered."""
        numbers = _numbers(bits)
        # Where many parts of an alternative are open, it is sooner searched for as a whole.
        is_many = len(numbers) > _MANY
        parts = dict.fromkeys([self._alternatives[number][is_many] for number in numbers])
        searches = [search for part in parts if (search := self._tried.get(part) or self._tried_again(part))]
        if len(searches) < len(parts):
            return (self._pattern.search,)
        if len(self._plans) >= _MOST_PLANS:
            self._plans.clear()
        plan = self._plans[bits] = (*searches, *self._rest)
        return plan

    def _tried_again(self, part: str) -> Search | None:
        """Return what looks for a part, once it was asked for often enough to be worth the making."""
        times = self._times[part] = self._times.get(part, 0) + 1
        if times < _OFTEN:
            return None
        search = self._tried[part] = search_for(part, self._flags)
        return search


def _numbers(bits: int) -> list[int]:
    """Return which bits are set."""
    found = []
    while bits:
        found.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return found


def _is_small(pattern: str) -> bool:
    """Return whether a pattern is written in small letters."""
    bare = _ESCAPED.sub("", pattern)
    return bare == bare.lower()


def gated(pattern: str, flags: int = 0) -> Gate:
    r"""Return a pattern with its gate.

    >>> gate = gated(r"\b(?:turns|turned) out\b|\bmax\w* of")
    >>> gate.search("it turns out well") is not None, gate.search("the end") is None
    (True, True)
    """
    return Gate(pattern, flags)


def _spread(alternative: str, flags: int) -> Iterator[tuple[str, frozenset[_Way]]]:
    """Yield patterns of which one matches where an alternative does, each with what it needs one of.

    What needs nothing of which a text can be asked can match anywhere.
    """
    before, parts, behind = spread(alternative)
    folds = bool(flags & re.IGNORECASE)
    try:
        first, last = _ways(parsed(before, folds), {_Way()}), parsed(behind, folds)
    except Unreadable:
        yield alternative, _NOTHING
        return
    needing: dict[frozenset[_Way], list[str]] = {}
    for part in parts:
        needing.setdefault(_needed_by(part, first, last, folds), []).append(part)
    if len(before) + len(behind) > _MOST_BESIDE:
        needs = _NOTHING if _NOTHING in needing else frozenset().union(*needing)
        yield alternative, needs
        return
    for ways, some in needing.items():
        yield f"{before}(?:{'|'.join(some)}){behind}", ways


def _needed_by(part: str, first: set[_Way], last: Node, folds: bool) -> frozenset[_Way]:
    try:
        ways = _ways(last, _ways(parsed(part, folds), first))
    except Unreadable:
        return _NOTHING
    found = {_closed(way._replace(open=way.open + _ANY))._replace(open="", worth=1) for way in ways}
    is_worth = all(way.text for way in found) and sum(not way.is_word for way in found) <= _MOST_PARTS
    return frozenset(found) if is_worth else _NOTHING


def _ways(node: Node, ways: set[_Way]) -> set[_Way]:
    """Return the ways behind a part of a pattern."""
    match node:
        case Text(text):
            after = {_Way(worth, best, is_word, open + text) for worth, best, is_word, open in ways}
        case Beyond():
            after = {_Way(_SURELY, _LETTER_BEYOND)}
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
    if sign and worth < _SIGN and sign not in _COMMON_SIGNS:
        worth, text, is_word = _SIGN, sign, False
    return _Way(worth, text, is_word, "")


def _worth(text: str, is_word: bool) -> int:
    """Return how much it tells that a text holds this; nothing: 0."""
    if not is_word:
        return max(3 * len(text) - 4, 2) if len(text) >= _LEAST_PART or text > "\u2e80" else 0
    return (2 if text in _COMMON else 3 * len(text) + 2) if text else 0
