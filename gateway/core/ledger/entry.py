"""One entry of the ledger, and how a text is brought to its size.

An entry is little more than a text, because it is written into the conversation as a line and read back at
the next compaction; whatever else is to be known about it is derived from its text.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Kind(StrEnum):
    """What an entry is, the most important first; the values are the headings it is shown under."""

    PROHIBITION = "Prohibitions"
    LIMIT = "Limits"
    """Budgets, caps, deadlines, quantities that bound."""
    RULE = "Rules"
    PREFERENCE = "Preferences"
    GOAL = "Goals"
    TASK = "Open tasks"
    DECISION = "Decisions"
    VALUE = "Values"
    """Exact values and identifiers, with what they are of."""


ORDER = {kind: order for order, kind in enumerate(Kind)}
"""The rank of each kind: what is higher is the first to go."""

MAX_CHARS = 400
"""An entry is one sentence or two; what is longer is a document."""


class Entry(msgspec.Struct, frozen=True):
    """Something that was said and must not be lost."""

    kind: Kind
    text: str
    """Verbatim, in one line."""
    source: str = ""
    """Empty: the user or the head. Else `assistant`, `tool` or `tool NAME`."""
    is_sure: bool = True
    """Whether it is the user's own word for now beyond doubt; what is not is never presented as in force."""


def line(text: str, start: int = 0, stop: int = 0) -> str:
    """Return a text in one line of at most MAX_CHARS; a longer one is cut around *start* up to *stop*.

    >>> line("one\\n  two")
    'one two'
    >>> len(line("word " * 50 + "never touch it " + "word " * 50, 250, 255)) <= MAX_CHARS
    True
    """
    if len(text) <= MAX_CHARS:
        return " ".join(text.split())
    room = MAX_CHARS - 2 - min(stop - start, MAX_CHARS // 2)
    first = _border(text, max(0, min(start - room // 3, len(text) - MAX_CHARS + 2)), start)
    last = _end(text, min(len(text), first + MAX_CHARS - 2), stop)
    cut = " ".join(text[first:last].split())
    return ("…" if first else "") + cut + ("…" if last < len(text) else "")


def _border(text: str, first: int, latest: int) -> int:
    """Return the nearest beginning of a word at or after *first*, as long as it is before *latest*."""
    if first == 0 or text[first - 1].isspace():
        return first
    space = text.find(" ", first, latest)
    return first if space < 0 else space + 1


def _end(text: str, last: int, earliest: int) -> int:
    """Return the nearest end of a word before *last*, as long as it is after *earliest*."""
    if last == len(text):
        return last
    space = text.rfind(" ", earliest, last)
    return last if space < 0 else space
