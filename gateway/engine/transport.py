"""HTTP/1.1 to upstreams, adding, dropping and rewriting nothing.

A request leaves with the headers it was given, in their order, with their case and duplicates, and with
exactly its target. An answer arrives with its headers and body as received: nothing is decoded, no cookie is
remembered, no redirect followed. aiohttp makes the connections and parses the answers; its session, which
rewrites headers and costs more than all the rest of a request, is not used.

What must not break: no request is ever sent twice. Between the moment at which a connection is found good and
the one at which the request is on it, nothing else runs, so there is nothing to repeat.
"""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterable, AsyncIterator
from functools import cached_property
from inspect import signature
from typing import Any

import aiohttp
import httpx
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ClientRequest, ConnectionKey
from aiohttp.connector import Connection
from aiohttp.http import RawResponseMessage
from aiohttp.streams import StreamReader
from yarl import URL

from gateway.addresses import proxy_problem
from gateway.engine.connector import ConnectionSettings, Connector
from gateway.engine.headers import RawHeaders
from gateway.engine.transport_errors import (
    DENIED,
    TRANSLATED,
    ProxyDenies,
    ProxyUnusable,
    translation,
    unconnected,
)
from gateway.engine.upload import Body, Upload

# These say so when they have no content (RFC 9110 8.6); some servers wait for it otherwise, or refuse.
_WITH_CONTENT = frozenset({"POST", "PUT", "PATCH"})

# Gateways add headers by the dozen. aiohttp takes 128 of them since 3.14, and any number before.
_TAKEN = signature(ResponseHandler.set_response_params).parameters
_MANY: dict[str, Any] = {"max_headers": 4096} if "max_headers" in _TAKEN else {}

# From this size on a body is not joined with its headers into one buffer.
_SEPARATE_BYTES = 16 * 1024


class Transport(httpx.AsyncBaseTransport):
    """One pool of connections. It opens at the first request, inside the running loop."""

    def __init__(self, settings: ConnectionSettings | None = None) -> None:
        self._settings = settings or ConnectionSettings()
        self._connecting = aiohttp.ClientTimeout(total=None, connect=self._settings.connect_timeout_s)
        self._connector: Connector | None = None
        self._origins: dict[str, _Origin] = {}

    async def send(
        self, origin: str, method: str, target: bytes, headers: RawHeaders, body: Body = b""
    ) -> Arriving:
        """Send a request, once, and return its answer as soon as the headers are there.

        *origin* is scheme, host and port; *headers* frame the body. Raise httpx.TransportError.
        """
        to = self._origins.get(origin) or self._open(origin)
        if body == b"" and method in _WITH_CONTENT and not _has(headers, b"content-length"):
            headers = [*headers, (b"Content-Length", b"0")]
        head = to.head(method, target, headers)
        connection = await self._connection(to)
        upload: Upload | None = None
        try:
            protocol = connection.protocol
            assert protocol is not None
            self._expect(protocol, method)
            upload = _sent(protocol, head, body, headers)
            answer = await _answer(protocol)
            if to.is_forwarded and answer[0].code == DENIED:
                raise ProxyDenies("the proxy answered 407")
            return Arriving(answer, connection, upload)
        except BaseException as error:
            if upload is not None:
                upload.stop()
            connection.close()
            if isinstance(error, TRANSLATED) and (upload is None or error is not upload.failure):
                raise translation(error) from error
            raise

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Do the same in httpx's terms; the exact target may be given as an extension."""
        url = request.url
        # By httpx's own convention a request with a body says so in its headers.
        headers = [pair for pair in request.headers.raw if pair[0].lower() != b"host"]
        has_body = _has(headers, b"content-length") or _has(headers, b"transfer-encoding")
        assert isinstance(request.stream, AsyncIterable)
        answer = await self.send(
            f"{url.scheme}://{url.netloc.decode()}",
            request.method,
            request.extensions.get("target", url.raw_path),
            headers,
            request.stream if has_body else b"",
        )
        return httpx.Response(answer.status, headers=answer.headers, stream=_Stream(answer))

    async def aclose(self) -> None:
        """Close every connection."""
        connector, self._connector = self._connector, None
        self._origins.clear()
        if connector is not None:
            await connector.close()

    @property
    def connections(self) -> int:
        """How many connections are open, in use or kept."""
        return self._connector.open_connections if self._connector is not None else 0

    async def _connection(self, to: _Origin) -> Connection:
        assert self._connector is not None
        try:
            return await self._connector.connect(to.request, [], self._connecting)
        except TRANSLATED as error:
            raise unconnected(error, to.request.proxy is not None) from error

    def _expect(self, protocol: ResponseHandler, method: str) -> None:
        settings = self._settings
        protocol.set_response_params(
            skip_payload=method == "HEAD",
            read_until_eof=True,
            auto_decompress=False,
            read_timeout=settings.read_timeout_s,
            max_line_size=settings.max_header_bytes,
            max_field_size=settings.max_header_bytes,
            **_MANY,
        )

    def _open(self, origin: str) -> _Origin:
        if self._connector is None:
            self._connector = Connector(self._settings)
        made = self._origins[origin] = _Origin(origin, self._settings.proxy(origin))
        return made


