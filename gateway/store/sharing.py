"""Whether other gateways use the same directory: each holds a shared lock on it for as long as it runs.

Nobody is kept out. The lock is on the directory itself, so no file is made for it, and it ends with its
process, however that ends. Where the file system knows no locks, nobody is seen.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path


class Presence:
    """One gateway's being there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._handle: int | None = None

    def begin(self) -> bool:
        """Be seen by those who come later, and return whether there is somebody already."""
        self.end()
        with contextlib.suppress(OSError):
            self._handle = os.open(self._folder, os.O_RDONLY)
            return _has_others(self._handle)
        return False

    def end(self) -> None:
        """Be seen no more."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)


def _has_others(handle: int) -> bool:
    fcntl.flock(handle, fcntl.LOCK_SH)
    try:
        # To be alone is only tried. Of two that start in the same instant both may be told, or neither: locks
        # are exchanged in two steps.
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        # The attempt has given it up, however it went.
        fcntl.flock(handle, fcntl.LOCK_SH)
    return False
