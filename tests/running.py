"""The gateway as its users run it: a process of its own, on a real socket.

    with Running(upstream.url, tmp_path) as gateway:
        client = OpenAI(base_url=gateway.url, api_key="k")

`kill()` is kill -9; `start()` after it is the restart, on the same port and data directory. The first start
forks a process that has the gateway imported (`forking.py`), which takes a tenth of the time; a restart is a
fresh interpreter, and so is the first start with *fresh*. The environment holds no `HAVERSACK_*` but what is
given, so a developer's own settings do not leak into tests.
"""

from __future__ import annotations

import atexit
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

from forking import Forked, Forking


def free_port() -> int:
    """Return a port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@cache
def _forking() -> Forking:
    """Return what gateways of this process are forked from."""
    forking = Forking()
    atexit.register(forking.__exit__, None, None, None)
    return forking


class Running:
    """One gateway process. *flags* go to `haversack serve`, *environment* comes on top of ours."""

    def __init__(
        self,
        upstream_url: str,
        data_dir: Path,
        *flags: str,
        environment: dict[str, str] | None = None,
        fresh: bool = False,
    ) -> None:
        self.port = free_port()
        self.data_dir = data_dir
        self._log = data_dir.parent / f"{data_dir.name}.log"
        self._arguments = ["serve", "--port", str(self.port)]
        self._arguments += ["--upstream", upstream_url, "--data-dir", str(data_dir), *flags]
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("HAVERSACK_")}
        self._environment = {**inherited, **(environment or {})}
        self._is_fresh = fresh
        self._process: subprocess.Popen[bytes] | Forked | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The base URL for a client of OpenAI's."""
        return f"{self.origin}/v1"

    @property
    def pid(self) -> int:
        """The process id, while it runs."""
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """Everything it has printed so far."""
        return self._log.read_text(errors="replace")

    def start(self) -> None:
        """Start the process, and return when it answers."""
        process = self._process = self._fresh() if self._is_fresh else self._forked()
        self._is_fresh = True
        deadline = time.monotonic() + 30
        while not self.answers():
            assert process.poll() is None, f"the gateway ended at its start:\n{self.log}"
            assert time.monotonic() < deadline, f"the gateway does not answer:\n{self.log}"
            time.sleep(0.02)

    def _fresh(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "gateway", *self._arguments]
        with self._log.open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=self._environment)

    def _forked(self) -> Forked:
        return _forking().start(self._arguments, self._environment, self._log)

    def answers(self) -> bool:
        """Return whether it says that it is alive."""
        return self.get("/healthz")[0] == 200

    def get(self, path: str) -> tuple[int, bytes]:
        """Return status and body of a page of the gateway's own; status 0 if there is no answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read()
        except OSError:
            return 0, b""
        finally:
            connection.close()

    def stop(self) -> int:
        """Ask it to end, as an init system does, and return its exit code."""
        return self._end(signal.SIGTERM)

    def kill(self) -> int:
        """End it without warning."""
        return self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> int:
        if self._process is None:
            return 0
        process, self._process = self._process, None
        process.send_signal(how)
        try:
            return process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
