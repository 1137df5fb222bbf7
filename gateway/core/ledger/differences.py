"""In what two statements differ: which values, which words of the subject; and how much they share."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gateway.core.ledger.anchors import Anchors, subject, told
from gateway.core.ledger.forms import SOLID, Value

SOLID_WEIGHT = 3
NAME_WEIGHT = 2
_LETTERS = re.compile(r"[a-z]+|\d+")
_SERIES = re.compile(r"([a-z]{2,})[-_]?\d")


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
    if "".join(rest).isascii() or max(rest) < "\u4e00":
        return rest
    chars = frozenset("".join(those))
    return frozenset(word for word in rest if word < "\u4e00" or not chars.issuperset(word))


def _named(rest: frozenset[str], those: Anchors) -> frozenset[Value]:
    named = rest & those.names
    return frozenset([("name", word) for word in named]) if named else _NONE


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
    holds_solid: bool
    """An identifier stands in both."""
    is_narrow: bool
    """The new one is about something that the old one does not name."""


def slots(new: frozenset[Value], old: frozenset[Value]) -> tuple[frozenset[Value], frozenset[Value]]:
    """Return those of what differs that are alike in form."""
    if not new or not old:
        return _NONE, _NONE
    pairs = [(one, other) for one in new for other in old if alike(one[0], other[0])]
    return frozenset([one for one, _ in pairs]), frozenset([other for _, other in pairs])


def _solid(values: frozenset[Value]) -> frozenset[Value]:
    return frozenset([value for value in values if value[0] in SOLID]) if values else values


def _without(values: frozenset[Value], those: frozenset[Value]) -> frozenset[Value]:
    """Return the values that are not among those, with whatever unit."""
    rest = values - those
    if not rest or not those or {value for _, value in those}.isdisjoint([value for _, value in rest]):
        return rest
    return frozenset(
        v for v in rest if not any(v[1] == other[1] and alike(v[0], other[0]) for other in those)
    )


def difference(new: Anchors, old: Anchors) -> Difference:
    """Return in what two statements differ."""
    common = new.words & old.words
    only_new, only_old = _without(new.values, old.values), _without(old.values, new.values)
    names_new, names_old = _named(new.words - common, new), _named(old.words - common, old)
    gained, lost = slots(only_new, only_old)
    things = _solid(gained)
    measures = gained - things
    by_name = not gained
    if by_name:
        gained, lost = slots(names_new, names_old)
    mixed = bool(measures and (things or (names_new and names_old))) or len({form for form, _ in things}) > 1
    mixed = mixed or (len(things) > 1 and len(lost) > 1 and not by_name)
    held = {word for _, word in names_new | names_old} if by_name or (names_new and names_old) else set()
    mine = subject(min((w for v, w in new.clauses if by_name or v & gained), key=len, default=new.words))
    # Of something that has values of its own, an identifier is no value but the subject.
    kept = {v for form, v in only_old - lost if things or form in SOLID}
    spare = _solid(only_new - gained) or (measures and not names_old and names_new)
    return Difference(
        gained,
        lost,
        shared(new, old, common) + (is_next(gained, lost) or _counts_same(gained, lost)),
        beyond(mine - held, old.words),
        beyond(subject(old.words) - held, new.words) | kept,
        mixed,
        bool(_solid(new.values & old.values)),
        bool(spare),
    )


def _counts_same(gained: frozenset[Value], lost: frozenset[Value]) -> bool:
    """Return whether both count the same: guests, rows."""
    return any(form.startswith("n ") for form in {f for f, _ in gained} & {f for f, _ in lost})


def is_next(gained: frozenset[Value], lost: frozenset[Value]) -> bool:
    """Return whether both values are of one series: "staging-1", "staging-2"."""
    if not gained or not lost:
        return False
    return not _series(gained).isdisjoint(_series(lost))


def _series(values: frozenset[Value]) -> set[str]:
    # Most values are numbers.
    return {found[1] for _, v in values if "a" <= v[:1] <= "z" and (found := _SERIES.match(v))}


def is_alike_built(gained: frozenset[Value], lost: frozenset[Value]) -> bool:
    """Return whether values begin and are built the same: "eu-west-1", "eu-central-1"."""
    new, old = (
        {(_LETTERS.sub("a", v), v[:2]) for _, v in those if len(_LETTERS.findall(v)) > 1}
        for those in (gained, lost)
    )
    return not new.isdisjoint(old)


def size(words: frozenset[str]) -> int:
    """Return how many words they are; of Chinese, pairs of characters overlap."""
    if "".join(words).isascii():
        return len(words)
    han = sum(1 for word in words if word > "\u4e00")
    return len(words) - han + (han + 1) // 2


def shared(new: Anchors, old: Anchors, common: frozenset[str]) -> int:
    """Return how much two statements have in common; *common*: the words that stand in both."""
    solid = len(_solid(new.values & old.values))
    names = common & (new.names | old.names)
    return SOLID_WEIGHT * solid + NAME_WEIGHT * len(names) + len(told(common - names))
