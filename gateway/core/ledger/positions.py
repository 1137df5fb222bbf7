"""Where a value stands in a statement: where one is given to a thing, or where it tells which thing is meant.

"The limit is 20" gives a value, "the disk of server 20" names a server, though both are a word and a number.
Where neither is plain, neither is said: nothing is taken for replaced because two statements look alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from gateway.core.ledger.forms import SOLID, Value
from gateway.core.ledger.leads import without_lead
from gateway.core.ledger.topic import stem
from gateway.core.ledger.words_positions import (
    BOUNDS,
    CALLED,
    COPULAS,
    GENERAL,
    IN_TONGUE,
    LABELLED,
    MANY,
    MEASURED,
    NO_LABELS,
    PLACED,
    SAYS_OF,
    VAGUE,
    ZH_GIVEN,
    ZH_NAMED,
    ZH_THING,
)

_GROUPED = re.compile(r"(?<=\d),(?=\d{3})")
_BEFORE = 80
"""So far before a value stand the words that tell what it is there for."""
_LABEL = re.compile(r"([a-zà-ɏ][\w'-]+)\s#?$")
# Behind a number that counts, and names nothing.
_COUNTED = re.compile(r"\s?(?:[a-z]{3,}s|%|[kmgt]?b|[kcmµ]?[mg]|m?s|h|k|min|percent|eur|usd|gbp)\b")
# What is named is not given here: "of server 3", against "moved to room 3".
_OWNED = re.compile(r"\b(?:of|for|from|des|der|von|du|de|la|le|del)\s(?:the |our |my |a )?$")
_LOOSE = re.compile(r"\b(?:is|are|to|use|take|on|in|at|into|it's|now) (?:the )?$")
_BREAK = re.compile(r"[-–—,:;(]\s*(?:the )?$")
_FIRST = re.compile(r"^\W*(?:(?:the|our|my|a|and|so|but|today|now) )*$")
_YEAR_OF = re.compile(r"\w+ of (?:the )?$")
_WORDS = re.compile(r"[a-zà-ɏ]+|[\u4e00-\u9fff]+")
# By light words, too, two statements are told apart: whose it is, whence and whither.
_TELLING = re.compile(
    r"\b(?:his|her|hers|their|theirs|your|yours|he|she|they|you|not|no|without|to|from|into|if|except|but)\b"
)


@lru_cache(2048)
def _plain(text: str) -> str:
    return _GROUPED.sub("", without_lead(text).replace("’", "'")).lower()


def _spot(small: str, value: Value) -> tuple[str, str] | None:
    """Return what stands before a value and after it; nothing, unless it stands there once."""
    form, spelt = value
    found = [at for at in _places(small, spelt) if _stands_alone(small, at, spelt, form)]
    if len(found) != 1:
        return None
    at, stop = found[0], found[0] + len(spelt)
    # Of a name only its stem is known.
    while form == "name" and stop < len(small) and (small[stop].isalnum() or small[stop] in "-_"):
        stop += 1
    return small[max(at - _BEFORE, 0) : at], small[stop:]


def _places(small: str, spelt: str) -> Iterator[int]:
    at = small.find(spelt)
    while at >= 0:
        yield at
        at = small.find(spelt, at + 1)


def _is_of_word(sign: str) -> bool:
    return sign.isascii() and (sign.isalnum() or sign in ("_", "."))


def _stands_alone(small: str, at: int, spelt: str, form: str) -> bool:
    """Return whether what stands at a place is no part of a longer number or word."""
    before, after = small[at - 1 : at], small[at + len(spelt) : at + len(spelt) + 2]
    if spelt[0].isdigit() and (before.isdigit() or before == "."):
        return False
    if spelt[0].isascii() and spelt[0].isalpha() and _is_of_word(before):
        return False
    if form == "name" or not spelt[-1].isalnum():
        return True
    return not (after[:1].isdigit() or (after[:1] in (".", ",") and after[1:].isdigit()))


def is_given(text: str, value: Value) -> bool:
    """Return whether a statement is there to give a value: "the limit is 20", "at most 20".

    >>> is_given("The limit is 20.", ("n", "20")), is_given("The disk of server 20 is full.", ("n", "20"))
    (True, False)
    """
    spot = _spot(_plain(text), value)
    if spot is None or SAYS_OF.match(spot[1]):
        return False
    before = spot[0]
    if is_bound(text, value) or ZH_GIVEN.search(before):
        return True
    if value[0] == "tongue" and IN_TONGUE.search(before):
        return True
    if CALLED.search(before):
        return True
    if found := LABELLED.search(before) or COPULAS.search(before):
        return _is_definite(before[: found.start()])
    placed = PLACED.search(before) if value[0] in ("date", "time") else None
    return placed is not None and _is_definite(before[: placed.start()])


def is_bound(text: str, value: Value) -> bool:
    """Return whether a statement gives a measure as a bound.

    >>> is_bound("Never send more than 3 mails.", ("n mail", "3"))
    True
    """
    spot = None if value[0] in SOLID else _spot(_plain(text), value)
    return spot is not None and bool(BOUNDS.search(spot[0]))


def _is_definite(before: str) -> bool:
    """Return whether what a value is given to is named, and is one thing."""
    if VAGUE.match(before):
        return False
    return any(stem(word) not in GENERAL for word in _WORDS.findall(before))


def is_one_label(label: str, value: Value) -> bool:
    """Return whether there is but one of what a label names: a host, and not a ticket.

    >>> is_one_label("staging host", ("id", "web-2")), is_one_label("ticket", ("id", "ops-2"))
    (True, False)
    """
    return value[0] not in SOLID or not any(stem(word) in MANY for word in label.split())


def tells_same(new: str, old: str, value: Value, former: Value) -> bool:
    """Return whether no light word before two values says that they are not of the same: whose it is, say."""
    mine, other = _spot(_plain(new), value), _spot(_plain(old), former)
    if mine is None or other is None:
        return False
    return _TELLING.findall(mine[0]) == _TELLING.findall(other[0])


def are_of_two(new: str, old: str, mine: frozenset[Value], others: frozenset[Value]) -> bool:
    """Return whether statements name two things of one sort, each by a value that the other does not have.

    >>> are_of_two("Meter 2 is low.", "Meter 1 is low.", frozenset([("n", "2")]), frozenset([("n", "1")]))
    True
    """
    if not mine or not others:
        return False
    labels = {label for value, label in _labels(old, others) if value not in mine}
    return bool(labels) and any(
        label in labels and value not in others for value, label in _labels(new, mine)
    )


def naming(text: str, values: frozenset[Value]) -> frozenset[Value]:
    """Return those of its values by which a statement names things.

    >>> naming("Never touch server 3.", frozenset([("n", "3")]))
    frozenset({('n', '3')})
    """
    return frozenset(value for value, _ in _labels(text, values))


# A statement is compared with many others.
@lru_cache(4096)
def _labels(text: str, values: frozenset[Value]) -> Sequence[tuple[Value, str]]:
    """Return which values name things, each with the word before it: "server" of "the disk of server 3"."""
    small = _plain(text)
    found = []
    for value in values:
        spot = _spot(small, value)
        if spot is not None and (label := _label(value, *spot)) and not is_given(text, value):
            found.append((value, label))
    return tuple(found)


def _label(value: Value, before: str, after: str) -> str:
    if before[-1:] > "\u2e80" or after[:1] > "\u2e80":
        return _zh_label(before, after)
    if _YEAR_OF.search(before) and (value[0] == "date" or len(value[1]) == 4):
        return "of"
    found = _LABEL.search(before)
    if found is None or found[1] in NO_LABELS:
        return ""
    label, lead = stem(found[1]), before[: found.start()]
    if SAYS_OF.match(after) or _OWNED.search(lead):
        return label
    if label in MEASURED or _LOOSE.search(lead) or (_BREAK.search(lead) and not after.strip(" .!?")):
        return ""
    return label if _FIRST.match(lead) or not _COUNTED.match(after) else ""


def _zh_label(before: str, after: str) -> str:
    if found := ZH_THING.match(after):
        return "" if before[-1:] in "到在是为用住成选" else found[0]
    found = ZH_NAMED.search(before)
    return found[0].strip() if found and after[:1] in "的已正坏要必不在" and after else ""
