"""Keep what fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gateway.core.ledger.entry import Entry


def thin(entries: Sequence[Entry], max_tokens: int, size: Callable[[Entry], int]) -> tuple[Entry, ...]:
    """Return the entries that fit."""
    kept = []
    for entry in entries:
        max_tokens -= size(entry)
        if max_tokens >= 0:
            kept.append(entry)
    return tuple(kept)
