"""Let what was said later replace what was said before.

Entries are taken in order, and the state after each is nothing but the list of those that count: so settling
in rounds gives what settling at once gives, and settling what was settled changes nothing. For the latter, an
update that does not itself say of what it is gets the subject of what it replaced behind it: "(of: …)".

Only users and the head change what users and the head said. A tool's newer value replaces its older one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from gateway.core.ledger.compare import (
    OF,
    Claim,
    claim,
    is_close,
    is_new_goal,
    is_opposite,
    is_restated,
    matches,
    names_old,
)
from gateway.core.ledger.entry import MAX_CHARS, ORDER, Entry, Kind
from gateway.core.ledger.topic import masked

# What takes over the kind of what it replaces: a decision to move the deadline is the deadline.
_WEAK = (Kind.DECISION, Kind.VALUE, Kind.RULE)
# Behind it stands what a withdrawal sets instead.
_BORDER = re.compile(r"[,;:.—–，。；：]\s*|\s(?:and|but)\s")
_COMMON = 32
"""A word that more entries have tells nothing about what is meant."""
_RECENT = 6
"""So many of the latest entries can be meant by "it"."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What counts and what no longer does, each in the order in which it was said."""

    current: tuple[Entry, ...]
    gone: tuple[Entry, ...]


def settle(entries: Iterable[Entry]) -> Settled:
    """Return the entries that count, and those that were replaced, withdrawn or done.

    >>> cap = Entry(Kind.LIMIT, "Budget cap: 500 EUR")
    >>> [e.text for e in settle([cap, Entry(Kind.LIMIT, "The cap is now 900 EUR")]).current]
    ['The cap is now 900 EUR']
    """
    ledger = _Ledger()
    for entry in entries:
        ledger.add(entry)
    return Settled(tuple(item.entry for item in ledger.items.values()), tuple(ledger.gone))


@dataclass(slots=True)
class _Ledger:
    """The entries that count so far, and where each of their words stands."""

    items: dict[int, Claim] = field(default_factory=dict)
    gone: list[Entry] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)
    """Entries by their text, so that nothing is carried twice."""
    _places: dict[str, set[int]] = field(default_factory=dict)
    """Entries by what they are about."""
    _next: int = 0

    def add(self, entry: Entry) -> None:
        """Take the next entry: it is new, or says again, replaces or withdraws what is there."""
        item = claim(entry)
        known = self._numbers.get(item.key)
        if known is not None:
            if self.items[known].entry.source and not entry.source:
                self._remove(known)
            else:
                return
        if entry.source:
            self._supersede_reported(item)
            self._append(item)
        elif not self._act(item):
            self._update(item)

    def _append(self, item: Claim) -> None:
        if item.key in self._numbers:
            return
        number, self._next = self._next, self._next + 1
        self.items[number] = item
        self._numbers[item.key] = number
        for word in item.about:
            self._places.setdefault(word, set()).add(number)

    def _remove(self, number: int) -> None:
        item = self.items.pop(number)
        self.gone.append(item.entry)
        self._numbers.pop(item.key, None)
        for word in item.about:
            self._places[word].discard(number)

    def _near(self, item: Claim) -> list[int]:
        """Return the numbers of entries by users that share a word with one, oldest first."""
        places = [self._places[word] for word in item.about if self._places.get(word)]
        found = set().union(*(numbers for numbers in places if len(numbers) <= _COMMON))
        if not found and places:
            shortest = min(places, key=_length)
            found = set(sorted(shortest)[-_COMMON:])
        return sorted(number for number in found if not self.items[number].entry.source)

    def _act(self, item: Claim) -> bool:
        """Do to others what an entry says is to be done; return whether that is all it says."""
        if item.withdraws:
            return self._withdraw(item)
        if item.permits:
            for number in self._near(item):
                if _is_ban(self.items[number]) and matches(item, self.items[number]):
                    self._remove(number)
            if item.entry.kind is Kind.RULE:
                self._append(item)
            return True
        if item.is_done and item.entry.kind is Kind.DECISION:
            done = self._best(item, _is_task)
            for number in done:
                self._remove(number)
            return bool(done) or not item.topic.values
        return False

    def _withdraw(self, item: Claim) -> bool:
        targets = self._best(item, _is_no_value) or self._pointed_at(item)
        gone = [self.items[number] for number in targets]
        for number in targets:
            self._remove(number)
        if not gone:
            if item.about:
                self._append(item)
            return True
        known = frozenset().union(*(other.topic.values | other.topic.names for other in gone))
        if item.says_more(known):
            self._update(_instead(item, gone[-1]))
        return True

    def _best(self, item: Claim, is_meant: Callable[[Claim], bool]) -> list[int]:
        """Return the entries that share most with one, if that is enough to be meant."""
        scores = {
            number: score
            for number in self._near(item)
            if is_meant(self.items[number]) and (score := matches(item, self.items[number]))
        }
        most = max(scores.values(), default=0.0)
        return [number for number, score in scores.items() if score == most]

    def _pointed_at(self, item: Claim) -> list[int]:
        """Return what "that" means: the entry just before, or the latest of the kind that is named."""
        if item.about and not item.points_back:
            return []
        kinds = item.named_kinds()
        for number in reversed(self.items):
            other = self.items[number].entry
            if not other.source and (not kinds or other.kind in kinds):
                return [number]
            if not kinds:
                return []
        return []

    def _update(self, item: Claim) -> None:
        near = self._near(item)
        exact = [n for n in near if is_restated(item, self.items[n]) or is_opposite(item, self.items[n])]
        exact += [n for n in near if n not in exact and names_old(item, self.items[n])]
        if item.entry.kind is Kind.GOAL:
            exact += [n for n, other in self.items.items() if is_new_goal(item, other)]
        loose = self._loose(item, near, exact) if item.changes and OF not in item.entry.text else []
        targets = exact or loose[:1]
        if not targets:
            self._append(_unsettled(item))
            return
        old = self.items[targets[-1]]
        for number in targets:
            self._remove(number)
        vague = len(loose) > 1 or bool(exact and loose) or (item.changes and item.is_bare)
        renewed = _renewed(item, old, vague)
        # With its subject it may be about more than it seemed to be without.
        if renewed is item:
            self._append(item)
        else:
            self._update(renewed)

    def _loose(self, item: Claim, near: list[int], exact: list[int]) -> list[int]:
        """Return what else an update may replace, the likeliest first."""
        found = [n for n in near if n not in exact and is_close(item, self.items[n])]
        if found or exact or not item.is_bare or not item.topic.values:
            return sorted(found, key=lambda n: (len(item.about & self.items[n].about), n), reverse=True)
        return list(self._meant_by_it(item))

    def _meant_by_it(self, item: Claim) -> Iterator[int]:
        recent = [n for n in list(self.items)[-4 * _RECENT :] if not self.items[n].entry.source][-_RECENT:]
        for number in reversed(recent):
            other = self.items[number]
            if item.shape & other.shape and item.topic.units <= other.topic.units:
                yield number
                return

    def _supersede_reported(self, item: Claim) -> None:
        """Remove the older value that the same tool gave for the same key."""
        if not item.is_keyed or item.is_generic:
            return
        numbers = [self._places.get(word, set()) for word in item.topic.subject]
        for number in sorted(set.intersection(*numbers)) if numbers else []:
            other = self.items[number]
            if (
                other.entry.source == item.entry.source
                and other.is_keyed
                and other.topic.subject == item.topic.subject
            ):
                self._remove(number)


