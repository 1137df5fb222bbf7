"""An upstream that costs next to nothing: it answers every request with the same bytes.

`python quick.py PORT` serves it. It reads no more of a request than it needs to find its end.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import cast

import uvloop

ANSWER = json.dumps(
    {
        "id": "chatcmpl-quick",
        "object": "chat.completion",
        "created": 1,
        "model": "gpt-4o",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "All right."}, "finish_reason": "stop"}
        ],
        "usage": {"prompt_tokens": 200, "completion_tokens": 3, "total_tokens": 203},
    }
).encode()
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(ANSWER)
RESPONSE = HEAD + ANSWER
LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


class Quick(asyncio.Protocol):
    """One connection."""

    def __init__(self) -> None:
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Answer every request that is complete."""
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            found = LENGTH.search(self._buffer, 0, end)
            size = end + 4 + (int(found.group(1)) if found else 0)
            if len(self._buffer) < size:
                return
            self._buffer = self._buffer[size:]
            self._transport.write(RESPONSE)


async def serve(port: int) -> None:
    """Serve until the process is ended."""
    server = await asyncio.get_running_loop().create_server(Quick, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve(int(sys.argv[1])))
