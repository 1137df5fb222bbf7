"""Carry the ledger through a compaction: lifted from the view before the steps (here), put down in what they
leave (`carried`).

Whatever a step takes away, what must survive of it stands in the digest afterwards, said once. So no strategy
need know of the ledger, and none can lose it. An entry whose message stays in the view as it was is not
carried: it is there. Several compactions in a row come to what one would have: the ledger is read back from
the digest, in its place in time, and settled together with what was said since.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from gateway.core.conversation import Conversation, Kind, Message, Role
from gateway.core.frozen import replace
from gateway.core.ledger.claims import claim
from gateway.core.ledger.entry import Entry
from gateway.core.ledger.plans import is_plan, plan_of
from gateway.core.ledger.settle import Settled, settle
from gateway.core.ledger.speakers import named, settled_apart, several
from gateway.core.ledger.thin import thin
from gateway.core.ledger.topic import SAME
from gateway.core.speaker import speaker
from gateway.strategies import marks, notes
from gateway.strategies.base import Room, newest
from gateway.strategies.place import apart, is_digest, rewritten, told_apart
from gateway.strategies.strike import is_told_of

_LEAST = 0.1
"""Share of the target for the ledger even where what must stay leaves no room: that has to be cut anyway."""

_NOBODY = frozenset[str]()

_LEAST_WORD = 3
"""A shorter word is looked for nowhere: it is in most texts."""
_MOST_WORDS = 48
"""Where there are more of them, so much is said that all is read, once."""
_SOONER_READ = 400_000
"""So many characters, each for every word that is looked for, take as long as to read a report."""

_REPORTING = (Kind.TEXT, Kind.TOOL_RESULT)

FRAME_TOKENS = 120
"""What a digest takes that holds nothing, with the acknowledgement after it."""


@dataclass(frozen=True, slots=True)
class Lifted:
    """A conversation and its ledger."""

    view: Conversation
    """The conversation, less the ledger that its digest held, with that in a message of its own."""
    settled: Settled
    said: Mapping[int, tuple[Entry, ...]]
    """What each of its messages says, by the identity of the message."""
    room: Room
    names: frozenset[str] = frozenset()
    """Of those who speak, where there are several."""
    sizes: dict[int, int] = field(default_factory=dict, compare=False)
    """What entries of the ledger take in a digest, by their identity, as far as it was asked."""
    told: dict[tuple[int, ...], Sequence[str]] = field(default_factory=dict, compare=False)
    """What users said in some of its messages, by the identities of these, as far as it was asked."""

    def size(self, entry: Entry) -> int:
        """Return the tokens that an entry of the ledger takes in a digest."""
        if (known := self.sizes.get(id(entry))) is None:
            known = self.sizes[id(entry)] = self.room.count("- " + notes.labelled(entry)) + 1
        return known

    def lost(self, stay: Iterable[Message]) -> list[Entry]:
        """Return what of the ledger none of these messages says."""
        is_told = any(entry.source.startswith("tool") for entry in self.settled.current)
        telling = (message for message in stay if is_told or message.role is not Role.TOOL)
        said = {entry for message in telling for entry in self.by(message)}
        texts = {entry.text for entry in said}
        # Most entries are told apart by their text, whose hash is known.
        lost = (entry for entry in self.settled.current if entry.text not in texts or entry not in said)
        return [entry for entry in lost if not is_told_of(entry, texts)]

    def by(self, message: Message) -> tuple[Entry, ...]:
        """Return what a message says, of this conversation or of what became of it."""
        known = self.said.get(id(message))
        return _found(message, self.room, self.names) if known is None else known


def lift(view: Conversation, room: Room) -> Lifted:
    """Return the conversation parted from its ledger."""
    view = apart(told_apart(view), room.count)
    messages = list(view.messages)
    carried, plans, place, digests = list[Entry](), list[Entry](), view.head_end, 0
    for index, message in enumerate(messages):
        if not is_digest(message):
            continue
        read, place = notes.read(message.text), index
        if read.ledger:
            plans += filter(is_plan, read.ledger)
            carried, digests = [*carried, *(one for one in read.ledger if not is_plan(one))], digests + 1
            messages[index] = rewritten(message, replace(read, ledger=()).text(), room.count)
    names = several(messages, _told(messages))
    said = {id(message): _found(message, room, names) for message in messages}
    older = max(place, _last_gap(view))
    before = [entry for message in messages[:older] for entry in said[id(message)]]
    after = [entry for message in messages[older:] for entry in said[id(message)]]
    # A ledger stands in its digest by kinds, not in the order in which it was said.
    together = range(len(before), len(before) + len(carried)) if digests == 1 else range(0)
    places = [place for place, message in enumerate(messages) for _ in said[id(message)]]
    places[len(before) : len(before)] = [-1] * len(carried)
    settled = settled_apart([*before, *carried, *after], together, names, places)
    settled = _with_plan(settled, plans, messages, said)
    is_apart = bool(carried or plans)
    view = replace(view, messages=tuple(messages)) if is_apart else view
    return Lifted(view, settled, said, room, names)


def lift_lost(after: Conversation, view: Conversation, room: Room) -> Lifted | None:
    """Return the conversation with the ledger of what is gone of it; None: all must be read to tell.

    Only what is gone is read, and what speaks of the same: all else stays, and says itself what it says.
    *view* holds no digest.
    """
    came = set(map(id, view.messages))
    gone = came.difference(map(id, after.messages))
    found = {id(message): _found(message, room, _NOBODY) for message in view.messages if id(message) in gone}
    lost = {entry for entries in found.values() for entry in entries}
    for message in after.messages if lost else ():
        if id(message) not in came:
            lost.difference_update(_found(message, room, _NOBODY))
    sought = _sought(lost)
    if sought is None:
        return None
    for message in view.messages:
        if id(message) not in found and sought.is_in(message):
            found[id(message)] = _found(message, room, _NOBODY)
    said = {id(message): found.get(id(message), ()) for message in view.messages}
    places = [place for place, entries in enumerate(said.values()) for _ in entries]
    settled = settle((entry for entries in said.values() for entry in entries), messages=places)
    settled = _with_plan(settled, (), view.messages, said) if gone else settled
    return Lifted(view, settled, said, room, several(view.messages, ()))


@dataclass(frozen=True, slots=True)
class _Sought:
    """What is looked for in messages: for each entry the words that it cannot be said anew without."""

    entries: frozenset[frozenset[str]]
    words: Mapping[str, Sequence[str]]
    """All of them, each with how it may be spelt."""

    def is_in(self, message: Message) -> bool:
        """Return whether a message may report one of these entries, or what took its place."""
        if message.role not in (Role.TOOL, Role.ASSISTANT):
            return False
        text = "\n".join(block.text for block in message.blocks if block.kind in _REPORTING)
        if len(text) * len(self.words) > _SOONER_READ:
            return True
        text = text.lower()
        there = {word for word, spelt in self.words.items() if any(one in text for one in spelt)}
        return any(map(there.issuperset, self.entries))


def _sought(entries: Iterable[Entry]) -> _Sought | None:
    """Return what to look for where these are gone; None: all must be read to tell.

    What is reported gives way to what is reported of the very same, and to nothing else. What users said can
    be taken back by what names none of it: "scratch that".
    """
    found = set[frozenset[str]]()
    for entry in entries:
        item = claim(entry)
        if not entry.source or not entry.text.isascii():
            return None
        words = item.topic.subject if item.is_keyed and not item.is_generic else item.about
        found.add(frozenset(word for word in words if min(map(len, _spelt(word))) >= _LEAST_WORD))
    spelt = {word: _spelt(word) for word in frozenset[str]().union(*found)}
    return _Sought(frozenset(found), spelt) if len(spelt) <= _MOST_WORDS else None


@lru_cache(4096)
def _spelt(word: str) -> Sequence[str]:
    """Return what is in a text wherever a word is, in whatever form and by whatever word of that meaning.

    >>> _spelt("entry"), _spelt("repo")
    (('entr',), ('repo', 'repositor'))
    """
    same = dict.fromkeys((word, *(other for other, first in SAME.items() if first == word)))
    return tuple(other[:-1] if other.endswith("y") else other for other in same)


def _with_plan(
    settled: Settled,
    carried: Iterable[Entry],
    messages: Iterable[Message],
    said: dict[int, tuple[Entry, ...]],
) -> Settled:
    """Return what counts with an agent's to-do list, which only its next one takes the place of."""
    plan = plan_of(carried, messages)
    if plan is None:
        return settled
    if plan.by is not None:
        said[id(plan.by)] = (*said[id(plan.by)], plan.entry)
    return replace(settled, current=(*settled.current, plan.entry))


