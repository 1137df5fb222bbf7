"""A tenant: who may use the gateway, with which upstream and which policy.

A file holds only hashes of keys. A key is 32 random bytes, so one round of SHA-256 is enough: there is
nothing to guess, unlike with a password. And looking a hash up in a table tells an attacker nothing by
its duration, who cannot choose what a key hashes to.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gateway.addresses import url_problem
from gateway.core.frozen import replace
from gateway.policy.document import Source
from gateway.policy.read import KEYS, below_summarizer, read_policy
from gateway.policy.schema import Policy
from gateway.policy.steps import Strategies
from gateway.policy.unknown import UNKNOWN, no_policy
from gateway.policy.values import field_types, fill
from gateway.policy.words import suggestion

KEY_PREFIX = "hvs_"
_HASH = re.compile(r"sha256-[0-9a-f]{64}")
_PLACEHOLDER = re.compile(r"sha256-([0-9a-f])\1{63}")
_RANDOM_BYTES = 32
OPEN = "open"
"""What requests are called where there are no tenants: no tenant's name."""
_NO_KEYS = (
    "is empty: nobody could use this tenant; write keys: [sha256-...], with the hash that "
    "`haversack key new TENANT` prints"
)
_BY_MODEL = (
    "expects a list of globs, not keys and values; what differs by model stands in a policy, which this file "
    "names by `policy` or `extends`"
)


@dataclass(frozen=True, kw_only=True)
class TenantFile:
    """The keys of a tenant's file beside those of a policy."""

    keys: tuple[str, ...] = ()
    """Hashes of its keys, as `haversack key new TENANT` prints them; several, so that one can be replaced."""
    upstream: str | None = None
    """Base URL of its OpenAI-compatible upstream; without it, the gateway's own."""
    anthropic_upstream: str | None = None
    """Base URL of its Anthropic-compatible upstream; without it, the gateway's own."""
    policy: str | None = None
    """Name of its policy, taken as it is; without this and `extends`, the one that `--policy` names."""
    extends: str | None = None
    """Name of the policy that the policy keys in this file change."""
    policies: tuple[str, ...] = ()
    """Names of other policies it may choose by `x-haversack-policy`."""
    models: tuple[str, ...] = ()
    """Globs of the models it may use; without any, all."""


_KNOWN = (*field_types(TenantFile), *KEYS)
_BELOW_SUMMARIZER = below_summarizer(_KNOWN)


@dataclass(frozen=True, kw_only=True)
class Tenant:
    """Who a request belongs to, and what applies to it."""

    name: str
    policy: Policy
    keys: tuple[str, ...]
    upstream: str | None = None
    anthropic_upstream: str | None = None
    policies: tuple[str, ...] = ()
    models: tuple[str, ...] = ()

    @property
    def changes_policy(self) -> bool:
        """Whether its policy is one of its own."""
        return self.policy.name == own_name(self.name)


def own_name(tenant: str) -> str:
    """Return the name, in labels and headers, of the policy that a tenant's file makes: no other one's."""
    return f"tenants/{tenant}"


def key_hash(key: str) -> str:
    """Return what stands in a tenant's file for this key.

    >>> key_hash("hvs_x")[:15]
    'sha256-7de5b584'
    """
    return "sha256-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def new_key(randomness: bytes) -> tuple[str, str]:
    """Return a new key and its hash, made of 32 random bytes.

    >>> new_key(bytes(32))[0]
    'hvs_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    """
    if len(randomness) != _RANDOM_BYTES:
        raise ValueError(f"a key is made of {_RANDOM_BYTES} bytes, got {len(randomness)}")
    key = KEY_PREFIX + base64.urlsafe_b64encode(randomness).rstrip(b"=").decode()
    return key, key_hash(key)


