"""One upstream: send it a request, get an answer whose body is still on its way.

The only place where httpx's errors become the gateway's. A failure before the answer and one in the middle of
it are the same exceptions; who has sent the client a first byte by then must not send an error after it.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator
from types import TracebackType
from typing import Protocol

import httpx

from gateway.core.errors import GatewayError, InvalidRequest, UpstreamTimeout, UpstreamUnreachable
from gateway.engine.headers import RawHeaders
from gateway.engine.transport import Transport
from gateway.engine.transport_errors import (
    NoRoom,
    ProxyDenies,
    ProxyRefuses,
    ProxyTimeout,
    ProxyUnusable,
    Untrusted,
)
from gateway.engine.upload import Body

_WHICH_PROXY = (
    "The proxy is that of HAVERSACK_PROXY, else of HTTPS_PROXY or HTTP_PROXY; "
    "for what NO_PROXY names there is none."
)

# Most specific first. The message says in which phase it failed, and what to do about it.
_ERRORS: tuple[tuple[type[httpx.TransportError], type[GatewayError], str], ...] = (
    (
        ProxyTimeout,
        UpstreamTimeout,
        "did not accept a connection through the outgoing proxy in time. " + _WHICH_PROXY,
    ),
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
        ProxyUnusable,
        UpstreamUnreachable,
        "cannot be reached: what is named as the outgoing proxy is no URL like http://proxy:3128. "
        + _WHICH_PROXY,
    ),
    (
        ProxyDenies,
        UpstreamUnreachable,
        "could not be reached: the outgoing proxy wants credentials, or others (407). Write them into its "
        "URL, as in http://user:password@proxy:3128. " + _WHICH_PROXY,
    ),
    (
        ProxyRefuses,
        UpstreamUnreachable,
        "could not be reached: the outgoing proxy leads nobody there. It must allow CONNECT to this host and "
        "port. " + _WHICH_PROXY,
    ),
    (
        httpx.ProxyError,
        UpstreamUnreachable,
        "could not be reached: nothing answers where the outgoing proxy should be. " + _WHICH_PROXY,
    ),
    (
        Untrusted,
        UpstreamUnreachable,
        "could not be reached safely: no authority that is trusted here vouches for its certificate. If one "
        "of your own does, or a proxy that opens connections, name its certificate in HAVERSACK_CA_FILE.",
    ),
    (
        NoRoom,
        UpstreamUnreachable,
        "could not be asked: the gateway has as many files and connections open as it may. Raise that limit, "
        "as with `ulimit -n` or LimitNOFILE, or run another one beside it.",
    ),
    (
        httpx.ConnectError,
        UpstreamUnreachable,
        "could not be reached. Check that it is running and that its address is right. If only a proxy leads "
        "there, name it in HAVERSACK_PROXY or HTTPS_PROXY, and take the host out of NO_PROXY.",
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


class Incoming(Protocol):
    """An answer as a transport gives it: its head is there, its body comes by iterating."""

    status: int
    headers: RawHeaders

    @property
    def is_here(self) -> bool:
        """Whether all of the body has arrived, so that reading it does not wait."""
        ...

    def take(self) -> bytes:
        """Return what was not read yet of a body that is here."""
        ...

    def __aiter__(self) -> AsyncIterator[bytes]: ...

    async def aclose(self) -> None:
        """Let go of it, read to its end or not."""
        ...


class Response:
    """An upstream's answer: status and headers as received; iterating it yields the body as it arrives."""

    __slots__ = ("_answer", "_chunks", "_first", "_upstream", "headers", "status")

    def __init__(self, answer: Incoming, upstream: Upstream) -> None:
        self.status = answer.status
        self.headers = answer.headers
        self._answer = answer
        self._upstream = upstream
        self._chunks = aiter(answer)
        self._first: dict[bytes, bytes] | None = None

    @property
    def is_here(self) -> bool:
        """Whether all of the body has arrived, so that reading it does not wait."""
        return self._answer.is_here

    def take(self) -> bytes:
        """Return what was not read yet of a body that is here."""
        try:
            return self._answer.take()
        except httpx.TransportError as error:
            raise self._upstream.failure(error) from error

    def header(self, name: str) -> str:
        """Return the value of a header, whatever the case of its name; empty if there is none."""
        if self._first is None:
            self._first = {key.lower(): value for key, value in reversed(self.headers)}
        return self._first.get(name.lower().encode("latin-1"), b"").decode("latin-1")

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        try:
            return await self._chunks.__anext__()
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

    async def aclose(self) -> None:
        """Let go of it; what was not read to its end is cut off there."""
        await self._answer.aclose()


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
        self._transport = transport if isinstance(transport, Transport) else _OverHttpx(transport)

    def open(self, method: str, target: bytes, headers: RawHeaders, body: Body = b"") -> Opening:
        """Return a context that holds the answer to the request; leaving it early closes the connection.

        *target* goes out byte for byte; *headers* too, but for the framing of *body*.
        """
        return Opening(self, method, target, headers, body)

    async def send(self, method: str, target: bytes, headers: RawHeaders, body: Body = b"") -> Response:
        """Return the answer to the request, to be closed in every outcome. Arguments as for `open`."""
        framed = _framed(headers, body)
        try:
            answer: Incoming = await self._transport.send(self.origin, method, target, framed, body)
        except httpx.TransportError as error:
            raise self.failure(error) from error
        return Response(answer, self)

    def failure(self, error: httpx.TransportError) -> GatewayError:
        """Return what the client is told about a failure of the transport."""
        kind, text = next((kind, text) for source, kind, text in _ERRORS if isinstance(error, source))
        return kind(f"The upstream {self.name} ({self.origin}) {text}")


