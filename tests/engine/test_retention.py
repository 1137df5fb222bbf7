"""What is stored is kept as long as its policy says, and goes for want of room."""

from __future__ import annotations

import asyncio

from gateway.engine.retention import DAY_S, delete_old
from gateway.policy.live import read_all
from gateway.store.base import Original
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from stores import Clock, opened


def test_what_was_unused_for_too_long_goes() -> None:
    """The longest retention of all policies holds for what belongs to nobody in particular."""

    async def run() -> None:
        clock, current = Clock(), read_all(None, "default")
        async with opened(SqliteStore(MEMORY, clock)) as store:
            await store.put_originals("key-1", [Original("sha256-1", b"a")])
            days = max(policy.store.retention_days for policy in current.policies.values())
            await delete_old(store, current, str, clock.now + (days - 1) * DAY_S, 0)
            assert await store.original("key-1", "sha256-1") is not None
            await delete_old(store, current, str, clock.now + (days + 1) * DAY_S, 0)
            assert await store.original("key-1", "sha256-1") is None

    asyncio.run(run())


def test_store_comes_under_its_size() -> None:
    """Above the bound the least recently used records go, whatever their age."""

    async def run() -> None:
        clock = Clock()
        async with opened(SqliteStore(MEMORY, clock)) as store:
            await store.put_originals("key-1", [Original("sha256-1", b"a")])
            await delete_old(store, read_all(None, "default"), str, clock.now, 1)
            assert await store.original("key-1", "sha256-1") is None

    asyncio.run(run())
