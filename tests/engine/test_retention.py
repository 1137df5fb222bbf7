"""What is stored is kept as long as its policy says, and goes for want of room."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateway.engine.retention import DAY_S, days_of_nobody, delete_old
from gateway.policy.live import read_all
from gateway.store.base import Original
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from stores import Clock, opened


def test_what_was_unused_for_too_long_goes() -> None:
    """The longest retention of the policies in use holds for what belongs to nobody in particular."""

    async def run() -> None:
        clock, current = Clock(), read_all(None, "default")
        async with opened(SqliteStore(MEMORY, clock)) as store:
            await store.put_originals("key-1", [Original("sha256-1", b"a")])
            days = current.default.store.retention_days
            await delete_old(store, current, str, clock.now + (days - 1) * DAY_S, 0)
            assert await store.original("key-1", "sha256-1") is not None
            await delete_old(store, current, str, clock.now + (days + 1) * DAY_S, 0)
            assert await store.original("key-1", "sha256-1") is None

    asyncio.run(run())


@pytest.mark.parametrize(
    ("files", "default", "days"),
    [
        ({}, "default", 30),
        ({"default": 1}, "default", 1),
        ({"mine": 2}, "mine", 2),
        ({"mine": 2}, "default", 30),
        ({"mine": 2, "other": 5}, "mine", 5),
        ({"mine": 400}, "default", 400),
    ],
)
def test_what_is_kept_for_less_is_kept_for_less(
    files: dict[str, int], default: str, days: int, tmp_path: Path
) -> None:
    """Seen: whoever wrote one day had all kept for thirty, since shipped policies that nobody uses say so."""
    for name, own in files.items():
        (tmp_path / f"{name}.yaml").write_text(f"extends: default\nstore: {{retention_days: {own}}}\n")

    assert days_of_nobody(read_all(tmp_path, default)) == days


def test_store_comes_under_its_size() -> None:
    """Above the bound the least recently used records go, whatever their age."""

    async def run() -> None:
        clock = Clock()
        async with opened(SqliteStore(MEMORY, clock)) as store:
            await store.put_originals("key-1", [Original("sha256-1", b"a")])
            await delete_old(store, read_all(None, "default"), str, clock.now, 1)
            assert await store.original("key-1", "sha256-1") is None

    asyncio.run(run())
