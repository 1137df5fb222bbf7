"""Tell of what kind a sentence is, by the words of the tables.

The words of a sentence are looked up among the anchors of the tables, so a sentence without any costs one
pass over its words, and one with some is searched only for the patterns that these words belong to.
"""

from __future__ import annotations

import re

from gateway.core.ledger import words_en, words_en_more, words_zh
from gateway.core.ledger.entry import Kind

_WORD = re.compile(r"[a-z][a-z']*(?:-[a-z]+)*")
_OTHER_SCRIPT = re.compile(r"[^\x00-\x7f‘’“”–—…•·€£°©®™]")

_TABLE = (
    *words_en.LIMITS,
    *words_en.PROHIBITIONS,
    *words_en.RULES,
    *words_en_more.PREFERENCES,
    *words_en_more.GOALS,
    *words_en_more.TASKS,
    *words_en_more.DECISIONS,
)


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

_Row = tuple[int, Kind, re.Pattern[str]]


def _index() -> dict[str, list[_Row]]:
    index: dict[str, list[_Row]] = {}
    for number, (kind, anchors, pattern) in enumerate(_TABLE):
        row = (number, kind, re.compile(pattern))
        for anchor in anchors.split():
            index.setdefault(anchor, []).append(row)
    return index


_INDEX = _index()
_ANCHORS = frozenset(_INDEX)
# Other languages that are often written without any letter beyond ASCII.
_FOREIGN = frozenset(
    "niemals immer verboten darf bitte maximal mindestens jamais toujours interdit il nunca siempre prohibido mai sempre"
    " vietato proibido nooit altijd verboden nigdy zawsze bajo stets unbedingt ab".split()
)
_OTHERS = sorted(
    ((number, kind, re.compile(pattern)) for number, (kind, pattern) in enumerate(words_zh.ZH)),
    key=lambda row: _FIRST[row[1]],
)


def words(sentence: str) -> frozenset[str]:
    """Return the words of a plain sentence, as anchors are looked up."""
    return frozenset(_WORD.findall(sentence))


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
    rows = {row for word in _ANCHORS & present for row in _INDEX[word] if row[1] in kinds}
    best = _first(sorted(rows, key=_number), sentence)
    if _is_other(sentence, present):
        other = _first([row for row in _OTHERS if row[1] in kinds], sentence)
        if best is None or other is not None and _FIRST[other[0]] < _FIRST[best[0]]:
            return other
    return best


def _first(rows: list[_Row], sentence: str) -> tuple[Kind, int, int] | None:
    """Return the first that matches of rows that are in order of importance."""
    for _, kind, pattern in rows:
        if match := pattern.search(sentence):
            return kind, match.start(), match.end()
    return None


def _number(row: _Row) -> int:
    return row[0]
