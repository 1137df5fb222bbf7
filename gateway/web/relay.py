"""Pass an upstream's answer to the client as it arrives.

Three rules hold for everybody who answers with an upstream's response:
the client leaving cancels the upstream call at once (`leaving`); before the first byte a failure is an error
response in the client's dialect (`send_error`); after it there is none, the connection breaks (`AnswerCut`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Iterable
from types import TracebackType
from typing import Protocol

import msgspec

from gateway.core.errors import GatewayError
from gateway.engine.attempt import Answer
from gateway.engine.headers import RawHeaders, response_headers
from gateway.web import asgi
from gateway.web.asgi import ClientLeft, Receive, Send, Tell
from gateway.web.asides import ThreadRefused
from gateway.wire import WIRE_FORMATS

_CHAT = WIRE_FORMATS["openai_chat"]


class AnswerCut(Exception):
    """The upstream failed after the client got the first byte. Let it reach the server, which hangs up."""


class Opened(AsyncIterable[bytes], Protocol):
    """An answer whose head is known and whose body is still to come."""

    status: int
    headers: RawHeaders


async def send_answer(send: Send, answer: Answer, extra_headers: RawHeaders) -> None:
    """Relay an answer as `send_response` does, in one piece if all of it is here."""
    if answer.whole is None:
        await send_response(send, answer, extra_headers)
        return
    head = [*response_headers(answer.headers, answer.status, less_own=True), *extra_headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": head})
    await send({"type": "http.response.body", "body": answer.whole})


async def send_response(
    send: Send,
    response: Opened,
    extra_headers: RawHeaders | None = None,
) -> None:
    """Relay an open response: its status and headers, *extra_headers*, then its body as it arrives.

    Raise AnswerCut if the upstream fails on the way.
    """
    headers = response_headers(response.headers, response.status, less_own=bool(extra_headers))
    if extra_headers:
        headers += extra_headers
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    try:
        async for chunk in response:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
    except GatewayError as error:
        raise AnswerCut(error.message) from None  # its cause may quote what the upstream sent
    await send({"type": "http.response.body", "body": b""})


async def send_error(
    send: Send, error: GatewayError, dialect: str, extra_headers: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    """Answer with an error in the dialect of the client."""
    headers = [(b"content-type", b"application/json"), *extra_headers]
    await asgi.send_response(send, error.status, headers, error_body(error, dialect))


def error_body(error: GatewayError, dialect: str) -> bytes:
    """Return the body of an error as the vendor of this wire format would write it."""
    body = WIRE_FORMATS.get(dialect, _CHAT).error(error)
    return _with_details(body, error) if isinstance(error, ThreadRefused) else body


def _with_details(body: bytes, error: ThreadRefused) -> bytes:
    value = msgspec.json.decode(body)
    value["error"]["details"] = {"error_code": error.error_code}
    return msgspec.json.encode(value)


class leaving:
    """Cancel the block when the client leaves, and raise ClientLeft; `left` tells that it did.

    The request body must have been read (or be an `Upload`, whose `receive` this gets): what comes next from
    *receive* is the client leaving, or the server's word that the response is complete. So leave the block
    right after the last `send`. A server that tells of it by itself (*tell*) spares a task that waits for it.
    """

    __slots__ = ("_block", "_cancelling", "_over", "_receive", "_tell", "_watcher", "left")

    def __init__(self, receive: Receive, tell: Tell | None = None) -> None:
        self._receive = receive
        self._tell = tell
        self._watcher: asyncio.Task[None] | None = None
        self._over = False
        self.left = False

    async def __aenter__(self) -> leaving:
        block = asyncio.current_task()
        assert block is not None
        self._block = block
        self._cancelling = block.cancelling()
        if self._tell is not None:
            self._tell(self._leave)
        else:
            # Not a task group: it would cost more than the rest here, and this task ends with the block.
            self._watcher = asyncio.get_running_loop().create_task(self._watch())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self._over = True
        if self._tell is not None:
            self._tell(None)
        if self._watcher is not None:
            self._watcher.cancel()
        if not self.left:
            return False
        if self._block.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise ClientLeft
        return False

    async def _watch(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._leave()

    def _leave(self) -> None:
        if not self._over:
            self.left = True
            self._block.cancel()
