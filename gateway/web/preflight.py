"""What browsers ask before a page may send a request: without a key, so nobody can say whose request it is.

Where there are tenants such a question is answered here. It asks for nothing, and nothing reaches an upstream
for it; the request that follows needs a key like any other. What a page may read of an upstream's answer, the
upstream says in that answer. Without tenants the upstream is asked, as for everything else.
"""

from __future__ import annotations

from gateway.engine.headers import RawHeaders
from gateway.web.asgi import Scope, header

_AGAIN_S = b"600"

_ANYBODY = (b"access-control-allow-origin", b"*")
"""Also pages that nobody has heard of: what lets them in is a key that they must have been given."""


def permission(scope: Scope) -> RawHeaders | None:
    """Return the answer to a browser's question; None if the request is no such question."""
    if scope["method"] != "OPTIONS" or header(scope, b"origin") is None:
        return None
    method = header(scope, b"access-control-request-method")
    if method is None:
        return None
    asked = header(scope, b"access-control-request-headers")
    return [
        _ANYBODY,
        (b"access-control-allow-methods", method),
        *([(b"access-control-allow-headers", asked)] if asked else []),
        (b"access-control-max-age", _AGAIN_S),
        (b"vary", b"access-control-request-method, access-control-request-headers"),
    ]


def readable(scope: Scope) -> RawHeaders:
    """Return what lets a page read an error of the gateway's own; else it is told that the network failed."""
    return [_ANYBODY] if header(scope, b"origin") is not None else []
