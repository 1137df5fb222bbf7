"""Mark in a summary what users have said something else of since: the later statement stands behind it.

A summary is about a beginning of the conversation, and is not written anew for every message after it. What
the ledger knows to be replaced is struck out of it (`strike`); what only may be is marked, so that nothing is
lost and nobody takes it for the last word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from gateway.core.conversation import Conversation, Message, Role, made
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.settle import settle
from gateway.strategies import notes
from gateway.strategies.base import Room
from gateway.strategies.fold import is_digest
from gateway.strategies.notes import Section
from gateway.strategies.place import rewritten

MARK = " [perhaps replaced since]"

# Of these one takes the place of another; whether a goal is reached or a task is done, the reader can tell.
_STATES = frozenset((Kind.PROHIBITION, Kind.LIMIT, Kind.RULE, Kind.PREFERENCE, Kind.VALUE))

_NUMBER = re.compile(r"\d")
_BULLET = re.compile(r"[ \t]{0,8}(?:[-*•]|#{1,6}|\d{1,3}[.)]) ")


def marked(text: str, later: Iterable[Message], room: Room) -> str:
    """Return a summary with a mark behind each line of which users said something else *later*."""
    found = (entry for message in later if _is_said(message) for entry in room.find(message))
    # "And now?" may be about anything, and so says nothing against it.
    said = [entry for entry in found if entry.is_sure or _NUMBER.search(entry.text)]
    if not said:
        return text
    lines = [line.removesuffix(MARK) for line in text.split("\n")]
    told = [_told(line, room) for line in lines]
    over = _contested([entry for entries in told for entry in entries], said)
    pairs = zip(text.split("\n"), told, strict=True)
    return "\n".join(
        line + MARK if not over.isdisjoint(entries) and not line.endswith(MARK) else line
        for line, entries in pairs
    )


def with_marks(view: Conversation, room: Room) -> Conversation:
    """Return the conversation with marks in the summary of its digest; *view* if there are none."""
    for at, message in enumerate(view.messages):
        found = notes.read(message.text) if is_digest(message) else notes.Notes()
        if texts := found.entries.get(Section.SUMMARY):
            new = marked(texts[-1], view.messages[at + 1 :], room)
            if new == texts[-1]:
                return view
            text = notes.with_summary(found, new).text()
            return view.replacing({at: rewritten(message, text, room.count)})
    return view


def _is_said(message: Message) -> bool:
    return message.role is Role.USER and not is_digest(message)


def _told(line: str, room: Room) -> Sequence[Entry]:
    return room.find(made(Role.USER, _BULLET.sub("", line, count=1), room.count))


def _contested(told: Sequence[Entry], said: Sequence[Entry]) -> frozenset[Entry]:
    """Return what of the first may hold no longer for the sake of the others."""
    # The lines of a summary are in no order of time: by themselves they replace nothing.
    alone = settle(told)
    known = {*alone.gone, *alone.aside, *said}
    every = settle([*told, *said]).aside
    return frozenset(one for one in every if one.kind in _STATES and one in told and one not in known)
