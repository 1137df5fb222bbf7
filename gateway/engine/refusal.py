"""How an upstream refused a request, and what it was: how far it may teach.

What an upstream says may quote what the client wrote, and a client can write anything. An identifier in the
place of one quotes nobody. And what is only inferred from an answer was not said at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import msgspec

from gateway.core import dialects
from gateway.core.failure_answers import error_part
from gateway.core.failure_rules import matches
from gateway.core.failure_text import decode, snake
from gateway.core.failures import Overflow

_MARKS = ("code", "type")
_WITHIN = ("error", "detail", "response")
"""Only there: what else is in a body may be the request, and what is in a sentence, too."""

_DEPTH = 4

_TRIGGERED = 0.75
"""A conversation that fills this share of its window is compacted before it is sent."""


class Told(StrEnum):
    """In what way it was told that a request is too long."""

    MARKED = "marked"
    """By an identifier."""
    SAID = "said"
    """In words."""
    UNSAID = "unsaid"
    """Not at all: it follows from an answer."""


class Refusal(msgspec.Struct, frozen=True):
    """What was sent and refused."""

    tokens: int
    """In our own count, uncorrected."""
    told: Told = Told.SAID
    has_images: bool = False
    output: int | None = None
    """What it asked for, where that is not what the client did."""

    def is_more(self, tokens: int, output: int | None) -> bool:
        """Return whether it was more than what was sent after it, or asked for more."""
        return tokens < self.tokens or (output is not None and output != self.output)


def names_window(failure: Overflow, sent_tokens: int, has_images: bool) -> bool:
    """Return whether the limit that a refusal of so many true tokens names is a window.

    Where what was sent is far below it, either count is wrong, and it is none: what was sent is too much
    all the same. But for images, whose size in tokens nobody knows, and for an answer that filled the rest.

    >>> [names_window(Overflow(limit=8000), sent, has_images=False) for sent in (9000, 500)]
    [True, False]
    """
    limit = failure.limit
    if limit is None:
        return False
    fits = sent_tokens + min(failure.output or 0, limit // 2) < _TRIGGERED * limit
    return has_images or failure.is_filled or not fits


def told(body: bytes, *, is_answer: bool) -> Told:
    """Return in what way *body* tells of an overflow that it is known to tell of.

    *is_answer*: it came as an answer does.

    >>> told(b'{"error": {"message": "too long", "code": "context_length_exceeded"}}', is_answer=False).value
    'marked'
    >>> told(b'{"choices": [{"finish_reason": "length"}]}', is_answer=True).value
    'unsaid'
    """
    try:
        value = decode(body.decode("utf-8", "replace"))
    except ValueError:
        return Told.SAID
    if any(matches(dialects.STRONG_MARKS, snake(mark)) for mark in _marks(value)):
        return Told.MARKED
    return Told.UNSAID if is_answer and error_part(value) is None else Told.SAID


def _marks(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the identifiers of an error, where it has them itself."""
    if isinstance(value, list):
        value = value[0] if value else None
    if not isinstance(value, dict) or depth > _DEPTH:
        return
    for key in _MARKS:
        if isinstance(mark := value.get(key), str) and len(mark) <= 100:
            yield mark
    for key in _WITHIN:
        yield from _marks(value.get(key), depth + 1)
