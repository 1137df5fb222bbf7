"""A raw TCP upstream: records the exact bytes of every request and plays back scripted bytes.

No HTTP library takes part, so what it saw is what was on the wire. An answer is a list of steps: bytes are
sent, the rest are the constants below.
"""

from __future__ import annotations

import asyncio
import re
import socket
import struct
from collections.abc import Iterable
from types import TracebackType
from typing import Self

HOLD = "hold"
"""Wait until the other side closes the connection; `hangups` counts them."""
CLOSE = "close"
"""End the connection with what has been sent."""
RESET = "reset"
"""Break the connection so that the other side gets an error."""
WAIT = "wait"
"""Wait for `go`."""

Step = bytes | str
Answer = list[Step]

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class RawUpstream:
    """Listens on a free port of localhost. The answers are given in order, the last one for ever."""

    def __init__(self, *answers: Answer | Step) -> None:
        given = [answer if isinstance(answer, list) else [answer] for answer in answers]
        self._answers: list[Answer] = given or [[OK]]
        self.requests: list[bytes] = []
        self.hangups = 0
        self.connections = 0
        self._news = asyncio.Condition()
        self.go = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connection, "localhost", 0, limit=2**20)
        # One port for both families, where localhost has both.
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        self.go.set()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def head(self, at: int = -1) -> list[bytes]:
        """Return the request line and the header lines of a recorded request."""
        return self.requests[at].partition(b"\r\n\r\n")[0].split(b"\r\n")

    def headers(self, at: int = -1) -> list[bytes]:
        """Return the header lines less those that say how this hop is framed and addressed."""
        hop = re.compile(rb"(host|content-length|transfer-encoding):", re.IGNORECASE)
        return [line for line in self.head(at)[1:] if not hop.match(line)]

    def body(self, at: int = -1) -> bytes:
        """Return the body of a recorded request, out of its chunks."""
        head, _, body = self.requests[at].partition(b"\r\n\r\n")
        return b"".join(_unchunk(body)) if b"transfer-encoding: chunked" in head.lower() else body

    async def seen(self, requests: int = 0, hangups: int = 0) -> None:
        """Wait until so many requests have come, and so many connections were closed on us."""
        async with asyncio.timeout(30), self._news:
            await self._news.wait_for(lambda: len(self.requests) >= requests and self.hangups >= hangups)

    async def _tell(self) -> None:
        async with self._news:
            self._news.notify_all()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.add(writer)
        task: asyncio.Task[None] | None = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while request := await _read_request(reader):
                self.requests.append(request)
                await self._tell()
                answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
                if not await self._play(answer, reader, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hangups += 1
            await self._tell()
        finally:
            self._writers.discard(writer)
            self._tasks.discard(task)
            writer.close()

    async def _play(
        self, answer: Iterable[Step], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        for step in answer:
            if isinstance(step, bytes):
                writer.write(step)
                await writer.drain()
            elif step == WAIT:
                await self.go.wait()
            elif step == HOLD:
                await reader.read()
                self.hangups += 1
                await self._tell()
                return False
            else:
                if step == RESET:
                    # Closing with a linger of nothing sends RST.
                    sock = writer.get_extra_info("socket")
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    writer.transport.abort()
                return False
        return True


async def _read_request(reader: asyncio.StreamReader) -> bytes:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""
    if length := re.search(rb"(?i)\r\ncontent-length: *(\d+)", head):
        return head + await reader.readexactly(int(length[1]))
    if re.search(rb"(?i)\r\ntransfer-encoding: *chunked", head):
        return head + await _read_chunks(reader)
    return head


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while True:
        line = await reader.readuntil(b"\r\n")
        chunk = await reader.readexactly(int(line, 16) + 2)
        body += line + chunk
        if line == b"0\r\n":
            return body


def _unchunk(body: bytes) -> Iterable[bytes]:
    while body:
        line, _, body = body.partition(b"\r\n")
        size = int(line, 16)
        yield body[:size]
        body = body[size + 2 :]
