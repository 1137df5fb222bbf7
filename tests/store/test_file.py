"""The file of a database, as the file system sees it."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import pytest

from gateway.store.base import StoreError
from gateway.store.file import MEMORY, DatabaseFile


def test_content_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Other users of the machine can read neither the data directory nor the file in it."""
    path = tmp_path / "data" / "store.db"
    asyncio.run(DatabaseFile(path).prepare())
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_file_that_is_there_is_kept(tmp_path: Path) -> None:
    """Opening a store does not empty it."""
    path = tmp_path / "store.db"
    path.write_bytes(b"content")
    asyncio.run(DatabaseFile(path).prepare())
    assert path.read_bytes() == b"content"


def test_exchanged_file_is_noticed(tmp_path: Path) -> None:
    """A file that was deleted, or restored from a backup under a running gateway, is not written to."""
    file = DatabaseFile(tmp_path / "store.db")
    asyncio.run(file.prepare())
    file.check()
    file.path.rename(tmp_path / "moved.db")
    with pytest.raises(FileNotFoundError):
        file.check()
    file.path.write_bytes(b"")
    with pytest.raises(StoreError, match="another file"):
        file.check()


def test_size_counts_the_log(tmp_path: Path) -> None:
    """The size is what the disk gives to the database: its log and index are part of it."""
    file = DatabaseFile(tmp_path / "store.db")
    file.path.write_bytes(b"x" * 10)
    assert asyncio.run(file.size_bytes()) == 10
    (tmp_path / "store.db-wal").write_bytes(b"x" * 100)
    (tmp_path / "store.db-shm").write_bytes(b"x" * 1000)
    assert asyncio.run(file.size_bytes()) == 1110


def test_database_in_memory_touches_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store in memory leaves nothing behind in the working directory."""
    monkeypatch.chdir(tmp_path)
    file = DatabaseFile(MEMORY)
    asyncio.run(file.prepare())
    file.check()
    assert file.in_memory
    assert list(tmp_path.iterdir()) == []
