"""The upstreams of the gateway and of its tenants, each made once."""

from __future__ import annotations

from collections.abc import Mapping

import httpx

from gateway.engine.upstream import Upstream
from gateway.policy.tenants import Tenant
from gateway.settings import Settings
from gateway.web.routes import ANTHROPIC, OPENAI

OWN = "summarizer"
"""In the place of a dialect: whom the gateway asks on its own."""


class Upstreams:
    """Upstreams by whom they are for and which dialect they speak."""

    def __init__(self, settings: Settings, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport
        self._own = {OPENAI: settings.upstream, ANTHROPIC: settings.anthropic_upstream}
        self._made: dict[tuple[str, str], Upstream] = {}
        self._everybodys = {dialect: self._get(dialect, url) for dialect, url in self._own.items()}

    def of(self, tenant: Tenant | None) -> Mapping[str, Upstream]:
        """Return the upstreams of a tenant, or of everybody where there are none, by dialect."""
        if tenant is None or (tenant.upstream is None and tenant.anthropic_upstream is None):
            return self._everybodys
        named = {OPENAI: tenant.upstream, ANTHROPIC: tenant.anthropic_upstream}
        return {dialect: self._get(dialect, named[dialect] or own) for dialect, own in self._own.items()}

    def at(self, url: str) -> Upstream:
        """Return the upstream at a base URL that a policy names, for calls of the gateway's own."""
        return self._get(OWN, url)

    def _get(self, dialect: str, url: str) -> Upstream:
        found = self._made.get((dialect, url))
        if found is None:
            found = self._made[dialect, url] = Upstream(self._name(dialect, url), url, self._transport)
        return found

    def _name(self, dialect: str, url: str) -> str:
        """Return a name for messages and metrics: the dialect, and the host if it is a tenant's."""
        return dialect if url == self._own.get(dialect) else f"{dialect}@{httpx.URL(url).host}"
