"""A wire to a server that keeps what goes over it: each request, and the status that came back.

Nothing is changed on the way, and whoever hangs up hangs up on the server.
"""

from __future__ import annotations

import asyncio
import re
import threading
from asyncio import StreamReader, StreamWriter
from contextlib import closing, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from gateway.core.summary.form import TASK

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_ENDED = asyncio.IncompleteReadError, ConnectionError


NO_ANSWER = 0
"""The status of a call that was broken off."""


@dataclass(eq=False)
class Call:
    """One request."""

    body: bytes
    status: int = NO_ANSWER

    @property
    def is_for_summary(self) -> bool:
        """Whether the gateway itself asks for something to be summed up."""
        return TASK.encode() in self.body


class Recording:
    """The wire: `with Recording(port) as wire`, and ask at `wire.url` what is to be asked at that port."""

    def __init__(self, port: int) -> None:
        self.calls: list[Call] = []
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="recording", daemon=True)
        self._open: set[asyncio.Task[None]] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        serving = asyncio.start_server(self._connected, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(serving, self._loop).result(10)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def summaries(self) -> list[Call]:
        """The requests by which the gateway has something summed up."""
        return [call for call in self.calls if call.is_for_summary]

    async def _close(self) -> None:
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _connected(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        there, onwards = await asyncio.open_connection("127.0.0.1", self._port)
        mine: list[Call] = []
        try:
            async with asyncio.TaskGroup() as ways:
                ways.create_task(self._asked(reader, onwards, mine))
                ways.create_task(_answered(there, writer, mine))
        finally:
            self._open.discard(task)

    async def _asked(self, reader: StreamReader, onwards: StreamWriter, mine: list[Call]) -> None:
        """Hand on what a client asks, request by request."""
        with closing(onwards), suppress(*_ENDED):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = _LENGTH.search(head)
                body = await reader.readexactly(int(length[1]) if length else 0)
                mine.append(Call(body))
                self.calls.append(mine[-1])
                onwards.write(head + body)
                await onwards.drain()


async def _answered(reader: StreamReader, back: StreamWriter, mine: list[Call]) -> None:
    """Hand back what the server answers; the first piece after a request begins with its status."""
    with closing(back), suppress(*_ENDED):
        while piece := await reader.read(1 << 16):
            if mine[-1].status == NO_ANSWER:
                mine[-1].status = int(piece.split(b" ", 2)[1])
            back.write(piece)
            await back.drain()
