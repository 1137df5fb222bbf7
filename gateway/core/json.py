"""Slices of a JSON text: find, splice, tolerate.

A body is never decoded and encoded again: values are found as slices of the client's bytes and new values
are spliced in between, so whitespace, key order, number formats and escapes stay as they came. Well-formed
bodies take the fast way through msgspec; what only a lenient reader accepts (lone surrogates, NaN,
duplicate keys, depth) takes the scanner of `core.scan`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from gateway.core import scan

Path = tuple[str | int, ...]
"""Keys and indices that lead to a value."""


class Malformed(ValueError):
    """Neither reader understands the text."""


@dataclass(frozen=True, slots=True)
class Member:
    """Where the value of one key of an object stands in its text: *start* up to *stop*."""

    key: str
    start: int
    stop: int


_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ARRAY = msgspec.json.Decoder(list[msgspec.Raw])
_ANY = msgspec.json.Decoder()
# Depth is a RecursionError; all else that msgspec refuses, invalid UTF-8 included, is a ValueError.
_REFUSED = (ValueError, RecursionError)

# From a border (the opening bracket or a comma) to the value behind it, in texts known to be valid.
_SPACE = b" \t\n\r"
_TO_NAME = re.compile(rb"[ \t\n\r]*[{,][ \t\n\r]*")
_TO_MEMBER = re.compile(rb'[ \t\n\r]*[{,][ \t\n\r]*"[^"\\]*+(?:\\.[^"\\]*+)*+"[ \t\n\r]*:[ \t\n\r]*')
_TO_ELEMENT = re.compile(rb"[ \t\n\r]*[\[,][ \t\n\r]*")


def members(data: bytes) -> list[Member]:
    """Return the members of an object in order of appearance, duplicates included. Raise Malformed.

    >>> members(b'{"model": "m", "n": 1}')
    [Member(key='model', start=10, stop=13), Member(key='n', start=20, stop=21)]
    """
    try:
        found = _OBJECT.decode(data)
    except _REFUSED:
        return _scanned_members(data)
    spans = _locate(data, found.values(), _TO_MEMBER, b"}")
    if spans is None:
        return _scanned_members(data)
    return [Member(key, start, stop) for key, (start, stop) in zip(found, spans, strict=True)]


def elements(data: bytes) -> list[bytes]:
    """Return the elements of an array, as copies of their slices. Raise Malformed.

    >>> elements(b'[1.0, "a" , [ ]]')
    [b'1.0', b'"a"', b'[ ]']
    """
    try:
        return [bytes(raw) for raw in _ARRAY.decode(data)]
    except _REFUSED:
        return [data[start:stop] for start, stop in _scanned_elements(data)]


def decode(data: bytes) -> Any:
    """Return the value, read as leniently as the standard library does. Raise Malformed.

    Invalid UTF-8 is replaced.
    """
    try:
        return _ANY.decode(data)
    except _REFUSED:
        pass
    try:
        return json.loads(data.decode("utf-8", "replace"))
    except _REFUSED as error:
        raise Malformed(str(error)) from error


def encode(value: Any) -> bytes:
    """Return the compact JSON of a value; a lone surrogate is written as its escape.

    >>> encode({"a": ["é", float("inf")]})
    b'{"a":["\\xc3\\xa9",Infinity]}'
    """
    try:
        encoded = msgspec.json.encode(value)
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()
    # msgspec writes null for a number that is not finite; the standard library writes its name.
    if b"null" in encoded and _has_nonfinite(value):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
    return encoded


def replace(data: bytes, path: Path, value: bytes) -> bytes:
    """Return the text with the value at *path* exchanged; the rest is the same bytes.

    Raise KeyError if there is none. Of duplicate keys the last one counts, as for every reader.

    >>> replace(b'{"a": [1, 2.50]}', ("a", 0), b'"x"')
    b'{"a": ["x", 2.50]}'
    """
    start = len(data) - len(data.lstrip(_SPACE))
    text = data.strip(_SPACE)
    for step in path:
        first, stop = _find(text, step)
        start, text = start + first, text[first:stop]
    return data[:start] + value + data[start + len(text) :]


def with_member(data: bytes, key: str, value: bytes) -> bytes:
    """Return the object with the value of *key* exchanged, or the member added at the end.

    Of duplicate keys the last one is exchanged: it is the one that readers use.

    >>> with_member(b'{ "a": 1 }', "b", b"2")
    b'{ "a": 1,"b":2 }'
    """
    present = members(data)
    for member in reversed(present):
        if member.key == key:
            return data[: member.start] + value + data[member.stop :]
    stop = present[-1].stop if present else data.index(b"{") + 1
    return b"%s%s%s:%s%s" % (data[:stop], b"," if present else b"", encode(key), value, data[stop:])


def without_member(data: bytes, key: str) -> bytes:
    """Return the object less the member *key* (all of that name); the same bytes if it has none.

    >>> without_member(b'{"a": 1, "b": 2}', "a")
    b'{"b": 2}'
    """
    present = members(data)
    if all(member.key != key for member in present):
        return data
    # A piece reaches from the end of the value before to the end of its own: comma, name and value. The
    # first piece that stays begins at its name instead.
    ends = [0, *(member.stop for member in present)]
    pieces = [(ends[i], ends[i + 1]) for i, member in enumerate(present) if member.key != key]
    opening = data[: _border(data, 0)]
    if not pieces:
        return opening + data[ends[-1] :]
    start = _border(data, pieces[0][0])
    first = data[start : pieces[0][1]]
    return b"".join([opening, first, *(data[begin:end] for begin, end in pieces[1:]), data[ends[-1] :]])


def _border(data: bytes, pos: int) -> int:
    """Return where the name begins that follows the border at *pos*."""
    border = _TO_NAME.match(data, pos)
    assert border is not None, "members() found a name here"
    return border.end()


def _find(text: bytes, step: str | int) -> tuple[int, int]:
    """Return where the value of that key, or the element of that index, begins and ends."""
    if not text.startswith(b"{" if isinstance(step, str) else b"["):
        raise KeyError(step)
    if isinstance(step, str):
        spans = [(member.start, member.stop) for member in members(text) if member.key == step][-1:]
        step = 0
    else:
        spans = _element_spans(text)
    if not 0 <= step < len(spans):
        raise KeyError(step)
    return spans[step]


def _element_spans(data: bytes) -> list[tuple[int, int]]:
    try:
        found = _ARRAY.decode(data)
    except _REFUSED:
        return _scanned_elements(data)
    return _locate(data, found, _TO_ELEMENT, b"]") or []


def _locate(
    data: bytes, values: Iterable[msgspec.Raw], border: re.Pattern[bytes], closing: bytes
) -> list[tuple[int, int]] | None:
    """Return where these values stand in *data*; None if more than they stand in it (duplicate keys)."""
    spans: list[tuple[int, int]] = []
    pos = 0
    for raw in values:
        value = bytes(raw)
        found = border.match(data, pos)
        if found is None or not data.startswith(value, found.end()):
            return None
        pos = found.end() + len(value)
        spans.append((found.end(), pos))
    return spans if not spans or data[pos:].strip(_SPACE) == closing else None


def _scanned_members(data: bytes) -> list[Member]:
    found = scan.parts(data, b"{}")
    if found is None:
        raise Malformed("not a JSON object")
    return [Member(decode(key), start, stop) for key, start, stop in found]


def _scanned_elements(data: bytes) -> list[tuple[int, int]]:
    found = scan.parts(data, b"[]")
    if found is None:
        raise Malformed("not a JSON array")
    return [(start, stop) for _, start, stop in found]


def _has_nonfinite(value: Any) -> bool:
    match value:
        case float():
            return not math.isfinite(value)
        case dict():
            return any(map(_has_nonfinite, value.values()))
        case list() | tuple():
            return any(map(_has_nonfinite, value))
    return False
