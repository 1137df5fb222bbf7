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
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from gateway.core import scan

Path = tuple[str | int, ...]
"""Keys and indices that lead to a value."""


class Malformed(ValueError):
    """Neither reader understands the text."""


class Member(NamedTuple):
    """Where the value of one key of an object stands in its text: *start* up to *stop*."""

    key: str
    start: int
    stop: int


_ANY = msgspec.json.Decoder()
_PARTS: dict[bytes, msgspec.json.Decoder[Any]] = {
    b"{}": msgspec.json.Decoder(dict[str, msgspec.Raw]),
    b"[]": msgspec.json.Decoder(list[msgspec.Raw]),
}
# Depth is a RecursionError; all else that msgspec refuses, invalid UTF-8 included, is a ValueError.
_REFUSED = (ValueError, RecursionError)

# From a border (the opening bracket or a comma) to the value behind it, in texts known to be valid. Group 1
# is where the name of a member begins.
_SPACE = b" \t\n\r"
_BORDERS = {
    b"{}": re.compile(rb'[ \t\n\r]*[{,][ \t\n\r]*()"[^"\\]*+(?:\\.[^"\\]*+)*+"[ \t\n\r]*:[ \t\n\r]*'),
    b"[]": re.compile(rb"[ \t\n\r]*[\[,][ \t\n\r]*()"),
}

# JavaScript tools cut emoji in half, and msgspec refuses the half that remains. Any other escape of the same
# length in its place leaves the text as valid as it was, and every part where it was.
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_STANDS_IN = rb"\\u0020"


def members(data: bytes) -> list[Member]:
    """Return the members of an object in order of appearance, duplicates included. Raise Malformed.

    >>> members(b'{"model": "m", "n": 1}')
    [Member(key='model', start=10, stop=13), Member(key='n', start=20, stop=21)]
    """
    if scan.is_crowd(data):
        raise Malformed("a text of too many parts")
    try:
        values = _PARTS[b"{}"].decode(data)
        found = _located(data, values, b"{}")
    except _REFUSED:
        found = None
    if found is not None:
        return [Member(key, part.start, part.stop) for key, part in zip(values, found, strict=True)]
    return [Member(_key(data, part), part.start, part.stop) for part in _parts(data, b"{}")]


def elements(data: bytes | memoryview) -> list[bytes]:
    """Return the elements of an array, as copies of their slices. Raise Malformed.

    >>> elements(b'[1.0, "a" , [ ]]')
    [b'1.0', b'"a"', b'[ ]']
    """
    try:
        return list(map(bytes, _PARTS[b"[]"].decode(data)))
    except _REFUSED:
        data = bytes(data)
        return [data[start:stop] for _, start, stop in _parts(data, b"[]")]


def parts(data: bytes) -> list[scan.Part]:
    """Return where the elements of an array, or the members of an object, stand. Raise Malformed.

    >>> parts(b'{"a": 1}')
    [Part(name=1, start=6, stop=7)]
    """
    return _parts(data, b"{}" if data.lstrip(_SPACE).startswith(b"{") else b"[]")


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
    return _edit_parts(data, {key: None})


def at(data: bytes, path: Path) -> bytes:
    """Return the slice of the value at *path*. Raise KeyError if there is none.

    >>> at(b'{"a": [1, 2.50]}', ("a", 1))
    b'2.50'
    """
    text = data.strip(_SPACE)
    for step in path:
        first, stop = _find(text, step)
        text = text[first:stop]
    return text


def edit(data: bytes, values: Mapping[Path, bytes | None]) -> bytes:
    """Return the text with the values at these paths exchanged, or left out where None; the rest as it was.

    Of duplicate keys the last one is exchanged, and all are left out. An array that loses all its elements
    becomes null. However many values of one array or object change, it is gone through once. Raise KeyError
    if an object or array to be changed is not there.

    >>> edit(b'{"a": [1, 2.50, 3], "b": 0}', {("a", 0): None, ("a", 2): b'"x"', ("b",): None})
    b'{"a": [2.50, "x"]}'
    """
    inside: dict[Path, dict[str | int, bytes | None]] = {}
    for path, value in values.items():
        inside.setdefault(path[:-1], {})[path[-1]] = value
    for container in sorted(inside, key=len, reverse=True):
        data = replace(data, container, _edit_parts(at(data, container), inside[container]))
    return data


