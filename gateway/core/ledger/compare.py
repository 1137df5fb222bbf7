"""Whether one entry is about the same as another, and what it does to it.

Cautious on purpose: two limits that differ in a word of their subject ("ads", "hosting") are two limits.
"""

from __future__ import annotations

import re

from gateway.core.ledger.anchors import anchors, subject, told
from gateway.core.ledger.changes import forbids
from gateway.core.ledger.changes import is_ban as says_ban
from gateway.core.ledger.claims import GOAL, OF, Claim
from gateway.core.ledger.contests import Strength, gives_alike, have_akin_names, may_be_of, may_replace
from gateway.core.ledger.differences import difference
from gateway.core.ledger.ending import may_end
from gateway.core.ledger.entry import Kind
from gateway.core.ledger.forms import SOLID, Value
from gateway.core.ledger.leaning import gives_beside_ban, leans, may_lean, own, speaks_of_one
from gateway.core.ledger.likeness import gives
from gateway.core.ledger.matching import match
from gateway.core.ledger.reading import is_setting, read
from gateway.core.ledger.supersede import Fit, fit, names_another
from gateway.core.ledger.words_contests import decides, denies_last

_MUCH = 4
_ENOUGH = 2
"""Two statements that share so much, a name or two words, may be of the same."""


def is_opposite(new: Claim, old: Claim) -> bool:
    """Return whether an entry demands what the other forbids, or the other way round."""
    kinds = (Kind.PROHIBITION, Kind.RULE, Kind.PREFERENCE)
    if (
        new.entry.kind not in kinds
        or old.entry.kind not in kinds
        or new.topic.is_negative is old.topic.is_negative
    ):
        return False
    return len(new.about) > 1 and new.about == old.about


def is_new_goal(new: Claim, old: Claim) -> bool:
    """Return whether an entry says that the goal is another one now."""
    goals = new.entry.kind is Kind.GOAL and old.entry.kind is Kind.GOAL
    return goals and new.names_goal and bool(GOAL.search(old.sentence))


def replaces(new: Claim, old: Claim) -> tuple[Fit, int]:
    """Return how surely an entry puts another value in the place of the other's, and what they share."""
    is_ban = old.entry.kind is Kind.PROHIBITION
    found, shared = fit(new.entry.text, old.entry.text, new.sign, is_ban, _are_orders(new, old))
    # A ban gives no other value to a thing that it shares a word with.
    is_value = old.entry.kind is Kind.VALUE
    if new.entry.kind is Kind.PROHIBITION and is_value and found < Fit.COVERS and shared < _ENOUGH:
        return Fit.NO, 0
    # What is forbidden or open stays so unless the same is said of it, or all that it is about.
    if old.entry.kind is Kind.PROHIBITION and found < Fit.SURE and not new.topic.is_negative:
        return Fit.NO, 0
    least = Fit.SHORT if shared >= _MUCH else Fit.COVERS
    if old.entry.kind in (Kind.PROHIBITION, Kind.TASK, Kind.GOAL) and found < least:
        return Fit.NO, 0
    return found, shared


def _are_apart(new: Claim, old: Claim) -> bool:
    """Return whether both name another thing of one sort, or both forbid, or both are tasks."""
    return (not new.sign.corrects and _are_orders(new, old)) or names_another(new.entry.text, old.entry.text)


def _are_orders(new: Claim, old: Claim) -> bool:
    """Return whether both forbid, or both are tasks."""
    if new.entry.kind is old.entry.kind is Kind.TASK:
        return True
    if new.entry.kind is old.entry.kind is Kind.PROHIBITION:
        return True
    return forbids(new.sentence) and forbids(old.sentence)


def matches(new: Claim, old: Claim) -> float:
    """Return how much of what an entry takes back or ticks off the other is about; 0: not enough."""
    is_of_kind = old.entry.kind in new.named_kinds() or old.entry.kind is Kind.TASK
    return match(new.entry.text, old.entry.text, is_of_kind, new.withdraws)


