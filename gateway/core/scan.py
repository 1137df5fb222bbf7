"""The lenient reader: where the parts of an object or array stand, for every text `json.loads` accepts.

It accepts lone surrogate escapes, NaN and Infinity, 1e400, duplicate keys and any depth; invalid UTF-8
inside strings it does not see. Everything else it rejects, down to the last scalar, so that nothing is
ever cut at a place that is no border. It keeps its own stack: depth costs memory, never a crash. It reads in
the event loop, so a text of very many parts, which somebody has made to keep it busy, is given up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Part(NamedTuple):
    """A value inside an object or array: *start* up to *stop*."""

    name: int
    """Where the name of a member begins; in an array, where the value does."""
    start: int
    stop: int


# The grammar of RFC 8259 as the standard library reads it. Quantifiers are possessive throughout (`*+`): a
# token either matches at once or never, so no text makes the expressions retreat.
_SPACE = rb"[ \t\n\r]*+"
_STRING = rb'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
_NUMBER = rb"-?+(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+"
_SCALAR = rb"(?:%s|%s|true|false|null|NaN|-?Infinity)" % (_STRING, _NUMBER)
_NAME = rb"%s%s:%s" % (_STRING, _SPACE, _SPACE)
_COMMA = rb"%s,%s" % (_SPACE, _SPACE)

# What may stand where a value begins: a whole one (group 1), or the opening of one together with the
# name of its first member.
_BEGIN = re.compile(rb"(%s|\[%s\]|\{%s\})|\[%s|\{%s%s" % (_SCALAR, _SPACE, _SPACE, _SPACE, _SPACE, _NAME))

# What may stand after a value, by the bracket that closes its container: scalars that follow are taken in
# one go; then the way to a container, or the bracket (group 1).
_AFTER = {
    b"]"[0]: re.compile(rb"(?:%s%s)*+(?:%s|%s(\]))" % (_COMMA, _SCALAR, _COMMA, _SPACE)),
    b"}"[0]: re.compile(rb"(?:%s%s%s)*+(?:%s%s|%s(\}))" % (_COMMA, _NAME, _SCALAR, _COMMA, _NAME, _SPACE)),
}

_FIRST = re.compile(_SPACE + rb"([\[{])" + _SPACE)
_KEY = re.compile(_NAME)
_NEXT = re.compile(rb"%s([,\]}])%s" % (_SPACE, _SPACE))

STEPS_MAX = 500_000
"""Parts and containers within them that are read: half a second. A long conversation has ten thousand."""

# One that does not end is one to the end of the text: looked for from every quote, it would take for ever.
_WHOLE_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+\\?+(?:"|\Z)', re.DOTALL)

# A table is one string, or a few: so many quotes are gone through one by one, in a tenth of the time.
_FEW_QUOTES = 4_000
_FEW_ESCAPES = 64


def is_crowd(data: bytes) -> bool:
    """Return whether a text has so many parts that to find them would take gigabytes and minutes.

    Commas within strings are none of them: a large table has millions.

    >>> is_crowd(b"[1,2,3]"), is_crowd(b'["' + b"1," * 1_000_000 + b'"]'), is_crowd(b"[" + b"1," * 1_000_000)
    (False, False, True)
    """
    # A part has a byte at least, beside its comma; where there is none, the readers stop.
    if len(data) <= 2 * STEPS_MAX or data.count(b",") <= STEPS_MAX:
        return False
    if (commas := _bare_commas(data)) is not None:
        return commas > STEPS_MAX
    bare, strings = _WHOLE_STRING.subn(b"", data, 2 * STEPS_MAX)
    return strings == 2 * STEPS_MAX or bare.count(b",") > STEPS_MAX


def _bare_commas(data: bytes) -> int | None:
    """Return how many commas stand outside of strings; None if it takes the long way to tell."""
    commas, begin, is_inside, at = 0, 0, False, -1
    for _ in range(_FEW_QUOTES):
        at = data.find(b'"', at + 1)
        if at < 0:
            return commas if is_inside else commas + data.count(b",", begin)
        if is_inside:
            before = data[max(begin, at - _FEW_ESCAPES) : at]
            escapes = len(before) - len(before.rstrip(b"\\"))
            if escapes == _FEW_ESCAPES:
                return None
            if escapes % 2:
                continue
        else:
            commas += data.count(b",", begin, at)
        begin, is_inside = at + 1, not is_inside
    return None


def parts(data: bytes, brackets: bytes) -> list[Part] | None:
    """Return the parts of the object (*brackets* `{}`) or array (`[]`) that *data* is; None if it is not one.

    >>> parts(b'{"a": [1, 2], "a": NaN}', b"{}")
    [Part(name=1, start=6, stop=12), Part(name=14, start=19, stop=22)]
    """
    first = _FIRST.match(data)
    if first is None or first[1] != brackets[:1]:
        return None
    closing = brackets[1:]
    if data.startswith(closing, first.end()):
        after = _NEXT.match(data, first.end())
        return [] if after and after.end() == len(data) else None
    return _collect(data, first.end(), closing)


def _collect(data: bytes, pos: int, closing: bytes) -> list[Part] | None:
    found: list[Part] = []
    steps = iter(range(STEPS_MAX))
    for _ in steps:
        name = pos
        if closing == b"}":
            key = _KEY.match(data, pos)
            if key is None:
                return None
            pos = key.end()
        stop = _skip(data, pos, steps)
        after = _NEXT.match(data, stop) if stop is not None else None
        if stop is None or after is None:
            return None
        found.append(Part(name, pos, stop))
        pos = after.end()
        if after[1] != b",":
            return found if after[1] == closing and pos == len(data) else None
    return None


def _skip(data: bytes, pos: int, steps: Iterator[int]) -> int | None:
    """Return the end of the value that begins at *pos*; None if there is none, or no *steps* are left."""
    closers = bytearray()
    for _ in steps:
        begun = _BEGIN.match(data, pos)
        if begun is None:
            return None
        if begun.lastindex is None:
            # In ASCII each closing bracket stands two places after its opening one.
            closers.append(data[pos] + 2)
            pos = begun.end()
            continue
        pos = begun.end()
        while closers:
            after = _AFTER[closers[-1]].match(data, pos)
            if after is None:
                return None
            pos = after.end()
            if after.lastindex is None:
                break
            closers.pop()
        else:
            return pos
    return None
