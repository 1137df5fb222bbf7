"""What can happen to a SQLite file, and what the gateway sees of it."""

from __future__ import annotations

import asyncio
import math
import os
import sqlite3
import subprocess
import sys
import threading
from asyncio import TaskGroup
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from gateway.core.errors import ConfigError
from gateway.store.base import Checkpoint, Original, StoreError
from gateway.store.sqlite import SqliteStore
from stores import opened


def using(store: SqliteStore, do: Callable[[SqliteStore], Awaitable[None]]) -> None:
    """Open the store, do something with it, and close it."""

    async def run() -> None:
        async with opened(store):
            await do(store)

    asyncio.run(run())


async def put_one(store: SqliteStore) -> None:
    """Store one original."""
    await store.put_originals("acme", [Original("sha256-1", b"kept")])


def bytes_below(folder: Path) -> int:
    """Return what the files of a folder take."""
    return sum(file.stat().st_size for file in folder.iterdir())


WRITES_UNTIL_KILLED = """
import asyncio, sys
from pathlib import Path
from gateway.store.base import Checkpoint, Original
from gateway.store.sqlite import SqliteStore

async def write(store, n):
    for m in range(100_000):
        await store.put_originals(f"s{n}", [Original(f"sha256-{m}", b"x" * 2000)])
        print(n, m, flush=True)

async def main():
    async with asyncio.TaskGroup() as group:
        store = SqliteStore(Path(sys.argv[1]))
        await store.open(group)
        for n in range(8):
            group.create_task(write(store, n))

asyncio.run(main())
"""


