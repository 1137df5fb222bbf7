"""What stands in each item of a Messages list, remembered by the item's bytes.

To read and to write a list one must know whether and where it bears cache marks, system messages, server
tools and the like. A request repeats all of the one before, so only what is new in it is looked through.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gateway.core.memo import Memo
from gateway.wire.anthropic_marks import MARK
from gateway.wire.anthropic_programs import SERVED
from gateway.wire.anthropic_slices import is_compacted, is_piece, pieces

MARKED = 1
"""Something in it may bear a cache mark."""

ASKS_SERVER = 2
"""It may ask a server for something, or hold what that answered."""

SYSTEM = 4
"""It may be a system message."""

CUT = 8
"""It is cut into several slices."""

PIECE = 16
"""It is one of these."""

COMPACTED = 32
"""It stands for all before it."""

_SYSTEM = b'"system"'

_MEMORY_BYTES = 16 << 20
"""By the memo's reckoning: room for 50,000 items. In truth an entry takes less than half of what a memo
reckons with, as the words of an item are a small number."""

# Python's hash of a text differs from process to process, so nobody can prepare two items with one key.
_MEMO: Memo[int] = Memo(_MEMORY_BYTES, hash(__name__))


def words_of(items: Sequence[bytes]) -> list[int]:
    """Return what stands in each of these items or slices: some of the words above, added up."""
    found = _MEMO.lookup(items)
    words = [known or 0 for known in found.facts]
    for index in found.unknown:
        words[index] = _words(items[index])
        _MEMO.add(found.keys[index], words[index])
    return words


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
    is_whole = not is_piece(raw)
    return (
        MARKED * (MARK in raw)
        | ASKS_SERVER * (SERVED in raw)
        | SYSTEM * (_SYSTEM in raw)
        | CUT * (is_whole and bool(pieces(raw)))
        | PIECE * (not is_whole)
        | COMPACTED * is_compacted(raw)
    )
