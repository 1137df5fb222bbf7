"""What a compaction leaves, with the ledger of what it took, and with what users said where there is room."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from gateway.core.conversation import Conversation, Role, made
from gateway.core.frozen import replace
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.settle import settle
from gateway.core.ledger.thin import thin
from gateway.strategies import marks, notes, said
from gateway.strategies.acknowledge import acknowledged
from gateway.strategies.base import Room
from gateway.strategies.carry import FRAME_TOKENS, Lifted
from gateway.strategies.facts import facts
from gateway.strategies.gist import bare, pieces
from gateway.strategies.notes import Notes, Section
from gateway.strategies.outdated import STATES, with_held_unmarked, with_values_marked
from gateway.strategies.place import apart, is_digest, is_note, rewritten, together
from gateway.strategies.strike import REPLACED, in_one_line, renewed, struck

_BULLET = re.compile(r"\n[ \t]{0,8}(?:[-*•]|#{1,6}|\d{1,3}[.)]) ")

_SLACK_TOKENS = 8

_RULING = frozenset((Kind.PROHIBITION, Kind.LIMIT, Kind.RULE))

# What the ledger says is asked for in each attempt, and at the end.
_in_one_line = lru_cache(2048)(in_one_line)

_TRIES = 3
"""How often user texts are chosen anew if they turn out to take more than there is room for."""


def put_down(lifted: Lifted, after: Conversation, room: Room, most: int, reserved: int) -> Conversation:
    """Return what the steps left, with the ledger of what they took: *most* is what all of it may take.

    The ledger has its share of the target, and only what is free of it beyond what was *reserved*. What then
    is free goes to what users said, if there is a digest that says it.
    """
    found = _with_ledger(lifted, after, room, most, reserved)
    is_apart = room.keep.place == "message"
    return found if is_apart else together(found, room.count, min(room.target, most))


def _with_ledger(lifted: Lifted, after: Conversation, room: Room, most: int, reserved: int) -> Conversation:
    after = _with_digest(lifted, after, room, most)
    lost = lifted.lost(after.messages)
    share = min(int(room.keep.ledger_ratio * room.target), max(reserved, room.target - after.tokens))
    allowed = min(share, most - after.tokens) - FRAME_TOKENS
    kept: Sequence[Entry] = thin(lost, allowed, lifted.size) if allowed > 0 else ()
    if not any(map(is_digest, after.messages)):
        if not kept and not _has_doubted(lifted, after):
            return after
        held = _inserted(after, Notes(), room)
        if not kept and held.tokens >= min(room.target, most):
            return after
        after = held
    index = next(i for i, message in enumerate(after.messages) if is_digest(message))
    old = notes.read(after.messages[index].text)
    # Where steps stop above the target that they had, that was enough: users' words give way only to what
    # must fit.
    is_above = after.tokens + reserved > room.target
    limit = most if is_above else min(room.target, most)
    every, told = _user_texts(lifted, after), old.entries.get(Section.USER, ())
    had = sum(said.size(text, room.count) for text in told)
    free = limit - after.tokens - _size(Notes(ledger=kept), room)
    thinned = _thinned(kept, had + free, every, lifted)
    if len(thinned) < len(kept):
        kept, free = thinned, limit - after.tokens - _size(Notes(ledger=thinned), room)
    # What the ledger says no more, as it may hold no longer, had its room there.
    moved = sum(said.size(text, room.count) for text in _moved(lifted)) if is_above else 0
    free = min(free, moved) if is_above else free
    gone = [*lifted.settled.gone, *_outdated(lifted, old.entries.get(Section.SUMMARY, ()))]
    for attempt in range(_TRIES):
        texts = _fitting(lifted, every, had + free, kept) if every and free else told
        history = {**old.entries, Section.USER: struck(texts, lifted.settled.gone, kept)}
        if Section.SUMMARY in history:
            history[Section.SUMMARY] = [
                _marked(text, lifted) for text in renewed(history[Section.SUMMARY], gone)
            ]
        text = replace(old, ledger=kept, entries=history).text()
        found = after.replacing({index: rewritten(after.messages[index], text, room.count)})
        if found.tokens <= limit:
            break
        # What sentences take together is not quite what they take one by one.
        free -= found.tokens - limit + attempt * _SLACK_TOKENS
    return found


def _thinned(kept: Sequence[Entry], room: int, texts: Sequence[str], lifted: Lifted) -> Sequence[Entry]:
    """Return a ledger that leaves room for what users forbade or bounded, and it does not say.

    *room*: what it leaves for all that users said. Only what was reported gives way.
    """
    reported = [entry for entry in kept if entry.source]
    # Where all of it fits nothing is missing; what each sentence is worth takes long to tell.
    if not reported or sum(said.size(text, lifted.room.count) for text in texts) <= room:
        return kept
    own = frozenset(_in_one_line(entry.text) for entry in kept if not entry.source)
    missing = said.bounding(texts, own, lifted.room.count) - max(room, 0)
    if missing <= 0:
        return kept
    left = thin(reported, sum(map(lifted.size, reported)) - missing, lifted.size)
    there = set(map(id, left))
    return [entry for entry in kept if not entry.source or id(entry) in there]


def _has_doubted(lifted: Lifted, after: Conversation) -> bool:
    """Return whether something went that may be a rule of a user's: it can only be said among their words."""
    ruling = {entry for entry in lifted.settled.aside if entry.kind in _RULING and not entry.source}
    return bool(ruling) and not ruling <= {one for message in after.messages for one in lifted.by(message)}


