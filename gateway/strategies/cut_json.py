"""Cut a JSON text so that it stays JSON: whole elements at both ends, or every key, its longest values cut.

A long array or object loses elements from its middle, and a string element, or a member `haversack`, says
how many of how many. Where there are few, none is lost, and the longest lose inside. What stays are slices
of the text, so layout, number formats and unknown fields stay as they were. A text that was cut before has
its notices in the same places; a second cut takes them over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gateway.core import json
from gateway.core.level import level
from gateway.core.scan import Part
from gateway.strategies import marks
from gateway.strategies.cut_text import TextCut, quoted_room
from gateway.strategies.lines_of_note import Line, by_weight, lines_of_note

_FEW = 12
"""So many elements or members all stay, and the longest lose inside."""

_WORTH_BYTES = 200
"""Where every value can have so much, all stay, however many they are."""

_LEAST_BYTES = 120
"""Where few can have no more than that, notices would take what they have, and some go instead."""

_NOTICE_BYTES = 80
"""What a notice takes in its place, about."""

_QUOTE_FRAME = len(r"\n  | ")

Quote = tuple[str, str]
"""The number of an element, if it is known, and what is quoted of it."""

_DEEPEST = 6
"""What is nested deeper stays or goes whole."""

_MOST_COMMAS = 50_000
"""A text of more parts is made to keep somebody busy; it is cut like any other text."""

_NESTED = 900
"""A text of more brackets may be nested so deeply that only the most patient reader takes it, for seconds;
it is first shown to one that gives up."""

_KEY = b'"haversack"'


@dataclass(frozen=True)
class JsonCut:
    """A JSON text about to be cut."""

    text: str
    head_share: float
    original: str = ""
    depth: int = 0

    @cached_property
    def _value(self) -> _Value:
        data = self.text.strip().encode("utf-8", "surrogatepass")
        return _Value(data, self.head_share, self.original, self.depth)

    def is_json(self) -> bool:
        """Return whether the text is an array or object that can be cut."""
        stripped = self.text.strip()
        if stripped[:1] + stripped[-1:] not in ("[]", "{}") or self.depth > _DEEPEST:
            return False
        try:
            if self.text.count("[") + self.text.count("{") > _NESTED:
                json.decode(self._value.data)
            return bool(self._value.parts)
        except json.Malformed:
            return False

    def at(self, size: int) -> str:
        """Return the text with about *size* characters of it kept."""
        share = len(self._value.data) / max(1, len(self.text))
        return self._value.at(int(size * share)).decode("utf-8", "surrogatepass")


@dataclass(frozen=True)
class _Value:
    """A value within the text, and what is known of it whatever the size."""

    data: bytes
    head_share: float
    original: str
    depth: int

    def at(self, size: int) -> bytes:
        """Return the value in about *size* bytes; as it is, if it cannot be shorter."""
        if len(self.data) <= size or self.depth > _DEEPEST:
            return self.data
        if self.data[:1] == b'"':
            shorter = json.encode(self._inner.at(int(size * len(self._text) / len(self.data))))
        elif self.data[:1] in (b"[", b"{") and self.parts:
            shorter = self._container(size)
        else:
            return self.data
        return shorter if len(shorter) < len(self.data) else self.data

    @cached_property
    def _text(self) -> str:
        text: str = json.decode(self.data)
        return text

    @cached_property
    def _inner(self) -> TextCut | JsonCut:
        nested = JsonCut(self._text, self.head_share, self.original, self.depth + 1)
        return nested if nested.is_json() else TextCut.of(self._text, self.head_share, original=self.original)

    @cached_property
    def parts(self) -> Sequence[Part]:
        """The parts of an array or object. Raise Malformed if it is none, or has too many."""
        if self.data.count(b",") > _MOST_COMMAS:
            raise json.Malformed("too many parts")
        if self.data[:1] == b"{":
            return json.parts(self.data)
        return _elements(self.data)

    @cached_property
    def _earlier(self) -> tuple[int, re.Match[str]] | None:
        """The notice of an earlier cut among the parts, with its place."""
        if b"[haversack: " not in self.data:
            return None
        for index, part in enumerate(self.parts):
            value = self.data[part.start : part.stop]
            is_ours = part.name == part.start or self.data.startswith(_KEY, part.name)
            if is_ours and value.startswith(b'"[haversack: '):
                match = marks.NOTICE.fullmatch(json.decode(value))
                if match:
                    return index, match
        return None

    @cached_property
    def _sizes(self) -> Sequence[int]:
        return [part.stop - part.start for part in self.parts]

    def _container(self, size: int) -> bytes:
        allowed = level(self._sizes, size - (len(self.data) - sum(self._sizes)))
        is_few = len(self.parts) <= _FEW and self._earlier is None
        if allowed >= _WORTH_BYTES or (is_few and allowed >= _LEAST_BYTES):
            return self._levelled(allowed)
        return self._ends(size - _NOTICE_BYTES)

    def _child(self, index: int, original: str = "") -> _Value:
        part = self.parts[index]
        return _Value(self.data[part.start : part.stop], self.head_share, original, self.depth + 1)

    @cached_property
    def _children(self) -> dict[int, _Value]:
        """What may be cut inside; the largest names the original, if there is one."""
        largest = max(range(len(self.parts)), key=self._sizes.__getitem__)
        inside = [
            index for index, size in enumerate(self._sizes) if size > _NOTICE_BYTES or index in (0, largest)
        ]
        return {index: self._child(index, self.original if index == largest else "") for index in inside}

    def _levelled(self, allowed: int) -> bytes:
        """Return all parts, none with a value longer than *allowed*, as far as values can be cut."""
        pieces: list[bytes] = []
        position = 0
        for index, part in enumerate(self.parts):
            if self._sizes[index] > allowed and index in self._children:
                pieces += [self.data[position : part.start], self._children[index].at(allowed)]
                position = part.stop
        return b"".join([*pieces, self.data[position:]])

    def _ends(self, size: int) -> bytes:
        """Return the first and the last parts, with a notice in between that quotes what is of note there."""
        room = quoted_room(size)
        quotes = self._quotes(size, room) if room > _NOTICE_BYTES else []
        begin, head, tail = self._split(size - sum(_length(quote) for _, quote in quotes))
        if head >= tail or len(self.parts) == 1:
            return self.data
        lead = self.data[1 : self.parts[0].name]
        comma = b"," + self.data[self.parts[0].stop : self.parts[1].name].replace(b",", b"")
        end = self.data[self.parts[tail - 1].stop :]
        if tail < len(self.parts):
            end = comma + self.data[self.parts[tail].name :]
        notice = self._notice(head, tail, [quote for index, quote in quotes if head <= index < tail])
        return (begin + comma if begin else self.data[:1] + lead) + notice + end

    def _split(self, size: int) -> tuple[bytes, int, int]:
        """Return what the text begins with, and from which part up to which it is left out."""
        room = int(size * self.head_share)
        head = self._head(room)
        begin = self.data[: self.parts[head - 1].stop] if head else self._first(room)
        head = max(head, 1) if begin else 0
        return begin, head, self._tail(size - len(begin), head)

    def _quotes(self, size: int, room: int) -> list[tuple[int, Quote]]:
        """Return what is quoted of the parts left out, each with the index of its part, in their order."""
        place, match = self._earlier or (len(self.parts), None)
        candidates = [(place, quote) for quote in (marks.quotes(match) if match else ())]
        if self._noted:
            _, head, tail = self._split(size - room)
            inside = {line: index for line, index in self._noted.items() if head <= index < tail}
            for line in by_weight(list(inside)):
                number = str(inside[line] + 1) if inside[line] < place else ""
                candidates.append((inside[line], (number, line.text)))
        chosen: list[tuple[int, Quote]] = []
        for index, quote in candidates:
            room -= _length(quote)
            if room < 0:
                break
            chosen.append((index, quote))
        return sorted(chosen)

    @cached_property
    def _noted(self) -> Mapping[Line, int]:
        """Which parts are worth quoting, each as a line."""
        if not lines_of_note(_decoded(self.data)):
            return {}
        parts = (_decoded(self.data[part.name : part.stop]) for part in self.parts)
        text = "\n".join(" ".join(part.split()) for part in parts)
        found = (line for line in lines_of_note(text) if "[haversack: " not in line.text)
        return {line: text.count("\n", 0, line.start) for line in found}

    def _head(self, room: int) -> int:
        """Return how many parts the head can have."""
        most = len(self.parts) - 1 if self._earlier is None else self._earlier[0]
        head = 0
        while head < most and self.parts[head].stop <= room:
            head += 1
        return head

    def _tail(self, room: int, head: int) -> int:
        """Return with which part the tail can begin."""
        least = head if self._earlier is None else max(head, self._earlier[0] + 1)
        tail = len(self.parts)
        while tail > least and len(self.data) - self.parts[tail - 1].name <= room:
            tail -= 1
        return tail

    def _first(self, room: int) -> bytes:
        """Return the text up to the end of the first part, cut inside; nothing if it cannot be."""
        start = self.parts[0].start
        if room - start < _NOTICE_BYTES or (self._earlier is not None and self._earlier[0] == 0):
            return b""
        return self.data[:start] + self._children[0].at(room - start)

    def _notice(self, head: int, tail: int, quotes: Sequence[Quote]) -> bytes:
        """Return the notice for the parts from *head* up to *tail*, an earlier one among them taken over."""
        is_object = self.data[:1] == b"{"
        gone = _chars(self.data[self.parts[head].name : self.parts[tail - 1].stop])
        whole, count, of = _chars(self.data), tail - head, len(self.parts)
        original = self.original
        if self._earlier is not None:
            place, match = self._earlier
            part = self.parts[place]
            added = int(match["left_out"]) - _chars(self.data[part.name : part.stop])
            gone, whole = gone + added, int(match["whole"])
            count, of = count - 1 + int(match["parts"] or 0), int(match["all_parts"] or of)
            original = match["original"] or original
        parts = f"{count} of {of} {'members' if is_object else 'elements'}"
        notice = json.encode(marks.notice(gone, whole, original, parts, quotes))
        return _KEY + b":" + notice if is_object else notice


def _elements(data: bytes) -> list[Part]:
    """Return where the elements of an array stand: only space and commas are between them."""
    stop = 1
    return [
        Part(start := data.index(element, stop), start, stop := start + len(element))
        for element in json.elements(data)
    ]


def _length(quote: Quote) -> int:
    """Return by how much a quote lengthens a notice, about: JSON puts a backslash before some signs."""
    return len(json.encode(quote[1])) + len(quote[0]) + _QUOTE_FRAME


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def _chars(data: bytes) -> int:
    return len(_decoded(data))
