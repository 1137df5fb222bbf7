"""Carry the ledger through a compaction: lifted from the view before the steps, put down in what they leave.

Whatever a step takes away, what must survive of it stands in the digest afterwards, said once. So no strategy
need know of the ledger, and none can lose it. An entry whose message stays in the view as it was is not
carried: it is there. Several compactions in a row come to what one would have: the ledger is read back from
the digest, in its place in time, and settled together with what was said since.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gateway.core.conversation import Conversation, Kind, Message, Role, made
from gateway.core.ledger.entry import Entry
from gateway.core.ledger.settle import Settled, settle
from gateway.core.ledger.thin import thin
from gateway.strategies import marks, notes, said
from gateway.strategies.acknowledge import acknowledged
from gateway.strategies.base import Room, newest
from gateway.strategies.facts import facts
from gateway.strategies.gist import bare, pieces
from gateway.strategies.notes import Notes, Section
from gateway.strategies.strike import REPLACED, in_one_line, is_told_of, struck

_LEAST = 0.1
"""Share of the target for the ledger even where what must stay leaves no room: that has to be cut anyway."""

_FRAME_TOKENS = 120
"""What a digest takes that holds nothing, with the acknowledgement after it."""

_SLACK_TOKENS = 8

_TRIES = 3
"""How often user texts are chosen anew if they turn out to take more than there is room for."""


@dataclass(frozen=True, slots=True)
class Lifted:
    """A conversation and its ledger."""

    view: Conversation
    """The conversation, less the ledger that its digest held."""
    settled: Settled
    said: Mapping[int, tuple[Entry, ...]]
    """What each of its messages says, by the identity of the message."""
    room: Room
    sizes: dict[int, int] = field(default_factory=dict, compare=False)
    """What entries of the ledger take in a digest, by their identity, as far as it was asked."""

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
        return _found(message, self.room) if known is None else known


def lift(view: Conversation, room: Room) -> Lifted:
    """Return the conversation parted from its ledger."""
    messages = list(view.messages)
    carried, place = list[Entry](), view.head_end
    for index, message in enumerate(messages):
        if not _is_digest(message):
            continue
        read, place = notes.read(message.text), index
        if read.ledger:
            carried += read.ledger
            messages[index] = message.with_text(0, replace(read, ledger=()).text(), room.count)
    said = {id(message): _found(message, room) for message in messages}
    older = max(place, _last_gap(view))
    entries = [
        *(entry for message in messages[:older] for entry in said[id(message)]),
        *carried,
        *(entry for message in messages[older:] for entry in said[id(message)]),
    ]
    return Lifted(replace(view, messages=tuple(messages)) if carried else view, settle(entries), said, room)


def _is_digest(message: Message) -> bool:
    """Return whether a message is a digest and can be written anew."""
    if message.role is not Role.USER or len(message.blocks) != 1:
        return False
    block = message.blocks[0]
    return block.kind is Kind.TEXT and block.path is not None and marks.is_digest(block.text)


def _found(message: Message, room: Room) -> tuple[Entry, ...]:
    """Return what a message says; what the gateway wrote into it itself is nothing said."""
    if message.role is Role.USER and marks.is_digest(message.text):
        return ()
    return tuple(entry for entry in room.find(message) if "[haversack" not in entry.text)


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
    left = room.target - sum(message.tokens for message in _must_stay(view)) - _FRAME_TOKENS
    most = min(int(room.keep.ledger_ratio * room.target), max(left, int(_LEAST * room.target)))
    kept = thin(lost, most - _FRAME_TOKENS, lifted.size)
    tokens = most if len(kept) < len(lost) else min(_FRAME_TOKENS + sum(map(lifted.size, kept)), most)
    said = (entry for entry in (*kept, *lifted.settled.gone) if not entry.source)
    return Kept(tokens, frozenset(" ".join(entry.text.split()) for entry in said))


def _must_stay(view: Conversation) -> Iterator[Message]:
    """Yield what no step may touch: the head, what no call has seen, and the request that is worked on."""
    start = newest(view)
    yield from view.messages[: view.head_end]
    if view.last_user is not None and view.head_end <= view.last_user < start:
        yield view.messages[view.last_user]
    yield from view.messages[start:]


def put_down(lifted: Lifted, after: Conversation, room: Room, most: int, reserved: int) -> Conversation:
    """Return what the steps left, with the ledger of what they took: *most* is what all of it may take.

    The ledger has its share of the target, and only what is free of it beyond what was *reserved*. What then
    is free goes to what users said, if there is a digest that says it.
    """
    after = _with_digest(lifted, after, room, most)
    lost = lifted.lost(after.messages)
    share = min(int(room.keep.ledger_ratio * room.target), max(reserved, room.target - after.tokens))
    allowed = min(share, most - after.tokens) - _FRAME_TOKENS
    kept = thin(lost, allowed, lifted.size) if allowed > 0 else ()
    index = next((i for i, message in enumerate(after.messages) if _is_ours(message)), None)
    if index is None:
        return _inserted(after, Notes(ledger=kept), room) if kept else after
    old = notes.read(after.messages[index].text)
    # Where steps stop above the target, that was enough: users' words give way only to what must fit.
    is_above = after.tokens > room.target
    limit = most if is_above else min(room.target, most)
    free = limit - after.tokens - _size(Notes(ledger=kept), room)
    free = min(free, 0) if is_above else free
    every = _user_texts(lifted, after)
    for attempt in range(_TRIES):
        texts = _more(lifted, every, old.entries.get(Section.USER, ()), free, kept)
        history = {**old.entries, Section.USER: struck(texts, lifted.settled.gone, kept)}
        text = replace(old, ledger=kept, entries=history).text()
        found = after.replacing({index: _rewritten(after.messages[index], text, room)})
        if found.tokens <= limit:
            break
        # What sentences take together is not quite what they take one by one.
        free -= found.tokens - limit + attempt * _SLACK_TOKENS
    return found


def _with_digest(lifted: Lifted, after: Conversation, room: Room, most: int) -> Conversation:
    """Return what the steps left, with a digest if they took one away: what users said is not lost."""
    if any(map(_is_ours, after.messages)) or not any(map(_is_ours, lifted.view.messages)):
        return after
    held = _inserted(after, Notes(), room)
    return held if held.tokens < min(room.target, most) else after


def _size(said: Notes, room: Room) -> int:
    """Return the tokens that a digest takes for what is said, its headings among them."""
    return room.count(said.text()) - room.count(Notes().text())


def _more(
    lifted: Lifted, every: Sequence[str], texts: Sequence[str], free: int, kept: Sequence[Entry]
) -> Sequence[str]:
    """Return the *texts* of users that a digest says, with more of *every* one where there is room for it."""
    if not every or not free:
        return texts
    count = lifted.room.count
    room = max(free + sum(said.size(text, count) for text in texts), 0)
    carried = frozenset(in_one_line(entry.text) for entry in kept)
    return said.fitting(every, min(room, lifted.room.keep.user_text_tokens), carried, count)


def _user_texts(lifted: Lifted, after: Conversation) -> Sequence[str]:
    """Return what users said in messages that are gone, also what only an earlier digest says of it.

    What an earlier ledger said, and may hold no longer, is part of it: an old statement among others.
    """
    there = {id(message) for message in after.messages}
    gone = [
        message
        for message in lifted.view.messages[lifted.view.head_end :]
        if message.role is Role.USER and (id(message) not in there or marks.is_digest(message.text))
    ]
    texts = facts(gone).entries.get(Section.USER, ())
    if not lifted.settled.aside:
        return texts
    known = {bare(sentence) for text in texts for sentence in pieces(text)}
    said_by = {entry for message in lifted.view.messages for entry in lifted.by(message)}
    aside = [
        entry.text for entry in lifted.settled.aside if entry not in said_by and bare(entry.text) not in known
    ]
    return [*texts[:1], *dict.fromkeys(aside), *texts[1:]]


def unsaid(lifted: Lifted, after: Conversation) -> int:
    """Return the tokens of what mattered in messages of users, holds yet, and stands nowhere any more."""
    texts: list[str] = []
    carried = {in_one_line(entry.text) for entry in lifted.settled.gone if not entry.source}
    for message in after.messages:
        if _is_ours(message):
            read = notes.read(message.text)
            texts += _less_marks(read.entries.get(Section.USER, ()))
            carried.update(in_one_line(entry.text) for entry in read.ledger)
        elif message.role is Role.USER:
            texts.append(message.text)
    # What is left of a sentence that is struck in part is looked for as it stands after that.
    every = _less_marks(struck(_user_texts(lifted, after), lifted.settled.gone, ()))
    return said.missing(every, texts, carried, lifted.room.count)


def _less_marks(texts: Iterable[str]) -> list[str]:
    return [text.replace(REPLACED, "\n") for text in texts]


def is_cramped(lifted: Lifted, after: Conversation, room: Room, most: int, missing: int) -> bool:
    """Return whether what is *missing* was left out for want of room; else no more room would bring it back.

    Where there is a digest with room for all of it, it is what is left of a sentence that was struck in part.
    """
    free = min(room.target, most) - after.tokens
    digest = next(filter(_is_ours, after.messages), None)
    if digest is None or free < missing + _FRAME_TOKENS:
        return True
    kept = notes.read(digest.text).entries.get(Section.USER, ())
    longest = max(said.size(text, room.count) for text in _user_texts(lifted, after))
    return longest > said.most_of_one(free + sum(said.size(text, room.count) for text in kept))


def _is_ours(message: Message) -> bool:
    return message.role is Role.USER and marks.is_digest(message.text) and len(message.blocks) == 1


def _rewritten(message: Message, text: str, room: Room) -> Message:
    """Return a digest with another text, in the message that it had."""
    return message.with_text(0, text, room.count) if message.raw else made(Role.USER, text, room.count)


def _inserted(after: Conversation, said: Notes, room: Room) -> Conversation:
    """Return the conversation with a digest of its own for the ledger, in its place in time."""
    digest, place = made(Role.USER, said.text(), room.count), _place(after)
    return after.splicing(place, place, [digest, *acknowledged(after.messages[place:], room.count)])


def _place(view: Conversation) -> int:
    """Return where a digest is to stand: behind the head, or a first user message that is older than it is.

    Before such a message it would be taken back by it: a later message says otherwise, it is told.
    """
    place = view.head_end
    first = view.messages[place : place + 2]
    is_kept = len(first) == 2 and first[0].role is Role.USER and marks.gap_size(first[1].text) is not None
    return place + 2 if is_kept else place
