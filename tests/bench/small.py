"""Small requests at sixteen connections: the gateway against a bare pass-through over the same transport.

    python tests/bench/small.py                 prints requests per second of both, and their ratio
    python tests/bench/small.py --at-least 0.4  fails below that

Both gateways run on the first core, one at a time; the load and the upstream on the second. The two take
turns and the median counts, so that what else the machine does falls on both. No two requests are equal.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import cast

import uvloop

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from running import Running, free_port  # noqa: E402

CONNECTIONS = 16
FIRST, SECOND = sorted(os.sched_getaffinity(0))[0], sorted(os.sched_getaffinity(0))[-1]


class Asker(asyncio.Protocol):
    """One connection that sends the next request as soon as an answer is complete."""

    sent = 0

    def __init__(self) -> None:
        self.answered = 0
        self.wrong: bytes = b""
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first request."""
        self.transport = cast(asyncio.Transport, transport)
        self._ask()

    def data_received(self, data: bytes) -> None:
        """Count a complete answer, and go on."""
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0 or not self._is_complete(end):
            return
        if not self._buffer.startswith(b"HTTP/1.1 200"):
            self.wrong = self._buffer
        self._buffer = b""
        self.answered += 1
        self._ask()

    def _is_complete(self, end: int) -> bool:
        head = self._buffer[:end].lower()
        at = head.find(b"content-length:")
        if at < 0:
            return self._buffer.endswith(b"0\r\n\r\n")
        return len(self._buffer) >= end + 4 + int(head[at + 15 :].split(b"\r\n", 1)[0])

    def _ask(self) -> None:
        Asker.sent += 1
        self.transport.write(REQUEST % Asker.sent)


def request_template() -> bytes:
    """Return a request of one kilobyte with a place for its number, which is always eight digits."""
    text = "Request %08d: " + "where does the order service write its ledger, and who reads it? " * 14
    body = json.dumps({"model": "gpt-4o", "messages": [{"role": "user", "content": text}]}).encode()
    head = (
        b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer bench\r\n"
        b"content-type: application/json\r\ncontent-length: %d\r\n\r\n" % (len(body) - len("%08d") + 8)
    )
    return head + body


REQUEST = request_template()


async def measure(port: int, seconds: float) -> float:
    """Return answers per second."""
    loop = asyncio.get_running_loop()
    askers = [(await loop.create_connection(Asker, "127.0.0.1", port))[1] for _ in range(CONNECTIONS)]
    began, before = time.perf_counter(), sum(asker.answered for asker in askers)
    await asyncio.sleep(seconds)
    rate = (sum(asker.answered for asker in askers) - before) / (time.perf_counter() - began)
    for asker in askers:
        asker.transport.abort()
        if asker.wrong:
            raise RuntimeError(f"not an answer: {asker.wrong[:400]!r}")
    return rate


def pinned(command: list[str], core: int, stack: ExitStack) -> None:
    """Start a process on one core, to be ended with the stack."""
    process = subprocess.Popen([sys.executable, *command])
    os.sched_setaffinity(process.pid, {core})
    stack.callback(process.wait)
    stack.callback(process.kill)


def main() -> int:
    """Return 0 if the ratio is what was asked for."""
    parser = argparse.ArgumentParser(description="Compare with a bare pass-through.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of one measurement")
    parser.add_argument("--at-least", type=float, default=0.0, help="fail below this ratio")
    options = parser.parse_args()
    upstream, bare = free_port(), free_port()
    rates: dict[str, list[float]] = {"bare": [], "gateway": []}
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        pinned([str(HERE / "quick.py"), str(upstream)], SECOND, stack)
        pinned([str(HERE / "bare.py"), str(bare), f"http://127.0.0.1:{upstream}"], FIRST, stack)
        gateway = stack.enter_context(Running(f"http://127.0.0.1:{upstream}/v1", Path(folder) / "data"))
        os.sched_setaffinity(gateway.pid, {FIRST})
        os.sched_setaffinity(0, {SECOND})
        ports = {"bare": bare, "gateway": gateway.port}
        for round_number in range(-1, options.rounds):
            for name, port in ports.items():
                rate = uvloop.run(measure(port, options.seconds))
                if round_number >= 0:  # the round before the first warms up
                    rates[name].append(rate)
    medians = {name: statistics.median(found) for name, found in rates.items()}
    ratio = medians["gateway"] / medians["bare"]
    for name, found in rates.items():
        print(f"{name:8} {medians[name]:7.0f} req/s   {' '.join(f'{rate:.0f}' for rate in found)}")
    print(f"ratio    {ratio:7.2f}")
    return 0 if ratio >= options.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
