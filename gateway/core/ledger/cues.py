"""Tell of what kind a sentence is, by the words of the tables.

The words of a sentence are looked up among the anchors of the tables, so a sentence without any costs one
pass over its words, and one with some is searched only for the patterns that these words belong to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from gateway.core.ledger import phrases, words_zh
from gateway.core.ledger.entry import Kind
from gateway.core.ledger.grammar import alternatives
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
            for start in starts:
                if found := self.at_start.match(sentence, start):
                    break
        return found


def _row(number: int, kind: Kind, pattern: str) -> _Row:
    # What all alternatives begin with is looked for once: so tables say `\b^` behind others with `\b`.
    parts = alternatives(pattern)
    starting = [part.removeprefix(phrases.S) for part in parts if part.startswith(phrases.S)]
    others = [part for part in parts if not part.startswith(phrases.S)]
    compiled = [re.compile("|".join(some)) if some else None for some in (others, starting)]
    return _Row(number, kind, *compiled)


_ROWS = [_row(number, kind, pattern) for number, (kind, _, pattern) in enumerate(_TABLE)]
_ANCHORS = frozenset(word for _, anchors, _ in _TABLE for word in anchors.split())


_BOUNDING = frozenset(word for _, anchors, _ in LIMITS for word in anchors.split())


@cache
def _index(kinds: frozenset[Kind], is_bounded: bool) -> dict[str, list[int]]:
    """Return the numbers of the rows of these kinds by anchor; no limits, unless *is_bounded*."""
    index: dict[str, list[int]] = {}
    for row, (kind, anchors, _) in zip(_ROWS, _TABLE, strict=True):
        if kind in kinds and (is_bounded or kind is not Kind.LIMIT):
            for anchor in anchors.split():
                index.setdefault(anchor, []).append(row.number)
    return index


# Most sentences have one of a few sets of anchors.
@lru_cache(1024)
def _rows(kinds: frozenset[Kind], is_bounded: bool, anchors: frozenset[str]) -> Sequence[_Row]:
    """Return the rows of these kinds by their anchors, in order."""
    index = _index(kinds, is_bounded)
    numbers = {number for word in anchors for number in index.get(word, ())}
    return tuple([_ROWS[number] for number in sorted(numbers)])


_QUANTITY = re.compile(rf"[{phrases.DIGIT}%]")
_QUANTITY_WORDS = frozenset(QUANTITY_WORDS.split())
_PUNCTUATION = re.compile(r"[.,;:!?()\[\]{}|\"“”‘`*/#<>=+…—–&~^]")
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


# Each table asks for the words of a sentence anew.
@lru_cache(256)
def words(sentence: str) -> frozenset[str]:
    """Return the words of a plain sentence, as anchors are looked up."""
    return frozenset(_PUNCTUATION.sub(" ", sentence).split())


def is_worth_a_look(sentence: str, words: frozenset[str]) -> bool:
    """Return whether a plain sentence of these words has one that any pattern could begin with."""
    return not _ANCHORS.isdisjoint(words) or _is_other(sentence, words)


def _is_other(sentence: str, words: frozenset[str]) -> bool:
    return not _FOREIGN.isdisjoint(words) or not (sentence.isascii() or not _OTHER_SCRIPT.search(sentence))


def kind_of(
    sentence: str, kinds: frozenset[Kind], present: frozenset[str] | None = None
) -> tuple[Kind, int, int] | None:
    """Return what a plain sentence is, the most important of these *kinds*, and where its words stand.

    *present* are its words, where they are known already.

    >>> kind_of("never push to main", frozenset(Kind))
    (<Kind.PROHIBITION: 'Prohibitions'>, 0, 7)
    """
    present = words(sentence) if present is None else present
    best = None
    if anchors := _ANCHORS & present:
        is_bounded = not _BOUNDING.isdisjoint(anchors) and (
            _QUANTITY.search(sentence) is not None or not _QUANTITY_WORDS.isdisjoint(present)
        )
        best = _first(_rows(kinds, is_bounded, anchors), sentence)
    if _is_other(sentence, present):
        other = _first([row for row in _OTHERS if row.kind in kinds], sentence)
        if best is None or (other is not None and _FIRST[other[0]] < _FIRST[best[0]]):
            return other
    return best


def _first(rows: Sequence[_Row], sentence: str) -> tuple[Kind, int, int] | None:
    """Return the first that matches of rows that are in order of importance."""
    starts: list[int] = []
    for row in rows:
        if row.at_start and not starts:
            starts = phrases.starts(sentence)
        match = row.match(sentence, starts)
        if match and (row.kind is not Kind.LIMIT or _bounds(match[0])):
            return row.kind, match.start(), match.end()
    return None


# A word like "budget" and a number bound something only where they belong together.
_NOUN = r"(?:caps?|capped|budgets?|budgeted|ceiling|quota|allowance|limit(?:s|ed)?|threshold|tops)"
_APART = re.compile(
    rf"{_NOUN}\b(?!.*(?:[:=|$€£¥~≤<(]|\b(?:is|are|was|be|of|at|to|from|by|now|has|have|stays?|remains?|around|about"
    rf"|under|below|must|should|shall|will|can|may|set|only|up|no|not|max\w*|we|it|per|for|down)\b)).{{12,}}"
    rf"|\d+(?:[.,]\d+)*(?:[:.,)]\s.*|(?:\s\S+){{3,}}(?<!\bis)(?<!\bas)(?<!\bour)(?<!\bthe)(?<!\bof)(?<!\bmy)\s){_NOUN}"
)


def _bounds(words: str) -> bool:
    """Return whether the words that make a sentence a limit stand close enough together.

    >>> _bounds("budget is 500"), _bounds("budget gateway found 1674")
    (True, False)
    """
    return not _APART.fullmatch(words)
