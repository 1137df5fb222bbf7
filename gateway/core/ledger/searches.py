"""Where a pattern begins in a text, told as soon as can be.

Most patterns begin with one of few letters, and an expression that begins with a plain set of letters is
looked for many times faster than one that begins with a place between words. So these letters are looked
for, and the pattern only where one of them stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from gateway.core.ledger.grammar import Either, Node, Repeat, Row, Text, Unreadable, parsed

Search = Callable[[str], re.Match[str] | None]

_FEW = 8
"""With one of more letters most words begin."""


def search_for(pattern: str, flags: int = 0) -> Search:
    r"""Return what tells where a pattern is first found in a text; only where the match begins is as it is.

    What stands at the beginning is looked for only there.

    >>> search_for(r"\b(?:cap|budget) of")("no budget of ours").start()
    3
    """
    if pattern.startswith("^") and not flags & re.MULTILINE:
        return re.compile(pattern, flags).match
    first = "" if flags & re.IGNORECASE else "".join(sorted(first_letters(pattern)))
    return re.compile(f"[{first}](?<=(?={pattern}).)" if 0 < len(first) <= _FEW else pattern, flags).search


def first_letters(pattern: str) -> frozenset[str]:
    """Return the letters of which each match begins with one; none, if it may begin with something else.

    >>> sorted(first_letters("(?:cap|budget)s?"))
    ['b', 'c']
    """
    try:
        return _first(parsed(pattern.removeprefix(r"\b")))
    except Unreadable:
        return frozenset()


def _first(node: Node) -> frozenset[str]:
    match node:
        case Text(text):
            return frozenset(text[0])
        case Either(parts):
            found = [letters for part in parts if (letters := _first(part))]
            return frozenset[str]().union(*found) if len(found) == len(parts) else frozenset()
        case Row((part, *_)):
            return _first(part)
        case Repeat(part, least) if least:
            return _first(part)
    return frozenset()
