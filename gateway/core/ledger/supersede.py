"""Whether a later statement puts another value in the place of an earlier one, and how surely.

What stands in both is what they are about; what differs in the same form is the value. A statement that says
that something changes may say the rest in other words; one that does not must say it in the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import IntEnum

from gateway.core.ledger.anchors import SOLID, Anchors, Value, anchors, subject, told
from gateway.core.ledger.topic import VALUE_WORDS, stem, without_lead


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


@dataclass(frozen=True, slots=True)
class Sign:
    """What a statement says about change."""

    changes: bool
    corrects: bool
    adds: bool


_CHOICES = frozenset(stem(word)[:6] for word in VALUE_WORDS)
_LETTERS = re.compile(r"[a-z]+|\d+")
_SPELT = re.compile(r"[a-zà-ɏ]+(?:['-][a-zà-ɏ]+)*")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3})")
_SERIES = re.compile(r"([a-z]{2,})[-_]?\d")
_SOLID_WEIGHT = 3
_NAME_WEIGHT = 2
_FEW = 3

# What stands before a value that the statement assigns.
_ASSIGNS = re.compile(
    r"[:：=|→]\s*\S*$|\b(?:is|are|be|at|called|named|name|stands|runs? on|lives?|set to|equals|call|use|take|pin|under|below|most|least"
    r"|than|within|max\w*|min\w*|to|of|from|between)\b[^,;]{0,40}$|[是为叫在用达到按限超多少：][^，；]{0,12}$",
    re.IGNORECASE,
)
_SLOT = re.compile(r"[\W_]*([^:：=\n]{2,60}?)\s*(?:[:：]|=(?!=))\s*(?=\S{0,2}[\w\u4e00-\u9fff])")
_PLACES = re.compile(
    rf"{_ASSIGNS.pattern}|\b(?:on|in|into|onto|at|as|with|by|use|using|from|and|has|have|wants?|it's|i'm|want|take|pick)\b"
    r"[^,;.]{0,40}$|^\W*(?:\w+ )?(?:correction|sorry|oops|no|new|actually)\b.{0,40}$|[成换改用住给找由选]\s?[\u4e00-\u9fff]{0,4}$",
    re.IGNORECASE,
)
# What stands before the thing that "it" is.
_BARE = re.compile(
    r"(?:\b(?:it's|it is|it was|that's|is|make (?:it|that)|no|sorry|rather|meant?|correction|now|to)\b|[:,，：是到成为])\s*(?:the )?$"
)
_SAYS_OF = re.compile(
    r"[\"')]? ?(?:\b(?:is|are|was|were|has|have|had|will|can|runs?|stays?|needs?|ships?|starts?|went|got|must"
    r"|should)\b|[寄发的要已])"
)
# What names a value as the old one; the value stands right behind it, or right before it.
_OLD_BEHIND = re.compile(
    r"(?:\bnot|\brather than|\binstead of|\bin place of|\breplac(?:es|ing|ed)|\bfrom|\bwas|\bno longer|\bforget|\bdrop(?:ped)?"
    r"|\bswap(?:ped)?|\bover|\bno more|\b(?:is|are|was)n't|\bthan|(?:而)?不[是要用再](?:再|用|是)?|从|由|把|别用)"
    r"(?: us)?(?: the| my| a| an| port| version| on| in| at| for| to| by| mr\.?| ms\.?| dr\.?| number| room)*\s*$",
    re.IGNORECASE,
)
_OLD_BEFORE = re.compile(
    r"^[\"'”]?,?\s*(?:→|->|=>|any ?more|any longer|no longer|(?:is|was|has|had|got) (?:\w+ )?(?:wrong|dead|down|gone|a typo|outdated"
    r"|a mistake|a bug|deleted|retired|being)|died|left|quit|cancel|retired|will be retired|改[成为到用]|换[成为]|搬|错了|不对|作废|离职)",
    re.IGNORECASE,
)


def alike(new: str, old: str) -> bool:
    """Return whether two forms can be of one slot: a bare number can stand for one with a unit."""
    if new == old:
        return True
    if "n" not in (new, old):
        return False
    other = old if new == "n" else new
    return other.startswith("n ") or other in ("money", "percent", "version")


_NONE: frozenset[Value] = frozenset()


def beyond(words: frozenset[str], those: frozenset[str]) -> frozenset[str]:
    """Return the words that are not among those; a Chinese one is, if its characters are."""
    rest = words - those
    if not rest or max(rest) < "\u4e00":
        return rest
    chars = frozenset("".join(those))
    return frozenset(word for word in rest if word < "\u4e00" or not chars.issuperset(word))


def _named(rest: frozenset[str], those: Anchors) -> frozenset[Value]:
    return frozenset(("name", word) for word in rest & those.names)


@dataclass(frozen=True, slots=True)
class Difference:
    """Two statements, and in what they differ."""

    gained: frozenset[Value]
    lost: frozenset[Value]
    shared: int
    """How much they have in common: identifiers count most, then names, then words."""
    mine: frozenset[str]
    """Words of the subject that only the clause of the new value has."""
    others: frozenset[str]
    """Words of the subject that only the old one has."""
    is_mixed: bool
    """What they are about differs, and not only the value."""
    is_narrow: bool
    """The new one is about something that the old one does not name."""


def _slots(new: frozenset[Value], old: frozenset[Value]) -> tuple[frozenset[Value], frozenset[Value]]:
    """Return those of what differs that are alike in form."""
    if not new or not old:
        return _NONE, _NONE
    gained = frozenset(one for one in new if any(alike(one[0], other[0]) for other in old))
    lost = frozenset(other for other in old if any(alike(one[0], other[0]) for one in new))
    return gained, lost


def _without(values: frozenset[Value], those: frozenset[Value]) -> frozenset[Value]:
    """Return the values that are not among those, with whatever unit."""
    rest = values - those
    if not rest or not those:
        return rest
    return frozenset(
        v for v in rest if not any(v[1] == other[1] and alike(v[0], other[0]) for other in those)
    )


def difference(new: Anchors, old: Anchors) -> Difference:
    """Return in what two statements differ."""
    common = new.words & old.words
    only_new, only_old = _without(new.values, old.values), _without(old.values, new.values)
    names_new, names_old = _named(new.words - common, new), _named(old.words - common, old)
    gained, lost = _slots(only_new, only_old)
    measures = {value for value in gained if value[0] not in SOLID}
    things = gained - measures
    by_name = not gained
    if by_name:
        gained, lost = _slots(names_new, names_old)
    mixed = bool(measures and (things or (names_new and names_old))) or len({form for form, _ in things}) > 1
    mixed = mixed or (len(things) > 1 and len(lost) > 1 and not by_name)
    held = (
        frozenset(word for _, word in names_new | names_old)
        if by_name or (names_new and names_old)
        else frozenset()
    )
    mine = subject(min((w for v, w in new.clauses if by_name or v & gained), key=len, default=new.words))
    # Of something that has values of its own, an identifier is no value but the subject.
    kept = {v for form, v in only_old - lost if things or form in SOLID}
    spare = {v for v in only_new - gained if v[0] in SOLID} | (
        names_new if measures and not names_old else frozenset()
    )
    return Difference(
        gained,
        lost,
        _shared(new, old, common) + _is_next(gained, lost),
        beyond(mine - held, old.words),
        beyond(subject(old.words) - held, new.words) | kept,
        mixed,
        bool(spare),
    )


def _is_next(gained: frozenset[Value], lost: frozenset[Value]) -> bool:
    """Return whether both values are of one series: "staging-1", "staging-2"."""
    if not gained:
        return False
    series, former = ({found[1] for _, v in those if (found := _SERIES.match(v))} for those in (gained, lost))
    return not series.isdisjoint(former)


def _is_alike_built(gained: frozenset[Value], lost: frozenset[Value]) -> bool:
    """Return whether values begin and are built the same: "eu-west-1", "eu-central-1"."""
    new, old = (
        {(_LETTERS.sub("a", v), v[:2]) for _, v in those if len(_LETTERS.findall(v)) > 1}
        for those in (gained, lost)
    )
    return not new.isdisjoint(old)


def _size(words: frozenset[str]) -> int:
    """Return how many words they are; of Chinese, pairs of characters overlap."""
    han = sum(1 for word in words if word > "\u4e00")
    return len(words) - han + (han + 1) // 2


def _shared(new: Anchors, old: Anchors, common: frozenset[str]) -> int:
    solid = sum(1 for value in new.values & old.values if value[0] in SOLID)
    names = common & (new.names | old.names)
    return _SOLID_WEIGHT * solid + _NAME_WEIGHT * len(names) + len(told(common - names))


def fit(new: str, old: str, sign: Sign, is_ban: bool = False) -> tuple[Fit, int]:
    """Return how surely a statement replaces another, and how much they have in common.

    *is_ban*: the other forbids; then what it names is what it is about, and no value.

    >>> fit("The cap is now 900", "Cap: 500 EUR", Sign(True, False, False))[0].name
    'COVERS'
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


