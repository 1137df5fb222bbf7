"""Read Responses answers: a whole JSON body, or the data of one event of a stream.

The observer calls these on a copy of what passes through, so none of them raises: what cannot be read
says nothing. An event that ends a stream repeats the whole answer, so all but its usage is skipped.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from gateway.core import json
from gateway.wire.base import Usage, told_tokens

_SILENT = frozenset(
    {
        "response.created",
        "response.queued",
        "response.in_progress",
        "response.content_part.added",
        "response.failed",
        "error",
        "keepalive",
        "codex.rate_limits",
    }
)
"""Events that do not say that the request was accepted: those before the first piece, and failures.

An answer that is incomplete is one. Whether the window ended it is asked of `core.failures` before this."""

_TYPE = re.compile(rb'\{\s{0,8}"type"\s{0,8}:\s{0,8}"([\w.]{1,80})"')
"""Where nearly all events have their type."""


class _Inner(msgspec.Struct):
    usage: dict[str, Any] | None = None


class _Spent(msgspec.Struct):
    usage: dict[str, Any] | None = None
    response: _Inner | None = None


class _Event(msgspec.Struct):
    type: str = ""
    item: dict[str, Any] | None = None


_SPENT = msgspec.json.Decoder(_Spent)
_EVENT = msgspec.json.Decoder(_Event)


def usage(data: bytes) -> Usage | None:
    """Return what the upstream says it spent; None if this data does not say.

    >>> data = b'{"type":"response.completed","response":{"usage":{"input_tokens":9,"output_tokens":1}}}'
    >>> usage(data) == Usage(9, 1)
    True
    """
    if b'"usage"' not in data:
        return None
    spent = _spent(data)
    sent, received = _number(spent, "input_tokens"), _number(spent, "output_tokens")
    if sent is None:
        return None
    details = spent.get("input_tokens_details")
    cached = _number(details if isinstance(details, dict) else {}, "cached_tokens")
    written = _number(details if isinstance(details, dict) else {}, "cache_write_tokens")
    return Usage(sent, received or 0, cached, written or 0)


def _spent(data: bytes) -> dict[str, Any]:
    try:
        found = _SPENT.decode(data)
    except (ValueError, RecursionError):
        return _spent_leniently(data)
    return (found.response.usage if found.response is not None else found.usage) or {}


def _spent_leniently(data: bytes) -> dict[str, Any]:
    try:
        value = json.decode(data)
    except json.Malformed:
        return {}
    outer = value if isinstance(value, dict) else {}
    inner = outer.get("response")
    spent = (inner if isinstance(inner, dict) else outer).get("usage")
    return spent if isinstance(spent, dict) else {}


def _number(values: dict[str, Any], key: str) -> int | None:
    return told_tokens(values.get(key))


def is_delta(data: bytes) -> bool:
    """Return whether the upstream has accepted the request: this event carries a piece of an answer.

    Not so: what comes before the first piece (an empty message too), and failures. What cannot be read, or is
    of a type not known here, is let through: it would be held to the end of the stream otherwise.

    >>> is_delta(b'{"type":"response.created"}'), is_delta(b'{"type":"response.output_text.delta"}')
    (False, True)
    """
    told = _TYPE.match(data)
    if told is not None and told[1] != b"response.output_item.added":
        return told[1].decode() not in _SILENT
    try:
        event = _EVENT.decode(data)
    except (ValueError, RecursionError):
        return not _is_error(data)
    if event.type == "response.output_item.added":
        return (event.item or {}).get("type") != "message"
    return event.type not in _SILENT and not _is_error(data)


def _is_error(data: bytes) -> bool:
    """Return whether this is an error in an envelope of its own, without a type."""
    try:
        value = json.decode(data)
    except json.Malformed:
        return False
    return isinstance(value, dict) and bool(value.get("error"))