def _length(numbers: set[int]) -> int:
    return len(numbers)


def _is_ban(other: Claim) -> bool:
    return other.topic.is_negative and other.entry.kind is not Kind.TASK


def _is_task(other: Claim) -> bool:
    return other.entry.kind is Kind.TASK


def _is_no_value(other: Claim) -> bool:
    return other.entry.kind is not Kind.VALUE


def _unsettled(item: Claim) -> Claim:
    """Return an update of nothing that is known as one that will not look for it again."""
    if not item.changes or OF in item.entry.text or not item.is_bare:
        return item
    text = f"{item.entry.text}{OF}something said before)"
    return claim(replace(item.entry, text=text)) if len(text) <= MAX_CHARS else item


def _instead(item: Claim, old: Claim) -> Claim:
    """Return what a withdrawal sets in place of what it takes back: "scratch that, use tabs"."""
    rest = _BORDER.split(item.entry.text, maxsplit=1)[-1]
    says = claim(replace(item.entry, text=rest))
    if not says.about or rest == item.entry.text:
        return _renewed(item, old, is_vague=True)
    return _renewed(says, old, is_vague=says.is_bare)


def _renewed(item: Claim, old: Claim, is_vague: bool) -> Claim:
    """Return an entry that took the place of another, with its kind and, if need be, its subject."""
    entry = item.entry
    is_reversed = old.entry.kind is Kind.PROHIBITION and not item.topic.is_negative
    kind = Kind.RULE if is_reversed else old.entry.kind
    if entry.kind in _WEAK and ORDER[kind] < ORDER[entry.kind]:
        entry = replace(entry, kind=kind)
    if is_vague and OF not in entry.text:
        subject = masked(old.entry.text.split(OF)[0])
        text = f"{entry.text}{OF}{subject})"
        if len(text) <= MAX_CHARS:
            entry = replace(entry, text=text)
    return item if entry is item.entry else claim(entry)
