"""Let what was said later replace what was said before.

Entries are taken in order, and the state after each is nothing but the list of those that count: so settling
in rounds gives what settling at once gives, and settling what was settled changes nothing. For the latter, an
update that does not itself say of what it is gets the subject of what it replaced behind it: "(of: …)".

Only users and the head change what users and the head said. A tool's newer value replaces its older one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from gateway.core.frozen import replace
from gateway.core.ledger.aside import doubted
from gateway.core.ledger.claims import Claim, claim
from gateway.core.ledger.compare import (
    gives_instead,
    is_anything,
    is_ban,
    is_new_goal,
    is_open,
    is_opposite,
    is_over,
    is_task,
    matches,
    replaces,
)
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.places import Places
from gateway.core.ledger.pointing import meant_by_it, pointed_at
from gateway.core.ledger.renewal import instead, renewed, settled, unsettled
from gateway.core.ledger.supersede import Fit
from gateway.core.ledger.turned import is_news, says_no_more


@dataclass(frozen=True, slots=True)
class Settled:
    """What counts and what no longer does, each in the order in which it was said."""

    current: tuple[Entry, ...]
    gone: tuple[Entry, ...]
    aside: tuple[Entry, ...] = ()
    """What may be none of the user's rules, or may hold no longer: not to be presented as in force."""


def settle(
    entries: Iterable[Entry], together: range = range(0), is_wide: bool = True, messages: Sequence[int] = ()
) -> Settled:
    """Return the entries that count, and those that were replaced, withdrawn or done.

    *together*: the places of entries that were settled with each other before, in whatever order they come
    now: they act on those before them, and not on each other. *is_wide*: whether a loose word is enough to
    put aside what was said before it. *messages*: the number of the message that each entry is from: what
    one message lists side by side replaces nothing of the same list, unless it says so.

    >>> cap = Entry(Kind.LIMIT, "Budget cap: 500 EUR")
    >>> [e.text for e in settle([cap, Entry(Kind.LIMIT, "The cap is now 900 EUR")]).current]
    ['The cap is now 900 EUR']
    """
    ledger = _Ledger()
    for place, entry in enumerate(entries):
        if place == together.start and together:
            ledger.hold()
        if place == together.stop:
            ledger.release()
        if messages:
            ledger.turn_to(messages[place])
        ledger.add(entry)
    ledger.release()
    ledger.put_aside(is_wide)
    current = tuple(item.entry for item in ledger.items.values())
    return Settled(current, tuple(ledger.gone), tuple(ledger.aside))


def _surely(item: Claim) -> Claim:
    return claim(replace(item.entry, is_sure=True))


