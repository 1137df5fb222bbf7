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

# Servers whose list in OpenAI's form says nothing of windows, by the owner that they give to models: where
# they do say it. Ollama's tells of the models in memory, with the context that each was started with.
_ELSEWHERE = {"library": b"/api/ps", "organization_owner": b"/api/v0/models"}

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
        """Ask once; whatever goes wrong, nothing is known and nobody is hurt.

        A server that tells only of what it has loaded is asked again for the next model that nobody knows.
        """
        self._asked.add(upstream.base_url)
        kept = [pair for pair in headers if pair[0].lower() in _KEEP]
        try:
            body = await _read(upstream, target, kept)
            place = elsewhere(body, target)
            if place:
                body = await _read(upstream, place, kept)
                self._asked.discard(upstream.base_url)
        except GatewayError as error:
            log.info("model list not read", extra={"upstream": upstream.name, "code": error.code})
            return
        self._windows.listed(upstream.base_url, read(body))


async def _read(upstream: Upstream, target: bytes, headers: RawHeaders) -> bytes:
    async with upstream.open("GET", target, headers) as response:
        if response.status != 200 or response.header("content-encoding"):
            return b""
        return await response.read(LIST_BYTES)


def beside(target: bytes) -> bytes:
    """Return the target of the model list that belongs to an endpoint.

    >>> beside(b"/v1/messages?beta=true")
    b'/v1/models'
    """
    return _ENDPOINT.sub(b"", target.partition(b"?")[0]) + b"/models"


def elsewhere(body: bytes, target: bytes) -> bytes:
    """Return the target of the list that tells windows, if it is another than this one; empty if not.

    >>> elsewhere(b'{"data": [{"id": "qwen3:4b", "owned_by": "library"}]}', b"/v1/models")
    b'/api/ps'
    """
    entries = _entries(body)
    if any(table.from_listing(entry) for entry in entries):
        return b""
    owners = (entry.get("owned_by") for entry in entries)
    place = next(
        (_ELSEWHERE[owner] for owner in owners if isinstance(owner, str) and owner in _ELSEWHERE), b""
    )
    return target.removesuffix(b"/models").removesuffix(b"/v1") + place if place else b""


def read(body: bytes) -> dict[str, int]:
    """Return the windows that a model list names, by model id.

    >>> read(b'{"data": [{"id": "qwen", "max_model_len": 32768}, {"id": "gpt"}]}')
    {'qwen': 32768}
    """
    found = {}
    for entry in _entries(body):
        window = table.from_listing(entry)
        # What a model could have had is not what it will be loaded with.
        if window is not None and entry.get("state") != "not-loaded":
            found.update(dict.fromkeys(_names(entry), window))
    return found


def _names(entry: dict[str, Any]) -> list[str]:
    """Return what clients call a model; Ollama's have a tag that may be left out."""
    name = entry.get("id", entry.get("model"))
    return [name, name.removesuffix(":latest")] if isinstance(name, str) else []


def _entries(body: bytes) -> list[dict[str, Any]]:
    try:
        listing = json.decode(body)
    except json.Malformed:
        return []
    if isinstance(listing, dict):
        listing = listing.get("data") or listing.get("models")
    return [entry for entry in listing if isinstance(entry, dict)] if isinstance(listing, list) else []
