"""The ways to upstreams, as the settings have them: how connections are made, and through which proxies."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from socket import gethostname

from gateway.core.errors import ConfigError
from gateway.engine.connector import ConnectionSettings, trust_problem
from gateway.engine.outgoing import Outgoing
from gateway.policy.policies import PolicySet
from gateway.settings import Settings
from gateway.web.upstreams import likely_circles, named


def connection_settings(settings: Settings) -> ConnectionSettings:
    """Return how connections are made. Raise ConfigError if its certificates cannot be used."""
    ca_file = str(settings.ca_file) if settings.ca_file else None
    if problem := trust_problem(ca_file):
        raise ConfigError([f"--ca-file: {problem}"])
    return ConnectionSettings(
        connect_timeout_s=settings.connect_timeout_s,
        read_timeout_s=settings.read_timeout_s,
        proxy=Outgoing.read(settings.proxy).proxy,
        ca_file=ca_file,
    )


def told_of_ways(settings: Settings, found: PolicySet) -> Iterator[tuple[int, str, str]]:
    """Yield what log and `haversack check` tell of the ways to upstreams: a level, an event, a sentence."""
    for text in likely_circles(settings, found, gethostname()):
        yield logging.WARNING, "an upstream may be this gateway", text
    yield from ((level, "a proxy is on the way", text) for level, text in proxies(settings, found))


def proxies(settings: Settings, found: PolicySet) -> Iterator[tuple[int, str]]:
    """Yield a sentence for each proxy on the way to some upstream or unusable, behind its level."""
    upstreams = [url for _, url in named(settings, found)]
    outgoing = Outgoing.read(settings.proxy)
    yield from ((logging.INFO, text) for text in outgoing.told(upstreams))
    yield from ((logging.WARNING, text) for text in outgoing.problems(upstreams))
