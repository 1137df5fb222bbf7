"""What every store promises about how long it keeps things; the rest is in `test_store_contract.py`."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from random import Random

import pytest

from gateway.store.base import Checkpoint, Original
from stores import STORES, Clock, Make, opened

HOUR_S = 3600.0
NAMED, OTHER = ("sha256-" + digit * 24 for digit in "ab")


@pytest.fixture(params=STORES)
def make(request: pytest.FixtureRequest) -> Make:
    """Return what constructs the store under test."""
    return STORES[request.param]


def checkpoint(prefix: bytes, item: bytes = b'{"role":"user"}') -> Checkpoint:
    """Return a checkpoint with both kinds of items."""
    return Checkpoint(prefix, 4, (0, item, 3), 7, 8000, "sha256-1", 5.0)


def stub(id: str) -> bytes:
    """Return a message in which a stub stands for a content."""
    return b'{"role":"tool","content":"[haversack offload %s: 9 tokens]"}' % id.encode()


def test_unused_records_expire(make: Make, tmp_path: Path) -> None:
    """What nobody used since the given time goes, in batches; what was read or stored again stays."""
    clock = Clock()

    async def run() -> None:
        async with opened(make(tmp_path, clock)) as store:
            await store.put_originals("acme", [Original(f"sha256-{n}", b"x") for n in range(10)])
            await store.put_checkpoint("acme", "openai_chat", "default", checkpoint(b"idle"))
            await store.put_checkpoint("acme", "openai_chat", "default", checkpoint(b"used"))
            clock.now += 10 * HOUR_S
            await store.original("acme", "sha256-0")
            await store.put_originals("acme", [Original("sha256-1", b"x")])
            await store.checkpoints("acme", "openai_chat", "default", [b"used"])

            before = clock.now - HOUR_S
            assert await store.expire(before, limit=3) == 3
            assert await store.expire(before) == 6
            assert await store.expire(before) == 0
            assert await store.original("acme", "sha256-0") is not None
            assert await store.original("acme", "sha256-1") is not None
            assert await store.checkpoints("acme", "openai_chat", "default", [b"used"])
            assert not await store.checkpoints("acme", "openai_chat", "default", [b"idle"])

    asyncio.run(run())


def test_size_can_be_kept_in_bounds(make: Make, tmp_path: Path) -> None:
    """The least recently used records go until the store is small enough, and the room is really free."""
    clock = Clock()

    async def run() -> None:
        async with opened(make(tmp_path, clock)) as store:
            for n in range(60):
                clock.now += 1
                noise = Random(n).randbytes(50_000)
                await store.put_originals("acme", [Original(f"sha256-{n}", noise)])
            full = await store.size_bytes()
            assert full > 1_000_000
            while await store.size_bytes() > full / 2:
                assert await store.expire(math.inf, limit=5) == 5
            assert await store.original("acme", "sha256-0") is None
            assert await store.original("acme", "sha256-59") is not None

    asyncio.run(run())


def test_original_lasts_as_long_as_the_checkpoint_that_names_it(make: Make, tmp_path: Path) -> None:
    """While a conversation goes on, what its stubs promise can be read; what nothing names goes in time."""
    clock = Clock()

    async def run() -> None:
        async with opened(make(tmp_path, clock)) as store:
            for scope in ("acme", "other"):
                await store.put_originals(scope, [Original(NAMED, b"long"), Original(OTHER, b"long")])
            await store.put_checkpoint("acme", "openai_chat", "default", checkpoint(b"p", stub(NAMED)))
            clock.now += 10 * HOUR_S
            await store.checkpoints("acme", "openai_chat", "default", [b"p"])

            assert await store.expire(clock.now - HOUR_S) == 3
            assert await store.original("acme", NAMED) is not None
            assert await store.original("acme", OTHER) is None
            assert await store.original("other", NAMED) is None

    asyncio.run(run())


def test_new_checkpoint_renews_what_it_takes_over(make: Make, tmp_path: Path) -> None:
    """A stub that an earlier compaction made is good for as long as the compaction that carries it on."""
    clock = Clock()

    async def run() -> None:
        async with opened(make(tmp_path, clock)) as store:
            await store.put_originals("acme", [Original(NAMED, b"long")])
            await store.put_checkpoint("acme", "openai_chat", "default", checkpoint(b"p", stub(NAMED)))
            clock.now += 10 * HOUR_S
            await store.put_checkpoint("acme", "openai_chat", "default", checkpoint(b"longer", stub(NAMED)))

            assert await store.expire(clock.now - HOUR_S) == 1
            assert await store.original("acme", NAMED) is not None

    asyncio.run(run())
