"""How long what is stored is kept: unused for longer than its policy says it goes, and what is too much."""

from __future__ import annotations

import math
from collections.abc import Callable

from gateway.policy.policies import PolicySet
from gateway.store.base import Store

BATCHES = 20
"""Batches of the least recently used records that are deleted at once, at most, to come under a size."""

DAY_S = 86_400.0


async def delete_old(
    store: Store, current: PolicySet, scope_of: Callable[[str], str], now: float, max_bytes: int
) -> None:
    """Delete what is to be kept no longer; *scope_of* tells a tenant's scope. Raise StoreError."""
    for tenant in current.tenants.values():
        await _delete(store, now - tenant.policy.store.retention_days * DAY_S, scope_of(tenant.name))
    await _delete(store, now - days_of_nobody(current) * DAY_S)
    for _ in range(BATCHES):
        if not max_bytes or await store.size_bytes() <= max_bytes or not await store.expire(math.inf):
            break


def days_of_nobody(current: PolicySet) -> int:
    """Return for how many days is kept what is no tenant's: the longest that a policy in use says.

    Those are the one for everybody, tenants', and all in the user's own files; not what is only shipped, for
    then nobody could have it kept for less.
    """
    own = (written.policy for written in current.written)
    used = (current.default, *own, *(tenant.policy for tenant in current.tenants.values()))
    return max(policy.store.retention_days for policy in used)


async def _delete(store: Store, before: float, scope: str | None = None) -> None:
    while await store.expire(before, scope=scope):
        pass
