"""An upstream that costs next to nothing, in the process of the load: the same answer to every request.

A request for a summary is answered after `summary_s` seconds. One that asks for a stream gets `events` of it:
all at once as far as the connection takes them, or one each `pace_s` seconds, with the time at which it was
written (of a clock that the load shares).
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from typing import Any, cast

import httptools

from bench.dialects import CHAT, Dialect
from gateway.core.summary.form import TASK

_WHOLE_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
STREAM_HEAD = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n"
    b"cache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n"
)
_ASKS_STREAM = re.compile(rb'"stream": ?true')
_ASKS_SUMMARY = TASK.encode()
_EDGE_BYTES = 400
"""How much of each end of a body is looked at for `stream`: gateways write it where they like."""

BURST = 16
"""Events written at once: what comes faster than it is read arrives in pieces of this size or larger."""


def _framed(data: str) -> bytes:
    event = f"data: {data}\n\n".encode()
    return b"%x\r\n%s\r\n" % (len(event), event)


class Upstream:
    """The server, and what its streams are like right now."""

    def __init__(self, dialect: Dialect = CHAT) -> None:
        answer = json.dumps(dialect.answer).encode()
        self.response = _WHOLE_HEAD % len(answer) + answer
        self._chunk = dialect.chunk
        self._end = b"".join(map(_framed, dialect.end)) + b"0\r\n\r\n"
        self.events = 1000
        self.pace_s = 0.0
        self.summary_s = 20.0
        self.summaries = 0
        """Asked for so far."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> int:
        """Listen, and return the port."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Connection(self), "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    def close(self) -> None:
        """Listen no more, and break off what streams."""
        self._server.close()
        for task in self._tasks:
            task.cancel()

    def stream_to(self, connection: _Connection) -> None:
        """Stream in the background."""
        task = asyncio.get_running_loop().create_task(self._stream(connection))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _stream(self, connection: _Connection) -> None:
        write = connection.transport.write
        write(STREAM_HEAD)
        left, word = self.events, _framed(self._chunk % " word")
        while left > 0 and not connection.transport.is_closing():
            if self.pace_s:
                write(_framed(self._chunk % f"@{time.perf_counter_ns()}@"))
                left -= 1
            else:
                await connection.writable.wait()
                write(word * min(left, BURST))
                left -= BURST
            await asyncio.sleep(self.pace_s)
        if not connection.transport.is_closing():
            write(self._end)


class _Connection(asyncio.Protocol):
    def __init__(self, upstream: Upstream) -> None:
        self._upstream = upstream
        self._parser: Any = httptools.HttpRequestParser(self)
        self.writable = asyncio.Event()
        self.writable.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        self.transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let a stream see that nobody reads it."""
        self.writable.set()

    def pause_writing(self) -> None:
        """Wait for who reads."""
        self.writable.clear()

    def resume_writing(self) -> None:
        """Go on."""
        self.writable.set()

    def data_received(self, data: bytes) -> None:
        """Take in a piece of a request."""
        self._parser.feed_data(data)

    def on_message_begin(self) -> None:
        """Forget the request before."""
        self._first = self._last = b""

    def on_body(self, piece: bytes) -> None:
        """Keep the two ends of a body and nothing else."""
        if not self._first:
            self._first = piece
        self._last = (self._last + piece if len(piece) < _EDGE_BYTES else piece)[-_EDGE_BYTES:]

    def on_message_complete(self) -> None:
        """Answer."""
        if _ASKS_SUMMARY in self._first:
            self._upstream.summaries += 1
            asyncio.get_running_loop().call_later(self._upstream.summary_s, self._answer)
        elif _ASKS_STREAM.search(self._first[:_EDGE_BYTES]) or _ASKS_STREAM.search(self._last):
            self._upstream.stream_to(self)
        else:
            self._answer()

    def _answer(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(self._upstream.response)
