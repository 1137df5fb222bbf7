"""The load: connections that ask one after the other, and what was seen of the answers."""

from __future__ import annotations

import asyncio
import re
import statistics
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, cast

import httptools

from bench.bodies import Body

PATIENCE_S = 60.0
"""How long an answer may take before the measurement is given up."""

Bodies = Callable[[int], Iterator[Body]]
"""Yields what one connection asks, by the number of the connection."""

_WRITTEN_AT = re.compile(rb"@(\d+)@")


@dataclass(frozen=True, slots=True)
class Target:
    """Where requests go."""

    name: str
    port: int
    headers: tuple[tuple[str, str], ...] = ()
    """What this one needs to be told."""
    pid: int = 0
    """Its process; 0 if it is not one of its own."""
    path: str = "/v1/chat/completions"

    def head(self, size_bytes: int) -> bytes:
        """Return the head of a request with a body of that size."""
        lines = [
            f"POST {self.path} HTTP/1.1",
            "host: localhost",
            "authorization: Bearer bench",
            "accept: application/json",
            "accept-encoding: gzip, deflate",
            "user-agent: OpenAI/Python 2.0",
            "content-type: application/json",
            f"content-length: {size_bytes}",
            *(f"{name}: {value}" for name, value in self.headers),
        ]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()


@dataclass(slots=True)
class Samples:
    """What one measurement saw."""

    elapsed_s: float = 0.0
    answers: int = 0
    """Finished while it was measured."""
    lines: int = 0
    """Lines of streams that arrived: two for each event, the second one empty."""
    latencies_s: list[float] = field(default_factory=list)
    first_bytes_s: list[float] = field(default_factory=list)
    """From a request to the first byte of its answer's body."""
    lags_s: list[float] = field(default_factory=list)
    """From writing an event to its arrival."""
    actions: set[str] = field(default_factory=set)
    """What the gateway says it did."""

    @property
    def rate(self) -> float:
        """Answers per second."""
        return self.answers / self.elapsed_s

    @property
    def event_rate(self) -> float:
        """Events per second."""
        return self.lines / 2 / self.elapsed_s


def p50_ms(seconds: Sequence[float]) -> float:
    """Return the median in milliseconds."""
    return 1000 * statistics.median(seconds)


def p99_ms(seconds: Sequence[float]) -> float:
    """Return the 99th percentile in milliseconds.

    >>> p99_ms([0.001] * 99 + [1.0])
    1.0
    """
    ordered = sorted(seconds)
    return 1000 * ordered[max(0, int(len(ordered) * 0.99) - 1)]


class Connection(asyncio.Protocol):
    """One connection of a client; `ask` takes one request at a time."""

    def __init__(self, target: Target, samples: Samples) -> None:
        self._target = target
        self._samples = samples
        self._done: asyncio.Future[None] | None = None
        self._is_bad = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way there."""
        self.transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell whoever waits."""
        if self._done is not None and not self._done.done():
            self._done.set_exception(ConnectionError(f"{self._target.name} hung up"))

    async def ask(self, body: Body) -> None:
        """Send a request and return when its answer is complete. Raise RuntimeError if it is none."""
        self._done = asyncio.get_running_loop().create_future()
        self._parser: Any = httptools.HttpResponseParser(self)
        self._is_first = True
        self._last = b""
        head = self._target.head(sum(map(len, body)))
        self._asked_at = time.perf_counter()
        self.transport.writelines([head, *body])
        await self._done
        self._samples.answers += 1
        self._samples.latencies_s.append(time.perf_counter() - self._asked_at)

    def data_received(self, data: bytes) -> None:
        """Take in a piece of an answer."""
        self._parser.feed_data(data)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Note what was done."""
        if name.lower() == b"x-haversack-action":
            self._samples.actions.add(value.decode())

    def on_body(self, piece: bytes) -> None:
        """Count and time what arrives."""
        samples = self._samples
        if self._is_first:
            self._is_first = False
            samples.first_bytes_s.append(time.perf_counter() - self._asked_at)
        samples.lines += piece.count(b"\n")
        if b"@" in piece:
            now = time.perf_counter_ns()
            samples.lags_s += [(now - int(at)) / 1e9 for at in _WRITTEN_AT.findall(piece)]
        self._last = piece

    def on_message_complete(self) -> None:
        """Wake up who asked."""
        assert self._done is not None
        status = self._parser.get_status_code()
        if self._done.done():
            return
        if status == 200:
            self._done.set_result(None)
        else:
            said = f"{self._target.name} answered {status}: {self._last[-300:]!r}"
            self._done.set_exception(RuntimeError(said))


@asynccontextmanager
async def connected(target: Target, samples: Samples) -> AsyncIterator[Connection]:
    """Open a connection, and close it."""
    loop = asyncio.get_running_loop()
    transport, connection = await loop.create_connection(
        lambda: Connection(target, samples), "127.0.0.1", target.port
    )
    try:
        yield connection
    finally:
        transport.abort()


async def for_seconds(
    target: Target, connections: int, seconds: float, bodies: Bodies, apart_s: float = 0.0
) -> Samples:
    """Ask on so many connections for that long, or until there is nothing more to ask.

    *apart_s*: by how much each begins after the one before.
    """
    samples = Samples()
    began = time.perf_counter()
    async with asyncio.timeout(seconds + PATIENCE_S):
        await _clients(target, connections, began + seconds, bodies, samples, apart_s)
    samples.elapsed_s = time.perf_counter() - began
    return samples


async def cut_after(target: Target, connections: int, seconds: float, bodies: Bodies) -> Samples:
    """Ask on so many connections for that long, and hang up on answers that are not complete by then."""
    samples = Samples()
    began = time.perf_counter()
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await _clients(target, connections, began + seconds, bodies, samples)
    samples.elapsed_s = time.perf_counter() - began
    return samples


async def _clients(
    target: Target, connections: int, end: float, bodies: Bodies, samples: Samples, apart_s: float = 0.0
) -> None:
    async def client(number: int) -> None:
        await asyncio.sleep(number * apart_s)
        async with connected(target, samples) as connection:
            for body in bodies(number):
                await connection.ask(body)
                if time.perf_counter() >= end:
                    break

    async with asyncio.TaskGroup() as group:
        for number in range(connections):
            group.create_task(client(number))


async def each(target: Target, bodies: Sequence[Body]) -> Samples:
    """Ask each of these once, one after the other on one connection."""
    samples = Samples()
    began = time.perf_counter()
    async with asyncio.timeout(PATIENCE_S + len(bodies)), connected(target, samples) as connection:
        for body in bodies:
            await connection.ask(body)
    samples.elapsed_s = time.perf_counter() - began
    return samples