def _edit_parts(data: bytes, values: Mapping[Any, bytes | None]) -> bytes:
    brackets = b"[]" if data.lstrip(_SPACE).startswith(b"[") else b"{}"
    present = _parts(data, brackets)
    steps = range(len(present)) if brackets == b"[]" else [_key(data, part) for part in present]
    if not any(step in values for step in steps):
        return data
    last = {step: i for i, step in enumerate(steps)}
    # A piece reaches from the end of the value before to the end of its own: comma, name and value. The
    # first piece that stays begins at its name instead.
    pieces = [data[: present[0].name]]
    for i, (step, part) in enumerate(zip(steps, present, strict=True)):
        value = values.get(step, b"")
        if value is None:
            continue
        if i != last[step] or not value:
            value = data[part.start : part.stop]
        pieces.append(data[present[i - 1].stop if len(pieces) > 1 else part.name : part.start] + value)
    if len(pieces) == 1 and brackets == b"[]":
        return b"null"
    return b"".join([*pieces, data[present[-1].stop :]])


def _key(data: bytes, part: scan.Part) -> str:
    key: str = decode(data[part.name : part.start].rstrip(_SPACE + b":"))
    return key


def _find(text: bytes, step: str | int) -> tuple[int, int]:
    """Return where the value of that key, or the element of that index, begins and ends."""
    brackets = b"{}" if isinstance(step, str) else b"[]"
    if not text.startswith(brackets[:1]):
        raise KeyError(step)
    if isinstance(step, str):
        for member in reversed(members(text)):
            if member.key == step:
                return member.start, member.stop
        raise KeyError(step)
    found = _parts(text, brackets)
    if not 0 <= step < len(found):
        raise KeyError(step)
    return found[step].start, found[step].stop


def _parts(data: bytes, brackets: bytes) -> list[scan.Part]:
    """Return the parts of an object or array, by the fastest reader that takes it. Raise Malformed."""
    found = _fast_parts(data, brackets)
    if found is None:
        found = scan.parts(data, brackets)
    if found is None:
        raise Malformed(
            f"not a JSON text that begins with {brackets[:1].decode()} and ends with {brackets[1:].decode()}"
        )
    return found


def _fast_parts(data: bytes, brackets: bytes) -> list[scan.Part] | None:
    """Return the parts as msgspec finds them; None if it does not read such a text."""
    try:
        return _located(data, _PARTS[brackets].decode(data), brackets)
    except _REFUSED:
        masked, count = _SURROGATE.subn(_STANDS_IN, data)
    try:
        return _located(masked, _PARTS[brackets].decode(masked), brackets) if count else None
    except _REFUSED:
        return None


def _located(data: bytes, values: Any, brackets: bytes) -> list[scan.Part] | None:
    """Return where these values stand in *data*; None if duplicate keys hid some, or if they are too many."""
    if len(values) > scan.STEPS_MAX:
        return None
    found: list[scan.Part] = []
    pos = 0
    for raw in values.values() if isinstance(values, dict) else values:
        value = bytes(raw)
        border = _BORDERS[brackets].match(data, pos)
        if border is None or not data.startswith(value, border.end()):
            return None
        pos = border.end() + len(value)
        found.append(scan.Part(border.start(1), border.end(), pos))
    return found if not found or data[pos:].strip(_SPACE) == brackets[1:] else None


def _has_nonfinite(value: Any) -> bool:
    match value:
        case float():
            return not math.isfinite(value)
        case dict():
            return any(map(_has_nonfinite, value.values()))
        case list() | tuple():
            return any(map(_has_nonfinite, value))
    return False
