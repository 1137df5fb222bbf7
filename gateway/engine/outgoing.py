"""Which proxy leads to an upstream: the one that is set, else what the environment's variables say.

The variables are those that other HTTP clients read: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`, in
capitals or small letters. What `NO_PROXY` names is reached directly whichever proxy it is, and so is this
machine: through a proxy its names would mean the proxy's own. Only proxies are taken from the environment, no
credentials of upstreams (`.netrc`).
"""

from __future__ import annotations

import ipaddress
import re
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from gateway.addresses import DIRECT, is_loopback, proxy_problem

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Outgoing:
    """The way out of here."""

    chosen: str | None = field(default=None, repr=False)
    """The URL of a proxy for all upstreams; `none`: there is none; None: what the variables say."""
    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Proxies by the scheme of an upstream, and what is exempt under `no`, as the variables say."""

    @classmethod
    def read(cls, chosen: str | None) -> Outgoing:
        """Return it with what the environment says."""
        return cls(chosen, urllib.request.getproxies_environment())

    def proxy(self, origin: str) -> str | None:
        """Return the URL of the proxy on the way to an upstream; None: it is reached directly.

        >>> Outgoing(None, {"https": "squid:3128", "no": ".corp"}).proxy("https://api.openai.com")
        'http://squid:3128'
        """
        there = urlsplit(origin)
        host = (there.hostname or "").rstrip(".")
        if self.chosen == DIRECT or _is_this_machine(host):
            return None
        variables = self.variables
        named = self.chosen or variables.get(there.scheme) or variables.get("all")
        if not named or _is_exempt(host, there.port or _PORTS[there.scheme], variables.get("no", "")):
            return None
        return named if "://" in named else f"http://{named}"

    def told(self, origins: Iterable[str]) -> Iterator[str]:
        """Yield a sentence for each proxy that leads to some of these upstreams, without its credentials."""
        for proxy, those in self._behind(origins).items():
            if not proxy_problem(proxy):
                yield f"{_bare(proxy)} is the proxy on the way to {', '.join(those)}."

    def problems(self, origins: Iterable[str]) -> Iterator[str]:
        """Yield a sentence for each proxy that would lead to some of them, and cannot be used."""
        for proxy, those in self._behind(origins).items():
            if problem := proxy_problem(proxy):
                schemes = {urlsplit(origin).scheme for origin in those}
                names = " and ".join(sorted({self._source(scheme) for scheme in schemes}))
                yield f"{names} {problem}, so {', '.join(those)} cannot be reached; or set HAVERSACK_PROXY."

    def _behind(self, origins: Iterable[str]) -> dict[str, dict[str, None]]:
        """Return upstreams by the proxy that leads to them."""
        behind: dict[str, dict[str, None]] = {}
        for origin in origins:
            if proxy := self.proxy(origin):
                behind.setdefault(proxy, {})[origin] = None
        return behind

    def _source(self, scheme: str) -> str:
        return f"{(scheme if scheme in self.variables else 'all').upper()}_PROXY"


def _is_this_machine(host: str) -> bool:
    return is_loopback(host) or host.lower().endswith(".localhost")


def _is_exempt(host: str, port: int, exempt: str) -> bool:
    """Return whether a list of hosts, suffixes, networks and `*` has this one.

    >>> _is_exempt("gpu.corp", 443, "example.com, *.corp"), _is_exempt("10.1.2.3", 80, "10.0.0.0/8")
    (True, True)
    """
    names = [name.removeprefix("*") if name != "*" else name for name in re.split(r"[\s,]+", exempt) if name]
    if "*" in names or _is_in_network(host, names):
        return True
    shown = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    # It is there on every system; typeshed has it under its other name only.
    is_exempt = urllib.request.proxy_bypass_environment  # type: ignore[attr-defined]
    return bool(is_exempt(shown, {"no": ",".join(names)}))


def _is_in_network(host: str, names: Iterable[str]) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return any(address in network for name in names if (network := _network(name)))


def _network(name: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    try:
        return ipaddress.ip_network(name.removeprefix("[").removesuffix("]"), strict=False)
    except ValueError:
        return None


def _bare(proxy: str) -> str:
    """Return a proxy's URL less its credentials.

    >>> _bare("http://me:secret@squid:3128/")
    'http://squid:3128'
    """
    parts = urlsplit(proxy)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
