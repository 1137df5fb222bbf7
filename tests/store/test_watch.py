"""A store that goes away is told once, with the reason and the way out, and so is its coming back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from gateway.store.base import Original, StoreError
from gateway.store.driver import MEANINGS
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.store.watch import Watch, hint
from stores import Clock, opened


class Filling(SqliteStore):
    """A store whose disk may be full."""

    is_full = False

    async def put_originals(self, scope: str, originals: Sequence[Original]) -> None:
        """Say so, if it is."""
        if self.is_full:
            raise StoreError("the store failed: the disk is full (database or disk is full)")
        await super().put_originals(scope, originals)


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """Return what was told."""
    return [vars(record) for record in caplog.records]


def test_full_disk_is_told_once_and_its_end_too(caplog: pytest.LogCaptureFixture) -> None:
    """Its size is no sign: what could not be kept has the next look try it, until it can be written again."""

    async def run() -> list[bool]:
        clock, up = Clock(), []
        async with opened(Filling(MEMORY)) as store:
            watch = Watch(store, Path("/data"), clock)
            for is_full in (False, True, True, False, False):
                store.is_full = is_full
                watch.doubt()
                await watch.look()
                clock.now += 5
                up.append(watch.is_up)
            assert await store.original("", "sha256-" + "0" * 64) is None
        return up

    with caplog.at_level(logging.INFO):
        assert asyncio.run(run()) == [True, False, False, True, True]
    away, back = lines(caplog)
    assert (away["levelname"], away["msg"]) == ("WARNING", "the store is away; going on without")
    assert away["data_dir"] == "/data"
    assert "disk is full" in away["reason"]
    assert "--max-store-bytes" in away["hint"]
    assert (back["levelname"], back["msg"], back["seconds"]) == ("INFO", "the store is back", 10)


def test_store_without_a_doubt_is_asked_for_its_size_alone() -> None:
    """Nothing is written to a store of which nothing is known against it."""

    async def run() -> None:
        async with opened(Filling(MEMORY)) as store:
            store.is_full = True
            watch = Watch(store, Path("/data"), Clock())
            assert await watch.look()
            assert watch.is_up

    asyncio.run(run())


def test_store_that_was_never_opened_stays_away(caplog: pytest.LogCaptureFixture) -> None:
    """It is told at the start, as an error, and not again at each look."""
    watch = Watch(SqliteStore(MEMORY), Path("/data"), Clock())
    watch.away(StoreError("the store failed: [Errno 13] Permission denied: '/data'"), logging.ERROR)

    assert asyncio.run(watch.look()) is None
    (line,) = lines(caplog)
    assert line["levelname"] == "ERROR"
    assert "--data-dir" in line["hint"]


@pytest.mark.parametrize("meaning", [*MEANINGS.values(), "/d/haversack.db is another file now", "odd"])
def test_every_reason_has_a_way_out(meaning: str) -> None:
    """Whatever is wrong, its reader is told what to do, and whether a restart is needed."""
    assert "again" in hint(meaning) or "start" in hint(meaning)


def test_directory_that_cannot_be_made_is_to_be_made_or_named_otherwise() -> None:
    """A restart alone would find the same."""
    said = hint("the store failed: [Errno 2] No such file or directory: '/proc/none'")
    assert "make that directory or put it back" in said
    assert "--data-dir" in said
