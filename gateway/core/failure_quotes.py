"""Take out of an error what it quotes from the request: a user may well write about context windows.

A run of 30 characters that stands in the request as well is a quote, unless what is left is no statement: a
user may have pasted the very error that an upstream now gives, with other numbers, or through a relay. Then
the sentence is the upstream's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from gateway.core import json

RUN = 30
"""Characters; so many are no coincidence."""

_STEP = RUN // 2
"""Whatever stands in the request for a run holds one of its pieces of this length, cut one behind another."""

MAX_SAID = 1_000_000
"""Characters of the request that are looked at, what was said last first."""

_ESCAPES = ("\\\\", "\\"), ("\\n", " "), ("\\r", " "), ("\\t", " "), ('\\"', '"'), ("\\'", "'")
_MAX_LOOKS = 200
_MAX_STRINGS = 100_000

# What relays and clients' libraries put before an upstream's sentence, and the words between.
_RELAYED = re.compile(
    r"err(?:ors?)?|\w*(?:error|exception)|from|providers?|upstream|backend|sa(?:id|ys)|returned|code|status|bad"
    r"|re(?:quest|sponse|ceived)|api|call(?:ing)?|fail(?:ed|ure)|message|model|group|https?|invalid|type|server"
    r"|internal|client|openai|anthropic|azure|vertex|bedrock|gemini|litellm|openrouter|the|an|of|by|with|to|is"
    r"|was|and|or|for|at|on|in|it|that|this|\w"
)
_WORD = re.compile(r"[^\W\d_]+")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_STATEMENT = 2
"""So many words of its own make what is left a statement."""


def without_quotes(texts: Sequence[str], request: bytes) -> list[str]:
    """Return the sentences of an error without what they quote from the request.

    >>> body = b'{"messages": [{"content": "It says: prompt is too long, 9000 tokens > 8000"}]}'
    >>> without_quotes(["Blocked by our guard: It says: prompt is too long, 9000 tokens > 8000"], body)
    ['Blocked by our guard:']
    >>> without_quotes(["prompt is too long, 9000 tokens > 8000"], body)
    ['prompt is too long, 9000 tokens > 8000']
    """
    if max(map(len, texts), default=0) < RUN:
        return list(texts)
    said = _normal("\n".join(_said(request)))
    pieces = {said[at : at + _STEP] for at in range(0, len(said), _STEP)}
    plain = list(map(_normal, texts))
    looks = _MAX_LOOKS // max(len(plain), 1)
    left = [_left(text, said, pieces, looks) for text in plain]
    last = max((at for at, text in enumerate(plain) if left[at] != text), default=None)
    if last is None or sum(map(_words, left[: last + 1])) < _STATEMENT:
        return list(texts)
    return [text for text in left if text]


def _said(request: bytes) -> Iterator[str]:
    """Yield the strings of a request, the last one first, up to a bound."""
    try:
        waiting = [json.decode(request)]
    except json.Malformed:
        waiting = [request.decode("utf-8", "replace")]
    size = 0
    for _ in range(_MAX_STRINGS):
        if not waiting or size >= MAX_SAID:
            return
        value: Any = waiting.pop()
        if isinstance(value, str):
            size += len(value)
            yield value[-MAX_SAID:]
        elif isinstance(value, dict | list):
            waiting.extend(value.values() if isinstance(value, dict) else value)


def _normal(text: str) -> str:
    """Return a text with single spaces and without escapes, as often as it may have been quoted."""
    if "\\" in text:
        for escape, sign in _ESCAPES:
            text = text.replace(escape, sign)
    return " ".join(text.split())


def _left(text: str, said: str, pieces: set[str], looks: int) -> str:
    """Return what is left of a text without the runs that were said, after so many *looks* for one."""
    is_piece = [text[at : at + _STEP] in pieces for at in range(len(text) - _STEP + 1)]
    kept, start = "", 0
    while start + RUN <= len(text) and looks > 0:
        if True in is_piece[start : start + _STEP]:
            looks -= 1
            if text[start : start + RUN] in said:
                start, kept = _end(text, start, said), kept + " "
                continue
        kept, start = kept + text[start], start + 1
    return " ".join((kept + text[start:]).split())


def _end(text: str, start: int, said: str) -> int:
    """Return where the longest run ends that begins here."""
    known, beyond = start + RUN, len(text) + 1
    while beyond - known > 1:
        middle = (known + beyond) // 2
        known, beyond = (middle, beyond) if text[start:middle] in said else (known, middle)
    return known


def _words(text: str) -> int:
    """Return how many words of its own a text has; those without spaces count by two characters."""
    plain = _WIDE.sub(" ", text.lower())
    own = sum(not _RELAYED.fullmatch(word) for word in _WORD.findall(plain))
    return own + (len(_WIDE.findall(text)) + 1) // 2
