"""All policies and tenants of one moment, checked as a whole and frozen."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gateway.core.errors import ConfigError, Forbidden, InvalidRequest
from gateway.core.frozen import replace
from gateway.policy.document import Problem, Source, in_order, parse
from gateway.policy.read import read_policy
from gateway.policy.schema import Policy
from gateway.policy.steps import Strategies
from gateway.policy.tenants import OPEN, Tenant, key_hash, read_tenant, texts
from gateway.policy.unknown import UNKNOWN, no_policy
from gateway.policy.values import unfit
from gateway.policy.words import listed, suggestion

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class File:
    """A file that was read, but not yet understood."""

    label: str
    """What to call it in a problem."""
    name: str
    """Its name less `.yaml`."""
    data: bytes


@dataclass(frozen=True, slots=True)
class Written:
    """What a file of the user's own says."""

    policy: Policy
    given: Mapping[str, Any]
    """Its keys and values, as they stand there."""
    base: Policy | None
    """What it changes; None: the defaults."""
    wrong: Sequence[str] = ()
    """Where in the file something is wrong, as in `steps[2].min_tokens`."""


@dataclass(frozen=True)
class PolicySet:
    """What applies, to whom. A request keeps the one it started with."""

    policies: Mapping[str, Policy]
    tenants: Mapping[str, Tenant]
    default: Policy
    """For requests that belong to no tenant, and for tenants whose file names no other."""
    written: tuple[Written, ...] = ()
    """What the files of the folder say of policies, those of tenants behind the others."""
    ignored: tuple[str, ...] = ()
    """What lies in the folder and is not read, a sentence each."""

    @cached_property
    def _by_key(self) -> Mapping[str, Tenant]:
        return {hashed: tenant for tenant in self.tenants.values() for hashed in tenant.keys}

    @property
    def is_open(self) -> bool:
        """Whether there are no tenants, so that any key is somebody's."""
        return not self.tenants

    def tenant(self, key: str) -> Tenant | None:
        """Return whose key it is."""
        return self._by_key.get(key_hash(key))

    def choose(self, tenant: Tenant | None, wanted: str | None = None) -> Policy:
        """Return the policy for a request that asks for the one called *wanted*, or for none in particular.

        Raise Forbidden where the tenant may not choose it, InvalidRequest where there is no such policy.
        """
        own = tenant.policy if tenant else self.default
        if wanted is None or wanted == own.name:
            return own
        if tenant is not None and wanted not in tenant.policies:
            may = ", ".join((own.name, *tenant.policies))
            raise Forbidden(f"this key may not use the policy {wanted[:64]!r}, only: {may}")
        if wanted not in self.policies:
            raise InvalidRequest(
                f"there is no policy {wanted[:64]!r}{suggestion(wanted, list(self.policies))}"
            )
        return self.policies[wanted]


def read_set(
    shipped: Sequence[File],
    own: Sequence[File],
    tenants: Sequence[File],
    default: str,
    strategies: Strategies,
) -> PolicySet:
    """Return the set that these files describe; a file of the user's goes before a shipped one of its name.

    Raise ConfigError with all problems of all files.
    """
    found, problems = survey(shipped, own, tenants, default, strategies)
    if problems:
        raise ConfigError(problems)
    return found


def survey(
    shipped: Sequence[File],
    own: Sequence[File],
    tenants: Sequence[File],
    default: str,
    strategies: Strategies,
) -> tuple[PolicySet, list[str]]:
    """Return the set that these files describe, and all problems of all files.

    Where there are problems the set is only good for saying more about the files.
    """
    problems = [*_names(own, name_problem), *_names(tenants, tenant_problem)]
    below = _Layer(shipped, {}, strategies).read(problems)
    layer = _Layer(own, below, strategies)
    policies = layer.read(problems)
    if default not in policies:
        problems.append(Problem("--policy or HAVERSACK_POLICY", no_policy(default, policies)))
    written = list(layer.written)
    found = _tenants(tenants, policies, default, strategies, problems, written)
    everybodys = policies.get(default) or replace(UNKNOWN, name=default)
    return PolicySet(policies, found, everybodys, tuple(written)), [str(problem) for problem in problems]


