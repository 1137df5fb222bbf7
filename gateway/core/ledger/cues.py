"""Tell of what kind a sentence is, by the words of the tables.

The words of a sentence are looked up among the anchors of the tables, so a sentence without any costs one
pass over its words, and one with some is searched only for the patterns that these words belong to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gateway.core.ledger import phrases, words_zh
from gateway.core.ledger.entry import Kind
from gateway.core.ledger.words_customs import CUSTOMS
from gateway.core.ledger.words_decisions import DECISIONS
from gateway.core.ledger.words_goals import GOALS
from gateway.core.ledger.words_limits import LIMITS, QUANTITY_WORDS
from gateway.core.ledger.words_preferences import PREFERENCES
from gateway.core.ledger.words_prohibitions import PROHIBITIONS
from gateway.core.ledger.words_rules import RULES
from gateway.core.ledger.words_tasks import TASKS

_OTHER_SCRIPT = re.compile(r"[^\x00-\x7f‘’“”–—…•·€£°©®™]")

_TABLE = (*LIMITS, *PROHIBITIONS, *RULES, *CUSTOMS, *PREFERENCES, *GOALS, *TASKS, *DECISIONS)


# What a sentence is that would be several: a cap is more exact than the "not" it is worded with.
_FIRST = {
    kind: number
    for number, kind in enumerate(
        (
            Kind.LIMIT,
            Kind.PROHIBITION,
            Kind.RULE,
            Kind.PREFERENCE,
            Kind.GOAL,
            Kind.TASK,
            Kind.DECISION,
            Kind.VALUE,
        )
    )
}


@dataclass(frozen=True, slots=True, eq=False)
class _Row:
    """A row of a table, ready to be tried."""

    number: int
    kind: Kind
    anywhere: re.Pattern[str] | None
    at_start: re.Pattern[str] | None
    """Tried only where an imperative can begin."""

    def match(self, sentence: str, starts: Sequence[int]) -> re.Match[str] | None:
        """Return where the row matches a sentence in which imperatives can begin at *starts*."""
        found = self.anywhere.search(sentence) if self.anywhere else None
        if found is None and self.at_start:
            return next(filter(None, (self.at_start.match(sentence, start) for start in starts)), None)
        return found


def _row(number: int, kind: Kind, pattern: str) -> _Row:
    parts = _alternatives(pattern)
    starting = [part.removeprefix(phrases.S) for part in parts if part.startswith(phrases.S)]
    others = [part for part in parts if not part.startswith(phrases.S)]
    compiled = [re.compile("|".join(some)) if some else None for some in (others, starting)]
    return _Row(number, kind, *compiled)


def _alternatives(pattern: str) -> list[str]:
    """Return the alternatives of a pattern, not those inside of its groups.

    >>> _alternatives("a|(b|c)[|]|d")
    ['a', '(b|c)[|]', 'd']
    """
    parts, depth, in_set, start = [], 0, False, 0
    for token in re.finditer(r"\\.|.", pattern):
        sign = token[0]
        in_set = sign == "[" or (in_set and sign != "]")
        depth += not in_set and (sign == "(") - (sign == ")")
        if sign == "|" and not in_set and depth == 0:
            parts.append(pattern[start : token.start()])
            start = token.end()
    return [*parts, pattern[start:]]


def _index() -> dict[str, list[_Row]]:
    index: dict[str, list[_Row]] = {}
    for number, (kind, anchors, pattern) in enumerate(_TABLE):
        row = _row(number, kind, pattern)
        for anchor in anchors.split():
            index.setdefault(anchor, []).append(row)
    return index


_INDEX = _index()
_ANCHORS = frozenset(_INDEX)
_STARTS = re.compile(phrases.STARTS)
_QUANTITY = re.compile(r"\d|%")
_QUANTITY_WORDS = frozenset(QUANTITY_WORDS.split())
_PUNCTUATION = str.maketrans(dict.fromkeys('.,;:!?()[]{}|"“”‘`*/#<>=+…—–&~^', " "))
# Other languages that are often written without any letter beyond ASCII.
_FOREIGN_WORDS = (
    "niemals immer verboten darf bitte maximal mindestens jamais toujours interdit il nunca"
    " siempre prohibido mai sempre"
    " vietato proibido nooit altijd verboden nigdy zawsze bajo stets unbedingt ab"
)
_FOREIGN = frozenset(_FOREIGN_WORDS.split())
_OTHERS = sorted(
    (_Row(number, kind, re.compile(pattern), None) for number, (kind, pattern) in enumerate(words_zh.ZH)),
    key=lambda row: _FIRST[row.kind],
)


def words(sentence: str) -> frozenset[str]:
    """Return the words of a plain sentence, as anchors are looked up."""
    return frozenset(sentence.translate(_PUNCTUATION).split())


def is_worth_a_look(sentence: str, words: frozenset[str]) -> bool:
    """Return whether a plain sentence of these words has one that any pattern could begin with."""
    return not _ANCHORS.isdisjoint(words) or _is_other(sentence, words)


def _is_other(sentence: str, words: frozenset[str]) -> bool:
    return not _FOREIGN.isdisjoint(words) or bool(_OTHER_SCRIPT.search(sentence))


def kind_of(sentence: str, kinds: frozenset[Kind]) -> tuple[Kind, int, int] | None:
    """Return what a plain sentence is, the most important of these *kinds*, and where its words stand.

    >>> kind_of("never push to main", frozenset(Kind))
    (<Kind.PROHIBITION: 'Prohibitions'>, 0, 7)
    """
    present = words(sentence)
    rows = {row for word in _ANCHORS & present for row in _INDEX[word] if row.kind in kinds}
    if not _QUANTITY.search(sentence) and _QUANTITY_WORDS.isdisjoint(present):
        rows = {row for row in rows if row.kind is not Kind.LIMIT}
    best = _first(sorted(rows, key=_number), sentence) if rows else None
    if _is_other(sentence, present):
        other = _first([row for row in _OTHERS if row.kind in kinds], sentence)
        if best is None or (other is not None and _FIRST[other[0]] < _FIRST[best[0]]):
            return other
    return best


def _first(rows: list[_Row], sentence: str) -> tuple[Kind, int, int] | None:
    """Return the first that matches of rows that are in order of importance."""
    starts: list[int] = []
    if any(row.at_start for row in rows):
        starts = [0, *(match.end() for match in _STARTS.finditer(sentence))]
    for row in rows:
        if match := row.match(sentence, starts):
            return row.kind, match.start(), match.end()
    return None


def _number(row: _Row) -> int:
    return row.number
