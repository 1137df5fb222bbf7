"""Strike out of old user texts what holds no longer.

The ledger's statements stand in the texts with whatever white space they were written with. Where one ends
within a quotation, what closes it goes with it: else the statement after it would stand inside a quotation.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from gateway.core.ledger.claims import OF
from gateway.core.ledger.entry import Entry
from gateway.core.ledger.topic import masked
from gateway.strategies.gist import closing, is_in
from gateway.strategies.outdated import MARK

REPLACED = "[one statement left out: replaced since]"
"""Stands in an old user text where something was said that holds no longer."""

# Behind a statement it shows that it is but the beginning of another: "12A" of "12A → 14C", "50" of "500".
_GOES_ON = re.compile(r"[A-Za-z0-9%_]|\s*(?:→|->|=>)|[,，/-](?=\S)|[,，] ")


def struck(texts: Sequence[str], gone: Sequence[Entry], kept: Sequence[Entry]) -> Sequence[str]:
    """Return old user texts without what holds no longer, and less those that the ledger says whole."""
    statements = [in_one_line(entry.text) for entry in gone if not entry.source]
    whole = {entry.text for entry in kept}
    left = []
    for index, text in enumerate(texts):
        line = in_one_line(text)
        for old in statements:
            if old in line:
                text = without(text, old)
                line = in_one_line(text)
        if index == 0 or (not is_in(line, whole) and text != REPLACED):
            left.append(text)
    return left


def renewed(summaries: Sequence[str], gone: Sequence[Entry]) -> Sequence[str]:
    """Return summaries without what they say in the user's own words and holds no longer."""
    statements = [in_one_line(entry.text) for entry in gone if not entry.source]
    left = []
    for text in summaries:
        line = in_one_line(text)
        for old in statements:
            if old in line:
                text = without(text, old)
        left.append(text.replace(REPLACED + MARK, REPLACED))
    return left


def without(text: str, old: str) -> str:
    """Return a text in which a statement, which is one line, is struck wherever it stands.

    >>> without('Say "Hi!" to all. Be brief.', 'Say "Hi!')
    '[one statement left out: replaced since] to all. Be brief.'
    >>> without("Seat: 12A → 14C", "Seat: 12A")
    'Seat: 12A → 14C'
    """
    # To make an expression takes long, and most texts are one line.
    parts = text.split(old) if text == in_one_line(text) else _pattern(old).split(text)
    parts = _whole(parts, old)
    behind = [part[len(closing(part, 0)) :] for part in parts[1:]] if old[-1:] in ".!?" else parts[1:]
    return REPLACED.join([parts[0], *behind])


def _whole(parts: Sequence[str], old: str) -> list[str]:
    """Return the parts of a text around a statement, less those around what is only a part of another one."""
    whole = [parts[0]]
    for part in parts[1:]:
        if _GOES_ON.match(part) or (whole[-1][-1:].isascii() and whole[-1][-1:].isalnum()):
            whole[-1] += old + part
        else:
            whole.append(part)
    return whole


def is_told_of(entry: Entry, texts: Collection[str]) -> bool:
    """Return whether these texts say an update, and what the ledger found it to be of: both as they came."""
    update, _, subject = entry.text.partition(OF)
    return bool(subject) and update in texts and any(masked(text) == subject[:-1] for text in texts)


def in_one_line(text: str) -> str:
    """Return a text with its white space made plain."""
    return " ".join(text.split())


def _pattern(text: str) -> re.Pattern[str]:
    """Return what finds a text whatever white space it was written with."""
    return re.compile(r"\s+".join(map(re.escape, text.split())))
