"""The upstreams of the gateway and of its tenants, each made once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

import httpx

from gateway.addresses import EVERYWHERE, is_loopback, url_problem
from gateway.engine.summary_route import SAME
from gateway.engine.upstream import Upstream
from gateway.policy.policies import PolicySet
from gateway.policy.tenants import Tenant, own_name
from gateway.policy.variables import every
from gateway.settings import Settings, flag, variable
from gateway.web.routes import ANTHROPIC, OPENAI

OWN = "summarizer"
"""In the place of a dialect: whom the gateway asks on its own."""

_AROUND_A_CONTAINER = ("host.docker.internal", "host.containers.internal", "gateway.docker.internal")
"""What the machine is called in a container, whose ports are often published under the same number."""


def named(settings: Settings, found: PolicySet | None = None) -> Iterator[tuple[str, str]]:
    """Yield every upstream's base URL, behind where it is named: in the settings, and in files."""
    yield from ((place, url) for place, url in _named(settings, found) if not url_problem(url))


def _named(settings: Settings, found: PolicySet | None) -> Iterator[tuple[str, str]]:
    for name in ("upstream", "anthropic_upstream"):
        yield f"{flag(name)} or {variable(name)}", getattr(settings, name)
    if found is None:
        return
    for tenant in found.tenants.values():
        for key in ("upstream", "anthropic_upstream"):
            if url := getattr(tenant, key):
                yield f"{own_name(tenant.name)}.yaml: {key}", url
    for policy in every(found):
        if (url := policy.summarizer.upstream) != SAME:
            yield f"{policy.name}.yaml: summarizer.upstream", url


def circles(settings: Settings, found: PolicySet | None = None) -> Iterator[str]:
    """Yield what is wrong with upstreams that are this gateway, which would ask itself without end."""
    for place, url, host in _at_own_port(settings, found):
        if _is_here(host, settings.host.lower()):
            way_out = "name where the models are served, or another --port"
            yield f"{place}: {url} is this gateway, which would ask itself again and again; {way_out}"


def likely_circles(settings: Settings, found: PolicySet, machine: str) -> Iterator[str]:
    """Yield a sentence for each upstream that is this gateway unless another one has its port elsewhere.

    *machine* is the name of the one that it runs on. What listens on one address is not reached by others.
    """
    if settings.host in EVERYWHERE:
        for place, url, host in _at_own_port(settings, found):
            if host in (machine.lower(), machine.partition(".")[0].lower(), *_AROUND_A_CONTAINER):
                yield (
                    f"{place}: {url} may be this gateway, which has the port {settings.port}: it would ask "
                    "itself again and again; if it is, name where the models are served, or another --port."
                )


def _at_own_port(settings: Settings, found: PolicySet | None) -> Iterator[tuple[str, str, str]]:
    """Yield where an upstream is named, its URL and host, of those at a port as the gateway's own."""
    for place, url in dict.fromkeys(named(settings, found)):
        there = urlsplit(url)
        if there.scheme == "http" and (there.port or 80) == settings.port:
            yield place, url, (there.hostname or "").removesuffix(".")


def _is_here(host: str, own: str) -> bool:
    """Return whether a host surely is the one that is listened on; other loopback addresses are not."""
    # Who connects to "everywhere" connects to this machine.
    is_any = host in ("localhost", *EVERYWHERE) or own in ("localhost", *EVERYWHERE)
    return host == own or (is_any and all(is_loopback(one) or one in EVERYWHERE for one in (host, own)))


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
