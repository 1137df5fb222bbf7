"""What is measured, group by group. Targets take turns, so that what else the machine does falls on all.

A group is a coroutine of a Run; it records one value per figure, target and repetition.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from bench import bodies
from bench.bodies import Body, Conversation
from bench.load import Samples, Target, connected, each, for_seconds, p50_ms, p99_ms
from bench.targets import NARROW, Targets, memory_mib
from bench.upstream import Upstream

PACE_S, PACED_EVENTS = 0.02, 50
GROWN_TURNS = 1000
SPANS = {"10": range(50), "500": range(475, 525), "1000": range(950, 1000)}
"""The turns whose medians are shown, by the name of the figure."""


@dataclass
class Run:
    """One run: who is measured, for how long, and what was found."""

    targets: Targets
    upstream: Upstream
    chosen: Sequence[str]
    repetitions: int = 3
    seconds: float = 2.0
    """Of one measurement of a rate."""
    cold: int = 10
    """Conversations that were never seen, per repetition."""
    conversations: int = 10_000
    """Different ones, for the memory."""
    stride: int = 1
    """Of the turns of a growing conversation between those that are looked at, each so manieth is sent."""
    values: dict[str, dict[str, list[float]]] = field(default_factory=lambda: defaultdict(_lists))
    _started: dict[str, Target] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    """One for everything that must differ from all before."""

    async def turns(self, *names: str) -> AsyncIterator[Target]:
        """Yield the targets that were chosen, of these if any are given, in each repetition."""
        for _ in range(self.repetitions):
            for name in names or self.chosen:
                if name in self.chosen:
                    yield await self.target(name)

    async def target(self, name: str) -> Target:
        """Return a target, started and warm."""
        if name not in self._started:
            target = await asyncio.to_thread(self.targets.start, name)
            await each(target, [bodies.small(next(self._numbers))])
            if target.pid and name in self.chosen:
                self.record("memory_first", target, memory_mib(target.pid))
            await for_seconds(target, 16, self.seconds / 2, self.small)
            self._started[name] = target
        return self._started[name]

    def record(self, figure: str, target: Target, value: float) -> None:
        """Note a value."""
        self.values[figure][target.name].append(value)

    def small(self, _: int) -> Iterator[Body]:
        """Yield small requests without end."""
        return map(bodies.small, self._numbers)

    def streamed(self, _: int) -> Iterator[Body]:
        """Yield small requests for streams without end."""
        return map(bodies.streamed, self._numbers)

    def conversation(self) -> Conversation:
        """Return a long conversation that nobody has seen."""
        return Conversation(next(self._numbers))


def _lists() -> dict[str, list[float]]:
    return defaultdict(list)


def narrow(target: Target) -> Target:
    """Return the target told to use the policy with the small window."""
    return replace(target, headers=(*target.headers, ("x-haversack-policy", NARROW)))


async def small(run: Run) -> None:
    """Small requests: how many, and what one takes when it is alone."""
    for connections in (1, 16, 64):
        async for target in run.turns():
            seen = await for_seconds(target, connections, run.seconds, run.small)
            run.record(f"small_{connections}", target, seen.rate)
            if connections == 1:
                run.record("small_p50", target, p50_ms(seen.latencies_s))


async def _pace(run: Run) -> None:
    """Measure the bare pass-through alone: how fast this machine is."""
    async for target in run.turns("bare"):
        seen = await for_seconds(target, 16, run.seconds, run.small)
        run.record("small_16", target, seen.rate)


async def big(run: Run) -> None:
    """Large conversations that go on by a turn with each request, one per connection."""
    known = [run.conversation() for _ in range(16)]

    def going_on(number: int) -> Iterator[Body]:
        while True:
            yield known[number].next()

    for name in run.chosen:
        await each(await run.target(name), [conversation.next() for conversation in known])
    for connections in (1, 16):
        async for target in run.turns():
            seen = await for_seconds(target, connections, run.seconds, going_on)
            run.record(f"big_{connections}", target, seen.rate)
            if connections == 1:
                run.record("big_p50", target, p50_ms(seen.latencies_s))


async def cold(run: Run) -> None:
    """Large conversations of which no message was seen before."""
    async for target in run.turns("direct", "bare", "ours"):
        seen = await each(target, [run.conversation().whole() for _ in range(run.cold)])
        run.record("cold_p50", target, p50_ms(seen.latencies_s))


async def frozen(run: Run) -> None:
    """A large conversation that was compacted before and goes on."""
    conversation = run.conversation()
    if "ours" in run.chosen:
        await each(narrow(await run.target("ours")), [conversation.whole()])
    async for target in run.turns("direct", "bare", "ours"):
        ways = narrow(target) if target.name == "ours" else target
        seen = await each(ways, [conversation.next() for _ in range(10 * run.cold)])
        if seen.actions - {"frozen"}:
            raise RuntimeError(f"not all were replayed: {seen.actions}")
        run.record("frozen_p50", target, p50_ms(seen.latencies_s))


async def compact(run: Run) -> None:
    """Large conversations, never seen, too long for their window; and small requests of others meanwhile."""
    async for target in run.turns("direct", "bare", "ours"):
        ways = narrow(target) if target.name == "ours" else target
        asked = [run.conversation().whole() for _ in range(run.cold)]
        seen = await each(ways, asked)
        if seen.actions - {"compacted"}:
            raise RuntimeError(f"not all were compacted: {seen.actions}")
        run.record("compact_p50", target, p50_ms(seen.latencies_s))
        asked = [run.conversation().whole() for _ in range(run.cold)]
        run.record("others_p99", target, p99_ms(await _others(run, target, each(ways, asked))))


async def _others(run: Run, target: Target, work: Awaitable[Samples]) -> list[float]:
    """Return how long small requests take while the work goes on."""
    samples = Samples()
    async with connected(target, samples) as connection, asyncio.TaskGroup() as group:
        working = group.create_task(_all(work))
        while not working.done():
            await connection.ask(bodies.small(next(run._numbers)))
            await asyncio.sleep(0.001)
    return samples.latencies_s


async def _all(work: Awaitable[Samples]) -> Samples:
    return await work


async def stream(run: Run) -> None:
    """Streams: as fast as they go, the first byte, and how late chunks come that have a pace."""
    upstream, fast = run.upstream, run.upstream.events
    async for target in run.turns():
        seen = await for_seconds(target, 16, run.seconds, run.streamed)
        run.record("stream_16", target, seen.event_rate)
    async for target in run.turns():
        upstream.events = 2
        seen = await for_seconds(target, 1, run.seconds / 2, run.streamed)
        run.record("first_byte", target, p50_ms(seen.first_bytes_s))
        upstream.events, upstream.pace_s = PACED_EVENTS, PACE_S
        seen = await for_seconds(target, 16, run.seconds / 2, run.streamed)
        run.record("lag_p99", target, p99_ms(seen.lags_s))
        upstream.events, upstream.pace_s = fast, 0.0


async def memory(run: Run) -> None:
    """What a gateway takes after very many conversations that it will not see again."""
    if "ours" not in run.chosen:
        return
    fresh = await run.target("ours-for-memory")
    left = iter(range(run.conversations))
    await for_seconds(fresh, 8, 3600, lambda _: (bodies.distinct(next(run._numbers)) for _ in left))
    measured = replace(fresh, name="ours")
    run.record("memory_many", measured, memory_mib(fresh.pid))


async def growth(run: Run) -> None:
    """One conversation, turn by turn, below its window and with checkpoints."""
    if not {"bare", "ours"} <= set(run.chosen):
        return
    bare, ours = await run.target("bare"), await run.target("ours")
    await _grow(run, bare, ours, "")
    await _grow(run, bare, narrow(ours), "frozen_")


async def _grow(run: Run, bare: Target, ours: Target, prefix: str) -> None:
    turns = [turn for turn in range(GROWN_TURNS) if turn % run.stride == 0 or _is_looked_at(turn)]
    by_bare, by_ours = Samples(), Samples()
    async with connected(bare, by_bare) as one, connected(ours, by_ours) as other:
        for turn, body in enumerate(bodies.grown(next(run._numbers), GROWN_TURNS)):
            if turn % run.stride == 0 or _is_looked_at(turn):
                await one.ask(body)
                await other.ask(body)
    over = []
    for name, span in SPANS.items():
        at = [index for index, turn in enumerate(turns) if turn in span]
        least, mine = ([seen.latencies_s[index] for index in at] for seen in (by_bare, by_ours))
        run.record(f"{prefix}turn_{name}", bare, p50_ms(least))
        run.record(f"{prefix}turn_{name}", ours, p50_ms(mine))
        over.append(p50_ms([a - b for a, b in zip(mine, least, strict=True)]))
    run.record(f"{prefix}growth", ours, over[-1] - over[0])


def _is_looked_at(turn: int) -> bool:
    return any(turn in span for span in SPANS.values())


GROUPS: dict[str, Callable[[Run], Awaitable[None]]] = {
    "small": small,
    "big": big,
    "cold": cold,
    "frozen": frozen,
    "compact": compact,
    "stream": stream,
    "growth": growth,
    "memory": memory,
}


async def measure(run: Run, groups: Sequence[str], say: Callable[[str], None]) -> None:
    """Run the groups, in order."""
    if "small" not in groups:
        await _pace(run)
    for name in groups:
        began = time.perf_counter()
        await GROUPS[name](run)
        say(f"{name}: {time.perf_counter() - began:.0f} s")
