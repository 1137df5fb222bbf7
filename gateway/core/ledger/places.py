"""Where the entries that count are found: by what they are about, and by what they give the value of.

Numbers of entries are counted as bits of whole numbers, all entries at once: most entries are compared with
each new one by this alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from gateway.core.ledger.claims import Claim

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
    _latest: dict[str, int] = field(default_factory=dict)
    """Of the words that were asked for, the latest entries that have them: a bit for each."""
    _said: set[int] = field(default_factory=set)
    """Those of entries by users."""

    def add(self, number: int, item: Claim) -> None:
        """Note where an entry stands, whose number is the highest so far."""
        latest, bit = self._latest, 1 << number
        for word in item.about:
            self._words.setdefault(word, {})[number] = None
            if word in latest:
                latest[word] = _cut(latest[word] | bit)
        for slot in item.slots:
            self._slots.setdefault(slot, {})[number] = None
        if not item.entry.source:
            self._said.add(number)

    def remove(self, number: int, item: Claim) -> None:
        """Forget an entry."""
        for word in item.about:
            self._words[word].pop(number, None)
            self._latest.pop(word, None)
        for slot in item.slots:
            self._slots[slot].pop(number, None)
        self._said.discard(number)

    def near(self, item: Claim) -> list[int]:
        """Return the numbers of the entries by users that share most with one, oldest first."""
        shared = _counted(self._having(word) for word in item.about if word in self._words)
        return sorted(number for number in islice(_highest(shared), _LIKELY) if number in self._said)

    def _having(self, word: str) -> int:
        """Return the latest entries that have a word, a bit for each."""
        found = self._latest.get(word)
        if found is None:
            found = sum(1 << number for number in islice(reversed(self._words[word]), COMMON))
            self._latest[word] = found
        return found

    def alike(self, item: Claim) -> list[int]:
        """Return the latest entries by users of the same subject."""
        numbers = {n for slot in item.slots for n in islice(reversed(self._slots.get(slot, {})), _SAME)}
        return sorted(numbers & self._said)

    def of_slots(self, item: Claim) -> list[int]:
        """Return all entries that give a value to the same."""
        return list({number: None for slot in item.slots for number in self._slots.get(slot, ())})


def _cut(found: int) -> int:
    """Return the latest of some entries; they are at most one too many."""
    return found & (found - 1) if found.bit_count() > COMMON else found


def _counted(those: Iterable[int]) -> list[int]:
    """Return how often each bit is set in some numbers: the ones of these counts, their twos, their fours.

    >>> [bin(digits) for digits in _counted([0b111, 0b110, 0b100])]
    ['0b101', '0b110']
    """
    digits: list[int] = []
    for carry in those:
        for place, digit in enumerate(digits):
            digits[place], carry = digit ^ carry, digit & carry
            if not carry:
                break
        if carry:
            digits.append(carry)
    return digits


def _highest(digits: list[int]) -> Iterator[int]:
    """Yield the bits that are counted, those with the highest counts first, of equal ones the highest bit.

    >>> list(_highest([0b101, 0b110]))
    [2, 1, 0]
    """
    counted = 0
    for digit in digits:
        counted |= digit
    groups = [counted]
    for digit in reversed(digits):
        groups = [part for group in groups for part in (group & digit, group & ~digit) if part]
    for group in groups:
        while group:
            bit = group.bit_length() - 1
            yield bit
            group ^= 1 << bit