def slot(text: str) -> str:
    """Return of what a line gives the value: "timeout x" of "Timeout x: 30 s"; nothing, if it is no such line.

    >>> slot("By the way: Timeout x = 30 s")
    'timeout x'
    """
    found = _SLOT.match(without_lead(text))
    if found is None or not told(anchors(found[1]).words):
        return ""
    return " ".join(found[1].lower().split())


def _restated(new: str, mine: Anchors, old: str, other: Anchors, found: Difference) -> Fit:
    """Return whether both say the same but for one value."""
    named = slot(new)
    if named and found.gained and named == slot(old):
        return Fit.SURE
    by_name = {form for form, _ in found.gained | found.lost} == {"name"}
    if found.is_mixed or found.is_narrow or not (by_name or len(found.lost) == len(found.gained) == 1):
        return Fit.NO
    value, former = (next(iter(those))[1] for those in (found.gained, found.lost))
    rest_new, rest_old = (
        words - {word for _, word in those}
        for words, those in ((mine.words, found.gained), (other.words, found.lost))
    )
    if rest_new != rest_old or not (rest_new or found.shared):
        return Fit.NO
    if len(mine.values) != len(other.values):
        return Fit.NO
    form = next(iter(found.gained))[0]
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
    if found.is_mixed and not (sign.corrects and not found.others and not found.mine):
        return Fit.NO
    if not found.shared and not any(form.startswith("n ") and (form, v) for form, v in found.lost):
        return Fit.NO
    if not found.others and found.shared:
        return Fit.COVERS
    if not found.mine and found.shared >= min(_size(found.others), _FEW):
        return Fit.SHORT
    closest = max(_size(found.others), _size(found.mine))
    return Fit.GUESS if sign.corrects and found.shared >= max(2, 2 * closest) else Fit.NO


