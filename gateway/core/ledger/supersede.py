"""Whether a later statement puts another value in the place of an earlier one, and how surely.

What stands in both is what they are about; what differs in the same form is the value. A statement that says
that something changes may say the rest in other words; one that does not must say it in the same.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache

from gateway.core.ledger.anchors import Anchors, anchors, subject, told
from gateway.core.ledger.changes import Sign
from gateway.core.ledger.differences import (
    Difference,
    difference,
    is_alike_built,
    is_next,
    size,
    slots,
)
from gateway.core.ledger.forms import SOLID
from gateway.core.ledger.leads import without_lead
from gateway.core.ledger.outdated import GROUPED, names_old
from gateway.core.ledger.positions import are_of_two, is_bound, is_given, is_one_label, tells_same
from gateway.core.ledger.topic import VALUE_WORDS, stem
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
_FEW = 3

_SLOT = re.compile(r"[\W_]*([^:：=\n]{2,60}?)\s*(?:[:：]|=(?!=))\s*(?=\S{0,2}[\w\u4e00-\u9fff])")
_PLACES = re.compile(
    r"[:：=|→]\s*\S*$|\b(?:is|are|be|at|called|named|name|stands|runs? on|lives?|set to|equals|call|use|take"
    r"|pin|under|below|most|least"
    r"|than|within|max\w*|min\w*|to|of|from|between)\b[^,;]{0,40}$|[是为叫在用达到按限超多少：][^，；]{0,12}$"
    r"|\b(?:on|in|into|onto|at|as|with|by|use|using|from|and|has|have|wants?|it's|i'm"
    r"|want|take|pick)\b"
    r"[^,;.]{0,40}$|^\W*(?:\w+ )?(?:correction|sorry|oops|no|new|actually)\b.{0,40}$"
    r"|[成换改用住给找由选]\s?[\u4e00-\u9fff]{0,4}$",
    re.IGNORECASE,
)
# What stands before the thing that "it" is.
_BARE = re.compile(
    r"(?:\b(?:it's|it is|it was|that's|is|make (?:it|that)|no|sorry|rather|meant?|correction|now|to)\b"
    r"|[:,，：是到成为])\s*(?:the )?$"
)
_OF = re.compile(
    r"\b(?:limit|cap|budget|deadline|timeout|price|quota) (?:of|for) (?:the |our |my )?(?:[a-z]+ )?([a-z]+)"
)
# Of what was said wrong all may be otherwise.
_WRONG = re.compile(
    r"\b(?:sorry|oops|wrong|typo|mistake|mis\w+|correction|correct|changed|mixed)\b|[写说看弄记打抄搞]错|抱歉|更正",
    re.IGNORECASE,
)
# Who says so said it of the wrong thing.
_SLIP = re.compile(
    r"^\W*(?:sorry|oops|correction|actually|no|wait|rather)\b|\bi (?:mean|meant|mis\w+|mixed)\b"
    r"|\bmy (?:mistake|bad)\b"
    r"|\binstead\b|\brather than\b|[写说看记打]错|抱歉|更正|我是说",
    re.IGNORECASE,
)
_SAYS_OF = re.compile(
    r"[\"')]? ?(?:\b(?:is|are|was|were|has|have|had|will|can|runs?|stays?|needs?|ships?|starts?|went|got|must"
    r"|should)\b|[寄发的要已])"
)


# At a compaction most entries are those of the one before.
@lru_cache(8192)
def fit(new: str, old: str, sign: Sign, is_ban: bool = False, are_orders: bool = False) -> tuple[Fit, int]:
    """Return how surely a statement replaces another, and how much they have in common.

    *is_ban*: the other forbids; then what it names is what it is about, and no value. *are_orders*: both
    forbid, or both are open tasks: there can be any number of them side by side.

    >>> fit("The cap is now 900", "Cap: 500 EUR", Sign(True, False, False))[0].name
    'SURE'
    """
    mine, other = anchors(new), anchors(old)
    if not (sign.changes or mine.values - other.values or mine.names - other.names):
        is_sure = _is_choice(difference(mine, other)) and not (is_ban or are_orders)
        return (Fit.SURE if is_sure else Fit.NO), 0
    found = difference(mine, other)
    if names_another(new, old):
        return Fit.NO, 0
    if sign.changes and not sign.adds and names_old(new, mine, old, other, found):
        return Fit.SURE, found.shared
    if are_orders and not (_SLIP.search(new) or _bounds(new, old, found)):
        return Fit.NO, 0
    if is_ban and any(form in SOLID for form, _ in found.lost):
        return Fit.NO, 0
    is_choice = not found.lost and _is_choice(found) and not (is_ban or are_orders)
    if is_choice or _said_alone(new, mine, old, other):
        return Fit.SURE, found.shared
    if found.lost:
        return (_restated(new, mine, old, other, found) or _changed(new, found, sign)), found.shared
    return (_untyped(mine, other, found, sign) if sign.changes and not sign.adds else Fit.NO), found.shared


@lru_cache(8192)
def names_another(new: str, old: str) -> bool:
    """Return whether two statements are of two things of one sort; who slipped may have named the wrong one.

    >>> names_another("Wipe disk 3.", "Wipe disk 2."), names_another("I meant disk 3.", "Wipe disk 2.")
    (True, False)
    """
    mine, other = anchors(new), anchors(old)
    if not are_of_two(new, old, mine.values, other.values):
        return False
    found = difference(mine, other)
    return not (len(found.gained) == len(found.lost) == 1 and _SLIP.search(new))


def _bounds(new: str, old: str, found: Difference) -> bool:
    """Return whether both give another bound of a measure."""
    if not found.gained or not found.lost:
        return False
    return all(is_bound(new, v) for v in found.gained) and all(is_bound(old, v) for v in found.lost)


def _short(word: str) -> str:
    return stem(word)[:6]


@lru_cache(1024)
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


def _restated(
    new: str, mine: Anchors, old: str, other: Anchors, found: Difference, names_both: bool = False
) -> Fit:
    """Return whether both say the same but for one value, and are there to give it."""
    if not found.gained:
        return Fit.NO
    by_name = {form for form, _ in found.gained | found.lost} == {"name"}
    value, former = min(found.gained), min(found.lost)
    are_given = is_given(new, value) and is_given(old, former) and tells_same(new, old, value, former)
    if not (are_given or names_both):
        return Fit.NO
    named = slot(new)
    if named and named == slot(old):
        return Fit.SURE if is_one_label(named, value) else Fit.NO
    if found.is_mixed or found.is_narrow or not (by_name or len(found.lost) == len(found.gained) == 1):
        return Fit.NO
    rest_new, rest_old = (
        words - {word for _, word in those}
        for words, those in ((mine.words, found.gained), (other.words, found.lost))
    )
    if rest_new != rest_old or not (rest_new or found.shared):
        return Fit.NO
    return Fit.SURE if len(mine.values) == len(other.values) else Fit.NO


def _said_alone(new: str, mine: Anchors, old: str, other: Anchors) -> bool:
    """Return whether a clause says the same but for one value, the others only why."""
    if len(mine.clauses) < 2:
        return False
    for values, words in mine.clauses:
        if values and words and subject(words) == subject(other.words):
            clause = Anchors(values, mine.names & words, words, ((values, words),))
            found = difference(clause, other)
            # Whoever names the old one beside the new one means that it is none any more.
            if _restated(new, clause, old, other, found, names_both=found.lost <= mine.values):
                return True
    return False


def _is_choice(found: Difference) -> bool:
    """Return whether the only words that differ are a choice: "use tabs", "use spaces"."""
    words = found.mine | found.others
    return len(found.mine) == len(found.others) == 1 and words <= _CHOICES and not found.is_narrow


def _places(text: str, value: str) -> bool:
    """Return whether a statement gives a value, and does not say something of it: "flag 3 is on now"."""
    text = GROUPED.sub("", text)
    at = text.lower().find(value)
    if at < 0 or not _SAYS_OF.match(text, at + len(value)):
        return True
    return bool(_PLACES.search(text[max(at - 60, 0) : at]))


def _changed(new: str, found: Difference, sign: Sign) -> Fit:
    """Return how surely it replaces, as its words say that something changes."""
    if not sign.changes or sign.adds or found.is_narrow or _is_of_other(new, found):
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


def _is_of_other(new: str, found: Difference) -> bool:
    """Return whether the value is said to be of what the earlier statement does not name."""
    return any(stem(word)[:6] in found.mine for word in _OF.findall(new.lower()))


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
