"""Who waits for a stream is told to wait, as long as it takes and no longer than anybody listens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import httpx
import pytest

from engine.summing import OVER, POLICY, Scripted, run, started
from gateway.core.frozen import replace
from gateway.engine.attempt import Answer
from gateway.engine.exchange import Exchange
from gateway.engine.heartbeat import COMMENT, Awaited, interval_s
from gateway.policy.rules import SummarizerRules
from listening import DONE, ERROR, ROLE, TEXT
from wired import Edge, Engine, Feed, answer, ask, chat, failed, message, stream, turns

WAITING = replace(POLICY, summarizer=SummarizerRules(mode="inline", heartbeat_s=0.1))
BODY = chat([message("system", 10, "rules"), *turns(7)], stream=True)


@pytest.mark.parametrize(
    ("rules", "body", "seconds"),
    [
        (SummarizerRules(mode="inline", heartbeat_s=5.0), BODY, 5.0),
        (SummarizerRules(mode="inline"), BODY, 0.0),
        (SummarizerRules(mode="background", heartbeat_s=5.0), BODY, 0.0),
        (SummarizerRules(mode="inline", heartbeat_s=5.0), OVER, 0.0),
    ],
)
def test_only_who_waits_for_a_stream_is_told(rules: SummarizerRules, body: bytes, seconds: float) -> None:
    """Nobody waits in the background, and without a stream there is nothing that could say so."""
    assert interval_s(ask(Edge(), body, replace(POLICY, summarizer=rules))) == seconds


def test_comments_end_with_the_work() -> None:
    """The first one comes at once, and the result is what came of the work."""

    async def check() -> None:
        go = asyncio.Event()

        async def work() -> str:
            await go.wait()
            return "done"

        waiting = Awaited(work(), 0.01)
        assert not await waiting.is_done()
        told = []
        async for comment in waiting.comments():
            told.append(comment)
            if len(told) == 3:
                go.set()
        assert told[:3] == [COMMENT] * 3
        assert waiting.result() == "done"
        await waiting.end()

    asyncio.run(check())


def test_work_that_nobody_waits_for_is_ended() -> None:
    """Whether it still runs or has failed, nothing is left of it."""

    async def check() -> None:
        async def fail() -> None:
            raise ValueError

        hanging, failing = Awaited(asyncio.Event().wait(), 60.0), Awaited(fail(), 60.0)
        assert await failing.is_done()
        await failing.end()
        await hanging.end()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(check())


async def told(made: Engine, writer: Scripted, exchange: Exchange) -> AsyncIterator[bytes]:
    """Yield what a client is told that waits for a summary; it is written once the first comment is out."""
    tasks = []
    async with asyncio.timeout(20):
        opening = writer.group.create_task(exchange.open())
        while not writer.jobs:
            await asyncio.sleep(0)
            tasks += started(made, writer)
        got: Answer = await opening
        assert (got.status, got.plan) == (200, None)
        async for chunk in got.chunks:
            writer.go.set()
            yield chunk
        await asyncio.gather(*tasks)


def heard(edge: Edge) -> bytes:
    """Return all that a client hears behind the comments, of an upstream that answers so."""
    found: list[bytes] = []

    async def check(made: Engine) -> None:
        exchange = Exchange(made.parts, ask(edge, BODY, WAITING))
        found.extend([chunk async for chunk in told(made, writer, exchange)])
        await exchange.close()
        found.append(exchange.account.plan.action.encode() if exchange.account.plan else b"")

    writer = Scripted(is_slow=True)
    run(check, writer)
    assert found[0] == COMMENT
    return b"".join(found).replace(COMMENT, b"")


def test_answer_follows_the_comments() -> None:
    """It is the upstream's, byte for byte, to a request with the summary."""
    edge = Edge(stream(Feed(ROLE, TEXT, DONE)))

    assert heard(edge) == ROLE + TEXT + DONE + b"compacted"
    assert b"Build the parser." in edge.bodies[0]
    assert edge.seen[0].header(b"accept-encoding") in (None, b"identity")


def test_refusal_is_still_rescued() -> None:
    """No data was released, so a smaller form may take the place of what was refused."""
    edge = Edge(stream(Feed(ROLE, ERROR)), stream(Feed(ROLE, TEXT, DONE)))

    assert heard(edge) == ROLE + TEXT + DONE + b"rescued"


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ([failed(429, "Slow down.")], "Slow down."),
        ([failed(400, "Not so."), failed(400, "Never.")], "Never."),
        ([httpx.ConnectError("no")], "could not be reached"),
        ([answer()], "something else than a stream"),
    ],
)
def test_what_goes_wrong_is_told_as_an_event(answers: list[httpx.Response | Exception], words: str) -> None:
    """The status is out; of two refusals the one of the client's own bytes is told."""
    event = heard(Edge(*answers)).rpartition(b"\n\n")[0]

    assert words in json.loads(event.removeprefix(b"data: "))["error"]["message"]


def test_client_that_leaves_ends_nothing_but_its_own_wait() -> None:
    """Nothing is sent on for it; the summary is written to its end for whoever comes next."""
    writer, edge = Scripted(is_slow=True), Edge(answer())

    async def check(made: Engine) -> None:
        exchange = Exchange(made.parts, ask(edge, BODY, WAITING))
        chunks = told(made, writer, exchange)
        writer.go.clear()
        assert await anext(chunks) == COMMENT
        await exchange.close()
        assert writer.cancelled == 0
        assert edge.bodies == []
        writer.go.set()

    run(check, writer)
    assert len(writer.jobs) == 1


def test_quick_summary_costs_no_header() -> None:
    """What is there before it is time for a sign of life is answered as ever."""
    edge = Edge(stream(Feed(ROLE, TEXT, DONE)))

    async def check(made: Engine) -> None:
        exchange = Exchange(made.parts, ask(edge, BODY, replace(WAITING, summarizer=QUICK)))
        opening = writer.group.create_task(exchange.open())
        tasks = []
        while not opening.done():
            await asyncio.sleep(0)
            tasks += started(made, writer)
        got = opening.result()
        assert got.plan is not None
        assert b"".join([chunk async for chunk in got]) == ROLE + TEXT + DONE
        await exchange.close()
        await asyncio.gather(*tasks)

    writer = Scripted()
    run(check, writer)


QUICK = SummarizerRules(mode="inline", heartbeat_s=60.0)
