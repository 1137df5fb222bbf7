"""Mend what an upstream names of a request: one text that is too long for it, thinking that it refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gateway.core import json
from gateway.core.conversation import Conversation, Count, Kind, Message, Role
from gateway.core.rescue import DropThinking, TrimItem
from gateway.engine.pipeline import Report, Result
from gateway.strategies.shorten import Cap, Counted, shorten

# `messages[3].content`, `messages.3.content.0.text` (Anthropic), `input[3].output`.
_PARAM = re.compile(r"(?:messages|input)[.\[]{1,2}(?P<index>\d{1,6})\b")


def mended(view: Conversation, move: TrimItem | DropThinking, count: Count) -> Result:
    """Return the view as the move wants it, and a report of what was done."""
    if isinstance(move, DropThinking):
        return Result(without_thinking(view, count), (Report("reasoning", "changed", 0, 0),))
    return Result(trimmed(view, move, count), (Report("trim_item", "changed", 0, 0),))


def without_thinking(view: Conversation, count: Count) -> Conversation:
    """Return the view without any thinking, and without messages that say nothing else.

    Models that bind thinking to what stood before it think adaptively, and then do not want it back between
    a call and its result (platform.claude.com: adaptive thinking, preserved thinking).
    """
    changes: dict[int, Message] = {}
    silent: list[int] = []
    for index, message in enumerate(view.messages):
        thoughts = [at for at, block in enumerate(message.blocks) if block.kind is Kind.REASONING]
        if thoughts and len(thoughts) == len(message.blocks):
            silent.append(index)
        elif thoughts:
            changes[index] = message.replacing(dict.fromkeys(thoughts), count)
    return view.replacing(changes).without(silent) if changes or silent else view


def trimmed(view: Conversation, move: TrimItem, count: Count) -> Conversation:
    """Return the view with the middle of one text left out, so that it is no longer than the move allows.

    The same view if the parameter is no text of a message, or that text is short enough: then the error is
    not about anything we could mend.
    """
    place = _PARAM.match(move.param)
    items = list(_items(view)) if place else []
    index = int(place["index"]) if place else 0
    named = items[index] if index < len(items) else ()
    cut = {at: _cut(view.messages[at], move.limit_chars, count) for at in named}
    return view.replacing(cut) if cut else view


def _cut(message: Message, limit_chars: int, count: Count) -> Message:
    cap = Cap(chars=limit_chars)
    for at, block in enumerate(message.blocks):
        if block.path is not None and len(block.text) > limit_chars:
            shorter = shorten(Counted(block.text, block.tokens), cap, count)
            message = message.with_text(at, shorter.text, count)
    return message


def _items(view: Conversation) -> Iterator[list[int]]:
    """Yield for each item of the list as it is sent the messages that are in it, or that it is in.

    A message that is an array is as many items as it has elements. One that begins with a space is a piece
    of an item, which ends where another begins, or behind what is no result.
    """
    pieces: list[int] = []
    for index, message in enumerate(view.messages):
        is_piece = message.raw.startswith(b" ")
        if is_piece:
            pieces.append(index)
        if pieces and not (is_piece and message.role is Role.TOOL):
            yield pieces
            pieces = []
        if not is_piece:
            size = len(json.elements(message.raw)) if message.raw.startswith(b"[") else 1
            yield from [[index]] * size
    if pieces:
        yield pieces
