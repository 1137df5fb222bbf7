"""Mark in a summary the exact values of what holds no longer, in whatever words it tells of them.

A model says in few words what a user said in many, and no rule can tell from "Host: db-1.internal" alone what
that is the host of. The user's statement can: where it was replaced, the line that names its value, and not
one that is in force, tells of the past. It is marked and not struck: the same value may be right elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gateway.core.ledger.claims import claim
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.topic import topic
from gateway.core.summary.identifiers import Identifier, Sort, Text, identifiers

MARK = " [perhaps replaced since]"
"""Stands behind what may hold no longer."""

# Of these one takes the place of another; whether a goal is reached or a task is done, the reader can tell.
STATES = frozenset((Kind.PROHIBITION, Kind.LIMIT, Kind.RULE, Kind.PREFERENCE, Kind.DECISION, Kind.VALUE))

_SHARED = frozenset((Sort.PATH, Sort.NAME, Sort.MEASURE))
"""Such a value can be that of many things: a line has to tell of which."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_LABEL = re.compile(r"\s*(?:(?:[-*•]|#{1,6}|\d{1,3}[.)]) )?(?:[^\W\d][\w ]{0,30}[:：])?")
# Where a sentence ends; a mark belongs to the one before it.
_ENDS = re.compile(
    r"(?<=[a-zA-Z0-9)\"'”][.!?])(?=[ \t]+[^\s\[])|(?<=[。！？])(?=[^。！？\s])"
    rf"|(?<=[.!?。！？]{re.escape(MARK)})(?=[ \t]*\S)"
)
_MOST_ELSE = 0.34
"""What a line may say beside a statement that has no value of its own, to be taken for it."""


@dataclass(frozen=True)
class _Old:
    """A statement that holds no longer."""

    values: tuple[Identifier, ...]
    """Its exact values that nothing in force has."""
    terms: frozenset[str]
    """The words and values that tell what it is about."""
    own: frozenset[str]
    """Those that nothing in force has."""


def with_values_marked(text: str, gone: Sequence[Entry], held: Sequence[Entry]) -> str:
    """Return a summary with a mark behind what it tells of what is *gone*, and not of what is *held*.

    >>> from gateway.core.ledger.entry import Kind
    >>> old, new = (Entry(Kind.VALUE, f"The host is {host}.internal") for host in ("db-1", "db-2"))
    >>> with_values_marked("- Host: db-1.internal, 3 tables", [old], [new])
    '- Host: db-1.internal [perhaps replaced since], 3 tables'
    """
    if not gone:
        return text
    there, terms = Text.of([entry.text for entry in held]), _terms("\n".join(entry.text for entry in held))
    olds = [_old(entry.text, there, terms) for entry in gone]
    lines = (list(units(line)) for line in text.split("\n"))
    return "\n".join("".join(_marked(unit, olds) for unit in parts) for parts in lines)


def with_held_unmarked(text: str, held: Sequence[Entry]) -> str:
    """Return a summary less the marks on what says no more than a statement that is in force.

    >>> from gateway.core.ledger.entry import Kind
    >>> with_held_unmarked("- Use db-1.internal." + MARK, [Entry(Kind.VALUE, "Use db-1.internal.")])
    '- Use db-1.internal.'
    """
    if MARK not in text:
        return text
    own = [entry for entry in held if not (entry.source or _ends_another(entry))]
    statements = [(_terms(entry.text), claim(entry).sign.changes) for entry in own]
    lines = []
    for line in text.split("\n"):
        parts = [_unmarked(unit, statements) if MARK in unit else unit for unit in units(line)]
        lines.append("".join(parts))
    return "\n".join(lines)


def _ends_another(entry: Entry) -> bool:
    """Return whether a statement ends another one, whose words it may have: "it need not stay off"."""
    told = claim(entry)
    return told.withdraws or told.permits or told.is_done or told.lifts


def _unmarked(unit: str, statements: Sequence[tuple[frozenset[str], bool]]) -> str:
    bare = unit.replace(MARK, "")
    terms = _terms(_LABEL.sub("", bare, count=1))
    # What changes something may name what it was before, too: who says less may say no more than that.
    is_held = bool(terms) and any(
        terms == one or (terms < one and not changes) for one, changes in statements
    )
    return bare if is_held else unit


def _old(text: str, there: Text, held: frozenset[str]) -> _Old:
    exact = [one for one in identifiers(text) if not (one.is_rough or there.has(one))]
    terms = _terms(text)
    return _Old(tuple(exact), terms, terms - held)


def _marked(unit: str, olds: Sequence[_Old]) -> str:
    bare = unit.replace(MARK, "")
    said, terms = Text.of([bare]), _terms(bare)
    for old in olds:
        if unit.endswith(MARK):
            break
        if old.values:
            if all(map(said.has, old.values)) and _is_of(terms, old):
                unit = _behind(unit, old.values)
        elif old.own and _says_only(_terms(_LABEL.sub("", bare, count=1)), old):
            unit += MARK
    return unit


def _is_of(terms: frozenset[str], old: _Old) -> bool:
    """Return whether somebody who says such words tells what the values are of, if that has to be told."""
    if any(one.sort not in _SHARED and not _DATE.fullmatch(one.text) for one in old.values):
        return True
    found = _terms("\n".join(one.text for one in old.values))
    return not (old.terms - found).isdisjoint(terms)


def _says_only(terms: frozenset[str], old: _Old) -> bool:
    """Return whether somebody who says such words says what is old, and little else."""
    return old.own <= terms and len(terms - old.terms) <= _MOST_ELSE * len(terms)


def _behind(unit: str, values: Sequence[Identifier]) -> str:
    for value in values:
        new = _pattern(value.text).sub(lambda match: match[0] + MARK, unit)
        # Written otherwise it is not found, and yet it is there.
        unit = new if new != unit or MARK in unit else unit + MARK
    return unit


def _pattern(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(value)}(?![A-Za-z0-9]|{re.escape(MARK)})")


def _terms(text: str) -> frozenset[str]:
    found = topic(text)
    return found.subject | found.values


def units(line: str) -> Iterator[str]:
    """Yield the sentences of a line, which are the line together.

    >>> list(units("- Be brief. Use v1.2 only."))
    ['- Be brief.', ' Use v1.2 only.']
    """
    yield from _ENDS.split(line)
