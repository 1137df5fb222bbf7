"""Two hundred streams at once, clients that leave at random, and nothing that stays behind.

    python tests/soak.py                five minutes
    python tests/soak.py --seconds 30   the short form

Each client asks for a stream and reads it to its end, or leaves: before the first byte, or in the middle.
Checked: the upstream sees each leaving within a second (median); nobody who stays gets less than a whole
answer; when all is over, requests in flight, tasks and connections are what they were; and the memory of the
last fifth of the time is at most 1.1 times that of the first.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from answers import Answer, Recorded, sse
from running import Running
from upstream import ScriptedUpstream

STREAMS = 200
WARM_UP_S = 8.0
CHUNK_S = 0.1
MAX_CHUNKS = 60
SETTLE_S = 40.0
MAX_CANCEL_S = 1.0
MAX_GROWTH = 1.1
TEXTS = 2000
"""Different conversations: enough that requests differ, few enough that caches are full after the warm-up."""
GAUGES = ("haversack_in_flight", "haversack_tasks", "haversack_upstream_connections")


@dataclass
class Seen:
    """What happened so far."""

    started: int = 0
    whole: int = 0
    left_at: dict[str, float] = field(default_factory=dict)
    """When each client left, by the number of its request."""
    failures: list[str] = field(default_factory=list)
    memory: list[tuple[float, int]] = field(default_factory=list)
    """Resident bytes of the gateway, by time since the start."""


def stream_for(request: Recorded) -> Answer:
    """Return a paced stream; its length follows from the request's number."""
    chance = random.Random(request.header("x-soak"))
    chunks = chance.randrange(1, MAX_CHUNKS)
    event = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "soak"}
    choices = [
        {"index": 0, "delta": {"content": f"{index} "}, "finish_reason": None} for index in range(chunks)
    ]
    events = [f"data: {json.dumps({**event, 'choices': [choice]})}\n\n" for choice in choices]
    return sse([*events, "data: [DONE]\n\n"], delay_s=CHUNK_S, first_s=chance.random())


