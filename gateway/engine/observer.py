"""Read what a stream says at its end from a copy of what passes through, in constant time per chunk.

Usage and the mark that all is said stand at the end, so only the last bytes are kept, and the first few:
Anthropic says there what the prompt took. Where the gateway
asked for usage that the client did not, the extra event is taken out again: that is the only edit ever
made to a relayed stream, and it takes away, never adds.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import msgspec

from gateway.core import json
from gateway.core.failure_answers import WINDOW_REASON, answer
from gateway.engine.encoding import Decoder
from gateway.wire.base import Usage, WireFormat
from gateway.wire.stream import Event, Splitter

TAIL_BYTES = 16 * 1024
"""What is kept of the end of an answer: the last events of a stream, the last members of an object."""

HEAD_BYTES = 4 * 1024
"""What is kept of its beginning."""

_LOOKS_BYTES = (512, 2 * 1024)
"""Of these, what is looked at first: it takes as long to split as there are events."""

_SAID = b'"usage"'
"""Every dialect calls it so."""

# The event behind which nothing comes, by what its data begins with.
_FINAL = re.compile(
    rb'\[DONE\]\s*\Z|.{0,200}"type"\s*:\s*"(?:message_stop|error|response\.(?:completed|failed|incomplete))"',
    re.DOTALL,
)

_SPENT = re.compile(rb'"usage"\s*:\s*(?=\{)')
"""Inside a text its quotes would be escaped."""

_SPENT_BYTES = 1024
"""An object of usage is shorter."""

_WINDOW = WINDOW_REASON.encode()

_PIECES = 512
"""More than these are joined: each takes memory beside its bytes."""


_USAGE_BYTES = 64 * 1024
"""An event that only carries usage is never so long."""


class Observer:
    """Watches one stream go by."""

    def __init__(self, wire: WireFormat, coding: str) -> None:
        self._wire = wire
        self._decoder = None if coding.strip().lower() in ("", "identity") else Decoder(coding)
        self._tail: deque[bytes] = deque()
        self._head = b""
        self._size_bytes = 0

    def feed(self, chunk: bytes) -> None:
        """Take note of a chunk."""
        tail = self._tail
        plain = chunk if self._decoder is None else self._decoder.feed_tail(chunk, TAIL_BYTES)
        tail.append(plain)
        if len(self._head) < HEAD_BYTES:
            self._head += plain[:HEAD_BYTES]
        self._size_bytes += len(plain)
        while self._size_bytes - len(tail[0]) >= TAIL_BYTES:
            self._size_bytes -= len(tail.popleft())
        if len(tail) > _PIECES:
            self._tail = deque([b"".join(tail)])

    def usage(self) -> Usage | None:
        """Return what the upstream says it spent; None if it does not say, or the answer is not over."""
        tail = b"".join(self._tail)
        if _SAID not in tail:
            return None
        # It stands in the last event but one, as a rule.
        last = self._said(_from_the_end(tail[-TAIL_BYTES:])) or self._usage_of_long_event(tail)
        if last is not None and not last.input_tokens:
            last = self._with_input(last)
        if last is None or not _is_ended_by_window(tail[-TAIL_BYTES:]):
            return last
        return msgspec.structs.replace(last, is_ended_by_window=True)

    @property
    def is_over(self) -> bool:
        """Whether the last event of the answer has gone by: who leaves now has got all of it."""
        tail = b"".join(self._tail)
        last = next((event for event in _from_the_end(tail[-TAIL_BYTES:]) if not event.is_comment), None)
        if last is None:
            return False
        return _FINAL.match(last.data) is not None or (
            not last.data and self._usage_of_long_event(tail) is not None
        )

    def _said(self, events: Iterable[Event], least_input: int = 0) -> Usage | None:
        """Return the first usage that these events tell, of a prompt of so many tokens at the least."""
        told = (self._wire.usage(event.data) for event in events if _SAID in event.data)
        return next((one for one in told if one is not None and one.input_tokens >= least_input), None)

    def _with_input(self, last: Usage) -> Usage:
        """Return the usage with what the beginning of the stream said of the prompt."""
        is_told = _SAID in self._head
        first = self._said(Splitter().each(self._head + b"\n\n"), least_input=1) if is_told else None
        if first is None:
            return last
        told = {"output_tokens": last.output_tokens, "is_edited": last.is_edited}
        return msgspec.structs.replace(first, **told)

    def _usage_of_long_event(self, tail: bytes) -> Usage | None:
        """Return the usage at the end of an event whose beginning is no longer here.

        The last one of the Responses API repeats instructions and tools, which may be of any length.
        """
        places = [found.end() for found in _SPENT.finditer(tail)]
        spent = _object(tail[places[-1] : places[-1] + _SPENT_BYTES]) if places else b""
        return self._wire.usage(b'{"usage":%s}' % spent) if spent else None


def _events(text: bytes) -> list[Event]:
    return Splitter().feed(text + b"\n\n")


def _from_the_end(text: bytes) -> Iterator[Event]:
    """Yield the events of a text, the last one first; those of its very end again if more are asked for."""
    for look_bytes in _LOOKS_BYTES:
        if look_bytes < len(text):
            # The first may have begun before.
            yield from reversed(_events(text[-look_bytes:])[1:])
    yield from reversed(_events(text))


def _is_ended_by_window(tail: bytes) -> bool:
    """Return whether an event says so of itself: what the model wrote may hold the same words."""
    if _WINDOW not in tail:
        return False
    found = (answer(_decoded(event.data)) for event in _events(tail) if _WINDOW in event.data)
    return any(said is not None and WINDOW_REASON in said.reasons for said in found)


def _decoded(data: bytes) -> Any:
    try:
        return json.decode(data)
    except ValueError:
        return None


def _object(text: bytes) -> bytes:
    """Return the JSON object that the text begins with; empty if it does not end."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == ord("{")) - (sign == ord("}"))
        if not depth:
            return text[: at + 1]
    return b""


async def watched(chunks: AsyncIterator[bytes], observer: Observer) -> AsyncIterator[bytes]:
    """Yield a stream's bytes as they are; the observer sees them."""
    async for chunk in chunks:
        observer.feed(chunk)
        yield chunk


async def without_usage(
    chunks: AsyncIterator[bytes], observer: Observer, wire: WireFormat
) -> AsyncIterator[bytes]:
    """Yield a stream's bytes less the event that only carries usage; the observer sees all of them.

    A longer event than such a one goes out as it comes.
    """
    splitter = Splitter()
    is_long = False

    def kept(events: list[Event]) -> bytes:
        nonlocal is_long
        pieces = []
        for event in events:
            if is_long or not wire.is_usage_only(event.data):
                pieces.append(event.raw)
            is_long = False
        if splitter.held_bytes > _USAGE_BYTES:
            pieces.append(splitter.release())
            is_long = True
        return b"".join(pieces)

    async for chunk in chunks:
        observer.feed(chunk)
        if piece := kept(splitter.feed(chunk)):
            yield piece
    if piece := kept(splitter.close()):
        yield piece
