"""Whether a statement names a value of another one as the value that no longer holds: "9000, not 8080"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from gateway.core.ledger.anchors import Anchors, subject, told
from gateway.core.ledger.differences import NAME_WEIGHT, Difference, alike
from gateway.core.ledger.topic import stem

GROUPED = re.compile(r",(?<=\d,)(?=\d{3})")
_SPELT = re.compile(r"[a-zà-ɏ]+(?:['-][a-zà-ɏ]+)*")
_FEW = 3

# What names a value as the old one; the value stands right behind it, or right before it.
_OLD_BEHIND = re.compile(
    r"(?:\bnot|\brather than|\binstead of|\bin place of|\breplac(?:es|ing|ed)|\bfrom|\bwas|\bno longer"
    r"|\bforget|\bdrop(?:ped)?"
    r"|\bswap(?:ped)?|\bover|\bno more|\b(?:is|are|was)n't|\bthan|而?不[是要用再]"
    r"[再用是]?|从|由|把|(?<![级类区性特差组识鉴告])别用)"
    r"(?: us)?(?: the| my| a| an| port| version| on| in| at| for| to| by| mr\.?| ms\.?| dr\.?| number"
    r"| room|(?<=[从由])每[\u4e00-\u9fff]{1,2})*\s*$",
    re.IGNORECASE,
)
# It begins with one of these.
_OLD_SIGNS = re.compile(
    r"not|rather|instead|in place|replac|from|was|no (?:longer|more)|forget|drop|swap|over|isn't|aren't"
    r"|weren't|than|不|从|由|把|别用"
)
# fmt: off
_OLD_SIGNS_AFTER = (
    "->", "=>", "→", "more", "longer", "is ", "was ", "has ", "had ", "got ", "died", "left", "quit",
    "cancel", "retired", "改", "换", "搬", "错", "不对", "作废", "离职",
)
# fmt: on
_REACH = 40
_OLD_BEFORE = re.compile(
    r"[\"'”]?,?\s*(?:→|->|=>|any ?more|any longer|no longer|(?:is|was|has|had|got) (?:\w+ )?(?:wrong|dead"
    r"|down|gone|a typo|outdated"
    r"|a mistake|a bug|deleted|retired|being)|died|left|(?:is|was) (?:closed|full|ill|away|sick|broken|out)"
    r"|quit|cancel|retired|will be retired"
    r"|改[成为到用]|换[成为]|搬"
    r"|错了|不对|作废|离职)",
    re.IGNORECASE,
)


def names_old(new: str, mine: Anchors, old: str, other: Anchors, found: Difference) -> bool:
    """Return whether a statement names a value of the other as the one that no longer holds."""
    small, behind, first = _old_signs(new)
    if first < 0:
        return False
    words = {("word", word) for word in subject(other.words & mine.words)}
    for form, value in other.values | words:
        spelt = value if form != "word" else _spelt(value, small)
        at = small.rfind(spelt, first) if spelt else -1
        if at < 0 or not _stands_alone(small, at, at + len(spelt)):
            continue
        stop = at + len(spelt)
        is_old = _OLD_BEFORE.match(small, stop) and not (form == "word" and small[stop : stop + 1] > "\u4e00")
        if not (is_old or _is_behind(small, at, behind)):
            continue
        weight = found.shared - (form == "word") - NAME_WEIGHT * (form == "word" and value in other.names)
        if _has_other(form, value, mine) and (weight > 0 or len(subject(other.words)) <= _FEW):
            return True
    return False


# A statement is compared with several others, one after the other.
@lru_cache(256)
def _old_signs(new: str) -> tuple[str, Sequence[int], int]:
    """Return a statement in lower case, where in it words stand that can name what follows as old, and from
    where on anything can be named so; -1: nothing can."""
    small = GROUPED.sub("", new.lower())
    behind = [found.start() for found in _OLD_SIGNS.finditer(small)]
    if any(sign in small for sign in _OLD_SIGNS_AFTER):
        return small, behind, 0
    return small, behind, behind[0] if behind else -1


def _is_behind(small: str, at: int, signs: Sequence[int]) -> bool:
    """Return whether what stands at a place is named as old by the words right before it."""
    first = max(at - _REACH, 0)
    return any(first <= sign < at for sign in signs) and _OLD_BEHIND.search(small[first:at]) is not None


def _spelt(word: str, small: str) -> str:
    """Return how a stem is spelt in a statement."""
    return word if word > "\u4e00" else _spellings(small).get(word, "")


@lru_cache(256)
def _spellings(small: str) -> Mapping[str, str]:
    """Return how the stems of a statement are first spelt in it."""
    return {stem(token)[:6]: token for token in reversed(_SPELT.findall(small))}


def _stands_alone(small: str, start: int, stop: int) -> bool:
    before, after = small[start - 1 : start], small[stop : stop + 1]
    return not (before.isascii() and (before.isalnum() or before == ".")) and not after.isdigit()


def _has_other(form: str, value: str, mine: Anchors) -> bool:
    """Return whether a statement that names an old value also gives a new one."""
    if form == "word":
        return len(told(mine.words)) > 1
    return any(alike(other, form) and held != value for other, held in mine.values) or form in (
        "tongue",
        "hue",
    )