def _told(messages: Iterable[Message]) -> Iterator[str]:
    """Yield what digests have of what users said."""
    for message in messages:
        if is_digest(message):
            yield from notes.read(message.text).entries.get(notes.Section.USER, ())


def _found(message: Message, room: Room, names: frozenset[str]) -> tuple[Entry, ...]:
    """Return what a message says; what the gateway wrote into it itself is nothing said."""
    if is_digest(message):
        return ()
    found = tuple(entry for entry in room.find(message) if "[haversack" not in entry.text)
    for block in message.blocks if found else ():
        if quoted := marks.quoted(block.text):
            found = tuple(replace(entry, text=quoted.get(entry.text, entry.text)) for entry in found)
    return named(found, speaker(message)) if names else found


def _last_gap(view: Conversation) -> int:
    """Return the index after the last place where messages were left out; 0 if there is none.

    What stands before it (a first user message that was kept) is older than what a digest says.
    """
    last, before = 0, None
    for index, message in enumerate(view.messages):
        if message.role is Role.ASSISTANT and marks.gap_size(message.text) is not None:
            last = index + 1
        if message.origin is None:
            continue
        if before is not None and message.origin - before[1] > index - before[0]:
            last = index
        before = index, message.origin
    return last


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept free for the ledger while steps run."""

    tokens: int = 0
    texts: frozenset[str] = frozenset()
    """What users said that it will say, or that holds no longer, white space made plain."""


def reserve(lifted: Lifted, room: Room) -> Kept:
    """Return what to keep free for the ledger while the steps run.

    Its share of the target at most, and no more than what would be lost if all before the tail went. Where
    what must stay leaves less, that; where it leaves nothing, a little all the same: something that must stay
    will be cut then.
    """
    view = lifted.view
    lost = lifted.lost((*view.messages[: view.head_end], *view.messages[room.tail(view) :]))
    if not lost:
        return Kept()
    left = room.target - sum(message.tokens for message in _must_stay(view)) - FRAME_TOKENS
    most = min(int(room.keep.ledger_ratio * room.target), max(left, int(_LEAST * room.target)))
    kept = thin(lost, most - FRAME_TOKENS, lifted.size)
    tokens = most if len(kept) < len(lost) else min(FRAME_TOKENS + sum(map(lifted.size, kept)), most)
    return _kept(tokens, kept, lifted)


def reserve_for(lifted: Lifted, stay: Iterable[Message], room: Room) -> Kept | None:
    """Return what to keep free for a ledger of what these messages do not say; None: it does not fit."""
    lost = lifted.lost(stay)
    tokens = FRAME_TOKENS + sum(map(lifted.size, lost)) if lost else 0
    return _kept(tokens, lost, lifted) if tokens <= room.keep.ledger_ratio * room.target else None


def _kept(tokens: int, kept: Iterable[Entry], lifted: Lifted) -> Kept:
    said = (entry for entry in (*kept, *lifted.settled.gone) if not entry.source)
    return Kept(tokens, frozenset(" ".join(entry.text.split()) for entry in said))


def _must_stay(view: Conversation) -> Iterator[Message]:
    """Yield what no step may touch: the head, what no call has seen, and the request that is worked on."""
    start = newest(view)
    yield from view.messages[: view.head_end]
    if view.last_user is not None and view.head_end <= view.last_user < start:
        yield view.messages[view.last_user]
    yield from view.messages[start:]
