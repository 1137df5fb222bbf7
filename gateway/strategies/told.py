"""What a model wrote of calls, turns and texts, as it can stand in a conversation.

Nothing is asked for here that depends on how much is to be freed: a piece that is prepared must be the
piece that is asked for at the trigger. So a run is parted from its beginning, at places that no later
message moves, and what of it may still grow is in no piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from gateway.core import json
from gateway.core.conversation import Conversation, Role, Span
from gateway.strategies import chains, facts, notes
from gateway.strategies.base import Room
from gateway.strategies.chains import Chain, Entry
from gateway.strategies.piece import Form, Piece
from gateway.strategies.place import is_digest
from gateway.strategies.runs import Run, ends, messages_of, read, tokens_of

_FULL_TOKENS = 16_000
_FULL_MESSAGES = 40
"""A piece of a run is full from so many tokens or messages on."""

_LEAST_REST = 0.125
"""Share of a full piece below which the rest of a run is not worth a call."""

_OURS = "[haversack"
"""Begins the marks that only the gateway sets."""

_CALLED = re.compile(r"(?:\d{1,6}[×x] )?([\w.:/-]{1,100})\((?:command=)?([^\n]{0,400})")
_VALUE = re.compile(r"(\w{1,40})=([^,)…]{1,240})")
_NAMING = re.compile(r"path|file|dir|url|uri|key|id|name|branch|table|target|dest|source", re.IGNORECASE)
"""What names the things that a call is about."""


def told(room: Room, piece: Piece) -> str:
    """Return what a model wrote of a piece, no longer than that may be; empty if there is nothing.

    It cannot pass for a mark of the gateway.
    """
    text = room.written(piece)
    if text is None:
        return ""
    return notes.beginning(notes.entry(text).replace(_OURS, "(haversack"), piece.max_tokens, room.count)


def asked(view: Conversation, index: int) -> str:
    """Return the request that stands before a message; a digest, which changes, is none."""
    said = (message for message in reversed(view.messages[:index]) if message.role is Role.USER)
    return next((message.text for message in said if not is_digest(message)), "")


def parted(view: Conversation, run: Run) -> list[tuple[Span, ...]]:
    """Return the pieces of a run that no later round will change, from its beginning on."""
    pieces: list[tuple[Span, ...]] = []
    group: list[Span] = []
    tokens, messages, fullness = 0, 0, 0.0
    for span in run.spans:
        group.append(span)
        tokens, messages = tokens + tokens_of(view, [span]), messages + len(span)
        fullness = max(tokens / _FULL_TOKENS, messages / _FULL_MESSAGES)
        if fullness >= 1 and ends(view, group):
            pieces.append(tuple(group))
            group, tokens, messages = [], 0, 0
    if group and run.is_over and (not pieces or fullness >= _LEAST_REST):
        pieces.append(tuple(group))
    return pieces


def chain_of(
    view: Conversation, group: Sequence[Span], form: Form, max_tokens: int, room: Room
) -> Chain | None:
    """Return what rounds come to as a model wrote it; None if it did not.

    What changed something, and what the turn that goes on is worked with, has its line where it is not named.
    """
    messages = messages_of(view, group)
    text = told(room, Piece(form, messages, max_tokens, ask=asked(view, group[0].start)))
    if not text:
        return None
    found = chains.joined(read(view, span, 0) for span in group)
    lines = (entry for entry in found.entries if entry.changes or form == "work")
    entries = *_told(text), *_not_named(lines, text)
    return Chain(entries, found.left_out, found.originals)


def _told(text: str) -> Iterator[Entry]:
    """Yield what a model wrote by the line; what is indented goes with the line before it."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line.strip() and lines and not line.startswith(" "):
            yield _entry(lines)
            lines = []
        lines.append(line)
    yield _entry(lines)


def _entry(lines: Sequence[str]) -> Entry:
    text = "\n".join(lines).strip().removeprefix("- ")
    call = _CALLED.match(text)
    changes = call is not None and facts.is_change(call[1], json.encode({"command": call[2]}).decode())
    return chains.told(text, changes)


def _not_named(entries: Iterable[Entry], text: str) -> Iterator[Entry]:
    """Yield the calls that a text does not name by their tool and what they were about."""
    return (entry for entry in entries if not entry.is_told and not _names(text, entry.text))


def _names(text: str, signature: str) -> bool:
    values = [value for key, value in _VALUE.findall(signature) if _NAMING.search(key)]
    return signature.partition("(")[0] in text and all(value.strip() in text for value in values)
