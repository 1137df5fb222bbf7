"""A client in a conversation that grows, before a gateway whose upstream writes summaries, in the process.

Rules, limits, values, preferences, a goal and a task are planted in its first turns. The compactor, the queue
and the summariser are real. One word is one token.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
import msgspec

from engine.summarising import HEADERS, TARGETS, Scripted, Step
from exchanging import answered
from gateway.core.frozen import replace
from gateway.core.memo import Memo
from gateway.core.summary.form import TASK
from gateway.engine.background import Background
from gateway.engine.compactor import Compactor
from gateway.engine.counting import Counting
from gateway.engine.lineage import Place
from gateway.engine.prepared import Summaries
from gateway.engine.summarizer import Summarizer
from gateway.engine.summary_record import Record
from gateway.engine.summary_route import Routes
from gateway.engine.upstream import Upstream
from gateway.policy.rules import SummarizerRules
from gateway.policy.schema import Policy
from gateway.policy.schema import Step as PolicyStep
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.strategies.digest import Digest
from gateway.strategies.summarize import Summarize
from gateway.strategies.tool_results import ToolResults
from gateway.wire import WIRE_FORMATS
from rescue_requests import in_format
from stores import opened
from wired import URL, Edge, Engine, ask, engine, failed, words

Mode = Literal["background", "next", "inline"]

MODES: tuple[Mode, ...] = ("background", "next", "inline")
BUDGET = 1600
TIMEOUT_S = 20

PLANTED = (
    "Never touch legacy/old.py.",
    "At most 40 rows per page.",
    "Always run tests/test_export.py before a commit.",
    "The staging host is db7.internal:5433.",
    "I prefer tables over lists.",
    "The goal is to ship the exporter as version 2.4.1.",
    "Still to do: the migration of orders_v2.",
)

GOOD = """\
## Goal
- Ship the exporter as version 2.4.1; its source is src/export.py.
## Constraints
- Never touch legacy/old.py. At most 40 rows per page. Run tests/test_export.py before a commit.
## Progress
- Done: src/export.py was read, it streams its pages. In progress: the paging. Blocked: nothing.
## Key Decisions
- Keep the function write_page.
## Next Steps
- The migration of orders_v2.
## Critical Context
- The staging host is db7.internal:5433; the user prefers tables over lists."""


Steps = tuple[PolicyStep, ...]
HEAVY: Steps = (PolicyStep("summarize", Summarize()), PolicyStep("digest", Digest()))
STEPS: Steps = (PolicyStep("tool_results", ToolResults(max_tokens=40)), *HEAVY)


@dataclass(frozen=True)
class Way:
    """How a summariser behaves."""

    answers: tuple[Step, ...]
    """The last one for all calls that follow."""
    sign: str = ""
    """What only it says, so that it can be looked for in what goes out."""
    is_used: bool = False
    seconds: float = 0.0
    """How long it takes."""


class Vendor(httpx.AsyncBaseTransport):
    """An upstream that answers clients at once, and the summariser as a test says."""

    def __init__(self, way: Way) -> None:
        self.clients = Scripted("All right.")
        self.summariser = Scripted(*way.answers)
        self._seconds = way.seconds

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a call."""
        if TASK.encode() not in await request.aread():
            return await self.clients.handle_async_request(request)
        await asyncio.sleep(self._seconds)
        return await self.summariser.handle_async_request(request)


def conversation(turns: int) -> list[dict[str, Any]]:
    """Return a list of so many turns, each with a call; the last one is not answered."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "You are an engineer."}]
    for turn in range(turns):
        planted = " ".join(PLANTED[3 * turn : 3 * turn + 3])
        messages.append({"role": "user", "content": f"Now look at page {turn}. {planted} {'go on ' * 12}"})
        result = f"src/export.py: write_page {turn} " + "row " * 60
        call = {"name": "read_file", "arguments": json.dumps({"path": "src/export.py"})}
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [_call(turn, call)]},
            {"role": "tool", "tool_call_id": f"c{turn}", "content": result},
            {"role": "assistant", "content": f"Page {turn} streams. " + "and so on " * 10},
        ]
    return messages[:-3]


def _call(number: int, function: dict[str, Any]) -> dict[str, Any]:
    return {"id": f"c{number}", "type": "function", "function": function}


@dataclass
class Talk:
    """A client in a conversation that grows, before a gateway."""

    made: Engine
    vendor: Vendor
    wire: str
    policy: Policy
    budget: int
    tasks: set[asyncio.Task[None]]
    """What is done beside the requests."""
    told: list[str] = field(default_factory=list)
    """All that the upstream was told, by request."""

    async def send(self, turns: int) -> None:
        """Send the list with so many turns; it is answered, and fits."""
        await self.say(conversation(turns))

    async def say(self, messages: list[dict[str, Any]]) -> None:
        """Send a list; it is answered, and fits."""
        chat = {"model": "m", "messages": messages, "tools": []}
        body = json.dumps(in_format(self.wire, chat)).encode()
        form = WIRE_FORMATS[self.wire]
        asked = msgspec.structs.replace(
            ask(Edge(), body, self.policy, HEADERS[:1], wire=form),
            place=Place("scope", form.name, self.policy.name),
            target=TARGETS[self.wire],
            upstream=Upstream("openai", URL, self.vendor),
        )
        status, *_ = await answered(self.made, asked)

        assert status == 200
        went = form.read(self.vendor.clients.calls[-1].seen.body)
        assert sum(form.message(raw, words).tokens for raw in went.messages) <= self.budget
        self.told.append("\n".join(_strings(json.loads(went.body))))

    async def settled(self) -> None:
        """Wait until nothing is done any more beside the requests."""
        while self.tasks:
            await asyncio.gather(*self.tasks)


def _strings(value: Any) -> Iterator[str]:
    """Yield every text in a JSON value."""
    match value:
        case str():
            yield value
        case dict():
            for inner in value.values():
                yield from _strings(inner)
        case list():
            for inner in value:
                yield from _strings(inner)


@asynccontextmanager
async def talking(
    way: Way, mode: Mode, wire: str, budget: int = BUDGET, steps: Steps = STEPS
) -> AsyncIterator[Talk]:
    """Put a gateway together whose upstream's summariser behaves like that, and a client before it."""
    tasks: set[asyncio.Task[None]] = set()

    def start(name: str, work: Coroutine[Any, Any, None]) -> None:
        task = group.create_task(work, name=name)
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    rules = SummarizerRules(mode=mode, timeout_s=TIMEOUT_S, retries=0)
    policy = Policy(name="weak", window=budget + 400, reserve_output=400, steps=steps, summarizer=rules)
    async with opened(SqliteStore(MEMORY)) as store, engine(store) as made, asyncio.TaskGroup() as group:
        parts, summaries, counting = made.parts, Summaries(store), Counting(Memo(), made.executor)
        fail, told = parts.metrics.failed_open.add, list[Record]()
        compactor = Compactor(counting, parts.checkpoints, store, parts.windows, fail, made.clock, summaries)
        routes = Routes(
            lambda url: Upstream("other", url, httpx.MockTransport(lambda _: failed(500, ""))), {}
        )
        writer = Summarizer(parts.windows, counting, routes, made.clock, told.append)
        background = Background(writer, summaries, counting, start, made.clock, fail)
        made.parts = replace(parts, compactor=compactor, background=background, start=start)
        yield Talk(made, Vendor(way), wire, policy, budget, tasks)
        background.stop()