def read_tenant(
    given: Mapping[str, Any],
    name: str,
    policies: Mapping[str, Policy],
    default: str,
    strategies: Strategies,
    source: Source,
) -> Tenant:
    """Return the tenant that a file describes. What is wrong goes to *source*."""
    own, changes = _parted(given, source)
    file = fill(TenantFile(), own, "", source)
    if "keys" not in given:
        source.report("keys", "is missing: nobody could use this tenant; see `haversack key new`")
    _check(file, given, policies, source)
    return Tenant(
        name=name,
        policy=_policy(file, name, changes, policies, default, strategies, source),
        keys=file.keys,
        upstream=file.upstream,
        anthropic_upstream=file.anthropic_upstream,
        policies=file.policies,
        models=file.models,
    )


def _parted(given: Mapping[str, Any], source: Source) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the file's own keys, and those of a policy."""
    own, changes = {}, {}
    for key, value in given.items():
        if key == "models" and isinstance(value, Mapping):
            source.report(key, _BY_MODEL)
        elif key == "keys" and value in (None, [], {}, ""):
            source.report(key, _NO_KEYS)
        elif key == "keys" and isinstance(value, str):  # not repeated: it may be a key itself
            source.report(key, "expects a list, not one text; put it in brackets: keys: [sha256-...]")
        elif key in field_types(TenantFile):
            own[key] = value
        elif key in KEYS:
            changes[key] = value
        else:
            source.report(key, f"is not known here{_BELOW_SUMMARIZER.get(key) or suggestion(key, _KNOWN)}")
    return own, changes


def texts(given: Any) -> Iterator[tuple[int, str]]:
    """Yield the texts of what should be a list of texts, each behind its place."""
    if isinstance(given, list):
        yield from ((n, item) for n, item in enumerate(given) if isinstance(item, str) and item)


def _check(
    file: TenantFile, given: Mapping[str, Any], policies: Mapping[str, Policy], source: Source
) -> None:
    known: set[str] = set()
    for n, hashed in texts(given.get("keys")):
        if hashed.startswith(KEY_PREFIX):
            source.report(f"keys[{n}]", f"is a key; only its hash belongs here: {key_hash(hashed)}")
        elif problem := _hash_problem(hashed):
            source.report(f"keys[{n}]", f"{problem}; `haversack key new TENANT` makes a key and its hash")
        elif hashed in known:
            source.report(f"keys[{n}]", "stands twice; take one out")
        known.add(hashed)
    for key in ("upstream", "anthropic_upstream"):
        if (url := getattr(file, key)) is not None and (problem := url_problem(url)):
            source.report(key, problem)
    for n, policy in texts(given.get("policies")):
        if policy not in policies:
            source.report(f"policies[{n}]", no_policy(policy, policies))


def _hash_problem(hashed: str) -> str | None:
    if not _HASH.fullmatch(hashed):
        return "is not a hash of the form sha256-<64 hexadecimal digits>"
    if _PLACEHOLDER.fullmatch(hashed):
        return "holds the place of a hash, and is that of no key"
    # A header that is there and empty would be let in by it.
    return "is the hash of no key at all" if hashed == key_hash("") else None


def _policy(
    file: TenantFile,
    name: str,
    changes: Mapping[str, Any],
    policies: Mapping[str, Policy],
    default: str,
    strategies: Strategies,
    source: Source,
) -> Policy:
    if file.policy is not None and (changes or file.extends is not None):
        source.report("policy", "is taken as it is; to change it, write `extends` in its place")
    named = next((key for key in ("policy", "extends") if getattr(file, key) is not None), "")
    base = getattr(file, named) if named else default
    # Where the default is the one that is missing, that is said once, and not of every tenant.
    if base not in policies and named:
        source.report(named, no_policy(base, policies))
    is_known = base in policies and not source.is_wrong("extends")
    policy = policies[base] if is_known else replace(UNKNOWN, name=name)
    return read_policy(changes, name, policy, strategies, source).named(own_name(name)) if changes else policy
