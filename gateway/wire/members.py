"""What every wire format does in the same way: members of a body, objects, items that nobody can read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from gateway.core import json
from gateway.core.conversation import FRAME_TOKENS, Block, Conversation, Count, Kind, Message, Role

Reader = Callable[[Any, bytes, Count, int | None], Message]
"""Returns the message that a value is; beside it come its bytes, the count and its place."""


def value_of(raw: bytes | None) -> Any:
    """Return the value of a member; None if it is not there or cannot be read.

    >>> value_of(b"4"), value_of(b"4,"), value_of(None)
    (4, None, None)
    """
    if raw is None:
        return None
    try:
        return json.decode(raw)
    except json.Malformed:
        return None


def string_of(raw: bytes | None) -> str:
    """Return the text of a member; empty if it is none."""
    value = value_of(raw)
    return value if isinstance(value, str) else ""


def positive_of(raw: bytes | None) -> int:
    """Return the whole number of a member; 0 if it is none above that.

    >>> positive_of(b"8"), positive_of(b"-1"), positive_of(b"true")
    (8, 0, 0)
    """
    value = value_of(raw)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def object_of(data: bytes) -> dict[str, Any]:
    """Return the object in *data*; an empty one if there is none."""
    value = value_of(data)
    return value if isinstance(value, dict) else {}


def content_of(message: bytes) -> Any:
    """Return the content of a message; None if there is none, or it cannot be read.

    >>> content_of(b'{"role": "user", "content": "hi"}'), content_of(b"[]"), content_of(b"[")
    ('hi', None, None)
    """
    try:
        return object_of(message).get("content")
    except RecursionError:
        return None


def is_twice(names: Iterable[str], *of_these: str) -> bool:
    """Return whether one of these names is there more than once, as readers see it to whom case is nothing.

    >>> is_twice(["model", "Model", "n"], "model"), is_twice(["n", "n"], "model")
    (True, False)
    """
    folded = [name.casefold() for name in names]
    return any(folded.count(name) > 1 for name in of_these)


def read_with(read: Reader, raw: bytes, count: Count, origin: int | None) -> Message:
    """Return the message in *raw*; what is no JSON, or too deep to be read, is opaque."""
    try:
        return read(json.decode(raw), raw, count, origin)
    except (json.Malformed, RecursionError):
        return opaque(raw, count(raw.decode("utf-8", "replace")), origin)


def settled(view: Conversation, mend: Callable[[Conversation], Conversation]) -> Conversation:
    """Return the view mended until there is nothing left to mend; *view* itself if there was nothing."""
    while (mended := mend(view)) is not view:
        view = mended
    return view


def opaque(raw: bytes, tokens: int, origin: int | None) -> Message:
    """Return a message that no step touches, and in which nothing can be edited."""
    return Message(Role.SYSTEM, (Block(Kind.OTHER, "", tokens),), tokens + FRAME_TOKENS, raw, origin)


def is_emptied(message: Message) -> bool:
    """Return whether edits have left nothing in a message; what the client sent empty is none of these."""
    if message.origin is not None or message.role is Role.TOOL:
        return False
    return all(block.kind is Kind.TEXT and not block.text.strip() for block in message.blocks)
