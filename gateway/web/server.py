"""The HTTP server: uvicorn's settings, and a protocol that keeps what uvicorn's own loses.

Two things are lost there, and both would reach the upstream: the case of header names (ASGI has them in lower
case), and the body of a request with `Upgrade: h2c`, which Java's HttpClient sends with every first POST.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import resource
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, cast

import httptools
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from gateway.web.asgi import RAW_HEADERS, TELL, App
from gateway.web.outgoing import Outgoing
from gateway.web.relay import AnswerCut

# Longer than a client keeps an unused connection (Go: 90 s), so that it is the client who closes it; the
# other way round its next request may be lost on the way.
CLIENT_KEEPALIVE_S = 120

HEAD_BYTES = 1024 * 1024
"""Bytes that a request line and its headers may have, or trailers; far above what any server accepts."""


SWITCH_S = 0.0001
"""How long a thread may keep the event loop waiting. Python's default is fifty times that: while one counted
a long conversation, the slowest of other requests took 16 ms instead of 3."""

BEHIND = 10
"""How far threads that count and compact stand back, in steps of niceness. On a single core the event loop
would else wait for the end of their turn, 4 ms, each time it wakes: the slowest of other requests took 5.9 ms
instead of 4. It weighs within the container, service or session that the process runs in."""


YOUNG_OBJECTS = 5000
"""After so many more than before the collector looks for garbage. Requests leave next to none: at Python's
700 it walked through what those under way hold, once in thirty requests. A walk takes up to 0.5 ms."""


FILES = 65_536
"""Files and connections that may be open at once, if the host allows it: a stream takes two of them."""


def tune() -> None:
    """Set this process up to serve, once it is ready.

    Short turns for threads, no garbage to look for, and more connections than the usual bound of 1,024.
    """
    _allow_files()
    sys.setswitchinterval(SWITCH_S)
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])
    # What is there by now stays: the collector need not walk through it again and again.
    gc.collect()
    gc.freeze()


def _allow_files() -> None:
    bound, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if most == resource.RLIM_INFINITY else min(most, FILES)
    if bound != resource.RLIM_INFINITY and bound < wanted:
        # macOS has a bound of its own that it does not tell.
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def workers() -> ThreadPoolExecutor:
    """Return the threads that count and compact, which let the event loop go first."""
    return ThreadPoolExecutor(2, thread_name_prefix="compact", initializer=_stand_back)


def _stand_back() -> None:
    # Elsewhere a thread has the priority of its process.
    if sys.platform == "linux":
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, min(os.getpriority(os.PRIO_PROCESS, thread) + BEHIND, 19))


def config(app: App, **options: Any) -> uvicorn.Config:
    """Return the server's settings; *options* add to them: address, log settings, time to drain."""
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    return uvicorn.Config(
        app,
        loop="uvloop",
        http=Protocol,
        ws="none",  # a WebSocket request must arrive as HTTP, to be answered with 426
        date_header=False,  # the upstream's own pass through
        server_header=False,
        proxy_headers=False,  # a client's X-Forwarded-For is forwarded, not believed
        access_log=False,
        timeout_keep_alive=CLIENT_KEEPALIVE_S,
        **options,
    )


def _is_news(record: logging.LogRecord) -> bool:
    """Return whether an event is one to log: of an answer that was cut, the request's own line tells.

    It is cancelled where the server stops and has waited for its end as long as it may.
    """
    return record.exc_info is None or not isinstance(record.exc_info[1], AnswerCut | asyncio.CancelledError)


class _Endless(int):
    """How much of a body is to come where nothing says so, as uvicorn counts it: there is always more."""

    def __sub__(self, sent: int) -> _Endless:
        return self

    def __ne__(self, left: object) -> bool:
        return False  # whatever was sent was all of it

    __hash__ = int.__hash__


class Protocol(HttpToolsProtocol):
    """Keeps header names as they came in `scope[RAW_HEADERS]`, and ignores offers to upgrade."""

    _headless = False
    _in_head = False
    _bodiless_bytes = 0
    """Came since the request began, or since the last piece of its body."""
    _is_lost = False
    _on_leaving: Callable[[], None] | None = None
    _earlier: tuple[RequestResponseCycle, ...] = ()
    """What is still being answered, or waits for it, while the next request is here already."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        super().connection_made(transport)
        self.transport = cast("asyncio.Transport", Outgoing(transport, self.loop))

    def connection_lost(self, exc: Exception | None) -> None:
        # The server's own tells only the latest.
        for cycle in self._earlier:
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)
        self._is_lost = True
        if self._on_leaving is not None:
            self._on_leaving()

    def _tell(self, callback: Callable[[], None] | None) -> None:
        # One at a time: requests of a connection are answered one after the other.
        self._on_leaving = callback
        if self._is_lost and callback is not None:
            callback()
        elif callback is not None:
            # A body that came in large pieces may have stopped it.
            self.flow.resume_reading()

    def on_message_begin(self) -> None:
        if not self._headless:
            self._in_head, self._bodiless_bytes = True, 0
            super().on_message_begin()
            self._raw: list[tuple[bytes, bytes]] = []
            scope = cast("dict[str, Any]", self.scope)
            scope[RAW_HEADERS], scope[TELL] = self._raw, self._tell

    def on_url(self, url: bytes) -> None:
        if not self._headless:
            super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        # What comes behind the body is no header (RFC 9110 6.5.1): whoever filters keys before us sees none.
        if self._in_head:
            self._raw.append((name, value))
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if not self._headless:
            self._in_head = False
            before: RequestResponseCycle | None = getattr(self, "cycle", None)
            if before is not None and not before.response_complete:
                waiting = [cycle for cycle in self._earlier if not cycle.response_complete]
                self._earlier = (*waiting, before)
            super().on_headers_complete()
            if self.scope["http_version"] == "1.0":
                # It knows no chunks (RFC 9112 6.1): the end of the connection, which is never kept, ends a
                # body.
                self.cycle.chunked_encoding = False
                self.cycle.expected_content_length = _Endless(sys.maxsize)

    def on_body(self, body: bytes) -> None:
        self._bodiless_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        # The parser takes an offer to upgrade for the end of HTTP; the body is still to come.
        if not self.parser.should_upgrade():
            super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._read_on(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            self.send_400_response("Invalid HTTP request received.")
        else:
            self._bound_head(len(data))

    def _bound_head(self, size_bytes: int) -> None:
        """Hang up on a head or trailers without end: the parser joins each piece to all that came before."""
        self._bodiless_bytes += size_bytes
        if self._bodiless_bytes > HEAD_BYTES:
            self.send_400_response("The head of the request is too long.")

    def _read_on(self, data: bytes) -> None:
        """Read the body with a new parser, which is given a head that says nothing but its length."""
        framing = [
            name + b": " + value + b"\r\n"
            for name, value in self.headers
            if name in (b"content-length", b"transfer-encoding")
        ]
        self.parser = httptools.HttpRequestParser(self)
        self._headless = True
        try:
            self.parser.feed_data(b"".join((b"POST / HTTP/1.1\r\n", *framing, b"\r\n")))
        finally:
            self._headless = False
        if data:
            self.data_received(data)
