"""Play a session whose summaries a model writes, through all that the gateway does, ten summaries of it.

The client's list grows in small steps. After each answer a summary may be prepared, beside the requests, and
the next compaction puts it in its place: the gateway's own exchange, compactor, queue and summariser, before
an upstream that answers as `summarisers` says. A round is a compaction with another summary in it, or with a
digest since what was written after the one before did not pass.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import msgspec

from gateway.core.conversation import Count
from gateway.core.frozen import replace
from gateway.core.memo import Memo
from gateway.engine.attempt import Ask
from gateway.engine.background import Background
from gateway.engine.compactor import Compactor
from gateway.engine.counting import Counting
from gateway.engine.exchange import Exchange
from gateway.engine.prepared import Summaries
from gateway.engine.subject import Plan
from gateway.engine.summarizer import Summarizer
from gateway.engine.summary_record import Outcome, Record
from gateway.engine.summary_route import Routes
from gateway.engine.upstream import Upstream
from gateway.policy.schema import Policy
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from quality.playing import Round, seen
from quality.sessions import Session
from quality.summarisers import Summariser
from stores import opened
from wired import URL, Edge, Engine, ask, chat, engine

SUMMARIES = 10
"""So many are played."""

_STEP = 0.06
"""By how much of the window the list grows from request to request."""


def lengths(sendable: Sequence[int], sizes: Sequence[int], step: int) -> Iterator[int]:
    """Yield the lengths at which a list is sent: each is larger by so many tokens, the last is all of it."""
    reached, sent = 0, 0
    ends = set(sendable)
    for length, size in enumerate(sizes, 1):
        reached += size
        if length in ends and (reached - sent >= step or length == len(sizes)):
            sent = reached
            yield length


@dataclass
class _Gateway:
    made: Engine
    tasks: set[asyncio.Task[None]]
    turn_s: float

    async def sent(self, asked: Ask) -> Plan:
        """Send a request, wait for all that is done beside it, and return its plan."""
        exchange = Exchange(self.made.parts, asked)
        got = await exchange.open()
        assert got.status == HTTPStatus.OK
        assert got.plan is not None
        assert [chunk async for chunk in got.chunks]
        await exchange.close()
        while self.tasks:
            await asyncio.gather(*self.tasks)
        # A model that failed is left alone for a while.
        self.made.clock.now += self.turn_s
        return got.plan


@asynccontextmanager
async def _gateway(written: Counter[str], turn_s: float) -> AsyncIterator[_Gateway]:
    tasks: set[asyncio.Task[None]] = set()

    def start(name: str, work: Coroutine[Any, Any, None]) -> None:
        task = group.create_task(work, name=name)
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    def tell(record: Record) -> None:
        written[f"{record.outcome} {record.reason}".strip()] += 1

    async with opened(SqliteStore(MEMORY)) as store, engine(store) as made, asyncio.TaskGroup() as group:
        parts, summaries, counting = made.parts, Summaries(store), Counting(Memo(), made.executor)
        fail = parts.metrics.failed_open.add
        compactor = Compactor(counting, parts.checkpoints, store, parts.windows, fail, made.clock, summaries)
        routes = Routes(lambda url: Upstream("other", url, Edge()), {})
        writer = Summarizer(parts.windows, counting, routes, made.clock, tell)
        background = Background(writer, summaries, counting, start, made.clock, fail)
        made.parts = replace(parts, compactor=compactor, background=background, start=start)
        yield _Gateway(made, tasks, turn_s)
        background.stop()


def _asked(written: Counter[str]) -> int:
    """Return how many were asked for, not counting those for which the model was left alone."""
    return sum(number for how, number in written.items() if not how.startswith(Outcome.SKIPPED))


async def summed(
    session: Session,
    policy: Policy,
    budget: float,
    count: Count,
    summariser: Summariser,
    written: Counter[str],
    summaries: int = SUMMARIES,
) -> AsyncIterator[Round]:
    """Yield a round for each of so many summaries, at a target that is the share *budget* of the session.

    *written* counts how they ended that were asked for.
    """
    sizes = [count(json.dumps(message, ensure_ascii=False)) for message in session.messages]
    target = int(sum(sizes) * budget)
    assert policy.target.ratio is not None
    window = int(target / policy.target.ratio) + 1
    policy = replace(policy, window=window, reserve_output=1)
    number, last, asked_for = 0, "", 0
    async with _gateway(written, summariser.turn_s) as gateway:
        for length in lengths(session.sendable(), sizes, int(window * _STEP)):
            sent = session.messages[:length]
            asked = msgspec.structs.replace(
                ask(Edge(), chat(sent), policy, count=count), upstream=Upstream("openai", URL, summariser)
            )
            before = _asked(written)
            plan = await gateway.sent(asked)
            round = seen(number + 1, length, sent, plan, (target, window), count)
            told = "\n".join(entry.text for entry in round.forwarded.entries if entry.is_summary)
            if round.is_compacted and (told != last or before > asked_for):
                number, last, asked_for = number + 1, told, _asked(written)
                yield round
            if number == summaries:
                return
