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
_OTHERS = sorted(((kind, re.compile(pattern)) for kind, pattern in words_zh.ZH), key=lambda row: _FIRST[row[0]])


def is_worth_a_look(sentence: str) -> bool:
    """Return whether a sentence in lower case has a word that any pattern could begin with."""
    words = _WORD.findall(sentence)
    return not _ANCHORS.isdisjoint(words) or _is_other(sentence, words)


def _is_other(sentence: str, words: list[str]) -> bool:
    return bool(_OTHER_SCRIPT.search(sentence)) or not _FOREIGN.isdisjoint(words)


def kind_of(sentence: str, kinds: frozenset[Kind]) -> tuple[Kind, int, int] | None:
    """Return what a plain sentence is, the most important of these *kinds*, and where its words stand.

    >>> kind_of("never push to main", frozenset(Kind))
    (<Kind.PROHIBITION: 'Prohibitions'>, 0, 7)
    """
    words = _WORD.findall(sentence)
    rows = {row for word in _ANCHORS.intersection(words) for row in _INDEX[word]}
    best: tuple[Kind, int, int] | None = None
    for _, kind, pattern in sorted(rows, key=_number):
        if best is not None and _FIRST[kind] >= _FIRST[best[0]]:
            continue
        if kind in kinds and (match := pattern.search(sentence)):
            best = (kind, match.start(), match.end())
    if _is_other(sentence, words):
        for kind, pattern in _OTHERS:
            if (best is None or _FIRST[kind] < _FIRST[best[0]]) and kind in kinds and (match := pattern.search(sentence)):
                return kind, match.start(), match.end()
    return best


def _number(row: _Row) -> int:
    return row[0]
