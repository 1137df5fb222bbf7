"""Whether a statement that lifts a rule, takes something back or reports a task done is about another one."""

from __future__ import annotations

from gateway.core.frozen import replace
from gateway.core.ledger.anchors import Anchors, anchors, subject, told
from gateway.core.ledger.differences import SOLID_WEIGHT, beyond, shared, slots
from gateway.core.ledger.forms import SOLID, Value

# Of these, one in each and not the same: two things.
_TELLING = SOLID | {"n"}


def match(new: str, old: str, is_of_kind: bool, sets_other: bool = False) -> float:
    """Return how well a statement that lifts or ticks off something fits another; 0: not enough.

    *is_of_kind*: it says of what kind is what it lifts, and the other is of that kind. *sets_other*: it
    takes back, and may give another value instead.
    """
    mine, other = _with_units(anchors(new)), _with_units(anchors(old))
    if all(
        any(form in _TELLING for form, _ in rest)
        for rest in (mine.values - other.values, other.values - mine.values)
    ):
        return 0.0
    common = mine.words & other.words
    if mine.names - other.words and other.names - mine.words and not _holds_solid(mine, other):
        return 0.0
    gained, lost = slots(mine.values - other.values, other.values - mine.values)
    if (gained and lost and not sets_other) or not (
        subject(common) or common & mine.names or mine.values & other.values
    ):
        return 0.0
    held = shared(mine, other, common)
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
    if (
        not (worded or measured or _holds_solid(mine, other))
        and others_said(other, mine)
        and told(mine.words) - common
    ):
        return 0.0
    if others and rest and not (held >= SOLID_WEIGHT and (worded or is_of_kind)):
        return 0.0
    return held + measured - 0.1 * len(others) - 0.01 * len(rest)


def others_said(other: Anchors, mine: Anchors) -> bool:
    """Return whether the other one says what is to be done, which may not be the same."""
    return bool(told(other.words) - mine.words)


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
