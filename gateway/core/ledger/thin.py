"""Keep what matters most of the ledger in what room there is.

What users said comes first, and of that the most important kinds; what assistants and tools reported gets
the room that users leave. Where a kind does not fit whole, reported entries lose their oldest, and users'
entries are thinned evenly over the conversation: what was said early counts as much as what was said late.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gateway.core.ledger.claims import OF, claim
from gateway.core.ledger.entry import ORDER, Entry, Kind

_SPREAD = 0.6180339887498949
"""Multiples of the golden ratio fall evenly into an interval, however many of them there are."""


def thin(entries: Sequence[Entry], max_tokens: int, size: Callable[[Entry], int]) -> tuple[Entry, ...]:
    """Return what fits into *max_tokens*, in the order given.

    >>> from gateway.core.ledger.entry import Kind
    >>> rule, port = Entry(Kind.RULE, "Use tabs"), Entry(Kind.VALUE, "port: 80", "tool")
    >>> [entry.text for entry in thin([port, rule], 1, lambda entry: 1)]
    ['Use tabs']
    """
    sizes = [size(entry) for entry in entries]
    kept: set[int] = set()
    left = max_tokens
    for number in _by_importance(entries):
        if sizes[number] <= left:
            kept.add(number)
            left -= sizes[number]
    return tuple(entry for number, entry in enumerate(entries) if number in kept)


def _by_importance(entries: Sequence[Entry]) -> Iterable[int]:
    """Return the numbers of the entries, the one that stays longest first."""
    said = [number for number, entry in enumerate(entries) if not entry.source]
    reported = [number for number, entry in enumerate(entries) if entry.source]
    spread = {number: place * _SPREAD % 1 for place, number in enumerate(said)}
    said.sort(key=lambda number: (*_rank(entries[number]), spread[number]))
    reported.sort(key=lambda number: (ORDER[entries[number].kind], -number))
    return (*said, *reported)


def _rank(entry: Entry) -> tuple[int, bool]:
    """Return how early an entry goes: what says that something is otherwise stays as long as a rule.

    Without it, what it is of would stand where the old value is remembered, and nothing would say otherwise.
    """
    is_update = OF in entry.text or claim(entry).sign.changes
    rank = ORDER[entry.kind]
    return (min(rank, ORDER[Kind.RULE]) if is_update else rank, not is_update)
