"""Who asks: the tenant of a key, or in open mode the key itself; and what that tenant may do.

Fails closed: where tenants are configured, a request without one of their keys goes nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

import msgspec

from gateway.core.errors import Forbidden, Unauthorized
from gateway.engine.headers import RawHeaders
from gateway.engine.sessions import open_scope
from gateway.engine.upstream import Upstream
from gateway.policy.policies import PolicySet
from gateway.policy.schema import Policy
from gateway.policy.tenants import KEY_PREFIX, OPEN, Tenant
from gateway.web.routes import Route, may_run_model, models_in_path

Upstreams = Callable[[Tenant | None], Mapping[str, Upstream]]
"""Returns the upstreams of a tenant, or in open mode of everybody, by dialect."""

CREDENTIALS = (b"x-haversack-key", b"authorization", b"x-api-key", b"api-key")
"""Headers that carry a key, most specific first."""

_CARRIES_KEY = frozenset(CREDENTIALS)

_PREFIX = KEY_PREFIX.encode()
_KEY = re.compile(rb"(?<![A-Za-z0-9._~+/-])" + _PREFIX)
"""Not in the middle of a token of somebody else's."""
_WHOLE_KEY = re.compile(_KEY.pattern + rb"[A-Za-z0-9_-]{43}")
"""In a header for something else, where other words may begin like one."""

_REMEMBERED = 256
"""Keys whose callers are remembered. They are compared whole, so none is taken for another."""

_REMEMBERED_BYTES = 512
"""Of a longer key (a token) nothing is kept."""


class Caller(msgspec.Struct, frozen=True):
    """One client, as far as its key tells."""

    tenant: str
    scope: str
    """Whose state it shares: its tenant's, or in open mode its key's."""
    policies: PolicySet
    """Those in force when the request came, kept to its end."""
    upstreams: Mapping[str, Upstream]
    has_own_key: bool
    """Whether one of its headers may carry a key of the gateway's, which never goes on."""
    entry: Tenant | None = None

    def policy(self, name: bytes | None) -> Policy:
        """Return the policy to apply: the one asked for by header, if it may be. Raise Forbidden."""
        wanted = name.decode("latin-1").strip() if name else ""
        return self.policies.choose(self.entry, wanted or None)

    def upstream(self, dialect: str) -> Upstream:
        """Return where requests of a dialect go."""
        return self.upstreams[dialect]

    @property
    def is_restricted(self) -> bool:
        """Whether it may use certain models only."""
        return self.entry is not None and bool(self.entry.models)

    def check_model(self, model: str | None, route: Route | None = None) -> None:
        """Raise Forbidden if the tenant may not use the body's model, if any, or one that the path names.

        Azure runs what the path says, whatever stands in the body.
        """
        allowed = self.entry.models if self.entry is not None else ()
        if not allowed:
            return
        named = models_in_path(route) if route is not None else set()
        for name in named if model is None else named | {model}:
            if not any(fnmatchcase(name, pattern) for pattern in allowed):
                raise Forbidden(f"this key may use the models: {', '.join(allowed)}; not {name[:64]!r}")

    def check_unread(self, route: Route, media_type: str = "", names_some: bool = False) -> None:
        """Raise Forbidden if the tenant's models are restricted and the body, unread, could name any.

        *media_type*: of a body that is not read because of it; *names_some*: it may, wherever it goes.
        """
        if self.entry is None or not self.entry.models or not (names_some or may_run_model(route)):
            return
        why = "the request's model could not be read"
        if media_type:
            why = f"none is looked for in a body of the type {media_type[:64]!r}: send application/json"
        raise Forbidden(f"this key may use certain models only, and {why}")

    def outgoing(self, headers: RawHeaders) -> RawHeaders:
        """Return the headers for the upstream: a gateway key is never among them."""
        return [pair for pair in headers if not _is_gateway_key(pair)] if self.has_own_key else headers


class Callers:
    """Recognises clients by their keys."""

    def __init__(self, current: Callable[[], PolicySet], upstreams: Upstreams) -> None:
        self._current = current
        self._upstreams = upstreams
        self._known: dict[tuple[tuple[bytes, bytes], ...], Caller] = {}
        self._known_by: PolicySet | None = None

    @property
    def is_open(self) -> bool:
        """Whether there are no tenants."""
        return self._current().is_open

    def identify(self, headers: Iterable[tuple[bytes, bytes]]) -> Caller:
        """Return who sent these headers, whose names are in lower case. Raise Unauthorized."""
        policies = self._current()
        pairs = tuple([pair for pair in headers if pair[0] in _CARRIES_KEY])
        if policies is not self._known_by or len(self._known) >= _REMEMBERED:
            self._known_by, self._known = policies, {}
        caller = self._known.get(pairs)
        if caller is None:
            caller = self._identified(policies, pairs)
            if sum(len(value) for _, value in pairs) <= _REMEMBERED_BYTES:
                self._known[pairs] = caller
        return caller

    def _identified(self, policies: PolicySet, pairs: Sequence[tuple[bytes, bytes]]) -> Caller:
        keys = _keys(pairs)
        # Of a header that stands twice the last one counts, but none of them may go on.
        own = any(map(_is_gateway_key, pairs))
        if policies.is_open:
            return Caller(OPEN, open_scope(keys[0] if keys else ""), policies, self._upstreams(None), own)
        for key in keys:
            tenant = policies.tenant(key)
            if tenant is not None:
                upstreams = self._upstreams(tenant)
                # Another of its headers, which are not looked at here, may carry one, too.
                return Caller(tenant.name, tenant_scope(tenant.name), policies, upstreams, True, tenant)
        raise Unauthorized(
            "No key that this gateway knows was sent. "
            "Send yours as the API key, or in the header x-haversack-key."
        )


def tenant_scope(name: str) -> str:
    """Return the scope that all keys of a tenant share, so that a key can be exchanged for a new one."""
    return f"tenant-{name}"


def _keys(headers: Iterable[tuple[bytes, bytes]]) -> list[str]:
    """Return the keys that a request carries, the one most likely meant for the gateway first."""
    found = dict(headers)
    return [_bare(found[name]) for name in CREDENTIALS if name in found]


def _bare(value: bytes) -> str:
    text = value.decode("latin-1").strip()
    scheme, _, rest = text.partition(" ")
    return rest.strip() if scheme.lower() in ("bearer", "basic") and rest else text


def _is_gateway_key(pair: tuple[bytes, bytes]) -> bool:
    """Return whether a header carries a key of the gateway, however it is written there."""
    name, value = pair
    if _PREFIX not in value:
        return False
    return (_KEY if name.lower() in _CARRIES_KEY else _WHOLE_KEY).search(value) is not None
