"""Cut the messages of a Messages request so that each slice is one message of the view, and join them again.

In this dialect all results of a round stand in one user message, first in it, and the user may go on behind
them. The view wants one message per result, so such an item becomes one *piece* per result and one for the
rest, each with all the item says beside its content. What is written is the client's own item wherever all
its pieces are still there and as they were.

A piece begins with a space, which no item of a list does. So it is known as one wherever its bytes come from:
edited, or frozen in a checkpoint, or both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from gateway.core import json
from gateway.core.body import taken_apart
from gateway.wire.base import Joined
from gateway.wire.members import content_of

_PIECE = b" "
_RESULT = b'"tool_result"'
_COMPACTION = b'"compaction"'

_KEY_BYTES = 256
"""So much of a piece is looked up; the id of the result is in it, as a rule."""

# How nearly all items with results begin; any other is read in two passes.
_USERS = (b'{"role":"user"', b'{"role": "user"')
_ASSISTANTS = (b'{"role":"assistant"', b'{"role": "assistant"')
_RESULTS = (b'{"type":"tool_result"', b'{"type": "tool_result"')
_OPENED = re.compile(rb'\{"role": ?"user", ?"content": ?\[')
_SEPARATOR = re.compile(rb", ?")
_TYPE = re.compile(rb'\{"type": ?("\w*")')


class _Blocks(msgspec.Struct):
    content: list[msgspec.Raw]


_BLOCKS = msgspec.json.Decoder(_Blocks)


class _Cut(msgspec.Struct):
    """A user message taken apart."""

    before: bytes
    """Up to its content, and"""
    blocks: list[bytes]
    after: bytes
    """behind it."""


_ONE = _Cut(b"", [], b"")
"""Stands for a message of one block: there is nothing to take apart."""


class Places(msgspec.Struct, frozen=True):
    """Where an item is cut; of a piece, where its content is."""

    start: int
    """Where the content begins, and"""
    stop: int
    """where it ends."""
    pieces: tuple[tuple[tuple[int, int], ...], ...] = ()
    """The blocks of each piece: where they begin and end."""
    is_results: bool = False
    """A piece holds results alone, so others may follow it in their item."""


class Shape(msgspec.Struct, frozen=True):
    """How an item or a slice is taken apart, or put together."""

    places: Places | None = None
    """None: an item is whole; of a piece, it is not to be joined with others."""
    is_compacted: bool = False
    """It holds a block that stands for all before it: the vendor has compacted."""


_WHOLE = Shape()
"""Nearly all items: one object for all of them."""


def shape(raw: bytes) -> Shape:
    """Return the shape of an item or a slice."""
    places = _place_of(raw) if is_piece(raw) else _places_of(raw)
    found = is_compacted(raw)
    return Shape(places, found) if found or places is not None else _WHOLE


def cut(items: Sequence[bytes], shapes: Sequence[Shape]) -> tuple[tuple[bytes, ...], tuple[Joined, ...]]:
    """Return the slices of these items, and those of the items that were cut. *shapes*: one for each item.

    >>> cut([b'{"role":"user","content":"hi"}'], [Shape()])
    ((b'{"role":"user","content":"hi"}',), ())
    """
    slices: list[bytes] = []
    joined: list[Joined] = []
    before = 0
    for at, places in [(at, one.places) for at, one in enumerate(shapes) if one.places]:
        slices += items[before:at]
        pieces = _pieces(items[at], places)
        joined.append(Joined(len(slices), len(slices) + len(pieces), items[at]))
        slices += pieces
        before = at + 1
    return (*slices, *items[before:]), tuple(joined)


def _pieces(item: bytes, places: Places) -> list[bytes]:
    before, after = _PIECE + item[: places.start] + b"[", b"]" + item[places.stop :]
    contents = (b",".join([item[start:stop] for start, stop in blocks]) for blocks in places.pieces)
    return [before + content + after for content in contents]


def is_result(block: Any) -> bool:
    """Return whether a block of a user message answers a call."""
    return isinstance(block, dict) and block.get("type") == "tool_result"


def is_piece(raw: bytes) -> bool:
    """Return whether this is a part of an item that was cut."""
    return raw.startswith(_PIECE)


def is_compacted(item: bytes) -> bool:
    """Return whether an item holds a block that stands for all before it: the vendor has compacted."""
    if _COMPACTION not in item or item.startswith(_USERS):
        return False
    blocks = content_of(item)
    return isinstance(blocks, list) and any(
        isinstance(block, dict) and block.get("type") == "compaction" for block in blocks
    )


def _places_of(item: bytes) -> Places | None:
    """Return where a user message with results is cut; None if it is not to be."""
    if item.startswith(_ASSISTANTS) or _RESULT not in item:
        return None
    parts = _quickly_apart(item) or _apart(item)
    if parts is None or len(parts.blocks) < 2:
        return None
    results: list[tuple[tuple[int, int], ...]] = []
    rest: list[tuple[int, int]] = []
    stop = start = len(parts.before)
    for block in parts.blocks:
        # Between blocks there is nothing that a block could begin with.
        begin = item.index(block, stop + 1)
        stop = begin + len(block)
        if _answers(block):
            results.append(((begin, stop),))
        else:
            rest.append((begin, stop))
    if results and rest:
        results.append(tuple(rest))
    return Places(start, len(item) - len(parts.after), tuple(results)) if results else None


def _quickly_apart(item: bytes) -> _Cut | None:
    """Return the parts of a message that says nothing beside its role and its content."""
    opened = _OPENED.match(item)
    if opened is None:
        return None
    # Nearly all that tools said is one block, and more often than not it holds no other object.
    if item.endswith(b"}]}") and item.find(b"{", opened.end() + 1) < 0:
        return _ONE
    try:
        raws = _BLOCKS.decode(item).content
    except (ValueError, RecursionError):
        return None
    if len(raws) < 2:
        return _ONE
    blocks = list(map(bytes, raws))
    start = opened.end()
    between = _SEPARATOR.match(item, start + len(blocks[0]))
    text = (between[0] if between else b"").join(blocks)
    if not item.startswith(text, start) or item[start + len(text) :] != b"]}":
        return None
    return _Cut(item[: start - 1], blocks, b"}")


def _apart(item: bytes) -> _Cut | None:
    """Return the parts of any user message that has a list of blocks; None if it is none."""
    try:
        members, blocks = taken_apart(item, "content")
    except (json.Malformed, RecursionError):
        return None
    places = {member.key: member for member in members}
    role, content = places.get("role"), places["content"]
    if role is None or len(places) < len(members) or item[role.start : role.stop] != b'"user"':
        return None
    return _Cut(item[: content.start], blocks, item[content.stop :])


def _answers(block: bytes) -> bool:
    if block.startswith(_RESULTS):
        return True
    told = _TYPE.match(block)
    if told is not None:
        return told[1] == _RESULT
    return _RESULT in block and is_result(json.decode(block))


def _place_of(piece: bytes) -> Places | None:
    """Return where the content of a piece is; None if it has none that could stand with others."""
    parts = _apart(piece[len(_PIECE) :])
    if parts is None:
        return None
    is_results = all(map(_answers, parts.blocks))
    return Places(len(_PIECE) + len(parts.before), len(piece) - len(parts.after), (), is_results)


def join(
    slices: Sequence[bytes], shapes: Sequence[Shape], came: Sequence[bytes], joined: Sequence[Joined]
) -> Iterator[bytes]:
    """Yield the items that these slices make.

    *shapes*: one for each slice. *came*: the slices of the request; *joined*: which of them were cut.
    """
    own: dict[bytes, list[Joined]] = {}
    for item in joined:
        own.setdefault(came[item.start][:_KEY_BYTES], []).append(item)
    at = 0
    while at < len(slices):
        if not is_piece(slices[at]):
            yield slices[at]
            at += 1
            continue
        found = own.get(slices[at][:_KEY_BYTES], ())
        whole = next((item for item in found if _is_there(slices, at, came, item)), None)
        if whole is not None:
            yield whole.raw
            at += whole.stop - whole.start
        else:
            together = list(_together(slices, shapes, at))
            yield _joined(together) if together else slices[at][len(_PIECE) :]
            at += len(together) or 1


def _is_there(slices: Sequence[bytes], at: int, came: Sequence[bytes], item: Joined) -> bool:
    """Return whether all pieces of an item stand here, in order and as they came."""
    return list(slices[at : at + item.stop - item.start]) == list(came[item.start : item.stop])


def _together(slices: Sequence[bytes], shapes: Sequence[Shape], at: int) -> Iterator[tuple[bytes, Places]]:
    """Yield the pieces from here on that make one item: results, and what the user says behind them."""
    for index in range(at, len(slices)):
        places = shapes[index].places
        if places is None or not is_piece(slices[index]):
            return
        yield slices[index], places
        if not places.is_results:
            return


def _joined(pieces: Sequence[tuple[bytes, Places]]) -> bytes:
    first, places = pieces[0]
    contents = [piece[here.start + 1 : here.stop - 1].strip() for piece, here in pieces]
    before, after = first[len(_PIECE) : places.start], first[places.stop :]
    return b"%s[%s]%s" % (before, b",".join([content for content in contents if content]), after)