def test_kill_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """After `kill -9` in the middle of a load, every write that had been reported done is there."""
    path = tmp_path / "store.db"
    command = [sys.executable, "-c", WRITES_UNTIL_KILLED, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        acknowledged = [writer.stdout.readline().split() for _ in range(300)]
        writer.kill()
        # What was printed before the kill counts as well; the last line may be cut.
        acknowledged += [line.split() for line in writer.stdout.read().split("\n")[:-1]]

    async def check(store: SqliteStore) -> None:
        for scope, n in acknowledged:
            assert await store.original(f"s{scope}", f"sha256-{n}") is not None
        await put_one(store)

    using(SqliteStore(path), check)


def test_store_survives_a_restart(tmp_path: Path) -> None:
    """A gateway that is stopped and started again finds its checkpoints and originals."""
    frozen = Checkpoint(b"p", 3, (0, b"summary", 2), 9, 8000, "sha256-x")

    async def write(store: SqliteStore) -> None:
        await put_one(store)
        await store.put_checkpoint("acme", "openai_chat", "default", frozen)

    async def read(store: SqliteStore) -> None:
        assert list(await store.checkpoints("acme", "openai_chat", "default", [b"p"])) == [frozen]
        assert await store.original("acme", "sha256-1") == Original("sha256-1", b"kept")

    using(SqliteStore(tmp_path / "store.db"), write)
    using(SqliteStore(tmp_path / "store.db"), read)


def test_full_disk_is_a_store_error_and_passes(tmp_path: Path) -> None:
    """A full disk fails the write that hits it; what was stored stays readable, and small things go on."""

    async def fill(store: SqliteStore) -> None:
        await put_one(store)
        with pytest.raises(StoreError, match="the disk is full"):
            await store.put_originals("acme", [Original("big", os.urandom(1_000_000))])
        assert await store.original("acme", "sha256-1") is not None
        assert await store.original("acme", "big") is None
        await store.put_originals("acme", [Original("small", b"x")])
        assert await store.expire(math.inf) == 2

    using(SqliteStore(tmp_path / "store.db", max_pages=40), fill)


def test_only_the_unit_that_fails_fails(tmp_path: Path) -> None:
    """Of many writes committed together, one that cannot be stored takes no other down with it."""

    async def write(store: SqliteStore) -> None:
        good = [store.put_originals("acme", [Original(f"sha256-{n}", b"x")]) for n in range(10)]
        bad = store.put_originals("acme", [Original("big", os.urandom(1_000_000))])
        results = await asyncio.gather(*good[:5], bad, *good[5:], return_exceptions=True)
        assert [type(result) for result in results] == [*[type(None)] * 5, StoreError, *[type(None)] * 5]
        for n in range(10):
            assert await store.original("acme", f"sha256-{n}") is not None

    using(SqliteStore(tmp_path / "store.db", max_pages=40), write)


def test_value_the_driver_refuses_is_a_store_error(tmp_path: Path) -> None:
    """An absurd number in an upstream's answer fails one write and stops nothing."""

    async def write(store: SqliteStore) -> None:
        with pytest.raises(StoreError):
            await store.put_checkpoint(
                "acme", "openai_chat", "default", Checkpoint(b"p", 1, (), 1, 10**30, "")
            )
        await put_one(store)

    using(SqliteStore(tmp_path / "store.db"), write)


def test_another_process_that_writes_is_waited_for(tmp_path: Path) -> None:
    """While a backup or a shell holds the database, a write waits and then succeeds: never "locked"."""
    path = tmp_path / "store.db"

    async def write(store: SqliteStore) -> None:
        other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        with closing(other):
            other.execute("BEGIN IMMEDIATE")
            release = threading.Timer(0.3, other.rollback)
            release.start()
            await put_one(store)
            release.join()
        assert await store.original("acme", "sha256-1") is not None

    using(SqliteStore(path), write)


@pytest.mark.parametrize("content", [b"no database at all, " * 500, b"SQLite format 3\x00" + b"\xff" * 8000])
def test_damaged_file_is_a_store_error_and_left_alone(tmp_path: Path, content: bytes) -> None:
    """A file that is not a database is reported, not overwritten, and the store stays shut."""
    path = tmp_path / "store.db"
    path.write_bytes(content)
    store = SqliteStore(path)

    async def run() -> None:
        async with TaskGroup() as group:
            with pytest.raises(StoreError):
                await store.open(group)
            with pytest.raises(StoreError):
                await put_one(store)
            await store.close()

    asyncio.run(run())
    assert path.read_bytes() == content


def test_damaged_record_is_a_store_error(tmp_path: Path) -> None:
    """A record that rotted on the disk is a StoreError for its reader, not a crash."""
    path = tmp_path / "store.db"
    using(SqliteStore(path), put_one)
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("UPDATE originals SET content = x'07'")
        raw.commit()

    async def read(store: SqliteStore) -> None:
        with pytest.raises(StoreError):
            await store.original("acme", "sha256-1")

    using(SqliteStore(path), read)


def test_directory_that_cannot_be_made_is_a_store_error(tmp_path: Path) -> None:
    """A data directory below a file, or on a read-only disk, is reported as the store's trouble."""
    (tmp_path / "file").write_bytes(b"")

    async def run() -> None:
        async with TaskGroup() as group:
            with pytest.raises(StoreError):
                await SqliteStore(tmp_path / "file" / "store.db").open(group)

    asyncio.run(run())


def test_deleted_file_is_noticed(tmp_path: Path) -> None:
    """Once somebody has deleted the file, writing to it is an error instead of a silent loss."""
    path = tmp_path / "store.db"

    async def write(store: SqliteStore) -> None:
        path.unlink()
        with pytest.raises(StoreError):
            await put_one(store)
        with pytest.raises(StoreError):
            await store.size_bytes()
        path.write_bytes(b"")
        with pytest.raises(StoreError, match="another file"):
            await put_one(store)

    using(SqliteStore(path), write)


def test_schema_of_a_later_version_is_refused(tmp_path: Path) -> None:
    """An older gateway does not touch a store that a newer one has used; it says why it stops."""
    path = tmp_path / "store.db"
    using(SqliteStore(path), put_one)
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("INSERT INTO schema_version VALUES (999, 0)")
        raw.commit()

    async def run() -> None:
        async with TaskGroup() as group:
            with pytest.raises(ConfigError, match="999"):
                await SqliteStore(path).open(group)

    asyncio.run(run())


def test_size_counts_the_log_and_falls_after_deleting(tmp_path: Path) -> None:
    """The reported size is what the disk really gives to the store, and deleting gives it back."""
    path = tmp_path / "store.db"

    async def fill(store: SqliteStore) -> None:
        for n in range(20):
            await store.put_originals("acme", [Original(f"sha256-{n}", os.urandom(100_000))])
        on_disk = bytes_below(tmp_path)
        assert await store.size_bytes() == on_disk
        assert on_disk > 2_000_000
        assert await store.expire(math.inf) == 20
        assert await store.size_bytes() < 200_000

    using(SqliteStore(path), fill)


def test_cancelled_group_leaves_no_caller_waiting(tmp_path: Path) -> None:
    """When the process is told to stop at once, callers get an answer and the file is closed."""
    store = SqliteStore(tmp_path / "store.db")

    async def run() -> None:
        with suppress(ExceptionGroup):
            async with TaskGroup() as group:
                await store.open(group)
                raise RuntimeError("the application fails")
        with pytest.raises(StoreError):
            await put_one(store)
        await store.close()

    asyncio.run(run())
    assert not (tmp_path / "store.db-wal").exists()


def test_process_ends_although_the_store_was_closed_after_a_failure(tmp_path: Path) -> None:
    """A gateway whose store could not be opened still exits: no thread of the driver stays behind."""
    (tmp_path / "store.db").write_bytes(b"no database at all, " * 500)

    async def run() -> None:
        async with TaskGroup() as group:
            with pytest.raises(StoreError):
                await SqliteStore(tmp_path / "store.db").open(group)

    before = threading.active_count()
    asyncio.run(run())
    assert threading.active_count() == before
