"""Whether a later statement puts another value in the place of an earlier one, and how surely.

What stands in both is what they are about; what differs in the same form is the value. A statement that says
that something changes may say the rest in other words; one that does not must say it in the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import lru_cache

from gateway.core.ledger.anchors import Anchors, anchors, subject, told
from gateway.core.ledger.changes import Sign
from gateway.core.ledger.differences import (
    NAME_WEIGHT,
    Difference,
    alike,
    difference,
    is_alike_built,
    is_next,
    size,
    slots,
)
from gateway.core.ledger.forms import SOLID
from gateway.core.ledger.topic import VALUE_WORDS, stem, without_lead
from gateway.core.ledger.words_subject import LIGHT


class Fit(IntEnum):
    """How surely a statement replaces another."""

    NO = 0
    GUESS = 1
    """If there is none that fits better: words differ on both sides, or no form of value is known."""
    SHORT = 2
    """It says of the earlier one only a part."""
    COVERS = 3
    """It names all that the earlier one is about."""
    SURE = 4
    """It says the same but for one value, or names the old value as the old one."""


_CHOICES = frozenset(stem(word)[:6] for word in VALUE_WORDS)
_SPELT = re.compile(r"[a-zà-ɏ]+(?:['-][a-zà-ɏ]+)*")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3})")
_FEW = 3

# What stands before a value that the statement assigns.
_ASSIGNS = re.compile(
    r"[:：=|→]\s*\S*$|\b(?:is|are|be|at|called|named|name|stands|runs? on|lives?|set to|equals|call|use|take"
    r"|pin|under|below|most|least"
    r"|than|within|max\w*|min\w*|to|of|from|between)\b[^,;]{0,40}$|[是为叫在用达到按限超多少：][^，；]{0,12}$",
    re.IGNORECASE,
)
_SLOT = re.compile(r"[\W_]*([^:：=\n]{2,60}?)\s*(?:[:：]|=(?!=))\s*(?=\S{0,2}[\w\u4e00-\u9fff])")
_PLACES = re.compile(
    rf"{_ASSIGNS.pattern}|\b(?:on|in|into|onto|at|as|with|by|use|using|from|and|has|have|wants?|it's|i'm"
    rf"|want|take|pick)\b"
    r"[^,;.]{0,40}$|^\W*(?:\w+ )?(?:correction|sorry|oops|no|new|actually)\b.{0,40}$"
    r"|[成换改用住给找由选]\s?[\u4e00-\u9fff]{0,4}$",
    re.IGNORECASE,
)
# What stands before the thing that "it" is.
_BARE = re.compile(
    r"(?:\b(?:it's|it is|it was|that's|is|make (?:it|that)|no|sorry|rather|meant?|correction|now|to)\b"
    r"|[:,，：是到成为])\s*(?:the )?$"
)
# Of what was said wrong all may be otherwise.
_WRONG = re.compile(
    r"\b(?:sorry|oops|wrong|typo|mistake|mis\w+|correction|correct|changed|mixed)\b|[写说看弄记打抄搞]错|抱歉|更正",
    re.IGNORECASE,
)
_SAYS_OF = re.compile(
    r"[\"')]? ?(?:\b(?:is|are|was|were|has|have|had|will|can|runs?|stays?|needs?|ships?|starts?|went|got|must"
    r"|should)\b|[寄发的要已])"
)
# What names a value as the old one; the value stands right behind it, or right before it.
_OLD_BEHIND = re.compile(
    r"(?:\bnot|\brather than|\binstead of|\bin place of|\breplac(?:es|ing|ed)|\bfrom|\bwas|\bno longer"
    r"|\bforget|\bdrop(?:ped)?"
    r"|\bswap(?:ped)?|\bover|\bno more|\b(?:is|are|was)n't|\bthan|而?不[是要用再]"
    r"[再用是]?|从|由|把|别用)"
    r"(?: us)?(?: the| my| a| an| port| version| on| in| at| for| to| by| mr\.?| ms\.?| dr\.?| number"
    r"| room)*\s*$",
    re.IGNORECASE,
)
# It begins with one of these.
_OLD_SIGNS = re.compile(
    r"not|rather|instead|in place|replac|from|was|no (?:longer|more)|forget|drop|swap|over|isn't|aren't"
    r"|weren't|than|不|从|由|把|别用"
)
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


# At a compaction most entries are those of the one before.
@lru_cache(8192)
def fit(new: str, old: str, sign: Sign, is_ban: bool = False) -> tuple[Fit, int]:
    """Return how surely a statement replaces another, and how much they have in common.

    *is_ban*: the other forbids; then what it names is what it is about, and no value.

    >>> fit("The cap is now 900", "Cap: 500 EUR", Sign(True, False, False))[0].name
    'SURE'
    """
    mine, other = anchors(new), anchors(old)
    if not (sign.changes or mine.values - other.values or mine.names - other.names):
        return (Fit.SURE if _is_choice(difference(mine, other)) else Fit.NO), 0
    found = difference(mine, other)
    if sign.changes and not sign.adds and _names_old(new, mine, old, other, found):
        return Fit.SURE, found.shared
    if is_ban and any(form in SOLID for form, _ in found.lost):
        return Fit.NO, 0
    if _said_alone(new, mine, old, other) or (not found.lost and _is_choice(found)):
        return Fit.SURE, found.shared
    if found.lost:
        return (_restated(new, mine, old, other, found) or _changed(new, found, sign)), found.shared
    return (_untyped(mine, other, found, sign) if sign.changes and not sign.adds else Fit.NO), found.shared


def _short(word: str) -> str:
    return stem(word)[:6]


def slot(text: str) -> str:
    """Return what a line gives the value of: "timeout x" of "Timeout x: 30 s"; nothing, if it gives none.

    >>> slot("By the way: Timeout x = 30 s")
    'timeout x'
    """
    found = _SLOT.match(without_lead(text))
    if found is None:
        return ""
    words = found[1].lower().split()
    return " ".join(words) if told(frozenset(map(_short, words))) - LIGHT else ""


def _restated(new: str, mine: Anchors, old: str, other: Anchors, found: Difference) -> Fit:
    """Return whether both say the same but for one value."""
    named = slot(new)
    if named and found.gained and named == slot(old):
        return Fit.SURE
    by_name = {form for form, _ in found.gained | found.lost} == {"name"}
    if found.is_mixed or found.is_narrow or not (by_name or len(found.lost) == len(found.gained) == 1):
        return Fit.NO
    value, former = min(found.gained)[1], min(found.lost)[1]
    rest_new, rest_old = (
        words - {word for _, word in those}
        for words, those in ((mine.words, found.gained), (other.words, found.lost))
    )
    if rest_new != rest_old or not (rest_new or found.shared):
        return Fit.NO
    if len(mine.values) != len(other.values):
        return Fit.NO
    form = min(found.gained)[0]
    if form not in SOLID and form != "n":
        return Fit.SURE
    return Fit.SURE if _assigns(new, value) and _assigns(old, former) else Fit.NO


def _said_alone(new: str, mine: Anchors, old: str, other: Anchors) -> bool:
    """Return whether a clause says the same but for one value, the others only why."""
    if len(mine.clauses) < 2:
        return False
    for values, words in mine.clauses:
        if values and words and subject(words) == subject(other.words):
            clause = Anchors(values, mine.names & words, words, ((values, words),))
            if _restated(new, clause, old, other, difference(clause, other)):
                return True
    return False


def _is_choice(found: Difference) -> bool:
    """Return whether the only words that differ are a choice: "use tabs", "use spaces"."""
    words = found.mine | found.others
    return len(found.mine) == len(found.others) == 1 and words <= _CHOICES and not found.is_narrow


def _assigns(text: str, value: str) -> bool:
    """Return whether a statement gives a value to what it is about, and does not only name it."""
    text = _GROUPED.sub("", text)
    at = text.lower().find(value)
    if at < 0:
        return True
    return bool(_ASSIGNS.search(text[max(at - 60, 0) : at]))


def _places(text: str, value: str) -> bool:
    """Return whether a statement gives a value, and does not say something of it: "flag 3 is on now"."""
    text = _GROUPED.sub("", text)
    at = text.lower().find(value)
    if at < 0 or not _SAYS_OF.match(text, at + len(value)):
        return True
    return bool(_PLACES.search(text[max(at - 60, 0) : at]))


def _changed(new: str, found: Difference, sign: Sign) -> Fit:
    """Return how surely it replaces, as its words say that something changes."""
    if not sign.changes or sign.adds or found.is_narrow:
        return Fit.NO
    if all(form in SOLID and not _places(new, value) for form, value in found.gained):
        return Fit.NO
    if found.is_mixed and (found.others or found.mine or not _WRONG.search(new)):
        return Fit.NO
    if not found.shared and not any(form.startswith("n ") for form, _ in found.lost):
        return Fit.NO
    if not found.others and found.shared:
        return Fit.COVERS
    # An identifier can be of many things, a measure is of what it measures.
    missing = size(found.others) - all(form not in SOLID for form, _ in found.lost)
    if not found.mine and found.shared >= min(missing, _FEW):
        return Fit.SHORT
    closest = max(size(found.others), size(found.mine))
    is_guess = sign.corrects and found.holds_solid and found.shared >= max(2, 2 * closest)
    return Fit.GUESS if is_guess else Fit.NO


def _untyped(mine: Anchors, other: Anchors, found: Difference, sign: Sign) -> Fit:
    """Return whether one word stands for another in a short statement: "a casual tone", "a formal tone"."""
    if (
        not subject(mine.words & other.words)
        or len(found.others) != 1
        or not 1 <= len(found.mine) <= _FEW
        or found.is_narrow
    ):
        return Fit.NO
    return Fit.GUESS if other.values == mine.values and found.shared > (not sign.corrects) else Fit.NO


def _names_old(new: str, mine: Anchors, old: str, other: Anchors, found: Difference) -> bool:
    """Return whether a statement names a value of the other as the one that no longer holds."""
    small, behind = _old_signs(new)
    words = {("word", word) for word in subject(other.words & mine.words)}
    for form, value in other.values | words:
        spelt = value if form != "word" else _spelt(value, small)
        at = small.rfind(spelt) if spelt else -1
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
def _old_signs(new: str) -> tuple[str, Sequence[int]]:
    """Return a statement in lower case, and where in it words stand that can name what follows as old."""
    small = _GROUPED.sub("", new.lower())
    return small, [found.start() for found in _OLD_SIGNS.finditer(small)]


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


def is_one_slot(new: str, old: str) -> bool:
    """Return whether a value without its subject can be of a statement that gives just one such value."""
    those = anchors(old).values
    gained, lost = slots(anchors(new).values, those)
    if len(lost) != 1 or not gained or any(form in SOLID for form, _ in anchors(new).values - gained):
        return False
    if any(form == "version" for form, _ in lost) and all(form != "version" for form, _ in gained):
        return False
    if is_next(gained, lost) or is_alike_built(gained, lost) or all(form not in SOLID for form, _ in lost):
        return True
    if not all(_places(old, value) for _, value in lost):
        return False
    return len(those) == 1 and all(_BARE.search(new.lower().partition(value)[0]) for _, value in gained)