@dataclass(slots=True)
class _Ledger:
    """The entries that count so far, and where each of their words stands."""

    items: dict[int, Claim] = field(default_factory=dict)
    gone: list[Entry] = field(default_factory=list)
    aside: list[Entry] = field(default_factory=list)
    _message: int = -1
    """The number of the message that is read; -1: of none."""
    _first: int = 0
    """The number of the first entry of that."""
    _said: list[tuple[int, Claim]] = field(default_factory=list)
    """What users said, each with the number that the next entry had."""
    _numbers: dict[str, int] = field(default_factory=dict)
    """Entries by their text, so that nothing is carried twice."""
    _places: Places = field(default_factory=Places)
    _held: dict[str, Claim] | None = None
    """What is to be added once all that it was settled with has acted on what was there, by its text."""
    _replacing: set[str] = field(default_factory=set)
    """Texts of what took the place of something for sure."""
    _next: int = 0

    def turn_to(self, message: int) -> None:
        """Begin with what a message says, or go on with it."""
        if message != self._message:
            self._message, self._first = message, self._next

    def _border(self, item: Claim) -> int:
        """Return before which number stands what an entry may replace: not in its own message, as a rule."""
        return self._next if self._message < 0 or item.sign.corrects else self._first

    def add(self, entry: Entry) -> None:
        """Take the next entry: it is new, or says again, replaces or withdraws what is there."""
        item = claim(entry)
        if not entry.source:
            self._said.append((self._next, item))
        if not entry.is_sure:
            if not self._is_news(item):
                self.aside.append(entry)
                return
            item = _surely(item)
            entry = item.entry
        known = self._numbers.get(item.key)
        if known is not None:
            if self.items[known].entry.source and not entry.source:
                self._remove(known)
            else:
                self._remove_all(self._meant_since(item, known))
                return
        if entry.source:
            self._supersede_reported(item)
            self._append(item)
        elif not self._act(item):
            self._update(item)

    def _is_news(self, item: Claim) -> bool:
        """Return whether an entry that may be of anything reports a change of just what a user said."""
        if item.entry.source or not is_news(item.sentence):
            return False
        found = [self.items[number] for fit, _, number in self._fits(_surely(item)) if fit >= Fit.COVERS]
        return any(says_no_more(item.entry.text, other.entry.text) for other in found)

    def hold(self) -> None:
        """Add no entry to those that count until it is said."""
        self._held = {}

    def release(self) -> None:
        """Add what was held."""
        held, self._held = self._held, None
        for item in (held or {}).values():
            self._append(item)

    def put_aside(self, is_wide: bool) -> None:
        """Put aside what may no longer hold, as something else was said of the same since."""
        for number in doubted(self._said, self.items, self._places, self._replacing, is_wide):
            self._remove(number)
            self.aside.append(self.gone.pop())

    def _meant_since(self, item: Claim, known: int) -> list[int]:
        """Return what was said since an entry that is said once more, and what it takes the place of or ends.

        An old statement can be read after its update: the update is in the digest, the statement in the view.
        """
        acts = item.sign.changes or item.permits or item.lifts or item.finishes
        if item.entry.source or not acts or known == self._next - 1:
            return []
        since = [number for number in {*self._places.near(item), *self._places.alike(item)} if number > known]
        return [number for number in sorted(since) if is_over(item, self.items[number])]

    def _append(self, item: Claim) -> None:
        if self._held is not None:
            self._held[item.key] = item
            return
        if item.key in self._numbers:
            return
        number, self._next = self._next, self._next + 1
        self.items[number] = item
        self._numbers[item.key] = number
        self._places.add(number, item)

    def _remove(self, number: int) -> None:
        item = self.items.pop(number)
        self.gone.append(item.entry)
        self._numbers.pop(item.key, None)
        self._places.remove(number, item)

    def _act(self, item: Claim) -> bool:
        """Do to others what an entry says is to be done; return whether that is all it says."""
        if item.withdraws:
            return self._withdraw(item)
        if (item.permits or item.lifts) and self._end(item, is_ban):
            return True
        if item.is_done and item.entry.kind is Kind.DECISION and not (item.permits or item.lifts):
            done = self._best(item, is_task)
            self._remove_all(done)
            if not done and not item.topic.values and item.given:
                # Of nothing that was to be done: it may say who or what it is now.
                self.aside.append(item.entry)
            return bool(done) or not item.topic.values
        return (item.is_done or item.finishes) and self._end(item, is_task)

    def _end(self, item: Claim, is_meant: Callable[[Claim], bool]) -> bool:
        """Remove what an entry ends, and keep the entry; return whether there was any."""
        ended = self._best(item, is_meant)
        if ended:
            self._remove_all(ended)
            # With less to choose from it must not end what it did not mean.
            others = any(
                is_meant(self.items[n]) and matches(item, self.items[n]) for n in self._places.near(item)
            )
            self._update(settled(item) if others or self._fits(item) else item)
        return bool(ended)

    def _remove_all(self, numbers: Iterable[int]) -> None:
        for number in dict.fromkeys(numbers):
            self._remove(number)

    def _withdraw(self, item: Claim) -> bool:
        targets = self._best(item, is_anything) or pointed_at(item, self.items)
        gone = [self.items[number] for number in targets]
        self._remove_all(targets)
        if not gone:
            if item.about:
                self._append(item)
            return True
        known = frozenset().union(*(other.given for other in gone))
        if item.says_more(known) or (item.points_back and gives_instead(item, gone[-1])):
            self._update(instead(item, gone[-1]))
        return True

    def _best(self, item: Claim, is_meant: Callable[[Claim], bool]) -> list[int]:
        """Return the entries that share most with one, if that is enough to be meant."""
        scores = {
            number: score
            for number in self._places.near(item)
            if is_meant(self.items[number]) and (score := matches(item, self.items[number]))
        }
        most = max(scores.values(), default=0.0)
        return [number for number, score in scores.items() if score == most]

    def _update(self, item: Claim) -> None:
        """Let an entry take the place of what it says anew, or stand beside all others."""
        fits = self._fits(item)
        exact = [number for fit, _, number in fits if fit is Fit.SURE]
        loose = [found for found in fits if found[0] is not Fit.SURE]
        if not exact and not loose and item.is_bare and item.topic.values and is_open(item):
            loose = [(Fit.GUESS, 0, number) for number in meant_by_it(item, self.items)]
        targets = exact or [number for _, _, number in loose[:1]]
        if not targets:
            self._append(unsettled(item))
            return
        old = self.items[targets[-1]]
        self._remove_all(targets)
        self._replacing.add(item.entry.text)
        # Of several that stand side by side it may be any one.
        is_any = len(exact) > 1 and not item.sign.changes
        if is_any or (not exact and loose[0][0] is Fit.GUESS):
            self.aside += self.gone[-len(targets) :]
            del self.gone[-len(targets) :]
        vague = len(loose) > 1 or bool(exact and loose) or (item.sign.changes and item.is_bare)
        new = renewed(item, old, vague)
        # With its subject it may be about more than it seemed to be without.
        if new is item:
            self._append(item)
        else:
            self._update(new)

    def _fits(self, item: Claim) -> list[tuple[Fit, int, int]]:
        """Return what an entry may replace, the likeliest first: how surely, what they share, its number."""
        near = self._places.alike(item)
        if item.sign.changes:
            near = sorted({*near, *self._places.near(item)})
        found, border = [], self._border(item)
        for number in near:
            other = self.items[number]
            if number >= border:
                continue
            fit, shared = (Fit.SURE, 0) if is_opposite(item, other) else replaces(item, other)
            if fit is Fit.SURE or (fit and is_open(item)):
                found.append((fit, shared, number))
        if item.names_goal:
            found += [(Fit.SURE, 0, n) for n, other in self.items.items() if is_new_goal(item, other)]
        return sorted(set(found), reverse=True)

    def _supersede_reported(self, item: Claim) -> None:
        """Remove the older value that the same tool gave for the same key."""
        others = self._places.of_slots(item)
        if not others or item.is_generic or not item.is_keyed:
            return
        for number in others:
            other = self.items[number]
            if (
                other.entry.source == item.entry.source
                and other.is_keyed
                and other.topic.subject == item.topic.subject
            ):
                self._remove(number)
