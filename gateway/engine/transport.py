"""The httpx transport over an aiohttp session that adds, drops and rewrites nothing.

A request leaves with the headers it was given, in their order, with their case and duplicates, and with the
exact target of `request.extensions["target"]` (httpx's own URL is normalised). A response arrives with its
headers and body as received: no decoding, no cookies remembered, no redirect followed.

What must not break: no request is ever sent twice. The one repetition is for a kept-alive connection that
turned out to be closed before a single byte was written to it.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator

import aiohttp
import httpx
from aiohttp.abc import AbstractStreamWriter
from aiohttp.client_middlewares import ClientHandlerType
from aiohttp.client_reqrep import ClientRequest, ClientResponse
from aiohttp.http import StreamWriter
from aiohttp.payload import Payload
from multidict import CIMultiDict
from yarl import URL

from gateway.engine.connector import ConnectionSettings, Connector

# What aiohttp would add where the client sent none.
_AUTOMATIC_HEADERS = ("User-Agent", "Accept", "Accept-Encoding", "Content-Type")

# Most specific first: the first row that fits an error translates it.
_ERRORS: tuple[tuple[type[BaseException], type[httpx.TransportError]], ...] = (
    (aiohttp.ConnectionTimeoutError, httpx.ConnectTimeout),
    (aiohttp.ServerTimeoutError, httpx.ReadTimeout),
    (aiohttp.ClientProxyConnectionError, httpx.ProxyError),
    (aiohttp.ClientHttpProxyError, httpx.ProxyError),
    (aiohttp.ClientConnectorError, httpx.ConnectError),
    (aiohttp.ClientSSLError, httpx.ConnectError),
    (aiohttp.ServerDisconnectedError, httpx.RemoteProtocolError),
    (aiohttp.ClientPayloadError, httpx.RemoteProtocolError),
    (aiohttp.ClientResponseError, httpx.RemoteProtocolError),
    (aiohttp.ClientConnectionError, httpx.ReadError),
    (TimeoutError, httpx.ReadTimeout),
    (OSError, httpx.ReadError),
    (ValueError, httpx.LocalProtocolError),
    (aiohttp.ClientError, httpx.ReadError),
)
_TRANSLATED = (aiohttp.ClientError, OSError, ValueError)

# From this size on a body is not joined with its headers into one buffer.
_SEPARATE_BYTES = 16 * 1024


class Transport(httpx.AsyncBaseTransport):
    """One pool of connections. The session opens at the first request, inside the running loop."""

    def __init__(self, settings: ConnectionSettings | None = None) -> None:
        self._settings = settings or ConnectionSettings()
        self._session: aiohttp.ClientSession | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request, once, and return the response as soon as its headers are there."""
        session = self._session or self._open()
        body = _body(request)
        try:
            answer = await self._send(session, request, body)
        except _TRANSLATED as error:
            raise _translation(error) from error
        except httpx.TransportError:
            if body is not None and body.failure is not None:
                raise body.failure from None
            raise
        return _response(answer, request)

    async def aclose(self) -> None:
        """Close every connection."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    @property
    def connections(self) -> int:
        """How many connections are open, in use or kept."""
        connector = self._session.connector if self._session else None
        return connector.open_connections if isinstance(connector, Connector) else 0

    async def _send(
        self, session: aiohttp.ClientSession, request: httpx.Request, body: _Body | None
    ) -> ClientResponse:
        url, headers = _url(request), _headers(request)
        try:
            return await session.request(
                request.method, url, headers=headers, data=body, allow_redirects=False
            )
        except (httpx.ReadError, httpx.RemoteProtocolError):
            if body is None or body.started or body.failure is not None:
                raise
            # Nothing was written: the connection was closed between being picked and being used.
            return await session.request(
                request.method, url, headers=headers, data=body, allow_redirects=False
            )

    def _open(self) -> aiohttp.ClientSession:
        settings = self._settings
        self._session = aiohttp.ClientSession(
            connector=Connector(settings),
            cookie_jar=aiohttp.DummyCookieJar(),
            skip_auto_headers=_AUTOMATIC_HEADERS,
            auto_decompress=False,
            trust_env=False,  # True would add credentials from .netrc
            proxy=settings.proxy,
            timeout=aiohttp.ClientTimeout(
                total=None, connect=settings.connect_timeout_s, sock_read=settings.read_timeout_s
            ),
            max_line_size=settings.max_header_bytes,
            max_field_size=settings.max_header_bytes,
            middlewares=(_once,),
        )
        return self._session


class _Body(Payload):
    """A request body that remembers whether it was begun, and what its source failed with."""

    _value: AsyncIterable[bytes]
    _autoclose = True

    def __init__(self, source: AsyncIterable[bytes]) -> None:
        super().__init__(source)
        self.started = False
        self.failure: Exception | None = None

    async def write(self, writer: AbstractStreamWriter) -> None:
        await self.write_with_length(writer, None)

    async def write_with_length(self, writer: AbstractStreamWriter, content_length: int | None) -> None:
        assert isinstance(writer, StreamWriter)
        if writer.transport is None or writer.transport.is_closing():
            raise aiohttp.ClientConnectionResetError("closed before it was used")
        self.started = True
        source = aiter(self._value)
        while (chunk := await self._next(source)) is not None:
            if len(chunk) >= _SEPARATE_BYTES:
                writer.send_headers()
            await writer.write(chunk)

    async def _next(self, source: AsyncIterator[bytes]) -> bytes | None:
        try:
            return await anext(source, None)
        except Exception as error:
            self.failure = error
            raise

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        raise TypeError("a stream is not text")


class _Stream(httpx.AsyncByteStream):
    """The body of a response, chunk by chunk as it arrives."""

    def __init__(self, answer: ClientResponse) -> None:
        self._answer = answer

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        try:
            chunk = await self._answer.content.readany()
        except _TRANSLATED as error:
            raise _translation(error) from error
        if not chunk:
            raise StopAsyncIteration
        return chunk

    async def aclose(self) -> None:
        """Close the connection if the body has not ended; otherwise it is back in the pool already."""
        self._answer.close()


async def _once(request: ClientRequest, send: ClientHandlerType) -> ClientResponse:
    # aiohttp repeats idempotent requests after some of its own errors; an error of httpx's it lets through.
    try:
        return await send(request)
    except _TRANSLATED as error:
        raise _translation(error) from error


def _translation(error: Exception) -> httpx.TransportError:
    kind = next(kind for source, kind in _ERRORS if isinstance(error, source))
    return kind(str(error) or type(error).__name__)


def _url(request: httpx.Request) -> URL:
    url = request.url
    target = request.extensions.get("target", url.raw_path)
    return URL(f"{url.scheme}://{url.netloc.decode()}{target.decode('latin-1')}", encoded=True)


def _headers(request: httpx.Request) -> CIMultiDict[str]:
    # aiohttp takes names that differ in case only for a correction of the first, so they share its spelling.
    spelling: dict[bytes, bytes] = {}
    pairs = [(spelling.setdefault(name.lower(), name), value) for name, value in request.headers.raw]
    # It frames the body itself: with the Content-Length that is given, otherwise in chunks.
    return CIMultiDict(
        [
            (name.decode("latin-1"), _text(value))
            for name, value in pairs
            if name.lower() != b"transfer-encoding"
        ]
    )


def _text(value: bytes) -> str:
    # aiohttp writes UTF-8. Latin-1 that is not UTF-8 keeps its characters and changes its bytes.
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _body(request: httpx.Request) -> _Body | None:
    # By httpx's own convention a request with a body says so in its headers.
    headers = request.headers
    if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
        return None
    assert isinstance(request.stream, AsyncIterable)
    return _Body(request.stream)


def _response(answer: ClientResponse, request: httpx.Request) -> httpx.Response:
    if answer.status == 101 or answer.status > 599:
        answer.close()
        raise httpx.RemoteProtocolError(f"unexpected status {answer.status}", request=request)
    return httpx.Response(answer.status, headers=list(answer.raw_headers), stream=_Stream(answer))
