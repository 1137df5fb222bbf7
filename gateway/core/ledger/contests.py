"""Whether a later statement may have put another value in the place of an earlier one.

Far wider than `supersede`, since little hangs on it: what is contested is not struck, only no longer
presented as in force. So a hint is enough, if the two may be of the same: they share a word, the later names
the old value or gives another of its form, or it says so little of its own that it leans on what was said.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache

from gateway.core.ledger.anchors import Anchors, anchors, subject, told
from gateway.core.ledger.differences import Difference, alike, difference, size
from gateway.core.ledger.forms import SOLID
from gateway.core.ledger.likeness import gives, is_kin, is_like
from gateway.core.ledger.supersede import slot
from gateway.core.ledger.topic import VALUE_WORDS, stem
from gateway.core.ledger.words_contests import BESIDE, DENIES, FAILS, ZH_BESIDE

_MUCH = 2
"""Two statements that share so much, a name or two words, may be of the same."""
_FEW = 3
"""Two statements of one subject differ in so few words."""
_MOST_WORDS = 9
_VALUE_WORDS = 4
_MOST_HAN = 20
"""What is longer says itself of what it is."""
_SHORT_HAN = 14
"""What gives no value must say still less."""

_NONE: frozenset[str] = frozenset()
_CHOICES = frozenset(stem(word)[:6] for word in VALUE_WORDS)
_BESIDE = frozenset(stem(word)[:6] for word in BESIDE)
# Money is read as a budget; so two prices are not yet of the same.
_COIN = "budget"
# Where a rule holds: a statement of that is of nothing else.
_WITHIN = re.compile(r"\b(?:in|for|under|inside|touching) \S{0,80}/")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LEAD = re.compile(r"^[^\d:：]{1,24}(?:: |：)(?=\S)")
_PRINTED = re.compile(r"[!-~\s]+")
_JOINED = re.compile(r"(?<=[A-Za-z])(?=[\u4e00-\u9fff])")
_LATIN = re.compile(r"(?<![\w.-])[A-Z][A-Za-z]{1,40}(?![\w.-]{0,40}\d)")
# Who is to do a thing is named behind one of these; common family names only.
_HAN_PERSON = re.compile(
    r"(?:[由让归找请换给]|[是，])\s?((?:欧阳|司徒|诸葛|上官|司马"
    r"|[王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎潘杜戴夏钟汪"
    r"田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段钱汤尹黎易常武乔贺赖龚文])[\u4e00-\u9fff]{1,2}?)"
    r"(?=\s?[签管负来在做写审批看定盯接带处对，。！吧了]|$)"
)
# Who passes a decision on is not what it is about.
_PASSED_ON = re.compile(r"^[^，。]{1,10}(?:发邮件|发消息|来信|来电|通知|打电话)[说来]{0,2}")
# It is no date by which something is due.
_REASON = re.compile(r"\bdue to\b")
_MONTH = re.compile(r"\b(?:until|till|by|in|to|from|for|of|on|mid|early|late) (May|March)\b(?! \d)")
_LABEL = re.compile(r"^[^:：=]{2,40}\s?(?:[:=]\s|：)")
_BEFORE_VALUE = re.compile(
    r"\b(?:is|are|will be|should be|must be|stays?|goes|go|on|in|as|with|to)\b|[:：=→]|[是为叫用放定选走在]"
)
_STATES_OF = re.compile(r"\W*(?:our|my|the|his|her) [a-z-]+(?: [a-z-]+)? (?:is|are)\b", re.IGNORECASE)
# What names the thing that a statement is about: it is of that, and of nothing before.
_THING = re.compile(
    r"\b(?:the|our|my|his|her|their|your|an?|for|of|each|per) ([a-z][a-z-]+)(?: ([a-z][a-z-]+))?",
    re.IGNORECASE,
)


class Strength(IntEnum):
    """How strongly a statement says that something is otherwise."""

    NONE = 0
    HINTS = 1
    CHANGES = 2
    CORRECTS = 3


@lru_cache(4096)
def _read(text: str) -> Anchors:
    """Return what a statement can be held by, letters apart from Chinese, and months that are words too."""
    is_ascii = text.isascii()
    found = anchors(_REASON.sub(" ", text) if is_ascii else _JOINED.sub(" ", _PASSED_ON.sub("", text)))
    months = frozenset(("date", month.lower()) for month in _MONTH.findall(text))
    names = _NONE if is_ascii else frozenset(stem(name.lower())[:6] for name in _LATIN.findall(text))
    if not is_ascii:
        months |= frozenset(("han", name) for name in _HAN_PERSON.findall(text)) - found.values
    if not months and names <= found.names:
        return found
    clauses = tuple((values | months, words) for values, words in found.clauses)
    return Anchors(found.values | months, found.names | names & found.words, found.words, clauses)


def may_replace(new: str, old: str, strength: Strength, is_ban: bool) -> bool:
    """Return whether a statement may give another value to what an earlier one is about.

    >>> may_replace("Lab B is closed, take lab D.", "Bring the samples to lab B.", Strength.NONE, False)
    True
    """
    mine, other = _read(new), _read(old)
    found = difference(mine, other)
    if is_ban:
        return bool(found.lost) and strength is Strength.CORRECTS and found.shared >= _MUCH
    if _names_old(new, mine, other, strength):
        return True
    least = Strength.CORRECTS if found.lost else Strength.CHANGES
    # Whom it names beside an identifier of both may be who says so.
    if (found.is_mixed and strength < Strength.CORRECTS) or (
        found.is_narrow and strength < least and not found.holds_solid
    ):
        return False
    if strength < Strength.CORRECTS and _are_labelled_apart(new, old):
        return False
    if found.lost:
        return _gives_other(found, mine, other, strength)
    return _says_other(new, old, found, strength)


def _names_old(new: str, mine: Anchors, other: Anchors, strength: Strength) -> bool:
    """Return whether a statement names a value of the earlier one, and says that it is none any more."""
    values = mine.values & other.values
    if values or _names(new, mine, other) or _holds_part(mine, other):
        if DENIES.search(new.lower()):
            return True
        rivals = any(alike(one[0], old[0]) for one in mine.values - other.values for old in values)
        return rivals and (len(mine.clauses) > 1 or strength > Strength.NONE)
    return bool(told(mine.words & other.words)) and FAILS.search(new.lower()) is not None


def _names(new: str, mine: Anchors, other: Anchors) -> bool:
    """Return whether a statement names what has a name in one of both."""
    if mine.names & other.words or mine.words & other.names:
        return True
    return any(form == "han" and value in new for form, value in other.values)


def _holds_part(mine: Anchors, other: Anchors) -> bool:
    """Return whether a statement names a thing by a part of its name: "pg-1" of "pg-1.internal"."""
    return any(
        form in SOLID and len(value) > _FEW and any(old[1].startswith(value) for old in other.values)
        for form, value in mine.values
    )


def _are_labelled_apart(new: str, old: str) -> bool:
    """Return whether both give values under labels of which each has a word that the other has not."""
    if not (_LABEL.match(new) and _LABEL.match(old)):
        return False
    mine, other = (told(_read(slot(text)).words) for text in (new, old))
    return bool(mine - other and other - mine)


def _gives_other(found: Difference, mine: Anchors, other: Anchors, strength: Strength) -> bool:
    """Return whether a value of the same form may be of the same."""
    common = mine.words & other.words
    is_own = bool(found.mine and found.others)
    shared = found.shared - (is_own and _COIN in common)
    if shared >= (1 if strength else _MUCH):
        return True
    # A measure that is given with nothing of its own is of what was said before.
    is_measure = all(form not in SOLID for form, _ in found.lost)
    return is_measure and not is_own and bool(told(common))


def _says_other(new: str, old: str, found: Difference, strength: Strength) -> bool:
    """Return whether words that are of no known form may be another value of the same."""
    if strength and found.shared >= _MUCH:
        return True
    if found.holds_solid and size(found.mine) <= 1 and size(found.others) <= _MUCH:
        return True
    if strength and found.shared and max(size(found.mine), size(found.others)) <= _FEW:
        return True
    return _head(new) == _head(old) != _NONE


def _head(text: str) -> frozenset[str]:
    """Return the words before the value of a statement that gives one."""
    found = _BEFORE_VALUE.search(text)
    return told(_read(text[: found.start()]).words) if found else _NONE


@lru_cache(2048)
def leans(new: str, is_firm: bool) -> bool:
    """Return whether a statement says so little of its own that it may be of something said before.

    *is_firm*: it says that something changes.

    >>> leans("8443 then", False), leans("The port of db-1 is 8443 now", True)
    (True, False)
    """
    is_han = _HAN.search(new) is not None
    new = _LEAD.sub("", new)
    # A value is a word, however long.
    most, length = (_MOST_HAN, len(_PRINTED.sub("", new))) if is_han else (_MOST_WORDS, len(new.split()))
    if length > most + _VALUE_WORDS or _STATES_OF.match(new) or _WITHIN.search(new):
        return False
    mine = _read(FAILS.sub(" ", ZH_BESIDE.sub(" ", new) if is_han else new))
    if length > most and length - sum(value.count(" ") for _, value in mine.values) > most:
        return False
    if {form in SOLID for form, _ in mine.values if form != "han"} == {True, False}:
        return False
    own = _own(mine)
    if is_han:
        return _leans_in_chinese(new, own, mine, is_firm)
    things = {stem(word.lower())[:6] for pair in _THING.findall(new) for word in pair if word}
    return size(own) <= is_firm and not things & own


def _own(mine: Anchors) -> frozenset[str]:
    """Return the words of the subject in the clause that gives the value, or the name."""
    held = [words for values, words in mine.clauses if values] or [
        words for _, words in mine.clauses if words & mine.names or not mine.names
    ]
    return min((subject(words - mine.names) - _BESIDE - _CHOICES for words in held), key=size, default=_NONE)


def _leans_in_chinese(new: str, own: frozenset[str], mine: Anchors, is_firm: bool) -> bool:
    if not mine.values:
        return size(own) <= _MUCH and len(new) <= _SHORT_HAN
    if not own:
        return True
    # What a statement begins with is what it is of.
    begins = new.lstrip().startswith(tuple(own)) or any(word.isascii() for word in own)
    return size(own) <= 1 + is_firm and not begins


def may_be_of(new: str, old: str, is_firm: bool, is_ban: bool, corrects: bool = False) -> bool:
    """Return whether a statement that leans on what was said may be of this: values are written alike.

    *is_ban*: the other forbids; of that only a measure can be otherwise. *corrects*: it says that something
    was wrong; then an identifier may stand for any one that was given.

    >>> may_be_of("8443 then", "Listen on port 8080.", False, False)
    True
    """
    mine, other = _read(new), _read(old)
    if _holds_part(mine, other) and FAILS.search(new.lower()):
        return True
    values = other.values
    if is_ban or not is_firm:
        values = frozenset(value for value in values if value[0] not in SOLID)
    if mine.values:
        pairs = [(one, former) for one in mine.values for former in values if one != former]
        # What is about an identifier does not give it.
        if any(
            is_like(one, former) and (former[0] not in SOLID or gives(old, former)) for one, former in pairs
        ):
            return True
        return (
            corrects
            and not is_ban
            and _has_one_subject(mine, other)
            and any(is_kin(*pair) and gives(old, pair[1]) for pair in pairs)
        )
    if is_ban or other.values or not is_firm:
        return False
    if mine.names:
        return bool(other.names)
    choices = mine.words & _CHOICES
    if choices:
        return bool((other.words & _CHOICES) - choices)
    return not other.names and size(subject(other.words)) <= _FEW


def _has_one_subject(mine: Anchors, other: Anchors) -> bool:
    """Return whether a statement gives one value and no subject, or the other's; of two it says which."""
    if sum(form != "han" for form, _ in mine.values) != 1:
        return False
    own = _own(mine)
    return not own or bool(own & other.words) or not frozenset("".join(own)).isdisjoint(_han(other.words))


def _han(words: frozenset[str]) -> frozenset[str]:
    return frozenset("".join(word for word in words if word > "\u4e00"))
