"""Where the entries that count are found: by what they are about, and by what they give the value of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, islice

from gateway.core.ledger.compare import Claim

COMMON = 48
"""Of the entries that have a word, so many of the latest can be meant by it."""
_SAME = 12
"""So many of the latest that give a value to the same are compared with one that gives it another."""
_LIKELY = 16
"""So many of those that share most with an entry are compared with it."""


@dataclass(slots=True)
class Places:
    """The numbers of entries by what each is about."""

    _words: dict[str, dict[int, None]] = field(default_factory=dict)
    """By every word, name and value; oldest first."""
    _slots: dict[str | frozenset[str], dict[int, None]] = field(default_factory=dict)
    _said: set[int] = field(default_factory=set)
    """Those of entries by users."""
    _end: int = 1
    """More than any number."""

    def add(self, number: int, item: Claim) -> None:
        """Note where an entry stands, whose number is the highest so far."""
        for word in item.about:
            self._words.setdefault(word, {})[number] = None
        for slot in item.slots:
            self._slots.setdefault(slot, {})[number] = None
        if not item.entry.source:
            self._said.add(number)
        self._end = number + 1

    def remove(self, number: int, item: Claim) -> None:
        """Forget an entry."""
        for word in item.about:
            self._words[word].pop(number, None)
        for slot in item.slots:
            self._slots[slot].pop(number, None)
        self._said.discard(number)

    def near(self, item: Claim) -> list[int]:
        """Return the numbers of the entries by users that share most with one, oldest first."""
        shared = Counter(chain.from_iterable(map(_latest, filter(None, map(self._words.get, item.about)))))
        # How much they share and their number as one number, which is sorted faster than two.
        end = self._end
        likely = sorted([times * end + number for number, times in shared.items()])[-_LIKELY:]
        return sorted(number for number in (rank % end for rank in likely) if number in self._said)

    def alike(self, item: Claim) -> list[int]:
        """Return the latest entries by users of the same subject."""
        numbers = {n for slot in item.slots for n in islice(reversed(self._slots.get(slot, {})), _SAME)}
        return sorted(numbers & self._said)

    def of_slots(self, item: Claim) -> list[int]:
        """Return all entries that give a value to the same."""
        return list({number: None for slot in item.slots for number in self._slots.get(slot, ())})


def _latest(numbers: dict[int, None]) -> Iterable[int]:
    return numbers if len(numbers) <= COMMON else islice(reversed(numbers), COMMON)
