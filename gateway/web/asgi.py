"""ASGI, typed: read a body within bounds or as it arrives, send a whole response.

ASGI says "the client left" by a message. Here it is an exception, `ClientLeft`, because whoever reads a body
cannot go on without it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from gateway.core.errors import TooLarge

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


RAW_HEADERS = "haversack.headers"
"""Key of a scope: the request's headers with the case of their names as it came (`web.server`)."""

TELL = "haversack.tell"
"""Key of a scope: a `Tell`, where the server can tell that the client leaves (`web.server`)."""

Tell = Callable[[Callable[[], None] | None], None]
"""Calls back when the client leaves, at once if it has left; given None, no longer. For use when the body of
the request has been read."""

_FIRST = "haversack.first"


class ClientLeft(Exception):
    """The client closed its connection. Not an error: nobody is left to tell."""


def header(scope: Scope, name: bytes) -> bytes | None:
    """Return the first value of a request header, by its name in lower case."""
    first: dict[bytes, bytes] | None = scope.get(_FIRST)
    if first is None:
        first = scope[_FIRST] = dict(reversed(list(scope["headers"])))
    return first.get(name)


def raw_headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    """Return the request's headers as they came, names in the client's case where the server keeps it."""
    return list(scope.get(RAW_HEADERS) or scope["headers"])


async def read_body(scope: Scope, receive: Receive, max_bytes: int) -> bytes:
    """Return the whole request body. Raise TooLarge over *max_bytes*, ClientLeft if it breaks off."""
    declared = header(scope, b"content-length")
    if declared is not None and declared.isdigit() and int(declared) > max_bytes:
        raise _too_large(max_bytes)
    chunk, more = await _next(receive)
    if not more:
        return _bounded([chunk], len(chunk), max_bytes)
    parts, size = [chunk], len(chunk)
    while more:
        chunk, more = await _next(receive)
        parts.append(chunk)
        size += len(chunk)
        if size > max_bytes:
            break
    return _bounded(parts, size, max_bytes)


class Upload:
    """A request body as it arrives. Iterate it once; only what is on its way is in memory."""

    def __init__(self, first: bytes, receive: Receive) -> None:
        self._first: bytes | None = first
        self._receive = receive
        self._more = True
        self._ended = asyncio.Event()

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        """Return the next piece. Raise ClientLeft if the client goes before the last."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        if not self._more:
            raise StopAsyncIteration
        try:
            chunk, self._more = await _next(self._receive)
        except ClientLeft:
            self._ended.set()
            raise
        if not self._more:
            self._ended.set()
        return chunk

    async def receive(self) -> Message:
        """Return the next ASGI message that comes after the body: the client leaving."""
        await self._ended.wait()
        return await self._receive()


async def incoming(receive: Receive) -> tuple[bytes | Upload, Receive]:
    """Return the request body, whole if it is here already, and what tells of the client from then on."""
    chunk, more = await _next(receive)
    if not more:
        return chunk, receive
    upload = Upload(chunk, receive)
    return upload, upload.receive


async def send_response(
    send: Send, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes = b""
) -> None:
    """Send a whole response; its Content-Length is added."""
    length = (b"content-length", b"%d" % len(body))
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})


async def _next(receive: Receive) -> tuple[bytes, bool]:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientLeft
    return message.get("body", b""), message.get("more_body", False)


def _bounded(parts: list[bytes], size: int, max_bytes: int) -> bytes:
    if size > max_bytes:
        raise _too_large(max_bytes)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _too_large(max_bytes: int) -> TooLarge:
    return TooLarge(f"The request body is larger than {max_bytes} bytes, the most this gateway accepts.")