_SHORT = 80
BOUNDING = frozenset((Kind.LIMIT, Kind.PROHIBITION))
"""What bounds or forbids."""
# What somebody asked for, and may no longer ask for.
_ASKED = (Kind.PROHIBITION, Kind.LIMIT, Kind.RULE, Kind.PREFERENCE)


def contests(item: Claim, other: Claim) -> bool:
    """Return whether a later statement may have put another value in the place of an earlier one.

    That it may is enough: what is contested is presented neither as in force nor as gone.
    """
    if (item.sign.adds and item.adds) or (says_ban(item.sentence) and _are_orders(item, other)):
        return False
    if other.entry.kind in _ASKED and _may_end(item, other):
        return True
    if _are_apart(item, other):
        return False
    is_ban = other.entry.kind is Kind.PROHIBITION
    strength = _strength(item)
    if not strength and shares_subject(item, other) and (_are_bounds(item, other) or _are_alike(item, other)):
        # Two bounds of one form may be of the same, and two values that are written alike.
        strength = Strength.HINTS
    return may_replace(item.entry.text, other.entry.text, strength, is_ban)


def _are_bounds(item: Claim, other: Claim) -> bool:
    return item.entry.kind in BOUNDING and other.entry.kind in BOUNDING


def _are_alike(item: Claim, other: Claim) -> bool:
    return gives_alike(item.entry.text, other.entry.text, other.entry.kind is Kind.PROHIBITION)


def shares_subject(item: Claim, other: Claim) -> bool:
    """Return whether two entries share a word of what they are about."""
    return bool(subject(read(item.entry.text).words & read(other.entry.text).words))


def names_thing(item: Claim) -> bool:
    """Return whether an entry first names something: by an identifier, or by a name."""
    mine = read(item.entry.text.partition(", ")[0])
    return bool(mine.names) or any(form in SOLID for form, _ in mine.values)


def _may_end(item: Claim, other: Claim) -> bool:
    found = difference(anchors(item.entry.text), anchors(other.entry.text))
    # All that a short ban is about can be one word.
    if found.shared < (_ENOUGH if found.others and not _allows(item, other) else 1):
        return False
    turns_round = found.shared > _ENOUGH and item.topic.is_negative != other.topic.is_negative
    return turns_round or item.lifts or may_end(item.sentence)


def _allows(item: Claim, other: Claim) -> bool:
    """Return whether a statement allows in few words what the other forbids; an identifier it must name."""
    if not (item.lifts and other.topic.is_negative and len(item.sentence) <= _SHORT):
        return False
    return all(form not in SOLID for form, _ in read(other.entry.text).values)


def _strength(item: Claim) -> Strength:
    if item.sign.corrects:
        return Strength.CORRECTS
    return Strength.CHANGES if item.sign.changes else Strength(int(item.hints))


def may_contest_afar(item: Claim) -> bool:
    """Return whether a statement may be of what it shares no word with: it says little, or a change."""
    if item.entry.source or item.adds:
        return False
    if not (is_lean(item) or (item.hints and speaks_of_one(item.entry.text))):
        return False
    if item.entry.kind is Kind.TASK:
        return item.hints and bool(read(item.entry.text).values)
    # What withdraws names what it withdraws, unless it comes to a measure: "lifted to 30".
    if item.withdraws:
        return any(_comes_to(item.entry.text, value) for value in read(item.entry.text).values)
    return item.entry.kind is not Kind.PROHIBITION or gives_beside_ban(item.entry.text)


def _comes_to(text: str, value: Value) -> bool:
    return value[0] not in SOLID and value[0][:3] not in ("han", "cho") and gives(text, value)


def may_change(item: Claim) -> bool:
    """Return whether a statement may say that something is otherwise, and what it is now."""
    if is_lean(item) or item.withdraws:
        return True
    return _is_firm(item) and bool(read(item.entry.text).values)


def is_lean(item: Claim) -> bool:
    """Return whether a statement says so little of its own that it is of something said before."""
    return may_lean(item.entry.text) and leans(item.entry.text, _is_firm(item), item.hints)


