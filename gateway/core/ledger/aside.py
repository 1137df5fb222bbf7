"""Which entries may hold no longer, as something else was said since: they are put aside.

All is compared with all that counts in the end, and nothing is taken out before: so it does not matter in
which order it is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, takewhile

from gateway.core.ledger.claims import OF, Claim
from gateway.core.ledger.compare import (
    BOUNDING,
    contests,
    contests_afar,
    is_lean,
    may_contest_afar,
    may_rival,
    names_thing,
    rivals,
    shares_subject,
)
from gateway.core.ledger.entry import Kind
from gateway.core.ledger.moves import Move, can_move, gives_date, moved
from gateway.core.ledger.others import is_of_others
from gateway.core.ledger.places import COMMON, Places, highest

_MOST_RIVALS = 3
"""What is written like more statements than that is of none of them."""


def doubted(
    said: Iterable[tuple[int, Claim]],
    items: dict[int, Claim],
    places: Places,
    settled: Collection[str],
    is_wide: bool = True,
) -> Iterable[int]:
    """Return the numbers of the entries that may hold no longer.

    *said*: what users said, each with the number that the next entry had. *settled*: the texts of what is
    known to have taken the place of something. *is_wide*: whether what a statement is, and not what it says,
    is enough to cast doubt.
    """
    doubt = _Doubt(items, places)
    for place, item in said:
        if not item.entry.is_sure and is_of_others(item.sentence):
            continue
        if is_wide:
            doubt.cast_by_kind(place, item)
        if not ((item.sign.adds and item.adds) or OF in item.entry.text):
            doubt.cast_by_words(place, item, item.entry.text in settled)
        if not item.entry.is_sure:
            doubt.unsure |= dict.fromkeys(item.about, item)
    return doubt.found


@dataclass(slots=True)
class _Doubt:
    """Which entries may hold no longer, as far as was asked: of those nothing need be asked again."""

    items: dict[int, Claim]
    places: Places
    found: dict[int, None] = field(default_factory=dict)
    unsure: dict[str, Claim] = field(default_factory=dict)
    """What was said that is not sure, by each of its words."""
    _loose: int = 0
    """As bits: the entries that what is unsure can cast doubt on, and has not yet."""
    _decisions: dict[int, None] = field(default_factory=dict)
    """The decisions that no later one has cast doubt on."""

    def __post_init__(self) -> None:
        for number, item in self.items.items():
            if item.entry.kind not in BOUNDING:
                self._loose |= 1 << number
            if item.entry.kind is Kind.DECISION and not item.entry.source:
                self._decisions[number] = None

    def cast_by_kind(self, place: int, item: Claim) -> None:
        """Cast the doubt that a statement casts by what it is, whatever it says of others.

        What is unsure may be of all that it shares a word with, and a decision may be another one than any
        that was taken before. It costs little, but for bans and limits, which go last: what is put aside is
        told all the same, in the user's words.
        """
        loose = self._loose & (1 << place) - 1
        if loose and not item.entry.is_sure:
            for number in highest([self.places.sharing(item) & loose]):
                if self.items[number].key != item.key:
                    self.found[number] = None
                    self._loose ^= 1 << number
        if item.entry.kind is Kind.DECISION:
            before = takewhile(lambda number: number < place, self._decisions)
            for number in [number for number in before if self.items[number].key != item.key]:
                del self._decisions[number]
                self.found[number] = None

    def cast_by_words(self, place: int, item: Claim, is_settled: bool) -> None:
        """Cast the doubt that a statement casts by what it says.

        *is_settled*: it is known to have taken the place of something.
        """
        found, items, before = self.found, self.items, len(self.found)
        near = [number for number in self.places.near(item) if number < place]
        known = [number for number in near if number in found]
        new = [number for number in near if number not in found and contests(item, items[number])]
        found |= dict.fromkeys(number for number in new if items[number].key != item.key)

        def is_of_near() -> bool:
            return bool(new) or any(contests(item, items[number]) for number in known)

        if may_contest_afar(item):
            # What is of something that it shares a word with is of nothing else.
            is_of = not is_lean(item) and (is_settled or is_of_near() or _is_of_unsure(item, self.unsure))
            found |= {} if is_of else dict.fromkeys(_afar(place, item, items))
        elif not is_settled and may_rival(item) and not is_of_near():
            rivals = list(_rivals(place, item, items))
            found |= dict.fromkeys(rivals if len(rivals) <= _MOST_RIVALS else ())
        if not is_settled and (move := moved(item.sentence)):
            is_found = len(found) > before or is_of_near()
            found |= dict.fromkeys(_moved(place, item, move, items, is_found))


def _rivals(place: int, item: Claim, items: dict[int, Claim]) -> Iterator[int]:
    """Yield those of the latest entries by users before one that give a value written like its own."""
    for number in islice(_before(place, items), COMMON):
        if items[number].key != item.key and rivals(item, items[number]):
            yield number


def _moved(place: int, item: Claim, move: Move, items: dict[int, Claim], is_found: bool) -> list[int]:
    """Return those of the latest entries by users that a statement may move, if it names none it is of."""
    if is_found and not (move is Move.TIME and not gives_date(item.entry.text)):
        return []
    found = [
        number
        for number in islice(_before(place, items), COMMON)
        if items[number].key != item.key
        and can_move(move, items[number].entry.kind, items[number].entry.text)
    ]
    named = [number for number in found if shares_subject(item, items[number])]
    # Who names a thing says of what it is.
    return named[: move.most] or ([] if names_thing(item) else found[: move.most])


def _before(place: int, items: dict[int, Claim]) -> Iterator[int]:
    """Yield the numbers of the entries by users before one, the latest first."""
    return (number for number in reversed(items) if number < place and not items[number].entry.source)


def _is_of_unsure(item: Claim, unsure: Mapping[str, Claim]) -> bool:
    """Return whether a statement says something else of what only an unsure one said before."""
    others = {id(other): other for word in item.about if (other := unsure.get(word))}
    return any(contests(item, other) for other in others.values())


def _afar(place: int, item: Claim, items: dict[int, Claim]) -> Iterator[int]:
    """Yield those of the latest entries by users before one of which it may say something else."""
    for number in islice(_before(place, items), COMMON):
        if items[number].key != item.key and contests_afar(item, items[number]):
            yield number
