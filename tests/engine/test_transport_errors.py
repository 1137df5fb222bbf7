"""What an error of the network means, before and after there is a connection."""

from __future__ import annotations

import errno
import ssl

import aiohttp
import httpx
import pytest
from aiohttp.client_reqrep import ConnectionKey

from gateway.engine.transport_errors import (
    NoRoom,
    ProxyRefuses,
    ProxyTimeout,
    Untrusted,
    translation,
    unconnected,
)

KEY = ConnectionKey("host", 443, True, True, None, None, None, None)


def test_only_a_proxy_is_spoken_to_before_there_is_a_connection() -> None:
    """What breaks then was not sent, so nobody is told that it may have been carried out."""
    broken = aiohttp.ServerDisconnectedError()

    assert isinstance(unconnected(broken, is_proxied=True), ProxyRefuses)
    assert isinstance(translation(broken), httpx.RemoteProtocolError)


@pytest.mark.parametrize(("is_proxied", "kind"), [(True, ProxyTimeout), (False, httpx.ConnectTimeout)])
def test_time_runs_out_with_a_proxy_or_without(is_proxied: bool, kind: type[Exception]) -> None:
    """Whoever has a proxy is told to look at it, too."""
    assert type(unconnected(TimeoutError(), is_proxied)) is kind


def test_certificate_that_nobody_vouches_for_is_told_apart() -> None:
    """The way out is another one than that of a server that is down."""
    error = aiohttp.ClientConnectorCertificateError(KEY, ssl.SSLCertVerificationError("self-signed"))

    assert isinstance(unconnected(error, is_proxied=False), Untrusted)
    refused = aiohttp.ClientConnectorError(KEY, OSError("refused"))
    assert type(unconnected(refused, is_proxied=True)) is httpx.ConnectError


def test_want_of_file_descriptors_is_not_blamed_on_the_upstream() -> None:
    """The limit to raise is that of the gateway's own process."""
    error = aiohttp.ClientConnectorError(KEY, OSError(errno.EMFILE, "Too many open files"))

    assert isinstance(unconnected(error, is_proxied=False), NoRoom)
