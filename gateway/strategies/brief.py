"""A text in one line, as a digest or a note has room for."""

from __future__ import annotations


def brief(text: str, max_chars: int) -> str:
    """Return a text in one line, its end left out if it is longer than that.

    >>> brief("one\\n two three", 8)
    'one two…'
    """
    line = " ".join(text[: 4 * max_chars].split())
    if len(line) <= max_chars and len(text) <= 4 * max_chars:
        return line
    return line[:max_chars].rstrip(" …") + "…"
