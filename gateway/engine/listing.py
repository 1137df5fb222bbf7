"""Ask an upstream for its model list, once, in the background: many servers say there how large a window is.

Asked with the headers of a client that has just been answered, so nobody's key is used who did not come by.
"""

from __future__ import annotations

import logging
import re
from typing import Any

from gateway.core import json
from gateway.core import windows as table
from gateway.core.errors import GatewayError
from gateway.engine.headers import RawHeaders
from gateway.engine.upstream import Upstream
from gateway.engine.windows import Windows

log = logging.getLogger(__name__)

LIST_BYTES = 4 * 1024 * 1024
"""As much of a list as is read; OpenRouter's takes about 1 MB."""

WORTH_TOKENS = 1000
"""A conversation smaller than this is no reason to ask."""

_KEEP = (
    b"authorization",
    b"api-key",
    b"x-api-key",
    b"anthropic-version",
    b"openai-organization",
    b"openai-project",
)

_ENDPOINT = re.compile(rb"/(?:chat/completions|responses|messages)\Z")


class Listing:
    """Which upstreams have been asked, by base URL: what is learned about models is kept under it."""

    def __init__(self, windows: Windows) -> None:
        self._windows = windows
        self._asked: set[str] = set()

    def is_wanted(self, upstream: Upstream, tokens: int) -> bool:
        """Return whether a conversation of that size, in a window nobody knows, is worth asking for."""
        return tokens >= WORTH_TOKENS and upstream.base_url not in self._asked

    async def ask(self, upstream: Upstream, target: bytes, headers: RawHeaders) -> None:
        """Ask once; whatever goes wrong, nothing is known and nobody is hurt."""
        self._asked.add(upstream.base_url)
        kept = [pair for pair in headers if pair[0].lower() in _KEEP]
        try:
            async with upstream.open("GET", target, kept) as response:
                if response.status != 200 or response.header("content-encoding"):
                    return
                body = await response.read(LIST_BYTES)
        except GatewayError as error:
            log.info("model list not read", extra={"upstream": upstream.name, "code": error.code})
            return
        self._windows.listed(upstream.base_url, read(body))


def beside(target: bytes) -> bytes:
    """Return the target of the model list that belongs to an endpoint.

    >>> beside(b"/v1/messages?beta=true")
    b'/v1/models'
    """
    return _ENDPOINT.sub(b"", target.partition(b"?")[0]) + b"/models"


def read(body: bytes) -> dict[str, int]:
    """Return the windows that a model list names, by model id.

    >>> read(b'{"data": [{"id": "qwen", "max_model_len": 32768}, {"id": "gpt"}]}')
    {'qwen': 32768}
    """
    try:
        listing = json.decode(body)
    except json.Malformed:
        return {}
    found = {}
    for entry in _entries(listing):
        window = table.from_listing(entry)
        if isinstance(entry.get("id"), str) and window is not None:
            found[entry["id"]] = window
    return found


def _entries(listing: Any) -> list[dict[str, Any]]:
    if isinstance(listing, dict):
        listing = listing.get("data") or listing.get("models")
    return [entry for entry in listing if isinstance(entry, dict)] if isinstance(listing, list) else []
