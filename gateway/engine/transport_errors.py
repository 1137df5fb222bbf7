"""What can go wrong on the way to an upstream: aiohttp's errors in httpx's terms.

A proxy on the way fails in ways of its own, each with another way out, so they are told apart. No text holds
a proxy's credentials.
"""

from __future__ import annotations

import errno

import aiohttp
import httpx
from aiohttp.http import HttpProcessingError


class ProxyUnusable(httpx.ProxyError):
    """What is named as the proxy is no address that the gateway can use."""


class ProxyDenies(httpx.ProxyError):
    """The proxy wants credentials, or others (407)."""


class ProxyRefuses(httpx.ProxyError):
    """The proxy is there and does not lead to the upstream."""


class ProxyTimeout(httpx.ConnectTimeout):
    """No connection came about in time through the proxy."""


class Untrusted(httpx.ConnectError):
    """Nobody who is trusted vouches for the upstream's certificate."""


class NoRoom(httpx.ConnectError):
    """This process, or its host, has as many files and connections open as it may."""


_NO_ROOM = (errno.EMFILE, errno.ENFILE)

# Most specific first: the first row that fits an error translates it.
_ERRORS: tuple[tuple[type[BaseException], type[httpx.TransportError]], ...] = (
    (aiohttp.ServerTimeoutError, httpx.ReadTimeout),
    (aiohttp.ClientProxyConnectionError, httpx.ProxyError),
    (aiohttp.ClientHttpProxyError, ProxyRefuses),
    (aiohttp.ClientConnectorCertificateError, Untrusted),
    (aiohttp.ClientConnectorError, httpx.ConnectError),
    (aiohttp.ClientSSLError, httpx.ConnectError),
    (aiohttp.ServerDisconnectedError, httpx.RemoteProtocolError),
    (aiohttp.ClientPayloadError, httpx.RemoteProtocolError),
    (aiohttp.ClientResponseError, httpx.RemoteProtocolError),
    (HttpProcessingError, httpx.RemoteProtocolError),
    (aiohttp.ClientConnectionError, httpx.ReadError),
    (TimeoutError, httpx.ReadTimeout),
    (OSError, httpx.ReadError),
    (aiohttp.ClientError, httpx.ReadError),
)
TRANSLATED = (aiohttp.ClientError, HttpProcessingError, OSError)

DENIED = 407
"""What a proxy answers that wants credentials (RFC 9110 15.5.8); upstreams themselves never do."""


def translation(error: BaseException) -> httpx.TransportError:
    """Return what an error means once a connection is there."""
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        return NoRoom("too many open files")
    kind = next(kind for source, kind in _ERRORS if isinstance(error, source))
    return kind(str(error) or type(error).__name__)


def unconnected(error: BaseException, is_proxied: bool) -> httpx.TransportError:
    """Return what an error means before a connection is there: nothing of the request was sent."""
    if isinstance(error, TimeoutError):
        return (ProxyTimeout if is_proxied else httpx.ConnectTimeout)("no connection in time")
    if isinstance(error, aiohttp.ClientHttpProxyError):
        kind = ProxyDenies if error.status == DENIED else ProxyRefuses
        return kind(f"the proxy answered {error.status} to CONNECT")
    if is_proxied and isinstance(error, aiohttp.ClientConnectorDNSError):
        return httpx.ProxyError("no such host")  # only the proxy's own name is looked up here
    made = translation(error)
    if is_proxied and not isinstance(made, httpx.ConnectError | httpx.ProxyError):
        # Only a proxy is spoken to by then, in answer to CONNECT.
        return ProxyRefuses(str(made))
    return made
