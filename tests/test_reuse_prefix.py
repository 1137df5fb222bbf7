"""What a provider's prompt cache makes of `reuse_prefix`: an agent's long session, billed both ways.

The provider reads what it has seen before from its cache, in blocks of 128 tokens. Requests and calls for
summaries go to the same one. One word is one token.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterator
from random import Random
from typing import Any

import httpx

from caching import Meter
from exchanging import answered
from gateway.core.frozen import replace
from gateway.core.memo import Memo
from gateway.core.summary.form import TASK, Form
from gateway.core.summary.prompt import after
from gateway.engine.background import Background
from gateway.engine.compactor import Compactor
from gateway.engine.counting import Counting
from gateway.engine.prepared import Summaries
from gateway.engine.summarizer import Summarizer
from gateway.engine.summary_record import Record
from gateway.engine.summary_route import Routes
from gateway.engine.upstream import Upstream
from gateway.policy.rules import SummarizerRules
from gateway.policy.schema import Policy, Step
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.strategies.digest import Digest
from gateway.strategies.summarize import Summarize
from stores import opened
from wired import Edge, ask, chat, engine

TURNS = 32
SUMMARY = "They go through the files of the shop; the user wants to hear of each what it does."
BEHIND = after(Form()).user[:60]


class Provider(Edge):
    """Bills everybody, and keeps what it billed for summaries apart."""

    def __init__(self) -> None:
        super().__init__()
        self.meter = Meter()
        self.calls: list[tuple[int, int]] = []
        """Of each call for a summary, the tokens of its input, and those that no cache had."""
        self.micro_usd = 0.0
        """Charged for these."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request."""
        body, before = await request.aread(), self.meter.micro_usd
        usage = self.meter.charge(body)
        is_summary = TASK.encode() in body or BEHIND.encode() in body
        if is_summary:
            sent = usage["prompt_tokens"]
            self.calls.append((sent, sent - usage["prompt_tokens_details"]["cached_tokens"]))
            self.micro_usd += self.meter.micro_usd - before
        message = {"role": "assistant", "content": SUMMARY if is_summary else "Done."}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return httpx.Response(200, json={"choices": [choice], "usage": usage})


def session() -> Iterator[bytes]:
    """Yield the requests of an agent that reads a file in each turn: two a turn."""
    chance = Random(7)

    def text(words: int) -> str:
        known = ("order", "file", "shop", "total", "price", "basket", "again", "shows", "and", "the")
        return " ".join(chance.choice(known) for _ in range(words))

    messages: list[dict[str, Any]] = [{"role": "system", "content": text(400)}]
    for turn in range(TURNS):
        messages.append({"role": "user", "content": text(40)})
        yield chat(messages)
        call = {"name": "read_file", "arguments": json.dumps({"name": text(3)})}
        called = {"id": f"c{turn}", "type": "function", "function": call}
        messages.append({"role": "assistant", "content": None, "tool_calls": [called]})
        messages.append({"role": "tool", "tool_call_id": f"c{turn}", "content": text(250)})
        yield chat(messages)
        messages.append({"role": "assistant", "content": text(80)})


def billed(reuse_prefix: bool) -> tuple[Provider, list[Record]]:
    """Return what such a session costs, and what became of its summaries."""
    rules = SummarizerRules(reuse_prefix=reuse_prefix, sections=())
    steps = (Step("summarize", Summarize()), Step("digest", Digest()))
    policy = Policy(name="reusing", window=8_000, steps=steps, summarizer=rules)
    provider, told = Provider(), list[Record]()
    waiting: list[Coroutine[Any, Any, None]] = []

    async def run() -> None:
        async with opened(SqliteStore(MEMORY)) as store, engine(store) as made:
            summaries, counting = Summaries(store), Counting(Memo(), made.executor)
            parts, windows, fail = made.parts, made.parts.windows, made.parts.metrics.failed_open.add
            compactor = Compactor(counting, parts.checkpoints, store, windows, fail, made.clock, summaries)
            routes = Routes(lambda url: Upstream("other", url, provider), {})
            writer = Summarizer(windows, counting, routes, made.clock, told.append)
            background = Background(writer, summaries, counting, start, made.clock, fail)
            made.parts = replace(parts, compactor=compactor, background=background, start=start)
            for body in session():
                assert (await answered(made, ask(provider, body, policy)))[0] == 200
                while waiting:
                    await waiting.pop(0)

    def start(_: str, work: Coroutine[Any, Any, None]) -> None:
        waiting.append(work)

    asyncio.run(run())
    return provider, told


def test_most_of_a_call_for_a_summary_is_read_from_the_cache() -> None:
    """The calls are longer, and what no cache had is a small part of what plain calls bring anew."""
    (plain, told), (reusing, told_again) = billed(False), billed(True)

    assert {(one.outcome, one.reason) for one in told} == {("written", "")}
    assert {(one.outcome, one.reason) for one in told_again} == {("written", "reused")}
    assert len(reusing.calls) == len(plain.calls) > 3
    (sent, new), (sent_again, new_again) = (
        map(sum, zip(*one.calls, strict=True)) for one in (plain, reusing)
    )
    assert sent_again > sent
    assert new_again < 0.25 * new
    cached = sum(usage.cached_tokens or 0 for one in told_again for _, usage in one.usages)
    assert cached == sent_again - new_again
    assert reusing.micro_usd < plain.micro_usd
    # What clients are billed for is the same: the summaries cost their cache nothing.
    assert reusing.meter.micro_usd - reusing.micro_usd <= 1.01 * (plain.meter.micro_usd - plain.micro_usd)
