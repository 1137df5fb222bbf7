"""Server-sent events from bytes: where one ends and what it says, however the stream was cut.

Works on bytes, because U+2028 inside a JSON string is no line end here though text readers take it for one.
The bytes of all events together are the bytes that were fed, so an event can be held, passed on or left out
whole. Nothing is scanned twice: a line of a megabyte that arrives byte by byte costs what its bytes cost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

_BOM = b"\xef\xbb\xbf"
_NO_FIELDS: Mapping[str, bytes] = MappingProxyType({})

# The end of an event is an empty line: a line end behind a line end, or at the very start. Line ends are CR,
# LF and CRLF, mixed at will (HTML standard, "server-sent events": parsing an event stream).
_END = re.compile(rb"[\r\n](?:(?<=\n)(?:\n|\r\n?)|(?<=\r)\r\n?)")
_EMPTY_LINE = re.compile(rb"\n|\r\n?")
_LONGEST_END = 4
_FIELDS = (b"data:", b"event:", b"id:", b"retry:", b":")


class Event(NamedTuple):
    """One event of a stream."""

    raw: bytes
    """The very bytes, up to and including the empty line."""
    data: bytes = b""
    """Its data lines, joined by line feeds."""
    name: str = ""
    """What its `event` field says."""
    fields: Mapping[str, bytes] = _NO_FIELDS
    """Every other field (`id`, `retry`, the `error` of some servers), joined like data if repeated."""
    is_comment: bool = False
    """Nothing but comments and empty lines: no reader acts on it."""


class Splitter:
    """Takes a stream in whatever pieces it arrives, and gives back its events."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._scanned = 0
        self._is_first = True
        self._is_inside = False
        """What is held begins in the middle of an event."""
        self._has_cr = False

    @property
    def held_bytes(self) -> int:
        """How much of an event is there whose end is not."""
        return len(self._buffer)

    def release(self) -> bytes:
        """Return what is held of an event, less what its end may begin with; the rest comes as its end."""
        held = bytes(memoryview(self._buffer)[: -(_LONGEST_END - 1)])
        del self._buffer[: len(held)]
        self._scanned = 0
        self._is_inside = self._is_inside or bool(held)
        return held

    def feed(self, chunk: bytes) -> list[Event]:
        """Return the events that end in this piece.

        >>> splitter = Splitter()
        >>> splitter.feed(b"data: a"), splitter.feed(b"b\\n\\ndata: c\\n\\n")[0].data
        ([], b'ab')
        """
        if not self._buffer and not self._is_inside and _is_plain(chunk):
            self._is_first = False
            return [_event(chunk, chunk)]
        return list(self.each(chunk))

    def each(self, chunk: bytes) -> Iterator[Event]:
        """Return the events that end in this piece, each looked for when it is asked for.

        Those that nobody asks for stay, and come first the next time.
        """
        self._buffer += chunk
        self._has_cr = self._has_cr or b"\r" in chunk
        return self._complete()

    def _complete(self) -> Iterator[Event]:
        while end := self._find_end():
            # A carriage return may be half a line end; the next piece tells.
            if end == len(self._buffer) and self._buffer.endswith(b"\r"):
                return
            yield self._take(end)
        self._scanned = max(0, len(self._buffer) - _LONGEST_END + 1)

    def close(self) -> list[Event]:
        """Return what is left when the stream has ended, as one: an event that lacks its empty line, too."""
        return [self._take(len(self._buffer))] if self._buffer else []

    def _find_end(self) -> int:
        """Return where the first event ends; 0 if its end is not there yet."""
        if self._scanned == 0 and not self._is_inside:
            start = len(_BOM) if self._is_first and self._buffer.startswith(_BOM) else 0
            if empty := _EMPTY_LINE.match(self._buffer, start):
                return empty.end()
        if not self._has_cr:
            # Most streams know only LF, and this search is ten times faster.
            found = self._buffer.find(b"\n\n", self._scanned)
            return found + 2 if found >= 0 else 0
        end = _END.search(self._buffer, self._scanned)
        return end.end() if end else 0

    def _take(self, end: int) -> Event:
        raw = bytes(memoryview(self._buffer)[:end])
        del self._buffer[:end]
        self._scanned = 0
        text = raw.removeprefix(_BOM) if self._is_first else raw
        self._is_first = self._is_inside = False
        return _event(raw, text)


def begins(text: bytes) -> bool:
    """Return whether a text begins as a stream of events does, and as no JSON does.

    >>> begins(b": ping\\n\\ndata: 1\\n\\n"), begins(b'{"data:": 1}')
    (True, False)
    """
    return text.removeprefix(_BOM).lstrip(b"\r\n").startswith(_FIELDS)


def _is_plain(text: bytes) -> bool:
    """Return whether this is one event of one line of data, as nearly all of a model's answer is."""
    return (
        text.startswith(b"data:")
        and text.endswith(b"\n\n")
        and text.find(b"\n") == len(text) - 2
        and b"\r" not in text
    )


def _event(raw: bytes, text: bytes) -> Event:
    return Event(raw, text[5:-2].removeprefix(b" ")) if _is_plain(text) else _parsed(raw, text)


def _parsed(raw: bytes, text: bytes) -> Event:
    found: dict[bytes, list[bytes]] = {}
    for line in text.splitlines():
        name, _, value = line.partition(b":")
        if name:
            found.setdefault(name, []).append(value.removeprefix(b" "))
    fields = {_text(name): b"\n".join(values) for name, values in found.items()}
    data, event = fields.pop("data", b""), fields.pop("event", b"")
    return Event(raw, data, _text(event), fields, is_comment=not found)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
