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

    _words: dict[str, int] = field(default_factory=dict)
    """By every word, name and value: a bit for each entry."""
    _slots: dict[str | frozenset[str], dict[int, None]] = field(default_factory=dict)
    _latest: dict[str, int] = field(default_factory=dict)
    """By the same, the latest of them."""
    _said: int = 0
    """A bit for each entry by a user."""

    def add(self, number: int, item: Claim) -> None:
        """Note where an entry stands, whose number is the highest so far."""
        words, latest, bit = self._words, self._latest, 1 << number
        for word in item.about:
            words[word] = words.get(word, 0) | bit
            found = latest.get(word, 0)
            # Of one more than there is room for the oldest goes.
            latest[word] = (found & (found - 1) if found.bit_count() >= COMMON else found) | bit
        for slot in item.slots:
            self._slots.setdefault(slot, {})[number] = None
        if not item.entry.source:
            self._said |= bit

    def remove(self, number: int, item: Claim) -> None:
        """Forget an entry."""
        bit = 1 << number
        for word in item.about:
            self._words[word] &= ~bit
            if self._latest[word] & bit:
                self._latest[word] = _with_older(self._latest[word] ^ bit, self._words[word])
        for slot in item.slots:
            self._slots[slot].pop(number, None)
        self._said &= ~bit

    def near(self, item: Claim) -> list[int]:
        """Return the numbers of the entries by users that share most with one, oldest first."""
        latest = self._latest
        shared = _counted([latest[word] for word in item.about if word in latest])
        return sorted(number for number in islice(highest(shared), _LIKELY) if self._said >> number & 1)

    def sharing(self, item: Claim) -> int:
        """Return, as bits, the entries by users that share a word with one, of each word the latest.

        What numbers count is none: two prices are not of the same.
        """
        latest = self._latest
        shared = 0
        for word in item.about - item.topic.units:
            shared |= latest.get(word, 0)
        return shared & self._said

    def alike(self, item: Claim) -> list[int]:
        """Return the latest entries by users of the same subject."""
        numbers = {n for slot in item.slots for n in islice(reversed(self._slots.get(slot, {})), _SAME)}
        return sorted(number for number in numbers if self._said >> number & 1)

    def of_slots(self, item: Claim) -> list[int]:
        """Return all entries that give a value to the same."""
        return list({number: None for slot in item.slots for number in self._slots.get(slot, ())})


def _with_older(latest: int, entries: int) -> int:
    """Return the latest of some entries with the one before them; with the last one, if there are none.

    >>> bin(_with_older(0b1100, 0b1101)), bin(_with_older(0b1100, 0b1100)), bin(_with_older(0, 0b11))
    ('0b1101', '0b1100', '0b10')
    """
    older = entries & ((latest & -latest) - 1) if latest else entries
    return latest | 1 << older.bit_length() - 1 if older else latest


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


def highest(digits: list[int]) -> Iterator[int]:
    """Yield the bits that are counted, those with the highest counts first, of equal ones the highest bit.

    >>> list(highest([0b101, 0b110]))
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
