r"""A regular expression taken apart, as far as it tells what letters a match must have.

What stands for one of many letters is unknown; what can only be beside words (a space, a sign, a place
between letters and others) is a gap; what looks around is left out, it takes no letters. What is not known
here is unreadable: better no answer than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


class Unreadable(Exception):
    """A pattern has something in it that is not read here."""


@dataclass(frozen=True, slots=True)
class Text:
    """Letters, as they stand."""

    text: str


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that is no letter: a word ends before it, and one begins behind it."""

    sign: str = ""
    """The sign itself, if it is always the same one."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Any characters, or none."""


@dataclass(frozen=True, slots=True)
class Beyond:
    """One of many letters, none of which is of ASCII."""


@dataclass(frozen=True, slots=True)
class Row:
    """Parts behind each other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """Parts of which a match has one."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part that is there several times, or not at all."""

    part: Node
    least: int
    is_more: bool
    """Whether it may be there more than once."""


Node = Text | Gap | Unknown | Beyond | Row | Either | Repeat

_GROUP = re.compile(r"\((?:\?(?::|P<\w+>|>|(?P<around><?[=!])|(?P<other>.)))?")
_TIMES = re.compile(r"(?:([*+?])|\{(\d*)(?:(,)(\d*))?\})[?+]?")
_SET = re.compile(r"\[(\^?)(\]?(?:\\.|[^\]\\])*)\]", re.DOTALL)
_MEMBER = re.compile(r"(?:\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)|.)", re.DOTALL)
# Letters beyond ASCII, and ranges of them.
_BEYOND = re.compile(r"(?:(?:[^\x00-\x7f]|\\u(?!00[0-7])[0-9a-f]{4})(?:-(?:[^\x00-\x7f]|\\u[0-9a-f]{4}))?)+")
_FEW = 4
"""A set of no more letters is each of them."""


def _outermost(pattern: str) -> Iterator[tuple[str, int]]:
    """Yield where groups open and close and alternatives are parted, but for what is inside of groups."""
    depth, in_set = 0, False
    for token in re.finditer(r"\\.|.", pattern, re.DOTALL):
        sign = token[0]
        in_set = sign == "[" or (in_set and sign != "]")
        if in_set or sign not in ("(", ")", "|"):
            continue
        depth -= sign == ")"
        if not depth:
            yield sign, token.start()
        depth += sign == "("


def alternatives(pattern: str) -> list[str]:
    """Return the alternatives of a pattern, not those inside of its groups.

    >>> alternatives("a|(b|c)[|]|d")
    ['a', '(b|c)[|]', 'd']
    """
    parts, start = [], 0
    for sign, at in _outermost(pattern):
        if sign == "|":
            parts.append(pattern[start:at])
            start = at + 1
    return [*parts, pattern[start:]]


def spread(alternative: str) -> tuple[str, list[str], str]:
    """Return the parts of the widest group of an alternative, with what stands before it and behind it.

    >>> spread("a(?:b|c)?(?:d|e|f)g(?:h|i)")
    ('a(?:b|c)?', ['d', 'e', 'f'], 'g(?:h|i)')
    """
    before, widest, behind = "", [alternative], ""
    opened = 0
    for sign, at in _outermost(alternative):
        if sign == "(":
            opened = at
        elif alternative.startswith("(?:", opened) and not _TIMES.match(alternative, at + 1):
            parts = alternatives(alternative[opened + 3 : at])
            if len(parts) > len(widest):
                before, widest, behind = alternative[:opened], parts, alternative[at + 1 :]
    return before, widest, behind


def parsed(pattern: str, folds: bool = False) -> Node:
    """Return a pattern, taken apart; in small letters, if case does not count (*folds*).

    >>> parsed("ab|c d") == Either((Text("ab"), Row((Text("c"), Gap(), Text("d")))))
    True
    """
    reader = _Reader(pattern, folds)
    node = reader.either()
    if reader.at < len(pattern):
        raise Unreadable
    return node


