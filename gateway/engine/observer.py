"""Read the usage that ends a stream from a copy of what passes through, in constant time per chunk.

Usage stands at the end, so only the last bytes are kept. Where the gateway
asked for usage that the client did not, the extra event is taken out again: that is the only edit ever
made to a relayed stream, and it takes away, never adds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator

from gateway.engine.encoding import Decoder
from gateway.wire.base import Usage, WireFormat
from gateway.wire.stream import Splitter

TAIL_BYTES = 16 * 1024
"""What is kept of the end of an answer: the last events of a stream, the last members of an object."""

_END_BYTES = 2 * 1024
"""Of these, what is looked at first."""

_SAID = b'"usage"'
"""Every dialect calls it so."""

_PIECES = 512
"""More than these are joined: each takes memory beside its bytes."""


class Observer:
    """Watches one stream go by."""

    def __init__(self, wire: WireFormat, coding: str) -> None:
        self._wire = wire
        self._decoder = None if coding.strip().lower() in ("", "identity") else Decoder(coding)
        self._tail: deque[bytes] = deque()
        self._size_bytes = 0

    def feed(self, chunk: bytes) -> None:
        """Take note of a chunk."""
        tail = self._tail
        plain = chunk if self._decoder is None else self._decoder.feed_tail(chunk, TAIL_BYTES)
        tail.append(plain)
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
        return self._last_usage(tail[-_END_BYTES:]) or self._last_usage(tail[-TAIL_BYTES:])

    def _last_usage(self, tail: bytes) -> Usage | None:
        said = map(self._wire.usage, (event.data for event in reversed(Splitter().feed(tail + b"\n\n"))))
        return next((usage for usage in said if usage is not None), None)


async def watched(chunks: AsyncIterator[bytes], observer: Observer) -> AsyncIterator[bytes]:
    """Yield a stream's bytes as they are; the observer sees them."""
    async for chunk in chunks:
        observer.feed(chunk)
        yield chunk


async def without_usage(
    chunks: AsyncIterator[bytes], observer: Observer, wire: WireFormat
) -> AsyncIterator[bytes]:
    """Yield a stream's bytes less the event that only carries usage; the observer sees all of them."""
    splitter = Splitter()
    async for chunk in chunks:
        observer.feed(chunk)
        kept = b"".join(event.raw for event in splitter.feed(chunk) if not wire.is_usage_only(event.data))
        if kept:
            yield kept
    rest = b"".join(event.raw for event in splitter.close() if not wire.is_usage_only(event.data))
    if rest:
        yield rest
