"""Whether the store is there: looked at again and again, and told when it goes away and when it is back.

A look asks for its size only. What could not be kept or read meanwhile raises a doubt, and then the next look
writes something of nobody's and deletes it again: a full disk shows in no size.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path

from gateway.core.errors import where
from gateway.store.base import Original, Store, StoreError

log = logging.getLogger(__name__)

_PROBE_BYTES = 65_536
_NOBODY = ""
"""The scope of no tenant and no key."""

_ITSELF = "it is used again by itself"
_NEW = "restart the gateway: it opens what is there, or makes a new one"
_ASIDE = "stop the gateway, put haversack.db and what begins so aside, and start it: it makes a new one"
_FILE = "a file has that name: put it away, or name a directory with --data-dir; then restart"
_ELSEWHERE = "let the user that runs the gateway write there, or name another --data-dir; then restart"

# What a reason has in it (`store.driver`), and the way out. The first that is found counts.
_HINTS = (
    ("disk is full", f"free some room on that disk, or lower --max-store-bytes; then {_ITSELF}"),
    ("cannot be written to", f"let the user that runs the gateway write to that directory; then {_ITSELF}"),
    ("another process", f"a backup or another program holds it; when that is done, {_ITSELF}"),
    ("damaged", _ASIDE),
    ("not a database", _ASIDE),
    ("another file", _NEW),
    ("No such file", "make that directory or put it back, or name another with --data-dir; then restart"),
    ("Not a directory", _FILE),
    ("File exists", _FILE),
    ("ermission denied", _ELSEWHERE),
    ("Read-only file system", "name a directory with --data-dir that can be written to; then restart"),
)
_ANY_HINT = "look after that directory and its disk; if it does not come back by itself, restart the gateway"


def hint(reason: str) -> str:
    """Return what to do about a store that fails for that reason.

    >>> hint("the store failed: the disk is full (database or disk is full)")
    'free some room on that disk, or lower --max-store-bytes; then it is used again by itself'
    """
    return next((text for part, text in _HINTS if part in reason), _ANY_HINT)


class Watch:
    """What is known of one store."""

    def __init__(self, store: Store, data_dir: Path, clock: Callable[[], float]) -> None:
        """*clock* tells monotonic seconds."""
        self._store = store
        self._data_dir = str(data_dir)
        self._clock = clock
        self._away_at = 0.0
        self._is_doubtful = False
        self.is_up = True

    def doubt(self) -> None:
        """Take note that something could not be kept or read; the next look tries it."""
        self._is_doubtful = True

    def away(self, error: StoreError, level: int = logging.WARNING) -> None:
        """Say that it is away, once, with the reason and the way out."""
        if self.is_up:
            # What is told here was opened, measured or tried with nobody's data: the reason may be told.
            told = {"data_dir": self._data_dir, "reason": str(error), "hint": hint(str(error))}
            log.log(level, "the store is away; going on without", extra={**told, "at": where(error)})
            self._away_at = self._clock()
        self.is_up = False

    async def look(self) -> int | None:
        """Return how many bytes it takes; None if it is away."""
        try:
            size_bytes = await self._store.size_bytes()
            if self._is_doubtful or not self.is_up:
                await self._try()
        except StoreError as error:
            self.away(error)
            return None
        if not self.is_up:
            seconds = round(self._clock() - self._away_at, 1)
            log.info("the store is back", extra={"data_dir": self._data_dir, "seconds": seconds})
        self.is_up, self._is_doubtful = True, False
        return size_bytes

    async def _try(self) -> None:
        probe = Original("sha256-" + "0" * 64, os.urandom(_PROBE_BYTES), "probe")
        await self._store.put_originals(_NOBODY, [probe])
        await self._store.delete_original(_NOBODY, probe.id)
