"""Addresses as people write them: of upstreams, of proxies, of this machine; and what is wrong with them."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

import httpx

DIRECT = "none"
"""In the place of a proxy: there is none."""


EVERYWHERE = ("0.0.0.0", "::")
"""Where one listens on every address of this machine; nobody can be asked there."""


def is_loopback(host: str) -> bool:
    """Return whether a host name or address means this machine alone.

    >>> is_loopback("localhost"), is_loopback("127.8.8.8"), is_loopback("[::1]"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    bare = host.removeprefix("[").removesuffix("]")
    try:
        return ipaddress.ip_address(bare).is_loopback
    except ValueError:
        return bare.lower() == "localhost"


# What clients add to a base URL themselves. Without a version, /models may be one (Azure's is).
_ENDPOINT = re.compile(
    r"/(?:(?:chat/{1,9})?completions|responses(?:/{1,9}\w+)?|messages(?:/{1,9}(?:count_tokens|batches))?"
    r"|embeddings|moderations|rerank|images/{1,9}generations|audio/{1,9}(?:speech|transcriptions)"
    r"|(?<=/v\d/)models)/*$",
    re.IGNORECASE,
)


# Some upstreams' version is not v1 or not last: /api/paas/v4, /v1beta/openai. Theirs replaces the client's.
_VERSION = re.compile(rb"/v\d+[a-z0-9]*(?:/|$)")


def has_version(base_path: bytes) -> bool:
    """Return whether the path of a base URL says which version of an API is meant.

    >>> has_version(b"/v1"), has_version(b"/v1beta/openai"), has_version(b"/vllm")
    (True, True, False)
    """
    return _VERSION.search(base_path) is not None


def url_problem(url: str) -> str | None:
    """Return what is wrong with the base URL of an upstream, or None.

    >>> url_problem("api.openai.com/v1")
    "must be a URL like https://host/v1, not 'api.openai.com/v1'"
    >>> url_problem("http://localhost:8000/v1/chat/completions")
    'names an endpoint; write the base URL of the upstream: http://localhost:8000/v1'
    """
    if not _is_http(url) or any(character.isspace() for character in url):
        return f"must be a URL like https://host/v1, not {url!r}"
    if not _is_sendable(url):
        return f"holds what no address may: {url!r}"
    parts = urlsplit(url)
    if parts.query or parts.fragment:
        return "must have no query and no fragment"
    if parts.username or parts.password:
        return "must hold no credentials; clients send their own"
    if endpoint := _ENDPOINT.search(url):
        base = url[: endpoint.start()].rstrip("/")
        return f"names an endpoint; write the base URL of the upstream: {base}"
    return None


def proxy_problem(url: str | None) -> str | None:
    """Return what is wrong with the address of a proxy, or None; not the address: it may hold a password."""
    return None if url in (None, DIRECT) or _is_http(url) else "must be a URL like http://proxy:3128"


def _is_sendable(url: str) -> bool:
    """Return whether requests can be sent there, as far as that shows: a name has rules, characters have."""
    try:
        return bool(httpx.URL(url).host)
    except (httpx.InvalidURL, UnicodeError):  # of httpx, and of what it has names read by
        return False


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
