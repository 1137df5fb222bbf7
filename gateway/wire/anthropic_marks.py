"""Cache marks of a Messages list: as many as the vendor takes, and one where a rewrite took the last.

The vendor caches nothing that is not marked, and takes four marks, those of tools and system included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gateway.core import json

MARKS_MAX = 4

# Inside a text its quotes would be escaped.
_MARK = b'"cache_control"'
_EPHEMERAL = b'{"type":"ephemeral"}'
_UNMARKED = ("thinking", "redacted_thinking")


def marked(items: Sequence[bytes], before: Sequence[bytes], beside: Sequence[bytes]) -> list[bytes]:
    """Return the items with a mark if those *before* the rewrite had one, and with no more than are taken.

    *beside*: what else of the request may bear marks.
    """
    if not any(_MARK in item for item in items):
        has_lost = any(_MARK in item for item in before)
        return _with_mark(list(items)) if has_lost else list(items)
    left = MARKS_MAX - sum(raw.count(_MARK) for raw in beside)
    kept: list[bytes] = []
    # The newest marks are those that the next request reads from.
    for item in reversed(items):
        paths = list(_marks(json.decode(item))) if _MARK in item else []
        over = paths[: max(0, len(paths) - max(0, left))]
        left -= len(paths)
        kept.append(json.edit(item, dict.fromkeys(over)) if over else item)
    return kept[::-1]


def _marks(value: Any, path: json.Path = ()) -> Iterator[json.Path]:
    """Yield where the marks of the blocks of a message are, and of those inside a result."""
    blocks = value.get("content") if isinstance(value, dict) else None
    for place, block in enumerate(blocks if isinstance(blocks, list) else ()):
        here = (*path, "content", place)
        yield from _marks(block, here)
        if isinstance(block, dict) and block.get("cache_control") is not None:
            yield (*here, "cache_control")


def _with_mark(items: list[bytes]) -> list[bytes]:
    """Return the items with a mark on the last block that can bear one, in the last message."""
    content = json.decode(items[-1]).get("content") if items else None
    if isinstance(content, str) and content.strip():
        block = b'{"type":"text","text":%s,"cache_control":%s}' % (
            json.at(items[-1], ("content",)),
            _EPHEMERAL,
        )
        items[-1] = json.replace(items[-1], ("content",), b"[%s]" % block)
    elif isinstance(content, list) and content and _can_bear(content[-1]):
        path = ("content", len(content) - 1)
        block = json.with_member(json.at(items[-1], path), "cache_control", _EPHEMERAL)
        items[-1] = json.replace(items[-1], path, block)
    return items


def _can_bear(block: Any) -> bool:
    if not isinstance(block, dict) or block.get("type") in _UNMARKED:
        return False
    return block.get("type") != "text" or bool(str(block.get("text")).strip())
