"""The file of a SQLite database, as the file system sees it."""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path

from gateway.store.base import StoreError

MEMORY = Path(":memory:")
"""The path of a database that lives and dies with its connection."""


class DatabaseFile:
    """A path, and which file stood there when it was opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.in_memory = path == MEMORY
        self._inode: int | None = None

    async def prepare(self) -> None:
        """Make the file, and its directory, for their owner alone: they hold conversations. Raise OSError."""
        if not self.in_memory:
            self._inode = await asyncio.to_thread(_make, self.path)

    def check(self) -> None:
        """Raise StoreError or OSError if the path leads to no file, or to another than was opened.

        SQLite goes on writing to a file that was deleted, and all of it would be lost without an error.
        """
        if self._inode is not None and os.stat(self.path).st_ino != self._inode:
            raise StoreError(f"{self.path} is another file now; the gateway must be restarted")

    async def size_bytes(self) -> int:
        """Return the size of the file with its log and index. Raise OSError."""
        return await asyncio.to_thread(_size, self.path)


def _make(path: Path) -> int:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        return os.fstat(handle).st_ino
    finally:
        os.close(handle)


def _size(path: Path) -> int:
    total = path.stat().st_size
    for suffix in ("-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            total += path.with_name(path.name + suffix).stat().st_size
    return total