def contests_afar(item: Claim, other: Claim) -> bool:
    """Return whether such a statement may be of an earlier one."""
    is_ban = other.entry.kind is Kind.PROHIBITION
    if not is_lean(item):
        return rivals(item, other)
    if _are_apart(item, other):
        return False
    return may_be_of(item.entry.text, other.entry.text, _is_firm(item), is_ban, _is_correction(item))


_ALSO = ("Also ", "also ", "And ", "and ", "Plus ", "plus ", "还有", "另外", "此外")
"""With these begins what comes in addition; for other purposes it leads to what is said."""


def may_rival(item: Claim) -> bool:
    """Return whether a statement gives a value, so that it may be of the only one that is written alike."""
    if item.entry.source or item.adds or item.withdraws or item.entry.kind in (Kind.TASK, Kind.PROHIBITION):
        return False
    if item.entry.text.startswith(_ALSO):
        return False
    # What is sure names its own subject, if it has one.
    text = item.entry.text
    if not (speaks_of_one(text) and read(text).values):
        return False
    if not item.entry.is_sure or _is_of_nothing(text) or is_setting(text):
        return True
    # Of what is chosen there is one, whatever its kind is called.
    return any(form.startswith("choice") for form, _ in read(text).values)


def rivals(item: Claim, other: Claim) -> bool:
    """Return whether both give a value written alike, and share no word by which they were compared.

    An update stays in force unless what is said next is said of nothing: what it replaced must not come back.
    """
    if _are_apart(item, other):
        return False
    if other.entry.kind is not Kind.PROHIBITION and have_akin_names(item.entry.text, other.entry.text):
        return True
    if told(anchors(item.entry.text).words & anchors(other.entry.text).words):
        return False
    if (other.sign.changes or OF in other.entry.text) and not _is_of_nothing(item.entry.text):
        return False
    return _are_alike(item, other)


def _is_of_nothing(text: str) -> bool:
    return not own(text) and not read(text).names


def gives_instead(item: Claim, other: Claim) -> bool:
    """Return whether what takes "that" back gives a value that may stand in the place of the other's."""
    if not anchors(item.entry.text).values:
        return False
    is_ban = other.entry.kind is Kind.PROHIBITION
    return may_be_of(item.entry.text, other.entry.text, True, is_ban)


def _is_firm(item: Claim) -> bool:
    return item.sign.changes or decides(item.sentence)


def _is_correction(item: Claim) -> bool:
    return item.sign.corrects or denies_last(item.sentence)


# What bounds without forbidding.
_BOUNDS = re.compile(
    r"\b(?:only|off|closed|paused?|blocked|stopped|disabled|hold|freeze|frozen|until|at most|no more|under"
    r"|less|always|every|each|must"
    r"|has to|have to|needs?"
    r"|before|first|up to|max\w*|limit|cap|alone|ask)\b|只|关闭|限|最多|必须|才|都要|先|不超过"
)


def is_open(item: Claim) -> bool:
    """Return whether an update was not yet found to be of something."""
    return item.sign.changes and OF not in item.entry.text


def is_ban(other: Claim) -> bool:
    """Return whether an entry is what a permission can lift."""
    return (
        other.topic.is_negative or bool(_BOUNDS.search(other.sentence))
    ) and other.entry.kind is not Kind.TASK


def is_anything(other: Claim) -> bool:
    """Return that a withdrawal can mean any entry."""
    return True


def is_task(other: Claim) -> bool:
    """Return whether an entry is what a report of completion closes."""
    return other.entry.kind is Kind.TASK


def is_over(new: Claim, old: Claim) -> bool:
    """Return whether what an entry says once more takes the place of the other, or ends it."""
    if new.sign.changes and replaces(new, old)[0] >= Fit.COVERS:
        return True
    ends = ((new.permits or new.lifts) and is_ban(old)) or (new.finishes and is_task(old))
    return ends and matches(new, old) > 0
