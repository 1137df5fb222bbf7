"""What stands in each item of a Messages list, remembered by the item's bytes.

To read and to write a list one must know whether and where it bears cache marks, system messages, server
tools and the like. A request repeats all of the one before, so only what is new in it is looked through.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from gateway.core.memo import Memo
from gateway.wire.anthropic_marks import MARK
from gateway.wire.anthropic_programs import SERVED
from gateway.wire.anthropic_slices import Words, is_compacted, is_piece, place_of, places_of

MARKED = 1
"""Something in it may bear a cache mark."""

ASKS_SERVER = 2
"""It may ask a server for something, or hold what that answered."""

SYSTEM = 4
"""It may be a system message."""

PIECE = 8
"""It is a part of an item that was cut."""

COMPACTED = 16
"""It stands for all before it."""

_SYSTEM = b'"system"'

_MEMORY_BYTES = 16 << 20
"""By the memo's reckoning: room for 50,000 items. In truth most entries take less than half of that."""

_FEW, _SHORT_BYTES = 4, 8 * 1024
"""Fewer items than this, and shorter, are looked through in less time than it takes to remember them."""

# Python's hash of a text differs from process to process, so nobody can prepare two items with one key.
_MEMO: Memo[Words] = Memo(_MEMORY_BYTES, hash(__name__))


def words_of(items: Sequence[bytes]) -> list[Words]:
    """Return what stands in each of these items or slices."""
    if len(items) < _FEW and sum(map(len, items)) < _SHORT_BYTES:
        return list(map(_words, items))
    found = _MEMO.lookup(items)
    for index in found.unknown:
        words = found.facts[index] = _words(items[index])
        _MEMO.add(found.keys[index], words)
    return [words for words in found.facts if words is not None]


def all_of(words: Iterable[Words]) -> int:
    """Return what stands in any of them: some of the words above, added up.

    >>> all_of([Words(MARKED), Words(0), Words(MARKED | SYSTEM)]) == MARKED | SYSTEM
    True
    """
    bits = 0
    for one in {one.bits for one in words}:
        bits |= one
    return bits


@cache
def _whole(bits: int) -> Words:
    """Return the words of a whole item: one object for all that have the same."""
    return Words(bits)


def _words(raw: bytes) -> Words:
    is_part = is_piece(raw)
    bits = (
        MARKED * (MARK in raw)
        | ASKS_SERVER * (SERVED in raw)
        | SYSTEM * (_SYSTEM in raw)
        | PIECE * is_part
        | COMPACTED * is_compacted(raw)
    )
    places = place_of(raw) if is_part else places_of(raw)
    return _whole(bits) if places is None else Words(bits, places)
