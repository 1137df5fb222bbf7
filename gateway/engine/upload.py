"""A request body on its way out while the answer is waited for, which may come before the body's end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator

from aiohttp.client_proto import ResponseHandler
from aiohttp.http import StreamWriter

Body = bytes | AsyncIterable[bytes]
"""A request body: whole, or as a stream. The headers say how it is framed."""


class Upload:
    """Sends the rest of a body; whoever holds the answer stops it, in every outcome."""

    def __init__(
        self, protocol: ResponseHandler, body: AsyncIterable[bytes] | None, chunked: bool = False
    ) -> None:
        """*body* may be None: all is written then, and only still to be taken by the network."""
        self.failure: Exception | None = None
        """What the source of the body failed with."""
        self._protocol = protocol
        self._source: AsyncIterator[bytes] | None = aiter(body) if body is not None else None
        self._writer = StreamWriter(protocol, asyncio.get_running_loop())
        if chunked:
            self._writer.enable_chunking()
        # Not a task group: it has no block to belong to, and it raises nothing.
        self._task = asyncio.get_running_loop().create_task(self._run())

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to send."""
        return self._task.done()

    def stop(self) -> None:
        """Send no more."""
        self._task.cancel()

    async def _run(self) -> None:
        try:
            while (chunk := await self._next()) is not None:
                await self._writer.write(chunk)
            await self._writer.write_eof()
            await self._writer.drain()
        except Exception as error:
            # Raised where the answer is waited for, if it is not there already.
            self._protocol.set_exception(error)
        else:
            self._protocol.start_timeout()

    async def _next(self) -> bytes | None:
        try:
            return await anext(self._source, None) if self._source is not None else None
        except Exception as error:
            self.failure = error
            raise
