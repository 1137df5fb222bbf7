"""One upstream: send it a request, get an answer whose body is still on its way.

The only place where httpx's errors become the gateway's. A failure before the answer and one in the middle of
it are the same exceptions; who has sent the client a first byte by then must not send an error after it.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator
from functools import lru_cache
from types import TracebackType

import httpx

from gateway.core.errors import GatewayError, InvalidRequest, UpstreamTimeout, UpstreamUnreachable
from gateway.engine.headers import RawHeaders

Body = bytes | AsyncIterable[bytes]
"""A request body: whole, or as a stream with or without a Content-Length among the headers."""

# Most specific first. The message says in which phase it failed, and what to do about it.
_ERRORS: tuple[tuple[type[httpx.TransportError], type[GatewayError], str], ...] = (
    (
        httpx.ConnectTimeout,
        UpstreamTimeout,
        "did not accept a connection in time. Check that it is up and that this host may reach it.",
    ),
    (
        httpx.TimeoutException,
        UpstreamTimeout,
        "was sent the request and then stayed silent for too long. It may still be working on it.",
    ),
    (
        httpx.ProxyError,
        UpstreamUnreachable,
        "could not be reached through the outgoing proxy. Check the proxy's address and credentials.",
    ),
    (
        httpx.ConnectError,
        UpstreamUnreachable,
        "could not be reached. Check that it is running and that its address is right.",
    ),
    (
        httpx.LocalProtocolError,
        InvalidRequest,
        "cannot be sent this request: a header holds a character that HTTP does not allow.",
    ),
    (
        httpx.TransportError,
        UpstreamUnreachable,
        "broke the connection after it was sent the request. It was not sent again, for it may have been "
        "carried out; repeat it if that is safe.",
    ),
)


class Response:
    """An upstream's answer: status and headers as received; iterating it yields the body as it arrives."""

    __slots__ = ("_chunks", "_upstream", "headers", "status")

    def __init__(self, answer: httpx.Response, upstream: Upstream) -> None:
        self.status = answer.status_code
        self.headers: RawHeaders = answer.headers.raw
        self._upstream = upstream
        assert isinstance(answer.stream, AsyncIterable)
        self._chunks: AsyncIterator[bytes] = aiter(answer.stream)

    def header(self, name: str) -> str:
        """Return the value of a header, whatever the case of its name; empty if there is none."""
        # httpx's own look-up takes ten times as long.
        wanted = name.lower().encode("latin-1")
        return next((value.decode("latin-1") for key, value in self.headers if key.lower() == wanted), "")

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        try:
            return await anext(self._chunks)
        except httpx.TransportError as error:
            raise self._upstream.failure(error) from error

    async def read(self, max_bytes: int) -> bytes:
        """Return the body that is still to come, or as much of it as first reaches *max_bytes*."""
        parts: list[bytes] = []
        size = 0
        while size < max_bytes and (chunk := await anext(self, None)) is not None:
            parts.append(chunk)
            size += len(chunk)
        return b"".join(parts)


class Upstream:
    """Where requests go: a name for messages and metrics, a base URL, a transport."""

    def __init__(self, name: str, base_url: str, transport: httpx.AsyncBaseTransport) -> None:
        url = httpx.URL(base_url)
        if url.scheme not in ("http", "https") or not url.host or url.userinfo:
            raise ValueError(f"upstream {name}: not an http(s) URL without credentials: {base_url}")
        self.name = name
        self.base_url = base_url
        """What is learned about its models is kept under this."""
        self.origin = f"{url.scheme}://{url.netloc.decode()}"
        self.base_path: bytes = url.raw_path.partition(b"?")[0].rstrip(b"/")
        """Path of the base URL without a slash at its end, for `web.routes.target`."""
        self._transport = transport
        # Parsing a URL takes as long as all else here; an application asks for few different ones.
        self._url = lru_cache(maxsize=256)(self._parse)

    def open(self, method: str, target: bytes, headers: RawHeaders, body: Body = b"") -> Opening:
        """Return a context that holds the answer to the request; leaving it early closes the connection.

        *target* goes out byte for byte; *headers* too, but for the framing of *body*.
        """
        framed, stream = _framed(headers, body)
        extensions = {"target": target}
        request = httpx.Request(
            method, self._url(target), headers=framed, stream=stream, extensions=extensions
        )
        return Opening(self, self._transport, request)

    def failure(self, error: httpx.TransportError) -> GatewayError:
        """Return what the client is told about a failure of the transport."""
        kind, text = next((kind, text) for source, kind, text in _ERRORS if isinstance(error, source))
        return kind(f"The upstream {self.name} ({self.origin}) {text}")

    def _parse(self, target: bytes) -> httpx.URL:
        try:
            return httpx.URL(self.origin + target.decode("latin-1"))
        except httpx.InvalidURL:
            # Stands in for a target that httpx cannot hold; the exact one is in the extensions.
            return httpx.URL(self.origin)


class Opening:
    """One request under way: enter to get its response, leave to be done with it."""

    __slots__ = ("_answer", "_request", "_transport", "_upstream")

    def __init__(
        self, upstream: Upstream, transport: httpx.AsyncBaseTransport, request: httpx.Request
    ) -> None:
        self._upstream = upstream
        self._transport = transport
        self._request = request
        self._answer: httpx.Response | None = None

    async def __aenter__(self) -> Response:
        try:
            self._answer = await self._transport.handle_async_request(self._request)
        except httpx.TransportError as error:
            raise self._upstream.failure(error) from error
        return Response(self._answer, self._upstream)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._answer is not None
        assert isinstance(self._answer.stream, httpx.AsyncByteStream)
        await self._answer.stream.aclose()


class _Whole(httpx.AsyncByteStream):
    """A body in one piece."""

    def __init__(self, body: bytes) -> None:
        self._rest = body

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        chunk, self._rest = self._rest, b""
        if not chunk:
            raise StopAsyncIteration
        return chunk


class _Streamed(httpx.AsyncByteStream):
    """A body that arrives while it is sent."""

    def __init__(self, body: AsyncIterable[bytes]) -> None:
        self._body = body

    def __aiter__(self) -> AsyncIterator[bytes]:
        return aiter(self._body)


def _framed(headers: RawHeaders, body: Body) -> tuple[RawHeaders, httpx.AsyncByteStream]:
    at = next((at for at, pair in enumerate(headers) if pair[0].lower() == b"content-length"), None)
    if not isinstance(body, bytes):
        framing = [] if at is not None else [(b"Transfer-Encoding", b"chunked")]
        return headers + framing, _Streamed(body)
    length = b"%d" % len(body)
    if at is None:
        return ([*headers, (b"Content-Length", length)] if body else headers), _Whole(body)
    if headers[at][1] != length:
        headers = [*headers[:at], (headers[at][0], length), *headers[at + 1 :]]
    return headers, _Whole(body)