def begins_with_gap(node: Node) -> bool:
    """Return whether a part begins with a gap, whichever way it is gone through."""
    return _has_gap(node, 0)


def ends_with_gap(node: Node) -> bool:
    """Return whether a part ends with a gap."""
    return _has_gap(node, -1)


def _has_gap(node: Node, end: int) -> bool:
    match node:
        case Gap():
            return True
        case Either(parts):
            return all(_has_gap(part, end) for part in parts)
        case Row(parts):
            return bool(parts) and _has_gap(parts[end], end)
        case Repeat(part, least):
            return bool(least) and _has_gap(part, end)
    return False


class _Reader:
    """Goes through a pattern."""

    def __init__(self, pattern: str, folds: bool) -> None:
        self.at = 0
        self._pattern = pattern
        self._folds = folds

    def either(self) -> Node:
        """Return the alternatives from here to the end of their group."""
        parts = [self._row()]
        while self._next() == "|":
            self.at += 1
            parts.append(self._row())
        return parts[0] if len(parts) == 1 else Either(tuple(parts))

    def _next(self) -> str:
        return self._pattern[self.at : self.at + 1]

    def _row(self) -> Node:
        parts: list[Node] = []
        while self._next() not in ("", "|", ")"):
            part = self._repeated(self._atom())
            if isinstance(part, Text) and parts and isinstance(parts[-1], Text):
                parts[-1] = Text(parts[-1].text + part.text)
            elif part is not None:
                parts.append(part)
        return parts[0] if len(parts) == 1 else Row(tuple(parts))

    def _repeated(self, atom: Node | None) -> Node | None:
        found = _TIMES.match(self._pattern, self.at)
        if found is None:
            return atom
        self.at = found.end()
        sign, low, comma, high = found.groups()
        if atom is None:
            raise Unreadable
        if sign:
            return Repeat(atom, int(sign == "+"), sign != "?")
        if not (low or comma):
            raise Unreadable
        return Repeat(atom, min(int(low or 0), 1), (high if comma else low) not in ("0", "1"))

    def _atom(self) -> Node | None:
        """Return what stands here; None if it takes no characters and tells of none."""
        sign = self._next()
        if sign == "(":
            return self._group()
        if sign == "[":
            return self._set()
        if sign == "\\":
            return self._escaped()
        self.at += 1
        if sign == ".":
            return Unknown()
        return Gap() if sign in "^$" else self._letter(sign)

    def _letter(self, sign: str) -> Node:
        if not (sign.isalnum() or sign == "_"):
            return Gap("" if sign.isspace() else sign)
        return Text(sign.lower() if self._folds else sign)

    def _group(self) -> Node | None:
        found = _GROUP.match(self._pattern, self.at)
        if found is None or found["other"]:
            raise Unreadable
        self.at = found.end()
        node = self.either()
        if self._next() != ")":
            raise Unreadable
        self.at += 1
        return None if found["around"] else node

    def _escaped(self) -> Node | None:
        found = _MEMBER.match(self._pattern, self.at)
        if found is None:
            raise Unreadable
        self.at = found.end()
        return self._member(found[0])

    def _member(self, escape: str) -> Node | None:
        kind = escape[1:2]
        if kind in "ux" and len(escape) > 2:
            return self._letter(chr(int(escape[2:], 16)))
        if kind in "bsWntrfvAZ":
            return Gap()
        if kind == "B":
            return None
        return Unknown() if kind.isalnum() else self._letter(kind)

    def _set(self) -> Node:
        found = _SET.match(self._pattern, self.at)
        if found is None:
            raise Unreadable
        self.at = found.end()
        if found[1]:
            return Unknown()
        if not self._folds and _BEYOND.fullmatch(found[2]):
            return Beyond()
        members = _MEMBER.findall(found[2])
        if "-" in members[1:-1]:
            return Unknown()
        nodes = {self._member(member) if member[0] == "\\" else self._letter(member) for member in members}
        if len(nodes) > _FEW:
            return Gap() if all(isinstance(node, Gap) for node in nodes) else Unknown()
        return Either(tuple(node for node in nodes if node is not None))
