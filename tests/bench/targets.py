"""Who is measured: each a process of its own on the first core; the load and the upstream have the last one.

`direct` is the upstream itself. `bare` is a raw ASGI app over our own transport, the least that a gateway in
Python does; `readymade` is one over the transport that the bars were set beside. That and the rivals are
there if `make bench-rivals` installed them; no keys, no network.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.load import Target
from running import Running, free_port

HERE = Path(__file__).parent
_RIVALS = HERE.parent.parent / "build" / "rivals"
_LITELLM = _RIVALS / "litellm" / "bin" / "litellm"
_PORTKEY = _RIVALS / "portkey" / "node_modules" / "@portkey-ai" / "gateway" / "build" / "start-server.js"

_READYMADE = _RIVALS / "readymade" / "bin" / "python"

RIVALS = {"readymade": _READYMADE, "litellm": _LITELLM, "portkey": _PORTKEY}

CORES = sorted(os.sched_getaffinity(0))
STARTUP_S = 180.0

USUAL, NARROW, TIGHT = "usual", "narrow", "tight"
"""Policies with a window that the large conversation does not fit: two for which it is enough to cut what
tools said, and one in which what is old has to become a digest."""

DIGESTS, SUMMARIES = "digests", "summaries"
"""Policies with a window so small that a conversation outgrows it again and again."""

_POLICIES = {
    "default.yaml": (HERE.parent.parent / "policies" / "default.yaml").read_text(),
    f"{USUAL}.yaml": "extends: default\nwindow: 128000\n",
    f"{NARROW}.yaml": "extends: default\nwindow: 65536\n",
    f"{TIGHT}.yaml": "extends: default\nwindow: 32768\n",
    f"{DIGESTS}.yaml": "extends: default\nwindow: 16384\nsteps: [{use: digest}]\n",
    f"{SUMMARIES}.yaml": "extends: default\nwindow: 16384\nsteps: [{use: summarize}, {use: digest}]\n",
}

_LITELLM_CONFIG = """\
model_list:
  - model_name: gpt-4.1
    litellm_params: {{model: openai/gpt-4.1, api_base: "http://127.0.0.1:{port}/v1", api_key: bench}}
litellm_settings: {{telemetry: false, num_retries: 0}}
"""


@contextmanager
def on_first_core() -> Iterator[None]:
    """Let what is started meanwhile run on the first core, with all its threads, and return to the last."""
    os.sched_setaffinity(0, {CORES[0]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, {CORES[-1]})


class Targets:
    """Starts what is measured. Everything that was started ends with the stack."""

    def __init__(self, stack: ExitStack, folder: Path, upstream_port: int, path: str) -> None:
        self._stack = stack
        self._folder = folder
        self._port = upstream_port
        self._path = path

    def start(self, name: str) -> Target:
        """Return a target once it answers."""
        with on_first_core():
            match name:
                case "direct":
                    return Target(name, self._port, path=self._path)
                case "bare":
                    return self._bare()
                case "readymade":
                    return self._readymade()
                case "litellm":
                    return self._litellm()
                case "portkey":
                    return self._portkey()
                case _:
                    return self._ours(name)

    def _ours(self, name: str) -> Target:
        policies = self._folder / "policies"
        policies.mkdir(exist_ok=True)
        for file, text in _POLICIES.items():
            (policies / file).write_text(text)
        origin = f"http://127.0.0.1:{self._port}"
        flags = ("--anthropic-upstream", origin, "--policies", str(policies))
        gateway = Running(f"{origin}/v1", self._folder / name, *flags, fresh=True)
        self._stack.enter_context(gateway)
        return Target(name, gateway.port, pid=gateway.pid, path=self._path)

    def _bare(self) -> Target:
        port = free_port()
        command = [sys.executable, str(HERE / "bare.py"), str(port), f"http://127.0.0.1:{self._port}"]
        return Target("bare", port, pid=self._spawn(command, port), path=self._path)

    def _readymade(self) -> Target:
        port = free_port()
        program, upstream = str(HERE / "bare.py"), f"http://127.0.0.1:{self._port}"
        command = [str(_READYMADE), program, str(port), upstream, "readymade"]
        return Target("readymade", port, pid=self._spawn(command, port), path=self._path)

    def _litellm(self) -> Target:
        port = free_port()
        config = self._folder / "litellm.yaml"
        config.write_text(_LITELLM_CONFIG.format(port=self._port))
        # It would look for prices on the network, read .env files, and not start without a key.
        offline = {
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "LITELLM_MODE": "PRODUCTION",
            "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true",
        }
        command = [str(_LITELLM), "--config", str(config), "--port", str(port)]
        return Target("litellm", port, pid=self._spawn(command, port, offline))

    def _portkey(self) -> Target:
        port = free_port()
        headers = (
            ("x-portkey-provider", "openai"),
            ("x-portkey-custom-host", f"http://127.0.0.1:{self._port}/v1"),
        )
        command = ["node", str(_PORTKEY), f"--port={port}", "--headless"]
        return Target("portkey", port, headers, self._spawn(command, port))

    def _spawn(self, command: list[str], port: int, environment: dict[str, str] | None = None) -> int:
        log = self._stack.enter_context((self._folder / f"{port}.log").open("wb"))
        process = subprocess.Popen(
            command, stdout=log, stderr=log, cwd=self._folder, env={**os.environ, **(environment or {})}
        )
        self._stack.callback(_end, process)
        deadline = time.monotonic() + STARTUP_S
        while not _listens(port):
            if process.poll() is not None or time.monotonic() > deadline:
                said = (self._folder / f"{port}.log").read_text(errors="replace")[-2000:]
                raise RuntimeError(f"{command[0]} does not start:\n{said}")
            time.sleep(0.1)
        return process.pid


def installed() -> list[str]:
    """Return the rivals that are there."""
    return [name for name, path in RIVALS.items() if path.exists()]


def memory_mib(pid: int) -> float:
    """Return the resident memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024


def cpu_s(pid: int) -> float:
    """Return the CPU time that a process has used so far, all its threads; 0 for no process."""
    if not pid:
        return 0.0
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
