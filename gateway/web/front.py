"""The whole HTTP surface as one ASGI application: the gateway's own pages, and everything else.

What is refused here is answered by the pages, too, so that it is counted and logged as their refusals are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gateway.core.errors import Forbidden, GatewayError, InvalidRequest
from gateway.web import routes
from gateway.web.asgi import App, Receive, Scope, Send, header

OWN_PATHS = ("/haversack/", "/metrics", "/healthz", "/readyz")
"""Paths that are never forwarded."""

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]", "::1", "host.docker.internal"})
"""Names under which a browser cannot be led here by somebody else's page."""

REFUSAL = "haversack.refusal"
"""Key of a scope: the `Refusal` that the pages are to answer with, whatever was asked for."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request goes neither to the proxy nor to a page."""

    error: GatewayError
    endpoint: str
    """What to count it as; never what the client asked for."""


class Front:
    """Sends each request where it belongs."""

    def __init__(self, proxy: App, pages: App, is_allowed_host: Callable[[str], bool]) -> None:
        self._proxy = proxy
        self._pages = pages
        self._is_allowed_host = is_allowed_host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        refusal = self._refusal(scope)
        if refusal is not None:
            await self._pages({**scope, "path": OWN_PATHS[0], REFUSAL: refusal}, receive, send)
        elif scope["path"].startswith(OWN_PATHS):
            await self._pages(scope, receive, send)
        else:
            await self._proxy(scope, receive, send)

    def _refusal(self, scope: Scope) -> Refusal | None:
        host = (header(scope, b"host") or b"").decode("latin-1")
        if not self._is_allowed_host(host):
            return Refusal(Forbidden(_REBINDING), "host")
        if routes.climbs(scope["raw_path"]) and not scope["path"].startswith(OWN_PATHS):
            return Refusal(InvalidRequest(_CLIMBING), "path")
        return None


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