class _Anyone(ClientRequest):
    """Stands for every request to one server when aiohttp connects; its key never changes."""

    @cached_property
    def connection_key(self) -> ConnectionKey:
        return super().connection_key


class _Origin:
    """One upstream server: how to connect to it, and how requests to it begin."""

    def __init__(self, origin: str, proxy: str | None) -> None:
        url, loop = URL(origin), asyncio.get_running_loop()
        way, key = _way(proxy) if proxy else (None, {})
        self.request = _Anyone("GET", url, loop=loop, proxy=way, proxy_headers=key)
        self._headers = [b"Host: " + self.request.headers["Host"].encode()]
        self._before_target = b""
        self.is_forwarded = way is not None and not self.request.is_ssl()
        if self.is_forwarded:
            # A proxy that does not only pass a TLS connection on is told the whole address.
            self._before_target = origin.encode()
            self._headers += [f"{name}: {value}".encode() for name, value in key.items()]

    def head(self, method: str, target: bytes, headers: RawHeaders) -> bytes:
        """Return a request up to its body. Raise httpx.LocalProtocolError if HTTP cannot carry it."""
        first = b"%b %b%b HTTP/1.1" % (method.encode(), self._before_target, target)
        head = b"\r\n".join((first, *self._headers, *map(b": ".join, headers), b"", b""))
        ends = len(self._headers) + len(headers) + 2
        if first.count(b" ") != 2 or head.count(b"\r") != ends or head.count(b"\n") != ends or b"\0" in head:
            raise httpx.LocalProtocolError("a character that HTTP does not allow in the head of a request")
        return head


class Arriving:
    """An answer whose head is there; iterating it yields the body as it arrives."""

    __slots__ = ("_connection", "_content", "_upload", "headers", "status")

    def __init__(
        self,
        answer: tuple[RawResponseMessage, StreamReader],
        connection: Connection,
        upload: Upload | None,
    ) -> None:
        message, self._content = answer
        self.status = message.code
        self.headers: RawHeaders = list(message.raw_headers)
        self._connection = connection
        self._upload = upload
        self._content.on_eof(self._ended)

    @property
    def is_here(self) -> bool:
        """Whether all of the body has arrived, so that reading it does not wait."""
        return self._content.is_eof()

    def take(self) -> bytes:
        """Return what was not read yet of a body that is here."""
        try:
            return self._content.read_nowait()
        except TRANSLATED as error:
            raise translation(error) from error

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        try:
            chunk = await self._content.readany()
        except TRANSLATED as error:
            raise translation(error) from error
        if not chunk:
            raise StopAsyncIteration
        return chunk

    async def aclose(self) -> None:
        """Close the connection if the body has not ended; otherwise it is back in the pool already."""
        if self._upload is not None:
            self._upload.stop()
        self._connection.close()

    def _ended(self) -> None:
        if self._upload is None or self._upload.is_over:
            self._connection.release()
        else:
            # Answered before all of the request was out: it goes no further, and nor does the connection.
            self._upload.stop()
            self._connection.close()


class _Stream(httpx.AsyncByteStream):
    """An answer's body as httpx wants it."""

    def __init__(self, answer: Arriving) -> None:
        self._answer = answer

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._answer

    async def aclose(self) -> None:
        await self._answer.aclose()


def _has(headers: RawHeaders, name: bytes) -> bool:
    return any(key.lower() == name for key, _ in headers)


def _way(proxy: str) -> tuple[URL, dict[str, str]]:
    """Return where a proxy is, and the header with the credentials of its URL. Raise ProxyUnusable."""
    if proxy_problem(proxy):
        raise ProxyUnusable("no URL of an HTTP proxy")
    url = URL(proxy)
    if url.user is None:
        return url, {}
    key = b64encode(f"{url.user}:{url.password or ''}".encode()).decode()
    return url.with_user(None), {"Proxy-Authorization": f"Basic {key}"}


def _sent(protocol: ResponseHandler, head: bytes, body: Body, headers: RawHeaders) -> Upload | None:
    """Write a request; return what is still going out of it."""
    transport = protocol.transport
    assert transport is not None
    if not isinstance(body, bytes):
        transport.write(head)
        return Upload(protocol, body, _has(headers, b"transfer-encoding"))
    if len(body) < _SEPARATE_BYTES:
        transport.write(head + body)
    else:
        transport.writelines((head, body))
    if protocol.writing_paused:
        return Upload(protocol, None)
    protocol.start_timeout()
    return None


async def _answer(protocol: ResponseHandler) -> tuple[RawResponseMessage, StreamReader]:
    """Return the head of the final answer, and what its body can be read from."""
    while True:
        answer = await protocol.read()
        status = answer[0].code
        if status == 101 or status > 599:
            raise httpx.RemoteProtocolError(f"unexpected status {status}")
        if status >= 200:
            return answer
