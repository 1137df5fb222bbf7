"""What SQLite's driver raises, translated in one place."""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Iterator

from gateway.store.base import StoreError

# One row per cause that its owner can do something about; the names are SQLite's result codes, of which an
# extended one begins with the name of its primary code. https://sqlite.org/rescode.html
MEANINGS = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "the file or its directory cannot be written to",
    "SQLITE_CANTOPEN": "the file cannot be opened",
    "SQLITE_NOTADB": "the file is not a database",
    "SQLITE_CORRUPT": "the file is damaged",
    "SQLITE_BUSY": "another process is writing to it",
    "SQLITE_LOCKED": "another process is writing to it",
    "SQLITE_IOERR": "the disk fails",
}


@contextlib.contextmanager
def border() -> Iterator[None]:
    """Raise StoreError for whatever goes wrong on the other side."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(_describe(error)) from error
    # ValueError: the driver's for a closed connection, and for content that is not what was stored.
    except (OSError, ValueError, OverflowError, zlib.error) as error:
        raise StoreError(f"the store failed: {error}") from error


def _describe(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorname", "")
    for name, meaning in MEANINGS.items():
        if code == name or code.startswith(name + "_"):
            return f"the store failed: {meaning} ({error})"
    return f"the store failed: {error}"
