"""A connection to a client on which the head of an answer waits for its body, so that both leave together.

A server writes them apart, and each write is a system call: one of five that a small request costs. The head
waits no longer than until the event loop comes round again, so one whose body is still to come leaves alone.
"""

from __future__ import annotations

import asyncio

_HEAD = b"HTTP/1.1 "
"""What begins so may wait. A piece of a body that does is only late by one turn of the loop."""

_SEPARATE_BYTES = 16 * 1024
"""From this size on a body is not copied behind its head."""


class Outgoing:
    """As much of a transport as a server uses to answer."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._head = b""

    def write(self, data: bytes) -> None:
        """Send *data*, behind the head that waits for it if there is one."""
        head = self._head
        if head:
            self._head = b""
            if len(data) < _SEPARATE_BYTES:
                self._transport.write(head + data)
            else:
                self._transport.writelines((head, data))
        elif data.startswith(_HEAD):
            self._head = data
            self._loop.call_soon(self._flush)
        else:
            self._transport.write(data)

    def close(self) -> None:
        """Close the connection when all that was written is out."""
        self._flush()
        self._transport.close()

    def is_closing(self) -> bool:
        """Return whether it is closed, or about to be."""
        return self._transport.is_closing()

    def _flush(self) -> None:
        head, self._head = self._head, b""
        if head and not self._transport.is_closing():
            self._transport.write(head)
