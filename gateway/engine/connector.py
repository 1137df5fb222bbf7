"""The pool of connections to upstreams: how they are made, how long they are kept, which are still good.

A kept connection that the upstream has closed is noticed before anything is written to it, so that hardly a
request ever meets one: the closing lies in the kernel already, though the event loop has not read it. One on
which something came that nobody had asked for is not used again either: it would be taken for the answer to
the next request, and every answer behind it for that to somebody else's.
"""

from __future__ import annotations

import asyncio
import re
import select
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ClientRequest
from aiohttp.connector import AddrInfoType, Connection
from aiohttp.tracing import Trace

# A peer that has closed its side shows so before anything is written. Where the flag is missing (macOS), it
# shows as something to read.
_CLOSED = getattr(select, "POLLRDHUP", select.POLLIN)
_STALE_CONNECTIONS = 64

_TICK_S = 0.001
"""Of the event loop's timers."""


@dataclass(frozen=True, kw_only=True)
class ConnectionSettings:
    """How connections to upstreams are made and kept."""

    connect_timeout_s: float = 10.0
    """From the look-up of the name to the end of the TLS handshake."""
    read_timeout_s: float = 7200.0
    """Longest silence of an upstream: reasoning may take an hour before its first byte."""
    keepalive_s: float = 4.0
    """How long an unused connection is kept. Shorter than the upstream does: uvicorn and Node keep 5 s."""
    max_header_bytes: int = 64 * 1024
    """Longest header line of a response."""
    proxy: Callable[[str], str | None] = lambda origin: None
    """Return the URL of the proxy on the way to an origin; asked once for each."""
    ca_file: str | None = None
    """PEM file of certificate authorities that are trusted besides the system's."""
    probe_after_s: int = 60
    """Silence after which the kernel asks whether the peer is alive; it keeps a NAT's entry for it, too."""


class _Handler(ResponseHandler):
    """Reads answers whose length is told twice, and ends those whose framing breaks in the middle.

    aiohttp's own refuses the first, and leaves who reads the others waiting, for ever. It also sets a new
    timer with each piece that comes; here one goes on, and looks at its end how long it has been silent.
    """

    is_used = False
    """A request has been sent on it."""
    _is_begun = True
    """Some of the answer is there."""
    _heard_at = 0.0

    def _reschedule_timeout(self) -> None:
        self._heard_at = self._loop.time()
        if self._read_timeout_handle is None:
            super()._reschedule_timeout()

    def _on_read_timeout(self) -> None:
        left_s = self._heard_at + (self._read_timeout or 0.0) - self._loop.time()
        if left_s > _TICK_S:
            self._read_timeout_handle = self._loop.call_later(left_s, self._on_read_timeout)
        else:
            super()._on_read_timeout()

    def set_response_params(self, **params: Any) -> None:
        self._is_begun, self.is_used = False, True
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        if not self._is_begun:
            self._is_begun = True
            data = framed_once(data)
        super().data_received(data)

    def set_exception(self, exc: BaseException, *cause: BaseException) -> None:
        super().set_exception(exc, *cause)
        body = self._payload
        if body is not None and not body.is_eof() and body.exception() is None:
            body.set_exception(exc)


def framed_once(answer: bytes) -> bytes:
    """Return the beginning of an answer without lengths that its framing makes needless (RFC 9112 6.3).

    Chunks have their own, and one told twice is one. Two that differ stay, to be refused.

    >>> framed_once(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nContent-Length: 2\\r\\n\\r\\nok")
    b'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok'
    """
    head = answer[: max(answer.find(b"\r\n\r\n"), 0)]
    lowered = head.lower()
    lengths, is_chunked = lowered.count(_LENGTH), _CODING.search(lowered) is not None
    if lengths + is_chunked < _TWICE:
        return answer
    lines = head.split(b"\r\n")
    told = [line for line in lines if line.lower().startswith(_LENGTH[2:])]
    if not is_chunked and len({line.partition(b":")[2].strip() for line in told}) > 1:
        return answer
    kept = [line for line in lines if line not in told]
    return b"\r\n".join(kept if is_chunked else [*kept, told[0]]) + answer[len(head) :]


_LENGTH = b"\r\ncontent-length:"
_CODING = re.compile(rb"\r\ntransfer-encoding:[ \t]*chunked[ \t]*(?:\r\n|\Z)")
_TWICE = 2


class Connector(aiohttp.TCPConnector):
    """Hands out no kept connection that the upstream has closed, or on which something came unasked."""

    def __init__(self, settings: ConnectionSettings) -> None:
        super().__init__(
            limit=0,  # a pool that runs dry would hold back requests
            keepalive_timeout=settings.keepalive_s,
            ssl=_trust(settings.ca_file),
            socket_factory=_sockets(settings.probe_after_s),
        )
        handler: type[ResponseHandler] = _Handler
        self._factory = partial(handler, loop=asyncio.get_running_loop())

    async def connect(
        self, req: ClientRequest, traces: list[Trace], timeout: aiohttp.ClientTimeout
    ) -> Connection:
        connection = await super().connect(req, traces, timeout)
        for _ in range(_STALE_CONNECTIONS):
            if not _is_spent(connection):
                break
            connection.close()
            connection = await super().connect(req, traces, timeout)
        return connection

    @property
    def open_connections(self) -> int:
        """How many connections are open, in use or kept."""
        return len(self._acquired) + sum(map(len, self._conns.values()))


def _is_spent(connection: Connection) -> bool:
    protocol, transport = connection.protocol, connection.transport
    sock = transport.get_extra_info("socket") if transport is not None else None
    if sock is None:
        return True
    # What came may have been read by now or not. A new connection may have a TLS ticket to be read.
    used = protocol if isinstance(protocol, _Handler) and protocol.is_used else None
    if used is not None and used.should_close:
        return True
    poll = select.poll()
    poll.register(sock.fileno(), _CLOSED if used is None else _CLOSED | select.POLLIN)
    return bool(poll.poll(0))


def _trust(ca_file: str | None) -> ssl.SSLContext | bool:
    if ca_file is None:
        return True
    context = ssl.create_default_context()
    context.load_verify_locations(ca_file)
    return context


def trust_problem(ca_file: str | None) -> str | None:
    """Return why the authorities of a file cannot be trusted, or None."""
    try:
        _trust(ca_file)
    except ssl.SSLError:
        return f"{ca_file} holds no certificates in PEM form"
    except OSError as error:
        return f"{ca_file} cannot be read: {error.strerror}"
    return None


def _sockets(probe_after_s: int) -> aiohttp.SocketFactoryType:
    def create(address: AddrInfoType) -> socket.socket:
        family, kind, protocol, _, _ = address
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        # Other systems name these otherwise, or have them for the whole host only.
        for option, value in (("TCP_KEEPIDLE", probe_after_s), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 4)):
            if hasattr(socket, option):
                made.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
        return made

    return create