def name_problem(name: str) -> str | None:
    """Return what is wrong with the name of a policy or tenant, or None."""
    rule = "its name must be small letters, digits, '.', '_' and '-', at most 64"
    return None if _NAME.fullmatch(name) else rule


def tenant_problem(name: str) -> str | None:
    """Return what is wrong with the name of a tenant, or None."""
    if name == OPEN:
        return f"log and metrics call requests `{OPEN}` where there are no tenants; take another name"
    return name_problem(name)


def _names(files: Sequence[File], wrong: Callable[[str], str | None]) -> list[Problem]:
    found: dict[str, str] = {}
    problems = [Problem(file.label, problem) for file in files if (problem := wrong(file.name))]
    for file in files:
        if (first := found.setdefault(file.name, file.label)) != file.label:
            problems.append(Problem(file.label, f"has the same name as {first}"))
    return problems


class _Layer:
    """The policies of one folder, over those of another."""

    def __init__(self, files: Sequence[File], below: Mapping[str, Policy], strategies: Strategies) -> None:
        self._files = {file.name: file for file in files}
        self._below = below
        self._strategies = strategies
        self._done: dict[str, Policy] = {}
        self._chain: list[str] = []
        self._problems: list[Problem] = []
        self.written: list[Written] = []

    def read(self, problems: list[Problem]) -> dict[str, Policy]:
        """Return all policies by name; what is wrong is added to *problems*, file by file."""
        for name in self._files:
            self._policy(name)
        problems += in_order(self._problems)
        return {**self._below, **self._done}

    def _policy(self, name: str) -> Policy | None:
        if name in self._done or name not in self._files:
            return self._done.get(name) or self._below.get(name)
        source = Source(self._files[name].label)
        given = parse(self._files[name].data, source)
        if source.problems and not given:
            # What cannot be read is told; no file that extends it is to be blamed for what it lacks.
            self._done[name] = self._below.get(name) or replace(UNKNOWN, name=name)
        else:
            self._chain.append(name)
            base = self._base(name, given.pop("extends"), source) if "extends" in given else None
            self._chain.pop()
            self._done[name] = read_policy(given, name, base, self._strategies, source)
            self.written.append(Written(self._done[name], given, base, source.wrong))
        self._problems += source.problems
        return self._done[name]

    def _base(self, name: str, extends: object, source: Source) -> Policy:
        """Return the policy that *name* extends; its own name means the one that it replaces."""
        names = [other for other in {**self._below, **self._files} if other != name]
        if not isinstance(extends, str):
            hint = "; put it in quotes" if str(extends) in names else listed(names) if extends else ""
            source.report("extends", unfit("the name of a policy", extends, "extends", hint))
        elif extends in self._chain and extends != name:
            source.report("extends", f"goes in a circle: {' → '.join([*self._chain, extends])}")
        elif base := self._below.get(name) if extends == name else self._policy(extends):
            return base
        else:
            source.report("extends", no_policy(extends, names))
        return UNKNOWN


def _tenants(
    files: Sequence[File],
    policies: Mapping[str, Policy],
    default: str,
    strategies: Strategies,
    problems: list[Problem],
    written: list[Written],
) -> dict[str, Tenant]:
    found: dict[str, Tenant] = {}
    owners: dict[str, str] = {}
    for file in files:
        source = Source(file.label)
        if given := parse(file.data, source):
            tenant = read_tenant(given, file.name, policies, default, strategies, source)
            for n, hashed in texts(given.get("keys")):
                if owners.setdefault(hashed, file.name) != file.name:
                    source.report(f"keys[{n}]", f"is a key of the tenant {owners[hashed]}, too")
            found[file.name] = tenant
            if tenant.changes_policy:
                said = {key: value for key, value in given.items() if key != "models"}
                base = policies.get(str(given.get("extends", default)))
                written.append(Written(tenant.policy, said, base, source.wrong))
        problems += in_order(source.problems)
    return found
