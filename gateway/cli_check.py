"""`haversack check` and `show`: whether a folder of policies can be used, and what stands in one."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence, Sized
from pathlib import Path

from gateway.core.errors import ConfigError
from gateway.policy.live import policy_files, read_all
from gateway.policy.notes import notes
from gateway.policy.prices import load_prices
from gateway.settings import Settings, misspelt, variable
from gateway.web.upstreams import circles
from gateway.web.ways import proxies

BESIDE = ("host", "port", "upstream", "anthropic_upstream", "proxy", "prices")
"""Settings that tell what is checked beside policies: where they lead, past which proxy, at what prices."""


def chosen(
    folder: Path | None, policy: str | None, environ: Mapping[str, str], more: Sequence[str] = ()
) -> Settings:
    """Return which policies are meant: as for a gateway that is started here. Raise ConfigError.

    *more* are other settings that count; a variable that is none is a problem, as it is there.
    """
    names = ["HOME", *map(variable, ("policies", "policy", *more))]
    given = {name: environ[name] for name in names if name in environ} | misspelt(environ)
    return Settings.read({"policies": str(folder) if folder else None, "policy": policy}, given)


def check(settings: Settings) -> int:
    """Say whether policies and prices can be used, with the one for everybody. Raise ConfigError if not."""
    prices = _price_problems(settings)
    try:
        found = read_all(settings.policies, settings.policy)
    except ConfigError as error:
        raise ConfigError([*error.problems, *prices]) from error
    if prices:
        raise ConfigError(prices)
    print(
        f"{_number(found.policies, 'policy', 'policies')} and {_number(found.tenants, 'tenant')}: all right."
    )
    ways = (*circles(settings, found), *(text for _, text in proxies(settings, found)))
    for text in (*notes(found, os.environ), *ways):
        print(f"Note: {text}")
    return 0


def show(name: str, settings: Settings) -> int:
    """Print the file of a policy, to be read or copied from; one's own goes before a shipped one."""
    files = {file.name: file for file in policy_files(settings.policies)}
    if name not in files:
        raise ConfigError([f"{name}: no policy is called so; there are {', '.join(sorted(files))}"])
    print(files[name].data.decode(errors="replace").rstrip())
    return 0


def _price_problems(settings: Settings) -> list[str]:
    try:
        load_prices(settings.prices)
    except ConfigError as error:
        return list(error.problems)
    return []


def _number(found: Sized, one: str, many: str = "") -> str:
    return f"{len(found)} {one if len(found) == 1 else many or one + 's'}"
