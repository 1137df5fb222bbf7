"""`haversack check` and `show`: whether a folder of policies can be used, and what stands in one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence, Sized
from contextlib import suppress
from pathlib import Path

from gateway.core.errors import ConfigError
from gateway.policy.live import policy_files, read_all, survey_all
from gateway.policy.notes import notes
from gateway.policy.policies import PolicySet
from gateway.policy.prices import load_prices
from gateway.policy.shown import tenant_text
from gateway.policy.tenants import own_name
from gateway.settings import Settings, misspelt, variable
from gateway.web.upstreams import circles
from gateway.web.ways import told_of_ways

WRONG = 2
"""How a command ends where settings, policies or flags are wrong."""

BESIDE = ("host", "port", "upstream", "anthropic_upstream", "proxy", "prices")
"""Settings that tell what is checked beside policies: where they lead, past which proxy, at what prices."""

UPSTREAMS = ("upstream", "anthropic_upstream")
"""Settings that tell what else applies to a tenant, whose file may name its own."""

_TENANTS = "; a tenant is shown as tenants/NAME"


def chosen(
    folder: Path | None,
    policy: str | None,
    environ: Mapping[str, str],
    more: Sequence[str] = (),
    **flags: str | None,
) -> Settings:
    """Return which policies are meant: as for a gateway that is started here. Raise ConfigError.

    *more* are other settings that count, *flags* some that are given. A variable that is none is a problem,
    as it is there.
    """
    names = ["HOME", *map(variable, ("policies", "policy", *more))]
    given = {name: environ[name] for name in names if name in environ} | misspelt(environ)
    return Settings.read({"policies": str(folder) if folder else None, "policy": policy, **flags}, given)


def check(settings: Settings) -> int:
    """Say whether policies and prices can be used, and what is hardly meant; return 2 if they cannot be.

    Raise ConfigError if there is no folder to look at.
    """
    found, problems = survey_all(settings.policies, settings.policy)
    # What a pipe's reader does not want to read changes nothing of how it ends.
    with suppress(BrokenPipeError):
        if wrong := ConfigError([*problems, *circles(settings, found), *_price_problems(settings)]).problems:
            print(*wrong, sep="\n", file=sys.stderr, flush=True)
        else:
            counted = (
                f"{_number(found.policies, 'policy', 'policies')} and {_number(found.tenants, 'tenant')}"
            )
            print(f"{counted}: all right.")
        for text in _noted(settings, found):
            print(f"Note: {text}")
    return WRONG if wrong else 0


def _noted(settings: Settings, found: PolicySet) -> Iterator[str]:
    yield from notes(found, os.environ)
    yield from (text for _, _, text in told_of_ways(settings, found))


def show(name: str, settings: Settings) -> int:
    """Print the file of a policy, to be read or copied from, or what applies to a tenant. Raise ConfigError.

    A policy of one's own goes before a shipped one.
    """
    if name.startswith(own_name("")):
        return _show_tenant(name, settings)
    files = {file.name: file for file in policy_files(settings.policies)}
    if name not in files:
        raise ConfigError([f"{name}: no policy is called so; there are {', '.join(sorted(files))}{_TENANTS}"])
    print(files[name].data.decode(errors="replace").rstrip())
    return 0


def _show_tenant(name: str, settings: Settings) -> int:
    found = read_all(settings.policies, settings.policy)
    tenants = {own_name(tenant.name): tenant for tenant in found.tenants.values()}
    if name not in tenants:
        raise ConfigError(
            [f"{name}: no tenant is called so; there are {', '.join(sorted(tenants)) or 'none'}"]
        )
    print(tenant_text(tenants[name], found, {key: getattr(settings, key) for key in UPSTREAMS}).rstrip())
    return 0


def _price_problems(settings: Settings) -> list[str]:
    try:
        load_prices(settings.prices)
    except ConfigError as error:
        return list(error.problems)
    return []


def _number(found: Sized, one: str, many: str = "") -> str:
    return f"{len(found)} {one if len(found) == 1 else many or one + 's'}"
