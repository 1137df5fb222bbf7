"""Read Messages answers: a whole JSON body, or the data of one event of a stream.

The observer calls these on a copy of what passes through, so none of them raises: what cannot be read
says nothing. A stream says at its start what the prompt took, and at its end how much was answered.
"""

from __future__ import annotations

from typing import Any

from gateway.wire.base import Usage, told_tokens
from gateway.wire.members import object_of

_SILENT = frozenset({"message_start", "ping", "error"})
"""Events that do not say that an answer has begun."""


def usage(data: bytes) -> Usage | None:
    """Return what the upstream says it spent; None if this data does not say.

    >>> usage(b'{"type":"message_delta","usage":{"output_tokens":7}}') == Usage(0, 7)
    True
    """
    if b'"usage"' not in data:
        return None
    value = object_of(data)
    inner = value.get("message")
    spent = value.get("usage", inner.get("usage") if isinstance(inner, dict) else None)
    if not isinstance(spent, dict):
        return None
    plain, received = _number(spent, "input_tokens"), _number(spent, "output_tokens")
    if plain is None and received is None:
        return None
    cached = _number(spent, "cache_read_input_tokens")
    written = _number(spent, "cache_creation_input_tokens") or 0
    # The vendor counts what concerns the cache apart from the rest of the input.
    sent = (plain or 0) + (cached or 0) + written
    return Usage(sent, received or 0, cached, written, is_edited=_is_edited(value, spent))


def _is_edited(value: dict[str, Any], spent: dict[str, Any]) -> bool:
    """Return whether the vendor cleared old results or thoughts, or compacted, before the model read them."""
    managed, passes = value.get("context_management"), spent.get("iterations")
    is_cleared = isinstance(managed, dict) and bool(managed.get("applied_edits"))
    return is_cleared or (
        isinstance(passes, list)
        and any(isinstance(one, dict) and one.get("type") == "compaction" for one in passes)
    )


def is_delta(data: bytes) -> bool:
    """Return whether an event carries a piece of the answer; what cannot be read does.

    >>> is_delta(b'{"type":"ping"}'), is_delta(b'{"type":"content_block_delta"}')
    (False, True)
    """
    event = object_of(data)
    if event.get("type") == "content_block_start":
        block = event.get("content_block")
        return not (isinstance(block, dict) and block.get("type") in ("text", "thinking"))
    return event.get("type") not in _SILENT and not event.get("error")


def _number(values: dict[str, Any], key: str) -> int | None:
    return told_tokens(values.get(key))
