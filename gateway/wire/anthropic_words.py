"""What stands in each item of a Messages list, remembered by the item's bytes.

To read a list one must know what of it is cut, and to write one whether and where it bears cache marks,
system messages, server tools and the like. A request repeats all of the one before, so only what is new in
it is looked through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gateway.core.memo import Known, Memo
from gateway.wire.anthropic_marks import MARK
from gateway.wire.anthropic_programs import SERVED
from gateway.wire.anthropic_slices import Shape, shape

MARKED = 1
"""Something in it may bear a cache mark."""

ASKS_SERVER = 2
"""It may ask a server for something, or hold what that answered."""

SYSTEM = 4
"""It may be a system message."""

_SYSTEM = b'"system"'

_FEW, _SHORT_BYTES = 4, 8 * 1024
"""Fewer items than this, and shorter, are looked through in less time than it takes to remember them."""

_MEMORY_BYTES = 12 << 20
"""By a memo's reckoning: room for 40,000 items. In truth most entries take less than half of that."""

# Python's hash of a text differs from process to process, so nobody can prepare two items with one key.
_SECRET = hash(__name__)
_SHAPES: Memo[Shape] = Memo(_MEMORY_BYTES, _SECRET)
_WORDS: Memo[int] = Memo(_MEMORY_BYTES, _SECRET)


def shapes_of(items: Sequence[bytes]) -> list[Shape]:
    """Return how each of these items or slices is taken apart, or put together."""
    return _remembered(_SHAPES, shape, items)


def words_of(items: Sequence[bytes]) -> list[int]:
    """Return what stands in each of these items or slices: some of the words above, added up."""
    return _remembered(_WORDS, _words, items)


def _remembered(memo: Memo[Known], look: Callable[[bytes], Known], items: Sequence[bytes]) -> list[Known]:
    if len(items) < _FEW and sum(map(len, items)) < _SHORT_BYTES:
        return list(map(look, items))
    found = memo.lookup(items)
    for index in found.unknown:
        known = found.facts[index] = look(items[index])
        memo.add(found.keys[index], known)
    return [known for known in found.facts if known is not None]


def all_of(words: Iterable[int]) -> int:
    """Return what stands in any of them.

    >>> all_of([MARKED, 0, MARKED | SYSTEM]) == MARKED | SYSTEM
    True
    """
    found = 0
    for one in set(words):
        found |= one
    return found


def _words(raw: bytes) -> int:
    return MARKED * (MARK in raw) | ASKS_SERVER * (SERVED in raw) | SYSTEM * (_SYSTEM in raw)