class Opening:
    """One request under way: enter to get its response, leave to be done with it."""

    __slots__ = ("_request", "_response", "_upstream")

    def __init__(
        self, upstream: Upstream, method: str, target: bytes, headers: RawHeaders, body: Body
    ) -> None:
        self._upstream = upstream
        self._request = method, target, headers, body

    async def __aenter__(self) -> Response:
        self._response = await self._upstream.send(*self._request)
        return self._response

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._response.aclose()


class _OverHttpx:
    """Sends through any transport of httpx: the edge at which tests stand in for the network."""

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport

    async def send(
        self, origin: str, method: str, target: bytes, headers: RawHeaders, body: Body
    ) -> _HttpxAnswer:
        """Do as `Transport.send` does."""
        stream = httpx.ByteStream(body) if isinstance(body, bytes) else _Streamed(body)
        # httpx cannot hold every target; the exact one goes with it.
        request = httpx.Request(method, origin, headers=headers, stream=stream, extensions={"target": target})
        return _HttpxAnswer(await self._transport.handle_async_request(request))


class _HttpxAnswer:
    """A response of httpx as an answer of `Transport`."""

    is_here = False

    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        self.headers: RawHeaders = response.headers.raw
        assert isinstance(response.stream, httpx.AsyncByteStream)
        self._stream = response.stream

    def take(self) -> bytes:
        """Return nothing: it never says that all of a body is here."""
        return b""

    def __aiter__(self) -> AsyncIterator[bytes]:
        return aiter(self._stream)

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Streamed(httpx.AsyncByteStream):
    """A body that arrives while it is sent."""

    def __init__(self, body: AsyncIterable[bytes]) -> None:
        self._body = body

    def __aiter__(self) -> AsyncIterator[bytes]:
        return aiter(self._body)


def _framed(headers: RawHeaders, body: Body) -> RawHeaders:
    """Return the headers with those that say how long the body is."""
    names = [name.lower() for name, _ in headers]
    at = names.index(b"content-length") if b"content-length" in names else None
    if not isinstance(body, bytes):
        return headers if at is not None else [*headers, (b"Transfer-Encoding", b"chunked")]
    length = b"%d" % len(body)
    if at is None:
        return [*headers, (b"Content-Length", length)] if body else headers
    if headers[at][1] == length:
        return headers
    return [*headers[:at], (headers[at][0], length), *headers[at + 1 :]]
