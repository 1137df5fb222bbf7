"""What is measured, group by group. Targets take turns, so that what else the machine does falls on all.

A group is a coroutine of a Run; it records one value per figure, target and repetition.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from bench import bodies
from bench.bodies import Body, Conversation
from bench.dialects import CHAT, Dialect
from bench.load import Bodies, Samples, Target, connected, cut_after, each, for_seconds, p50_ms, p99_ms
from bench.targets import DIGESTS, NARROW, RIVALS, SUMMARIES, TIGHT, USUAL, Targets, cpu_s, memory_mib
from bench.upstream import Upstream
from gateway.core.frozen import replace

PACE_S, PACED_EVENTS = 0.02, 50
MANY, SOME = 10_000, 1000
PATIENCE_MEMORY_S = 1800.0
GROWN_TURNS = 1000
SPANS = {"10": range(50), "500": range(475, 525), "1000": range(950, 1000)}
"""The turns whose medians are shown, by the name of the figure."""


@dataclass
class Run:
    """One run: who is measured, for how long, and what was found."""

    targets: Targets
    upstream: Upstream
    chosen: list[str]
    dialect: Dialect = CHAT
    repetitions: int = 3
    seconds: float = 2.0
    """Of one measurement of a rate."""
    cold: int = 10
    """Conversations that were never seen, per repetition."""
    conversations: int = MANY
    """Different ones, for the memory."""
    stride: int = 1
    """Of the turns of a growing conversation between those that are looked at, each so manieth is sent."""
    values: dict[str, dict[str, list[float]]] = field(default_factory=lambda: defaultdict(_lists))
    _started: dict[str, Target] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    """One for everything that must differ from all before."""

    async def prepare(self, say: Callable[[str], None]) -> None:
        """Start everything that was chosen. A rival that does not work is left out, and it is said why."""
        for name in list(self.chosen):
            try:
                await self._start(name)
            except (RuntimeError, OSError) as error:
                if name not in RIVALS:
                    raise
                self.chosen.remove(name)
                say(f"{name} is left out: {error}")

    def turns(self, *names: str) -> Iterator[Target]:
        """Yield the targets that were chosen, of these if any are given, in each repetition."""
        for _ in range(self.repetitions):
            for name in names or self.chosen:
                if name in self.chosen:
                    yield self._started[name]

    def target(self, name: str) -> Target:
        """Return a target."""
        return self._started[name]

    async def _start(self, name: str) -> None:
        target = self._started[name] = await self.start(name)
        if target.pid:
            self.record("memory_first", target, memory_mib(target.pid))
        await each(target, [bodies.streamed(next(self._numbers), self.dialect)])
        await for_seconds(target, 16, self.seconds / 2, self.small)

    async def start(self, name: str) -> Target:
        """Return a new target that has answered one request."""
        target = await asyncio.to_thread(self.targets.start, name)
        await each(target, [bodies.small(next(self._numbers), self.dialect)])
        return target

    def record(self, figure: str, target: Target, value: float) -> None:
        """Note a value."""
        self.values[figure][target.name].append(value)

    def small(self, _: int) -> Iterator[Body]:
        """Yield small requests without end."""
        return (bodies.small(number, self.dialect) for number in self._numbers)

    def streamed(self, _: int) -> Iterator[Body]:
        """Yield small requests for streams without end."""
        return (bodies.streamed(number, self.dialect) for number in self._numbers)

    def distinct(self) -> Body:
        """Return a conversation of 100 KB that nobody has seen."""
        return bodies.distinct(next(self._numbers), self.dialect)

    def grown(self, turns: int) -> list[Body]:
        """Return a conversation that nobody has seen, turn by turn."""
        return list(bodies.grown(next(self._numbers), turns, self.dialect))

    def conversation(self) -> Conversation:
        """Return a long conversation that nobody has seen."""
        return Conversation(next(self._numbers), self.dialect)


def _lists() -> dict[str, list[float]]:
    return defaultdict(list)


def narrow(target: Target, policy: str = NARROW) -> Target:
    """Return the target told to use a policy with a small window."""
    return replace(target, headers=(*target.headers, ("x-haversack-policy", policy)))


async def small(run: Run) -> None:
    """Small requests: how many, what one takes when it is alone, and what it costs."""
    for connections in (1, 16, 64):
        await _rates(run, "small", connections, run.small)


async def _pace(run: Run) -> None:
    """Measure the pass-throughs alone: how fast this machine is."""
    await _rates(run, "small", 16, run.small, "readymade", "bare")


async def _rates(run: Run, kind: str, connections: int, asked: Bodies, *names: str) -> None:
    for target in run.turns(*names):
        spent_s = cpu_s(target.pid)
        seen = await for_seconds(target, connections, run.seconds, asked)
        run.record(f"{kind}_{connections}", target, seen.rate)
        if connections == 1:
            run.record(f"{kind}_p50", target, p50_ms(seen.latencies_s))
        elif connections == 16 and target.pid:
            run.record(f"{kind}_cpu", target, 1e6 * (cpu_s(target.pid) - spent_s) / seen.answers)


async def big(run: Run) -> None:
    """Large conversations that go on by a turn with each request, one per connection."""
    known = [run.conversation() for _ in range(16)]

    def going_on(number: int) -> Iterator[Body]:
        while True:
            yield known[number].next()

    for name in run.chosen:
        await each(run.target(name), [conversation.next() for conversation in known])
    for connections in (1, 16):
        await _rates(run, "big", connections, going_on)


async def cold(run: Run) -> None:
    """Large conversations of which no message was seen before."""
    for target in run.turns("direct", "bare", "ours"):
        await _one_by_one(run, "cold", target, [run.conversation().whole() for _ in range(run.cold)])


async def frozen(run: Run) -> None:
    """A large conversation that was compacted before and goes on."""
    conversation = run.conversation()
    if "ours" in run.chosen:
        await each(narrow(run.target("ours")), [conversation.whole()])
    for target in run.turns("direct", "bare", "ours"):
        asked = [conversation.next() for _ in range(10 * run.cold)]
        await _one_by_one(run, "frozen", narrow(target), asked, "frozen")


async def compact(run: Run) -> None:
    """Large conversations, never seen, too long for their window; small requests of others meanwhile."""
    for kind, policy in (("compact", USUAL), ("narrow", NARROW), ("digest", TIGHT)):
        for target in run.turns("direct", "bare", "ours"):
            told, asked = narrow(target, policy), [run.conversation().whole() for _ in range(2 * run.cold)]
            await _one_by_one(run, kind, told, asked[: run.cold], "compacted")
            run.record(f"{kind}_others", target, p99_ms(await _others(run, target, told, asked[run.cold :])))


async def _one_by_one(run: Run, kind: str, target: Target, asked: list[Body], action: str = "") -> None:
    """Record how long each takes, and its CPU. Raise RuntimeError if our gateway did anything else."""
    spent_s = cpu_s(target.pid)
    seen = await each(target, asked)
    if action and seen.actions - {action}:
        raise RuntimeError(f"{target.name} should have {action} all, and did {seen.actions}")
    run.record(f"{kind}_p50", target, p50_ms(seen.latencies_s))
    if target.pid:
        run.record(f"{kind}_cpu", target, 1e6 * (cpu_s(target.pid) - spent_s) / seen.answers)


async def _others(run: Run, target: Target, told: Target, large: list[Body]) -> list[float]:
    """Return how long small requests take while large ones are compacted."""
    samples, asked = Samples(), run.small(0)
    async with connected(target, samples) as connection, asyncio.TaskGroup() as group:
        working = group.create_task(each(told, large))
        while not working.done():
            await connection.ask(next(asked))
            await asyncio.sleep(0.001)
    return samples.latencies_s


async def stream(run: Run) -> None:
    """Streams: as fast as they go, the first byte, and how late chunks come that have a pace."""
    upstream, fast = run.upstream, run.upstream.events
    for target in run.turns():
        seen = await cut_after(target, 16, 2 * run.seconds, run.streamed)
        run.record("stream_16", target, seen.event_rate)
    for target in run.turns():
        upstream.events = 2
        seen = await for_seconds(target, 1, run.seconds / 2, run.streamed)
        run.record("first_byte", target, p50_ms(seen.first_bytes_s))
        upstream.events, upstream.pace_s = PACED_EVENTS, PACE_S
        # Begun at once they would keep step, and each first chunk would wait for sixteen requests to be read.
        seen = await for_seconds(target, 16, run.seconds / 2, run.streamed, PACE_S * PACED_EVENTS / 16)
        run.record("lag_p99", target, p99_ms(seen.lags_s))
        upstream.events, upstream.pace_s = fast, 0.0


async def memory(run: Run) -> None:
    """What a gateway takes after very many conversations that it will not see again."""
    if "ours" not in run.chosen:
        return
    fresh = await run.start("ours-for-memory")
    left = iter(range(run.conversations))
    await for_seconds(fresh, 8, PATIENCE_MEMORY_S, lambda _: (run.distinct() for _ in left))
    figure = "memory_many" if run.conversations >= MANY else "memory_some"
    run.record(figure, run.target("ours"), memory_mib(fresh.pid))


async def growth(run: Run) -> None:
    """One conversation, turn by turn, below its window and with checkpoints."""
    if not {"bare", "ours"} <= set(run.chosen):
        return
    bare, ours = run.target("bare"), run.target("ours")
    await _grow(run, 1, bare, ours, "")
    await _grow(run, 2, bare, narrow(ours), "frozen_")


async def _grow(run: Run, number: int, bare: Target, ours: Target, prefix: str) -> None:
    turns = [turn for turn in range(GROWN_TURNS) if turn % run.stride == 0 or _is_looked_at(turn)]
    by_bare, by_ours = Samples(), Samples()
    async with connected(bare, by_bare) as one, connected(ours, by_ours) as other:
        for turn, body in enumerate(bodies.grown(number, GROWN_TURNS, run.dialect)):
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


async def summary(run: Run) -> None:
    """Conversations that are compacted again and again: by digests alone, and while a summary is written."""
    for target in run.turns("ours"):
        for policy in (DIGESTS, SUMMARIES):
            before = run.upstream.summaries
            seen = await each(narrow(target, policy), run.grown(300))
            if (run.upstream.summaries > before) is not (policy == SUMMARIES):
                raise RuntimeError(f"{policy}: summaries were asked for, or should have been")
            for name, look in (("p50", p50_ms), ("p99", p99_ms)):
                run.record(f"{policy}_{name}", target, look(seen.latencies_s))


GROUPS: dict[str, Callable[[Run], Awaitable[None]]] = {
    "small": small,
    "big": big,
    "cold": cold,
    "frozen": frozen,
    "compact": compact,
    "stream": stream,
    "growth": growth,
    "summary": summary,
    "memory": memory,
}


async def measure(run: Run, groups: Sequence[str], say: Callable[[str], None]) -> None:
    """Run the groups, in order."""
    await run.prepare(say)
    if "small" not in groups:
        await _pace(run)
    for name in groups:
        began = time.perf_counter()
        await GROUPS[name](run)
        say(f"{name}: {time.perf_counter() - began:.0f} s")
