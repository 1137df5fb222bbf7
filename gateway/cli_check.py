"""`haversack check`: whether a folder of policies can be used, and what in it is hardly meant."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence, Sized
from pathlib import Path

from gateway.policy.live import read_all
from gateway.policy.notes import notes
from gateway.settings import Settings, variable
from gateway.web.upstreams import circles
from gateway.web.ways import proxies

ADDRESSES = ("host", "port", "upstream", "anthropic_upstream", "proxy")
"""Settings that tell what is checked beside policies: where they lead, and past which proxy."""


def chosen(
    folder: Path | None, policy: str | None, environ: Mapping[str, str], more: Sequence[str] = ()
) -> Settings:
    """Return which policies are meant: as for a gateway that is started here. Raise ConfigError.

    *more* are other settings that count.
    """
    names = ["HOME", *map(variable, ("policies", "policy", *more))]
    given = {name: environ[name] for name in names if name in environ}
    return Settings.read({"policies": str(folder) if folder else None, "policy": policy}, given)


def check(settings: Settings) -> int:
    """Say whether the policies can be used, with the one for everybody. Raise ConfigError if not."""
    found = read_all(settings.policies, settings.policy)
    print(
        f"{_number(found.policies, 'policy', 'policies')} and {_number(found.tenants, 'tenant')}: all right."
    )
    ways = (*circles(settings, found), *(text for _, text in proxies(settings, found)))
    for text in (*notes(found, os.environ), *ways):
        print(f"Note: {text}")
    return 0


def _number(found: Sized, one: str, many: str = "") -> str:
    return f"{len(found)} {one if len(found) == 1 else many or one + 's'}"
