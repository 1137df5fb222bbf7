"""Fold the older part of a conversation into what a model wrote about it.

No model is asked here: a summary is prepared beside the requests, and this says how far one would reach
(`covered`) and puts one that is ready in its place (`apply`). It stands in a digest, with what users said
beside it, so that the ledger goes with it as with every digest, a later digest carries it on, and a later
summary takes its place. Where none is ready nothing is done, and the steps that follow do their part.

What a summary is about is told by a number of the client's messages. Other steps may have changed some of
them since, so it is only ever put in the place of messages that are known to be before that number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from gateway.core.conversation import Conversation, Message, Role, made
from gateway.strategies import notes, said
from gateway.strategies.base import Room, Strategy, newest
from gateway.strategies.contested import marked
from gateway.strategies.facts import facts
from gateway.strategies.fold import fold, is_news, older_half, question
from gateway.strategies.notes import Notes, Section
from gateway.strategies.place import is_digest
from gateway.strategies.reach import reach

LEAST_NEWS = 0.1
"""Share of a conversation that must be new for another summary: each is a call."""

_LEAST_OF_TARGET = 0.1
"""What users' texts may take beside a summary even where nothing is left."""

_FRAME_TOKENS = 12

_TRIES = 4


@dataclass(frozen=True, kw_only=True)
class Summarize(Strategy):
    """The older part as a model summed it up, with what users said; nothing while no summary is ready."""

    fold: Literal["tail", "half"] = "tail"
    """`tail`: all before the tail is summed up; `half`: the older half of the turns that are over."""
    max_tokens: int = 0
    """A longer summary is cut at the end of a sentence; 0: it is as long as it was written."""

    @property
    def uses_model(self) -> bool:
        """It uses what a model wrote of the beginning (`Room.summary`)."""
        return True

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        yield from self.negative("max_tokens")

    def covered(self, view: Conversation, room: Room) -> int:
        """Return the index up to which a summary would reach that is asked for now; 0: none is worth it.

        The message at that index is as the client sent it: so its number in the client's list is known.
        """
        stop = min(older_half(view) if self.fold == "half" else room.tail(view), newest(view))
        stop = next((at for at in range(stop, view.head_end, -1) if _can_begin(view, at)), 0)
        news = sum(message.tokens for message in view.messages[view.head_end : stop] if is_news(message))
        return stop if news > 0 and news >= LEAST_NEWS * view.tokens else 0

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with its summary in place; *view* if there is none, or it is there."""
        if room.summary is None or not room.summary.text:
            return view
        text = notes.entry(room.summary.text)
        if self.max_tokens:
            text = notes.beginning(text, self.max_tokens, room.count)
        stop = reach(view, room.summary.length)
        if not text or stop <= view.head_end or _is_theirs(view, text):
            return view
        latest = view.messages[view.last_user : stop][:1] if view.last_user is not None else ()
        text = marked(text, [*latest, *view.messages[stop:]], room, view.messages[view.head_end : stop])
        return fold(view, stop, lambda folded: _digest(view, stop, folded, text, room), room.count)


def _can_begin(view: Conversation, index: int) -> bool:
    message = view.messages[index]
    return message.origin is not None and message.role is not Role.TOOL


def _is_theirs(view: Conversation, text: str) -> bool:
    """Return whether the client's own list has this summary already: what it is about is not known then."""
    theirs = (one for one in view.messages if one.origin is not None and is_digest(one))
    digests = (notes.read(message.text) for message in theirs)
    return any(text in found.entries.get(Section.SUMMARY, ()) for found in digests)


def _digest(view: Conversation, stop: int, folded: Sequence[Message], text: str, room: Room) -> Message:
    """Return the summary in a digest, with as much of what users said as there is room for.

    Where something that matters would be cut for the sake of messages that need not stay, it is not cut: what
    is too much then goes by the steps behind.
    """
    said_by_users = facts(message for message in folded if message.role is Role.USER).entries[Section.USER]
    found = Notes({Section.SUMMARY: [text], Section.USER: said_by_users})
    whole = Notes({**dict.fromkeys(Section, ("",)), Section.SUMMARY: [text]})
    least = room.count(whole.text()) + _FRAME_TOKENS
    size = sum(message.tokens for message in folded if message.role is not Role.SYSTEM)
    asked = question(view, stop, room.count)
    left = room.target + room.spare - (view.tokens - size) - (asked.tokens if asked is not None else 0)
    cap = max(left, least + int(room.target * _LEAST_OF_TARGET))
    thin = _within(found, cap, least, room)
    if stop < room.tail(view) and said.missing(
        said_by_users, thin.entries.get(Section.USER, ()), room.carried, room.count
    ):
        most = least + int(room.keep.user_text_tokens / notes.SHARE_OF_USER)
        thin = _within(found, max(cap, min(most, size - _FRAME_TOKENS)), least, room)
    return made(Role.USER, thin.text(), room.count)


def _within(found: Notes, cap: int, least: int, room: Room) -> Notes:
    """Return as much of the notes as *cap* tokens hold, if that is no less than *least*."""
    allowed = cap
    for _ in range(_TRIES):
        thin = notes.thinned(found, allowed, room.keep.user_text_tokens, room.count, room.carried)
        if made(Role.USER, thin.text(), room.count).tokens <= cap:
            break
        allowed = max(int(allowed * 0.9), least)
    return thin
