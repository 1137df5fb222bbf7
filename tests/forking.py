"""Start gateways by forking a process that has imported it: the imports are most of what a start costs.

    with Forking() as forking:
        process = forking.start(["serve", "--port", "8080"], environment, log)

Each is a process of its own all the same, with its own environment, and ends as any interpreter ends. What is
the same in all of them is the seed of `hash()`; so a restart is to be a fresh process (`running.py`).
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self

from gateway.cli import main


class Forked:
    """One such process, with as much of the interface of `subprocess.Popen` as is needed."""

    def __init__(self, forking: Forking, pid: int) -> None:
        self.pid = pid
        self._forking = forking
        self._code: int | None = None

    def poll(self) -> int | None:
        """Return its exit code, negative for a signal; None while it runs."""
        if self._code is None:
            self._code = self._forking.ask(poll=self.pid)
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit code when it has ended. Raise subprocess.TimeoutExpired."""
        deadline = time.monotonic() + (timeout if timeout is not None else 3600)
        while (code := self.poll()) is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("haversack", timeout or 0)
            time.sleep(0.01)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it without warning."""
        self.send_signal(signal.SIGKILL)


class Forking:
    """The process that is forked; it ends with whoever holds this."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        command = [sys.executable, __file__, str(theirs.fileno())]
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        theirs.close()
        self._socket = ours
        self._lines = ours.makefile("rw", encoding="utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._lines.close()
        self._socket.close()
        self._process.wait(timeout=10)

    def start(self, arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> Forked:
        """Start `haversack` with these arguments; what it prints goes to the end of *log*."""
        pid = self.ask(start=list(arguments), environment=dict(environment), log=str(log))
        return Forked(self, pid)

    def ask(self, **what: Any) -> Any:
        """Return what the process answers."""
        self._lines.write(json.dumps(what) + "\n")
        self._lines.flush()
        return json.loads(self._lines.readline())


def _serve(connection: socket.socket) -> None:
    """Answer until nobody asks any more; in a child, be a gateway."""
    with connection, connection.makefile("rw", encoding="utf-8") as lines:
        for line in lines:
            what = json.loads(line)
            answer = _polled(what["poll"]) if "poll" in what else os.fork()
            if "start" in what and not answer:
                break
            lines.write(json.dumps(answer) + "\n")
            lines.flush()
        else:
            return
    _become(what)


def _become(what: dict[str, Any]) -> NoReturn:
    os.environ.clear()
    os.environ.update(what["environment"])
    log = os.open(what["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    sys.exit(main(what["start"]))


def _polled(pid: int) -> int | None:
    with contextlib.suppress(ChildProcessError):
        found, status = os.waitpid(pid, os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if found else None
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _serve(socket.socket(fileno=int(sys.argv[1])))