def _outdated(lifted: Lifted, summaries: Sequence[str]) -> Sequence[Entry]:
    """Return what summaries say, and the ledger knows to be replaced.

    What a model wrote settles nothing: it is looked at as if a user had said it before all that is in force.
    """
    if not summaries:
        return ()
    room = lifted.room
    told = room.find(made(Role.USER, _BULLET.sub("\n\n", "\n".join(summaries)), room.count))
    # Its sections are in no order of time, so by itself it replaces nothing.
    alone = set(settle(told).gone)
    return [one for one in settle([*told, *lifted.settled.current]).gone if one in told and one not in alone]


def _marked(text: str, lifted: Lifted) -> str:
    """Return a summary with marks behind what may hold no longer, and on nothing that the ledger says."""
    settled = lifted.settled
    over = [one for one in (*settled.gone, *settled.aside) if one.is_sure and not one.source]
    text = with_values_marked(text, [one for one in over if one.kind in STATES], settled.current)
    return with_held_unmarked(text, settled.current)


def _with_digest(lifted: Lifted, after: Conversation, room: Room, most: int) -> Conversation:
    """Return what the steps left, with a digest if they took one away: what users said is not lost."""
    if any(map(is_digest, after.messages)) or not any(map(is_digest, lifted.view.messages)):
        return after
    held = _inserted(after, Notes(), room)
    return held if held.tokens < min(room.target, most) else after


def _size(said: Notes, room: Room) -> int:
    """Return the tokens that a digest takes for what is said, its headings among them."""
    return room.count(said.text()) - room.count(Notes().text())


def _fitting(lifted: Lifted, every: Sequence[str], room: int, kept: Sequence[Entry]) -> Sequence[str]:
    """Return what fits of all that users said, beside a ledger that is *kept*."""
    carried = frozenset(_in_one_line(entry.text) for entry in kept)
    doubted = frozenset(_in_one_line(entry.text) for entry in lifted.settled.aside if entry.is_sure)
    most = min(max(room, 0), lifted.room.keep.user_text_tokens)
    return said.fitting(every, most, carried, lifted.room.count, doubted)


def _user_texts(lifted: Lifted, after: Conversation) -> Sequence[str]:
    """Return what users said in messages that are gone, also what only an earlier digest says of it.

    What an earlier ledger said, and may hold no longer, is part of it: an old statement among others.
    """
    there = {id(message) for message in after.messages}
    gone = [
        message
        for message in lifted.view.messages[lifted.view.head_end :]
        if message.role is Role.USER and (id(message) not in there or is_digest(message))
    ]
    those = tuple(map(id, gone))
    if (told := lifted.told.get(those)) is None:
        told = lifted.told[those] = _with_moved(facts(gone).entries.get(Section.USER, ()), lifted)
    return told


def _with_moved(texts: Sequence[str], lifted: Lifted) -> Sequence[str]:
    moved = _moved(lifted)
    known = {bare(sentence) for text in texts for sentence in pieces(text)} if moved else set()
    aside = [text for text in moved if bare(text) not in known]
    return [*texts[:1], *aside, *texts[1:]] if aside else texts


def _moved(lifted: Lifted) -> Sequence[str]:
    """Return what an earlier ledger said, and this one does not, as it may hold no longer."""
    if not lifted.settled.aside:
        return ()
    said_by = {entry for message in lifted.view.messages for entry in lifted.by(message)}
    return list(dict.fromkeys(entry.text for entry in lifted.settled.aside if entry not in said_by))


def unsaid(lifted: Lifted, after: Conversation) -> int:
    """Return the tokens of what mattered in messages of users, holds yet, and stands nowhere any more."""
    after = apart(after, lifted.room.count)
    texts: list[str] = []
    carried = {_in_one_line(entry.text) for entry in lifted.settled.gone if not entry.source}
    for message in after.messages:
        if is_digest(message):
            read = notes.read(message.text)
            texts += _less_marks(read.entries.get(Section.USER, ()))
            carried.update(_in_one_line(entry.text) for entry in read.ledger)
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
    after = apart(after, room.count)
    free = min(room.target, most) - after.tokens
    digest = next(filter(is_digest, after.messages), None)
    if digest is None or free < missing + FRAME_TOKENS:
        return True
    kept = notes.read(digest.text).entries.get(Section.USER, ())
    longest = max(said.size(text, room.count) for text in _user_texts(lifted, after))
    return longest > said.most_of_one(free + sum(said.size(text, room.count) for text in kept))


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
    is_old = len(first) == 2 and first[0].role is Role.USER and place != view.last_user
    return place + 2 if is_old and is_note(first[1]) and marks.gap_size(first[1].text) is not None else place
