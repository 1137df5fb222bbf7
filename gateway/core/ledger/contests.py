"""Whether a later statement may have put another value in the place of an earlier one.

Far wider than `supersede`, since little hangs on it: what is contested is not struck, only no longer
presented as in force. So a hint is enough, if the two may be of the same: they share a word, the later names
the old value or gives another of its form, or it says so little of its own that it leans on what was said.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache

from gateway.core.ledger.anchors import Anchors, subject, told
from gateway.core.ledger.differences import Difference, alike, difference, size
from gateway.core.ledger.forms import SOLID, Value
from gateway.core.ledger.leaning import CHOSEN, own, points_back
from gateway.core.ledger.likeness import gives, is_kin, is_like
from gateway.core.ledger.positions import naming
from gateway.core.ledger.reading import read
from gateway.core.ledger.supersede import slot
from gateway.core.ledger.topic import stem
from gateway.core.ledger.words_contests import DENIES, FAILS

_MUCH = 2
"""Two statements that share so much, a name or two words, may be of the same."""
_FEW = 3
"""Two statements of one subject differ in so few words."""
_NONE: frozenset[str] = frozenset()
# Money is read as a budget; so two prices are not yet of the same.
_COIN = "budget"
_ACCESS = "choice access"
"""To be read only is no ban of anything else."""
_PARTS = re.compile(r"[a-z]{4,}")
# Parts that stand in identifiers of any kind.
_COMMON_NAMES = (
    "http https example internal local localhost main data docs test tests prod config json yaml home staging"
    " index report reports html parquet"
)
_COMMON_PARTS = frozenset(_COMMON_NAMES.split())
_LABEL = re.compile(r"^[^:：=]{2,40}\s?(?:[:=]\s|：)")
_BEFORE_VALUE = re.compile(
    r"\b(?:is|are|will be|should be|must be|stays?|goes|go|on|in|as|with|to)\b|[:：=→]|[是为叫用放定选走在]"
)


class Strength(IntEnum):
    """How strongly a statement says that something is otherwise."""

    NONE = 0
    HINTS = 1
    CHANGES = 2
    CORRECTS = 3


@lru_cache(8192)
def may_replace(new: str, old: str, strength: Strength, is_ban: bool) -> bool:
    """Return whether a statement may give another value to what an earlier one is about.

    >>> may_replace("Lab B is closed, take lab D.", "Bring the samples to lab B.", Strength.NONE, False)
    True
    """
    mine, other = read(new), read(old)
    found = difference(mine, other)
    if is_ban:
        return bool(found.lost) and strength is Strength.CORRECTS and found.shared >= _MUCH
    if _names_old(new, mine, other, strength):
        return True
    least = Strength.CORRECTS if found.lost else Strength.CHANGES
    # Whom it names beside an identifier of both may be who says so.
    if found.is_mixed and strength < Strength.CORRECTS:
        return False
    if _is_narrow(found, mine, other) and strength < least and not found.holds_solid:
        return False
    if strength < Strength.CORRECTS and _are_labelled_apart(new, old):
        return False
    if found.lost:
        return _gives_other(found, mine, other, strength)
    return _says_other(new, old, found, strength)


def _is_narrow(found: Difference, mine: Anchors, other: Anchors) -> bool:
    """Return whether what the value is given to is named, and not in the earlier statement.

    What is named in another clause may be why it is so, or who says so.
    """
    if not found.is_narrow or not found.gained:
        return found.is_narrow
    spare = mine.values - other.values - found.gained
    if any(form in SOLID for form, _ in spare):
        return True
    counted = {form[2:] for form, _ in other.values if form.startswith("n ")}
    held = frozenset[str]().union(*(words for values, words in mine.clauses if values & found.gained))
    return bool((mine.names & held) - other.words - counted)


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


@lru_cache(4096)
def have_akin_names(new: str, old: str) -> bool:
    """Return whether an identifier of a statement is named after what the other names, and is not the same.

    >>> have_akin_names("I uploaded census_2024.parquet", "Data source: the 2021 census")
    True
    """
    mine, other = read(new), read(old)
    ids = {value for form, value in mine.values if form in SOLID}
    if not ids or any(value in ids for _, value in other.values):
        return False
    parts = {stem(part)[:6] for value in ids for part in _parts(value)}
    solid = _solid_values(other)
    theirs = {stem(part)[:6] for value in solid if gives(old, value) for part in _parts(value[1])}
    if not solid:
        theirs |= subject(other.words).union(*(form.split()[1:] for form, _ in other.values))
    return not parts.isdisjoint(theirs)


def _solid_values(those: Anchors) -> list[Value]:
    return [value for value in those.values if value[0] in SOLID]


def _parts(value: str) -> set[str]:
    """Return the words in the last part of an identifier."""
    return set(_PARTS.findall(value.rstrip("/").rpartition("/")[2])) - _COMMON_PARTS


def _are_labelled_apart(new: str, old: str) -> bool:
    """Return whether both give values under labels of which each has a word that the other has not."""
    if not (_LABEL.match(new) and _LABEL.match(old)):
        return False
    mine, other = (told(read(slot(text)).words) for text in (new, old))
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
    return told(read(text[: found.start()]).words) if found else _NONE


@lru_cache(8192)
def may_be_of(new: str, old: str, is_firm: bool, is_ban: bool, corrects: bool = False) -> bool:
    """Return whether a statement that leans on what was said may be of this: values are written alike.

    *is_ban*: the other forbids; of that only a measure can be otherwise. *corrects*: it says that something
    was wrong; then an identifier may stand for any one that was given.

    >>> may_be_of("8443 then", "Listen on port 8080.", False, False)
    True
    """
    mine, other = read(new), read(old)
    if _holds_part(mine, other) and FAILS.search(new.lower()):
        return True
    if gives_alike(new, old, is_ban):
        return True
    if is_ban:
        return False
    if points_back(new) and have_akin_names(new, old):
        return True
    if corrects and mine.values and other.values:
        pairs = [pair for pair in _pairs(mine.values, other.values) if is_kin(*pair)]
        if _has_one_subject(new, mine, other):
            return any(gives(old, former) for _, former in pairs)
        if points_back(new) and any(one[0] == former[0] and gives(old, former) for one, former in pairs):
            return True
    return _is_choice(mine) and _is_choice(other) and _chooses(mine, other, is_firm)


# At a compaction most statements are those of the one before.
@lru_cache(8192)
def gives_alike(new: str, old: str, is_ban: bool) -> bool:
    """Return whether a statement gives a value that is written as one that an earlier statement gives."""
    mine, other = read(new), read(old)
    if not mine.values or not other.values:
        return False
    # The number of a thing that must be left alone is no measure.
    values = _measures(other) - naming(old, other.values) if is_ban else other.values
    # What is about an identifier does not give it.
    return any(
        is_like(one, former) and (former[0] not in SOLID or gives(old, former))
        for one, former in _pairs(mine.values, values)
    )


def _pairs(mine: frozenset[Value], others: frozenset[Value]) -> list[tuple[Value, Value]]:
    return [(one, former) for one in mine for former in others if one != former]


def _measures(other: Anchors) -> frozenset[Value]:
    return frozenset([v for v in other.values if v[0] == _ACCESS or _is_measure(v[0])])


def _is_measure(form: str) -> bool:
    return form not in SOLID and not form.startswith("choice")


def _is_choice(those: Anchors) -> bool:
    """Return whether a statement gives nothing of a known form but what people choose."""
    return all(form.startswith("choice") for form, _ in those.values)


def _chooses(mine: Anchors, other: Anchors, is_firm: bool) -> bool:
    """Return whether a name, or a word, may stand for one in another statement."""
    if mine.names and (is_firm or not mine.values):
        return bool(other.names)
    if not is_firm or (mine.values and other.values):
        return False
    choices = mine.words & CHOSEN
    if choices and other.words & CHOSEN:
        return bool((other.words & CHOSEN) - choices)
    return not other.names and size(subject(other.words)) <= _FEW


def _has_one_subject(new: str, mine: Anchors, other: Anchors) -> bool:
    """Return whether a statement gives one value and no subject, or the other's; of two it says which."""
    if sum(form != "han" for form, _ in mine.values) != 1:
        return False
    words = own(new)
    return not words or bool(words & other.words) or not _han(words).isdisjoint(_han(other.words))


def _han(words: frozenset[str]) -> frozenset[str]:
    return frozenset("".join(word for word in words if word > "\u4e00"))
