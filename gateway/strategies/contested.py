"""Mark in a summary what users have said something else of since: the later statement stands behind it.

A summary is about a beginning of the conversation, and is not written anew for every message after it. What
the ledger knows to be replaced is struck out of it (`strike`); what only may be is marked, so that nothing is
lost and nobody takes it for the last word. It need not be in the ledger for that: what was doubted there once
is not carried any more, and still a summary may tell it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from gateway.core.conversation import Conversation, Message, Role, made
from gateway.core.frozen import replace
from gateway.core.ledger.claims import OF, claim
from gateway.core.ledger.compare import is_lean
from gateway.core.ledger.entry import Entry
from gateway.core.ledger.settle import settle
from gateway.strategies import notes
from gateway.strategies.base import Room
from gateway.strategies.notes import Section
from gateway.strategies.outdated import MARK, STATES, units, with_values_marked
from gateway.strategies.place import is_digest, rewritten

_NUMBER = re.compile(r"\d")
_ASKS = re.compile(r"[?？]\W{0,3}$|[吗呢][。！\s]{0,3}$")
_BULLET = re.compile(r"[ \t]{0,8}(?:[-*•]|#{1,6}|\d{1,3}[.)]) ")


def marked(text: str, later: Iterable[Message], room: Room, before: Iterable[Message] = ()) -> str:
    """Return a summary with a mark behind each sentence of which users said something else *later*.

    *before*: messages that it is about, or a digest of them. What was said there tells of what its words are.
    """
    said = [entry for entry in _said(later, room) if _says_something(entry)]
    if not said:
        return text
    text = "\n".join(_with_marks(text.split("\n"), said, room))
    older = list(dict.fromkeys(_said(before, room)))
    over = _over(older, said)
    return with_values_marked(text, list(over), [*said, *(one for one in older if one not in over)])


def with_marks(view: Conversation, room: Room) -> Conversation:
    """Return the conversation with marks in the summary of its digest; *view* if there are none."""
    for at, message in enumerate(view.messages):
        if not is_digest(message):
            continue
        found = notes.read(message.text)
        if texts := found.entries.get(Section.SUMMARY):
            new = marked(texts[-1], view.messages[at + 1 :], room, [message])
            if new == texts[-1]:
                return view
            text = notes.with_summary(found, new).text()
            return view.replacing({at: rewritten(message, text, room.count)})
    return view


def _said(messages: Iterable[Message], room: Room) -> Iterator[Entry]:
    """Yield what users say in messages, and what a digest quotes of them."""
    for message in messages:
        if is_digest(message):
            texts = notes.read(message.text).entries.get(Section.USER, ())
            yield from _said((made(Role.USER, text, room.count) for text in texts), room)
        elif message.role is Role.USER:
            yield from room.find(message)


def _says_something(entry: Entry) -> bool:
    """Return whether an entry may say that something is otherwise: "And now?" may be about anything."""
    if entry.is_sure:
        return True
    is_of_something = _NUMBER.search(entry.text) or not is_lean(claim(entry))
    return bool(is_of_something) and not _ASKS.search(entry.text)


def _with_marks(lines: Sequence[str], said: Sequence[Entry], room: Room) -> Iterator[str]:
    every = [list(units(line)) for line in lines]
    told = {unit: tuple(_told(unit, room)) for parts in every for unit in parts}
    over = _over([entry for entries in told.values() for entry in entries], said)
    for parts in every:
        yield "".join(
            unit + MARK if MARK not in unit and not over.isdisjoint(told[unit]) else unit for unit in parts
        )


def _told(unit: str, room: Room) -> Sequence[Entry]:
    bare = _BULLET.sub("", unit.replace(MARK, ""), count=1)
    return room.find(made(Role.USER, bare, room.count))


def _over(told: Sequence[Entry], said: Sequence[Entry]) -> frozenset[Entry]:
    """Return what of the first may hold no longer for the sake of the others.

    Doubt counts for nothing here: whether this is what is meant is for the reader to see.
    """
    sure = {replace(one, is_sure=True): one for one in told if one.kind in STATES}
    # What was told stands in no order of time: by itself it replaces nothing.
    later = (replace(one, is_sure=True) for one in said)
    found = settle([*sure, *later], range(len(sure)), is_wide=False)
    # What ends something by itself ("keep it off") may be settled as of something that was said before.
    over = {one.text.partition(OF)[0] for one in (*found.gone, *found.aside)} - {one.text for one in said}
    return frozenset(one for one in sure.values() if one.text in over)
