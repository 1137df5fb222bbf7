"""How much of a provider's prompt cache survives: do consecutive requests of a conversation begin alike?"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from clients.dialects import Dialect, Json, compact

IGNORED = {"cache_control", "id", "status", "encrypted_content"}
"""What providers' caches do not look at, or what clients write anew each time: marks and names of items."""
EMPTY: tuple[Any, ...] = (None, [], {})


def stability(requests: Iterable[tuple[Dialect, Json]]) -> float | None:
    """Return the share of consecutive requests of which the later begins with all of the earlier.

    *requests*: those of one conversation, in order; None if they are fewer than two.
    """
    lists = [[canonical(item) for item in dialect.items(body)] for dialect, body in requests]
    kept = [begins(later, earlier) for earlier, later in pairwise(lists)]
    return sum(kept) / len(kept) if kept else None


def begins(items: list[str], others: list[str]) -> bool:
    """Return whether a list begins with all of another.

    >>> begins(["a", "b"], ["a"]), begins(["a"], ["a", "b"])
    (True, False)
    """
    return items[: len(others)] == others


def canonical(value: Any) -> str:
    """Return a message in one form, whatever the client's habits.

    >>> canonical({"role": "user", "content": [{"type": "text", "text": "a", "cache_control": {}}]})
    '{"content":"a","role":"user"}'
    """
    return compact(_plain(value))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _plain(inner) for key, inner in sorted(value.items()) if key not in IGNORED}
        return {key: inner for key, inner in kept.items() if inner not in EMPTY}
    if isinstance(value, list):
        items = [_plain(inner) for inner in value]
        is_text = len(items) == 1 and isinstance(items[0], dict) and set(items[0]) == {"type", "text"}
        return items[0]["text"] if is_text else items
    return value
