"""A policy as one file would say all of it, and a tenant as it is treated: what `haversack show` prints.

What is printed of a policy can be used as one: read again, it says the same. Of a tenant's keys, hashes
though they are, only their number is told; what elsewhere has the form of a key, as in an address, is taken
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Any

import yaml

from gateway.core.summary.secrets import redact
from gateway.policy.levels import Level, Limit
from gateway.policy.policies import PolicySet
from gateway.policy.read import KEYS
from gateway.policy.schema import Policy, Step
from gateway.policy.tenants import Tenant

_WITHOUT_EFFECT = ("recall", "commands")
_WIDTH = 100


def policy_values(policy: Policy) -> dict[str, Any]:
    """Return what a file that extends nothing would have to say; what has no effect yet is left out."""
    said = {key: _plain(getattr(policy, key)) for key in KEYS if key not in (*_WITHOUT_EFFECT, "models")}
    said["models"] = {entry.glob: _plain(entry.given) for entry in policy.models}
    return {key: value for key, value in said.items() if value not in ([], {}) or key == "steps"}


def tenant_text(tenant: Tenant, found: PolicySet, own: Mapping[str, str]) -> str:
    """Return what applies to a tenant, and its policy; *own* are the gateway's upstreams, by key."""
    lines = [
        _line("keys", len(tenant.keys), "how many"),
        *(_line(key, getattr(tenant, key) or url, _whose(tenant, key)) for key, url in own.items()),
        _line("models", list(tenant.models) or "all"),
        _line("policies", list(tenant.policies), "others that it may choose"),
        _line("policy", tenant.policy.name, ", ".join(_changes(tenant, found))),
    ]
    head = f"# What applies to the tenant {tenant.name}\n{''.join(lines)}"
    return f"{head}---\n# All that its policy says\n{_written(policy_values(tenant.policy))}"


def _whose(tenant: Tenant, key: str) -> str:
    return "" if getattr(tenant, key) else "the gateway's own"


def _changes(tenant: Tenant, found: PolicySet) -> Iterator[str]:
    for one in found.written:
        if one.policy is tenant.policy and tenant.changes_policy and one.base is not None:
            yield f"{one.base.name} with changes: {', '.join(key for key in one.given if key in KEYS)}"


def _line(key: str, value: Any, comment: str = "") -> str:
    text = _member(key, _plain(value))
    return f"{text.rstrip()}  # {comment}\n" if comment else text


def _written(values: Mapping[str, Any]) -> str:
    """Return the YAML of these values: a line each, as far as they are short."""
    return "".join(_member(key, value) for key, value in values.items())


def _member(key: str, value: Any) -> str:
    style = None if isinstance(value, dict | list) else False
    text: str = yaml.safe_dump(
        {key: value}, sort_keys=False, default_flow_style=style, allow_unicode=True, width=_WIDTH
    )
    return text


def _plain(value: Any) -> Any:
    """Return a value as YAML has it."""
    if value is None:
        return "auto"
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, Step):
        when = {} if value.when is None else {"when": _plain(value.when)}
        return {"use": value.use, **when, **_plain(value.strategy)}
    if isinstance(value, Level | Limit):
        # What names no size is left out: for these there is no `auto`.
        return {name: one for name, one in _fields(value) if one is not None and one is not False}
    if is_dataclass(value):
        return {name: _plain(one) for name, one in _fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, tuple | list) else value


def _fields(value: Any) -> Iterator[tuple[str, Any]]:
    return ((field.name, getattr(value, field.name)) for field in fields(value))
