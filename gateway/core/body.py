"""A request body and the list in it, taken apart in one pass where `core.json` needs two.

Most of a body is its list. So the list is read first, then cut out, and only what is left is looked at for
the other members. Where the list stands is not guessed: what was read, put together again with what stands
between the first two, must be what stands there, and it must be the one member of that name. Otherwise, and
for every text that only a lenient reader takes, the two passes are made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import msgspec

from gateway.core import json
from gateway.core.json import Member
from gateway.core.scan import is_crowd

_OPENED = re.compile(rb"[ \t\n\r]*:[ \t\n\r]*\[")
_SEPARATOR = re.compile(rb"[ \t\n\r]*,[ \t\n\r]*")

ITEMS_MAX = 200_000
"""Elements that a list may have: a million would take a gigabyte. A long conversation has ten thousand."""

_TRIES = 16
"""So many places where the list may begin are looked at: tools before it may have a field of its name."""

_SHORT_BYTES = 8 * 1024
"""Two passes over less than this take less than what else is done here."""


def taken_apart(data: bytes, key: str) -> tuple[list[Member], list[bytes]]:
    """Return the members of an object, and the elements of the last one with this *key*, a list.

    Raise Malformed if there is none, or anything else is wrong with the text.

    >>> taken_apart(b'{"n": 1, "list": [1, "a"]}', "list")
    ([Member(key='n', start=6, stop=7), Member(key='list', start=17, stop=25)], [b'1', b'"a"'])
    """
    if len(data) >= _SHORT_BYTES and not is_crowd(data):
        try:
            elements = _bounded(_decoder(key).decode(data).items, key)
            start, stop = _place(data, key, elements)
            return _others(data, key, start, stop), elements
        except (ValueError, RecursionError):
            pass
    found = json.members(data)
    last = next((member for member in reversed(found) if member.key == key), None)
    if last is None:
        raise json.Malformed(f"there is no `{key}`")
    return found, _bounded(json.elements(memoryview(data)[last.start : last.stop]), key)


def _bounded(items: Sequence[bytes | msgspec.Raw], key: str) -> list[bytes]:
    """Return the elements of the list. Raise Malformed if they are too many."""
    if len(items) > ITEMS_MAX:
        raise json.Malformed(f"there are more than {ITEMS_MAX} elements in `{key}`")
    return list(map(bytes, items))


def _place(data: bytes, key: str, elements: list[bytes]) -> tuple[int, int]:
    """Return where the list begins and ends. Raise ValueError if it is not found at once."""
    name = b'"%s"' % key.encode()
    first, found = elements[0] if elements else b"", 0
    for _ in range(_TRIES):
        found = data.index(name, found) + len(name)
        opened = _OPENED.match(data, found)
        if opened is not None and data.startswith(first, opened.end()):
            return _ends(data, opened.end(), elements)
    raise ValueError(key)


def _ends(data: bytes, start: int, elements: list[bytes]) -> tuple[int, int]:
    """Return the brackets' places of the list whose first element begins at *start*. Raise ValueError."""
    second = _SEPARATOR.match(data, start + len(elements[0])) if len(elements) > 1 else None
    text = (second[0] if second else b"").join(elements)
    stop = start + len(text)
    if not data.startswith(text, start) or not data.startswith(b"]", stop):
        raise ValueError(start)
    return start - 1, stop + 1


def _others(data: bytes, key: str, start: int, stop: int) -> list[Member]:
    """Return the members of the whole text, read from what it is without the list."""
    found = json.members(b"%s[]%s" % (data[:start], data[stop:]))
    if [member.start for member in found if member.key == key] != [start]:
        raise ValueError(key)
    less = stop - start - len(b"[]")
    return [
        member
        if member.start < start
        else member._replace(start=member.start + less * (member.start > start), stop=member.stop + less)
        for member in found
    ]


class _Named(msgspec.Struct):
    items: list[msgspec.Raw]


@cache
def _decoder(key: str) -> msgspec.json.Decoder[_Named]:
    """Return what reads the list and skips all the rest."""
    field = ("items", list[msgspec.Raw], msgspec.field(name=key))
    return msgspec.json.Decoder(msgspec.defstruct("_Items", [field], bases=(_Named,)))
