"""The whole HTTP surface as one ASGI application: the gateway's own pages, and everything else."""

from __future__ import annotations

from collections.abc import Callable

from gateway.core.errors import Forbidden, InvalidRequest
from gateway.web import relay, routes
from gateway.web.asgi import App, Receive, Scope, Send, header

OWN_PATHS = ("/haversack/", "/metrics", "/healthz", "/readyz")
"""Paths that are never forwarded."""

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]", "::1", "host.docker.internal"})
"""Names under which a browser cannot be led here by somebody else's page."""


class Front:
    """Sends each request where it belongs."""

    def __init__(self, proxy: App, pages: App, is_allowed_host: Callable[[str], bool]) -> None:
        self._proxy = proxy
        self._pages = pages
        self._is_allowed_host = is_allowed_host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        host = (header(scope, b"host") or b"").decode("latin-1")
        if not self._is_allowed_host(host):
            await relay.send_error(send, Forbidden(_REBINDING), "openai_chat")
        elif scope["path"].startswith(OWN_PATHS):
            await self._pages(scope, receive, send)
        elif routes.climbs(scope["raw_path"]):
            await relay.send_error(send, InvalidRequest(_CLIMBING), "openai_chat")
        else:
            await self._proxy(scope, receive, send)


_REBINDING = (
    "This gateway has no tenants, so it answers only to the host names localhost and 127.0.0.1 and those in "
    "HAVERSACK_ALLOWED_HOSTS: a web page could otherwise reach it through a name of its own."
)

_CLIMBING = "The path has a `..` in it, which could lead out of the upstream's base URL: write it without."


def host_name(host: str) -> str:
    """Return a Host header less its port.

    >>> host_name("localhost:8080"), host_name("[::1]:8080")
    ('localhost', '[::1]')
    """
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0].lower()
