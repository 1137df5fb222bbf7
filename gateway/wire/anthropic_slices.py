"""Cut the messages of a Messages request so that each slice is one message of the view, and join them again.

In this dialect all results of a round stand in one user message, first in it, and the user may go on behind
them. The view wants one message per result, so such an item becomes one slice per result and one for the
rest. What is written is the client's own item wherever all its slices are still there and as they were.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gateway.core import json
from gateway.core.conversation import Message, Role
from gateway.wire.base import Joined

_RESULT = b"tool_result"


def cut(items: Sequence[bytes]) -> tuple[tuple[bytes, ...], tuple[Joined, ...]]:
    """Return the slices of these items, and which of the items were cut.

    >>> cut([b'{"role":"user","content":"hi"}'])
    ((b'{"role":"user","content":"hi"}',), ())
    """
    slices: list[bytes] = []
    joined: list[Joined] = []
    for item in items:
        parts = _parts(item) if _RESULT in item else []
        if len(parts) > 1:
            joined.append(Joined(len(slices), len(slices) + len(parts), item))
        slices += parts if len(parts) > 1 else [item]
    return tuple(slices), tuple(joined)


def is_result(block: Any) -> bool:
    """Return whether a block of a user message answers a call."""
    return isinstance(block, dict) and block.get("type") == "tool_result"


def _parts(item: bytes) -> list[bytes]:
    """Return the slices of a user message with results; none if it is not to be cut."""
    try:
        value = json.decode(item)
        blocks = value.get("content") if isinstance(value, dict) and value.get("role") == "user" else None
        if not isinstance(blocks, list) or len(blocks) < 2 or not any(map(is_result, blocks)):
            return []
        raws = json.elements(json.at(item, ("content",)))
    except (json.Malformed, RecursionError, KeyError):
        return []
    results = [raw for raw, block in zip(raws, blocks, strict=True) if is_result(block)]
    rest = [raw for raw, block in zip(raws, blocks, strict=True) if not is_result(block)]
    return [user([raw]) for raw in results] + ([user(rest)] if rest else [])


def user(blocks: Sequence[bytes]) -> bytes:
    """Return a user message of these blocks."""
    return b'{"role":"user","content":[%s]}' % b",".join(blocks)


def join(messages: Sequence[Message], raws: Sequence[bytes], joined: Sequence[Joined]) -> Iterator[bytes]:
    """Yield the items that say what these messages say, each given with its bytes."""
    by_start = {item.start: item for item in joined}
    cut_up = {index for item in joined for index in range(item.start, item.stop)}
    at = 0
    while at < len(messages):
        own = by_start.get(_origin(messages[at]))
        if own is not None and _is_there(messages, at, own):
            yield own.raw
            at += own.stop - own.start
            continue
        stop = _group_end(messages, at, cut_up)
        yield raws[at] if stop == at + 1 else user([raw for part in raws[at:stop] for raw in _blocks(part)])
        at = stop


def _origin(message: Message) -> int:
    return -1 if message.origin is None else message.origin


def _is_there(messages: Sequence[Message], at: int, item: Joined) -> bool:
    """Return whether all slices of an item stand here in order."""
    wanted = list(range(item.start, item.stop))
    return [_origin(message) for message in messages[at : at + len(wanted)]] == wanted


def _group_end(messages: Sequence[Message], at: int, cut_up: set[int]) -> int:
    """Return up to where messages make one item: results, and what the user says behind them.

    An item of the client's own that was never cut stays an item of its own.
    """
    stop = at
    while stop < len(messages) and messages[stop].role is Role.TOOL:
        stop += 1
    if stop > at and stop < len(messages) and messages[stop].role is Role.USER:
        origin = messages[stop].origin
        stop += origin is None or origin in cut_up
    return max(stop, at + 1)


def _blocks(raw: bytes) -> list[bytes]:
    """Return the blocks of a message; a string is a text block, and an empty one is none."""
    content = json.at(raw, ("content",))
    if content.startswith(b"["):
        return json.elements(content)
    return [b'{"type":"text","text":%s}' % content] if content not in (b'""', b"null") else []