def request_bytes(number: int) -> bytes:
    """Return a request for a stream."""
    text = f"Conversation {number % TEXTS}: " + "please go on with the next part of it. " * 20
    body = json.dumps(
        {"model": "soak", "stream": True, "messages": [{"role": "user", "content": text}]}
    ).encode()
    head = (
        "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer soak\r\n"
        f"content-type: application/json\r\nx-soak: {number}\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def client(port: int, seen: Seen, until: float, chance: random.Random) -> None:
    """Ask for one stream after the other until the time is over."""
    while time.monotonic() < until:
        seen.started += 1
        number = seen.started
        patience_s = chance.uniform(0, MAX_CHUNKS * CHUNK_S) if chance.random() < 0.6 else None
        try:
            await talk(port, number, seen, patience_s)
        except (OSError, asyncio.IncompleteReadError) as error:
            seen.failures.append(f"request {number}: {error!r}")


async def talk(port: int, number: int, seen: Seen, patience_s: float | None) -> None:
    """Read one stream to its end, or leave when patience is over."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request_bytes(number))
        async with asyncio.timeout(patience_s):
            await read_answer(reader)
        seen.whole += 1
    except TimeoutError:
        seen.left_at[str(number)] = time.monotonic()
    finally:
        writer.transport.abort()


async def read_answer(reader: asyncio.StreamReader) -> None:
    """Read a chunked answer up to its last chunk. Raise OSError if it is no such answer."""
    head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise OSError(head.split(b"\r\n")[0].decode())
    body = b""
    while size := int(await reader.readuntil(b"\r\n"), 16):
        body = (body + await reader.readexactly(size + 2))[-64:]
    if b"[DONE]" not in body:
        raise OSError("the stream ended before its end")


def gauges(gateway: Running) -> dict[str, float]:
    """Return what must come back to where it was."""
    text = gateway.get("/metrics")[1].decode()
    found = dict(re.findall(r"^(haversack_\w+) ([0-9.e+]+)$", text, re.MULTILINE))
    return {name: float(found.get(name, 0)) for name in GAUGES}


def resident_bytes(pid: int) -> int:
    """Return the memory that a process holds."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None
    return int(found.group(1)) * 1024


async def load(gateway: Running, seen: Seen, seconds: float) -> None:
    """Keep all streams busy for so long."""
    chance = random.Random(seconds)
    began = time.monotonic()
    async with asyncio.TaskGroup() as group:
        for _ in range(STREAMS):
            group.create_task(client(gateway.port, seen, began + seconds, random.Random(chance.random())))
        while (passed := time.monotonic() - began) < seconds:
            seen.memory.append((passed, resident_bytes(gateway.pid)))
            await asyncio.sleep(0.5)


def settle(gateway: Running, before: dict[str, float]) -> dict[str, float]:
    """Return the gauges as soon as they are what they were, or when there was time enough."""
    deadline = time.monotonic() + SETTLE_S
    while time.monotonic() < deadline:
        after = gauges(gateway)
        if all(after[name] <= before[name] for name in GAUGES):
            return after
        time.sleep(0.5)
    return gauges(gateway)


def cancel_lags(upstream: ScriptedUpstream, seen: Seen) -> list[float]:
    """Return how long after its client each upstream call ended, for those that had begun by then."""
    lags = []
    for request in upstream.requests:
        left_at = seen.left_at.get(request.header("x-soak") or "")
        if left_at is not None and request.left_at is not None:
            lags.append(max(0.0, request.left_at - left_at))
    return lags


def growth(memory: list[tuple[float, int]], seconds: float) -> tuple[float, float]:
    """Return the median memory of the first and of the last fifth of the time."""
    first = [size for at, size in memory if at <= seconds / 5]
    last = [size for at, size in memory if at >= seconds * 4 / 5]
    return statistics.median(first), statistics.median(last)


def run(seconds: float) -> list[str]:
    """Return what went wrong."""
    with tempfile.TemporaryDirectory() as folder, ScriptedUpstream() as upstream:
        upstream.script = stream_for
        upstream.keep_bytes = 4096
        with Running(upstream.url, Path(folder) / "data", fresh=True) as gateway:
            upstream.wait(lambda: gauges(gateway)["haversack_tasks"])  # gauges are read every few seconds
            before = gauges(gateway)
            asyncio.run(load(gateway, Seen(), WARM_UP_S))
            settle(gateway, before)
            upstream.requests.clear()
            seen = Seen()
            asyncio.run(load(gateway, seen, seconds))
            after = settle(gateway, before)
            return [*seen.failures[:10], *verdict(upstream, seen, seconds, before, after)]


def verdict(
    upstream: ScriptedUpstream, seen: Seen, seconds: float, before: dict[str, float], after: dict[str, float]
) -> list[str]:
    """Print what was measured, and return what of it is not good enough."""
    lags = sorted(cancel_lags(upstream, seen)) or [float("inf")]
    first, last = growth(seen.memory, seconds)
    stuck = [request for request in upstream.requests if not request.done.is_set()]
    median = statistics.median(lags)
    print(
        f"{seen.started} requests on {STREAMS} streams in {seconds:.0f} s: {seen.whole} read to the end, "
        f"{len(seen.left_at)} left\n"
        f"upstream saw them leave after {median * 1000:.0f} ms (median), {lags[-1] * 1000:.0f} ms at most\n"
        f"memory {first / 1e6:.1f} MB in the first fifth, {last / 1e6:.1f} MB in the last\n"
        + "\n".join(f"{name}: {before[name]:.0f} before, {after[name]:.0f} after" for name in GAUGES)
    )
    problems = [f"{name} did not come back" for name in GAUGES if after[name] > before[name]]
    problems += [f"cancelled after {median:.2f} s"] if median > MAX_CANCEL_S else []
    problems += [f"memory grew {last / first:.3f} times"] if last > MAX_GROWTH * first else []
    problems += [f"{len(stuck)} upstream calls never ended"] if stuck else []
    problems += ["nobody stayed"] if not seen.whole else []
    return problems


def main() -> int:
    """Return 0 if everything was given back."""
    parser = argparse.ArgumentParser(description="Load with clients that leave.")
    parser.add_argument("--seconds", type=float, default=300.0)
    problems = run(parser.parse_args().seconds)
    for problem in problems:
        print(f"FAILED: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