def _untyped(mine: Anchors, other: Anchors, found: Difference, sign: Sign) -> Fit:
    """Return whether one word of a short statement stands for another: "a casual tone" for "a formal tone"."""
    if not found.shared or len(found.others) != 1 or not 1 <= len(found.mine) <= _FEW or found.is_narrow:
        return Fit.NO
    return Fit.GUESS if other.values <= mine.values and found.shared > (not sign.corrects) else Fit.NO


def _names_old(new: str, mine: Anchors, old: str, other: Anchors, found: Difference) -> bool:
    """Return whether a statement names a value of the other as the one that no longer holds."""
    small = _GROUPED.sub("", new.lower())
    words = {("word", word) for word in told(other.words & mine.words)}
    for form, value in other.values | words:
        spelt = value if form != "word" else _spelt(value, small)
        at = small.rfind(spelt) if spelt else -1
        if at < 0 or not _stands_alone(small, at, at + len(spelt)):
            continue
        before, after = small[max(at - 40, 0) : at], small[at + len(spelt) :]
        is_old = _OLD_BEFORE.match(after) and not (form == "word" and after[:1] > "\u4e00")
        if not (is_old or _OLD_BEHIND.search(before)):
            continue
        weight = found.shared - (form == "word") - _NAME_WEIGHT * (form == "word" and value in other.names)
        if _has_other(form, value, mine) and (weight > 0 or len(subject(other.words)) <= _FEW):
            return True
    return False


def _spelt(word: str, small: str) -> str:
    """Return how a stem is spelt in a statement."""
    if word > "\u4e00":
        return word
    return next((token for token in _SPELT.findall(small) if stem(token)[:6] == word), "")


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
    """Return whether what a statement gives without saying of what can be of another that gives just one such value."""
    those = anchors(old).values
    gained, lost = _slots(anchors(new).values, those)
    if len(lost) != 1 or not gained:
        return False
    if _is_next(gained, lost) or _is_alike_built(gained, lost) or all(form not in SOLID for form, _ in lost):
        return True
    if not all(_places(old, value) for _, value in lost):
        return False
    return len(those) == 1 and all(_BARE.search(new.lower().partition(value)[0]) for _, value in gained)


def match(new: str, old: str, is_of_kind: bool) -> float:
    """Return how well a statement that lifts or ticks off something fits another; 0: not enough.

    *is_of_kind*: it says of what kind is what it lifts, and the other is of that kind.
    """
    mine, other = _with_units(anchors(new)), _with_units(anchors(old))
    solid = {v for v in mine.values - other.values if v[0] in SOLID}
    if solid and any(v[0] in SOLID for v in other.values - mine.values):
        return 0.0
    common = mine.words & other.words
    if mine.names - other.words and other.names - mine.words and not _holds_solid(mine, other):
        return 0.0
    held = _shared(mine, other, common)
    worded = len(told(common) - mine.names - other.names)
    measured = sum(1 for v in mine.values & other.values if v[0] not in SOLID)
    if not held + measured:
        return 0.0
    others = beyond(subject(other.words), mine.words)
    others |= {v for form, v in other.values - mine.values if form in SOLID}
    rest = min(
        (beyond(subject(w), other.words) for _, w in mine.clauses if _touches(w, other)),
        key=len,
        default=None,
    )
    rest = beyond(subject(mine.words), other.words) if rest is None else rest
    if others and rest and not (held >= _SOLID_WEIGHT and (worded or is_of_kind)):
        return 0.0
    return held + measured - 0.1 * len(others) - 0.01 * len(rest)


def _holds_solid(new: Anchors, old: Anchors) -> bool:
    return any(form in SOLID for form, _ in new.values & old.values)


def _with_units(found: Anchors) -> Anchors:
    """Return a statement with what its numbers count among its words."""
    if not any(form.startswith("n ") for form, _ in found.values):
        return found
    clauses = tuple((values, words | _units(values)) for values, words in found.clauses)
    return replace(found, words=found.words | _units(found.values), clauses=clauses)


def _units(values: frozenset[Value]) -> frozenset[str]:
    return frozenset(form[2:] for form, _ in values if form.startswith("n "))


def _touches(words: frozenset[str], other: Anchors) -> bool:
    return bool(told(words) & other.words)
