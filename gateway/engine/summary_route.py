"""Whom a summary is asked of: the client's own upstream with the client's own key, or what the policy names.

What a client sends to its upstream never goes to another one. To its own go its headers, less those that
speak of its own request: of its body, its repetitions, its traces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import quote

from gateway.addresses import has_version
from gateway.core.frozen import replace
from gateway.engine.headers import RawHeaders
from gateway.engine.upstream import Upstream
from gateway.policy.rules import SummarizerRules
from gateway.wire import WIRE_FORMATS
from gateway.wire.base import WireFormat

SAME = "same"
"""How a policy says: as in the client's request."""


@dataclass(frozen=True, slots=True)
class Route:
    """Where a call goes, and with what."""

    wire: WireFormat
    upstream: Upstream
    target: bytes
    headers: RawHeaders = field(repr=False)
    """Credentials inside: never logged, never stored."""
    model: str
    """Empty: the path says it."""
    owner: str = ""
    """The variable that its key is from, which all clients share; empty: it is the client's own, or none."""

    @property
    def shared(self) -> tuple[str, str, str] | None:
        """Under what it is left alone for all clients: what a shared key may not do it may for nobody."""
        return (f"${self.owner}", self.upstream.base_url, self.model) if self.owner else None


class Nobody(StrEnum):
    """Why nobody may be asked; the values are reasons of a record."""

    NO_KEY = "no_key"
    """The policy names an environment variable for its key, and there is none in it."""
    SIGNED = "signed"
    """Whoever signs its body has signed no other."""


_OF_THE_REQUEST = frozenset(
    {
        b"accept",
        b"accept-encoding",
        b"content-encoding",
        b"content-length",
        b"content-type",
        b"content-md5",
        b"content-digest",
        b"digest",
        b"range",
        b"last-event-id",
        b"idempotency-key",  # the answer to the client's request would come again
        b"x-request-id",
        b"x-client-request-id",
        b"traceparent",
        b"tracestate",
        b"baggage",
        b"sentry-trace",
        b"x-codex-turn-metadata",
        b"x-codex-turn-state",
    }
)
_PREFIXES = (b"if-", b"x-stainless-")
_JSON: RawHeaders = [
    (b"content-type", b"application/json"),
    (b"accept", b"application/json"),
    (b"accept-encoding", b"identity"),
]
_PATHS = {"openai_chat": b"/chat/completions", "openai_responses": b"/responses"}
_MESSAGES = b"/messages"


class Routes:
    """Finds out whom to ask, by policy."""

    def __init__(self, upstream_at: Callable[[str], Upstream], environment: Mapping[str, str]) -> None:
        """*upstream_at* returns the upstream at a base URL; *environment* holds keys that policies name."""
        self._upstream_at = upstream_at
        self._environment = environment
        self._made: dict[str, Upstream] = {}

    def of(self, rules: SummarizerRules, own: Route, model: str) -> Route | Nobody:
        """Return how a model is asked, *own* being how the client asks, or why nobody may ask it so."""
        # A file that holds a key ends in a line feed, with which no header can be sent.
        key = self._environment.get(rules.key_variable, "").strip() if rules.key_variable else ""
        if rules.key_variable and not key:
            return Nobody.NO_KEY
        if rules.upstream != SAME:
            return self._elsewhere(rules, key, model)
        own = replace(own, target=_aimed(own.target, own.model, model), model=model if model else own.model)
        if key:
            return replace(own, headers=_made(own.wire.name, key), owner=rules.key_variable)
        return Nobody.SIGNED if _is_signed(own.headers) else replace(own, headers=_kept(own.headers))

    def _elsewhere(self, rules: SummarizerRules, key: str, model: str) -> Route:
        upstream = self._made.get(rules.upstream)
        if upstream is None:
            upstream = self._made[rules.upstream] = self._upstream_at(rules.upstream)
        base = upstream.base_path
        version = b"" if has_version(base) else b"/v1"
        target = base + version + _PATHS.get(rules.format, _MESSAGES)
        headers, owner = _made(rules.format, key), rules.key_variable
        return Route(WIRE_FORMATS[rules.format], upstream, target, headers, model, owner)


def _kept(headers: RawHeaders) -> RawHeaders:
    """Return what of a client's headers goes with another body."""
    names = [(name.lower(), (name, value)) for name, value in headers]
    kept = [pair for name, pair in names if name not in _OF_THE_REQUEST and not name.startswith(_PREFIXES)]
    return [*kept, *_JSON]


def _made(wire_format: str, key: str) -> RawHeaders:
    """Return the headers for a key of the gateway's own."""
    if wire_format == "anthropic_messages":
        version = (b"anthropic-version", b"2023-06-01")
        return [*([(b"x-api-key", key.encode())] if key else []), version, *_JSON]
    return [*([(b"authorization", b"Bearer " + key.encode())] if key else []), *_JSON]


def _is_signed(headers: RawHeaders) -> bool:
    return any(name.lower() == b"authorization" and value.startswith(b"AWS4-") for name, value in headers)


def _aimed(target: bytes, own: str, model: str) -> bytes:
    """Return the target for another model where the path names it (Azure)."""
    head, found, rest = target.partition(b"/deployments/")
    if not found or model == own:
        return target
    return head + found + quote(model, safe="").encode() + rest[rest.find(b"/") :]
