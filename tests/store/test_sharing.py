"""Two gateways on one directory know of each other, and a lock never stays behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from gateway.store.sharing import Presence

HOLDING = """
import sys, time
from pathlib import Path
from gateway.store.sharing import Presence
print(Presence(Path(sys.argv[1])).begin(), flush=True)
time.sleep(60)
"""


def test_who_comes_later_is_told(tmp_path: Path) -> None:
    """The first one is alone; whoever comes while it is there is told, also when that has told others."""
    first, second, third = (Presence(tmp_path) for _ in range(3))
    assert not first.begin()
    assert second.begin()
    first.end()
    assert third.begin()
    second.end()
    third.end()
    assert not Presence(tmp_path).begin()
    assert list(tmp_path.iterdir()) == []


def test_lock_of_a_killed_process_is_gone(tmp_path: Path) -> None:
    """After kill -9 the next one is alone: nobody has to clean up."""
    command = [sys.executable, "-c", HOLDING, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "False\n"
        mine = Presence(tmp_path)
        assert mine.begin()
        other.kill()
        other.wait()
        assert not mine.begin()
        mine.end()


def test_directory_that_is_not_there_is_nobodys(tmp_path: Path) -> None:
    """The gateway goes on without a store then, and without a warning of others."""
    assert not Presence(tmp_path / "none").begin()
