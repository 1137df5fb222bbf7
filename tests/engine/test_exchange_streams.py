"""An exchange whose answer streams: rescued late, cleaned of what only we asked for, told as an event."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import httpx
import pytest

from exchanging import INVALID
from gateway.core.frozen import replace
from gateway.engine.exchange import Exchange
from gateway.engine.reply import HELD
from gateway.policy.rules import OverflowRules, UsageRules
from gateway.policy.schema import Policy
from gateway.wire.base import Usage
from listening import DONE, ERROR, ROLE, TEXT
from wired import (
    LONG,
    REACTING,
    TRIMMING,
    URL,
    Edge,
    Engine,
    Feed,
    answer,
    ask,
    chat,
    engine,
    event,
    failed,
    stream,
    turns,
)

BODY = chat(LONG, stream=True)
COMMENT = b": waiting\n\n"
USAGE = event({"choices": [], "usage": {"prompt_tokens": 1000, "completion_tokens": 4}})


async def accounted(
    made: Engine, edge: Edge, body: bytes = BODY, policy: Policy = REACTING
) -> tuple[bytes, Sequence[Usage]]:
    """Return all that a client gets of a stream, and what it is accounted with."""
    exchange = Exchange(made.parts, ask(edge, body, policy, [(b"accept-encoding", b"gzip")]))
    try:
        got = await exchange.open()
        assert got.status == 200
        whole = b"".join([chunk async for chunk in got])
    finally:
        await exchange.close()
    return whole, exchange.account.usages


async def streamed(made: Engine, edge: Edge, body: bytes = BODY, policy: Policy = REACTING) -> bytes:
    """Return all that a client gets of a stream."""
    return (await accounted(made, edge, body, policy))[0]


async def late(made: Engine, edge: Edge, feed: Feed, *then: bytes, policy: Policy = REACTING) -> bytes:
    """Return what a client gets after the comment that ended the hold; *then* arrives once it is out."""
    exchange = Exchange(made.parts, ask(edge, BODY, policy, [(b"accept-encoding", b"gzip")]))
    try:
        got = await exchange.open()
        assert got.status == 200
        assert await anext(got.chunks) == COMMENT
        for piece in then:
            feed.put(piece)
        feed.end()
        return b"".join([chunk async for chunk in got])
    finally:
        await exchange.close()


def after_comment(
    *then: bytes, following: tuple[httpx.Response | Exception, ...] = (), attempts: int = 3
) -> bytes:
    """Return what a client gets after a comment: these pieces, and what *following* answers make of them."""

    async def run() -> bytes:
        async with engine(hold_s=0) as made:
            feed = Feed(COMMENT, is_open=True)
            edge = Edge(stream(feed, **{"content-length": "9"}), *following)
            policy = replace(REACTING, overflow=OverflowRules(attempts=attempts))
            return await late(made, edge, feed, *then, policy=policy)

    return asyncio.run(run())


def test_stream_is_rescued_before_its_first_piece() -> None:
    """A refusal inside a 200, after the role, is answered with something smaller: one stream is seen."""

    async def run() -> None:
        async with engine() as made:
            edge = Edge(stream(Feed(ROLE, ERROR)), stream(Feed(ROLE, TEXT, DONE)))
            assert await streamed(made, edge) == ROLE + TEXT + DONE
            assert len(edge.bodies[1]) < len(edge.bodies[0])

    asyncio.run(run())


def test_slow_answer_passes_comments_first() -> None:
    """After the hold the client hears that somebody is there, and then the answer, every byte once."""
    assert after_comment(ROLE, COMMENT, TEXT, DONE).replace(HELD, b"") in (
        ROLE + COMMENT + TEXT + DONE,
        COMMENT + ROLE + TEXT + DONE,
    )


def test_late_refusal_is_rescued() -> None:
    """As long as only comments were released, another attempt's answer takes the place of a refusal."""
    assert after_comment(ERROR, following=(stream(Feed(ROLE, TEXT, DONE)),)) == ROLE + TEXT + DONE


def test_late_rescue_must_not_come_compressed() -> None:
    """What joins a stream that has begun comes as plain as its beginning."""

    async def run() -> None:
        async with engine(hold_s=0) as made:
            feed = Feed(COMMENT, is_open=True)
            edge = Edge(stream(feed), stream(Feed(TEXT)))
            await late(made, edge, feed, ERROR)
            assert edge.seen[0].header(b"accept-encoding") == b"gzip"
            assert edge.seen[1].header(b"accept-encoding") == b"identity"

    asyncio.run(run())


def test_late_refusal_that_cannot_be_rescued_is_the_upstreams() -> None:
    """With no attempt left, the client reads the upstream's own error event."""
    assert after_comment(ERROR, attempts=1) == ERROR


def test_late_failure_of_the_last_rung_is_told_as_an_event() -> None:
    """The clear error with the numbers reaches a client whose stream has begun."""
    told = after_comment(ERROR, following=(stream(Feed(ERROR)),), attempts=2)

    assert json.loads(told.removeprefix(b"data: "))["error"]["code"] == "context_length_exceeded"
    assert told.endswith(b"\n\n")


@pytest.mark.parametrize(
    ("following", "word"),
    [
        (failed(500, "The server had an error."), "server had"),
        (httpx.Response(502, content=b"<html>"), "502"),
        (httpx.ConnectError("no"), "could not be reached"),
    ],
)
def test_late_trouble_is_told_as_an_event(following: httpx.Response | Exception, word: str) -> None:
    """An error that answers a late rescue is an event in the client's dialect, not a page in its stream."""
    told = after_comment(ERROR, following=(following,))

    assert word in json.loads(told.removeprefix(b"data: "))["error"]["message"]


def test_late_refusal_of_the_form_gives_the_first_refusal() -> None:
    """Where the smaller form is refused for its form, the client reads why its own was refused."""
    assert after_comment(ERROR, following=(INVALID,)) == ERROR


def test_length_of_a_late_answer_is_not_promised() -> None:
    """Whose body it will be is not known when the head goes out."""

    async def run() -> None:
        async with engine(hold_s=0) as made:
            edge = Edge(stream(Feed(COMMENT, is_open=True), **{"content-length": "9"}))
            exchange = Exchange(made.parts, ask(edge, BODY, REACTING))
            got = await exchange.open()
            assert [name.lower() for name, _ in got.headers] == [b"content-type"]
            await exchange.close()

    asyncio.run(run())


def test_usage_that_only_we_asked_for_is_taken_out() -> None:
    """A rewritten stream is asked for its usage; the client gets its stream without it, and we learn."""

    async def run() -> None:
        async with engine() as made:
            edge = Edge(stream(Feed(ROLE, TEXT, USAGE, DONE)))
            got = await accounted(made, edge, policy=TRIMMING)
            assert got == (ROLE + TEXT + DONE, (Usage(1000, 4),))
            assert json.loads(edge.bodies[0])["stream_options"] == {"include_usage": True}
            assert edge.seen[0].header(b"accept-encoding") == b"identity"

    asyncio.run(run())


def test_usage_that_the_client_asked_for_is_its_own() -> None:
    """A client that asks gets its usage, and we read a copy."""

    async def run() -> None:
        async with engine() as made:
            edge = Edge(stream(Feed(TEXT, USAGE, DONE)))
            body = chat(LONG, stream=True, stream_options={"include_usage": True})
            got = await accounted(made, edge, body, TRIMMING)
            assert got == (TEXT + USAGE + DONE, (Usage(1000, 4),))

    asyncio.run(run())


def test_upstream_that_does_not_know_the_question_is_not_asked_again() -> None:
    """The request goes out at once without it, compacted as before; so do those after it."""

    async def run() -> None:
        async with engine() as made:
            unknown = failed(400, "Unrecognized request argument supplied: stream_options")
            edge = Edge(unknown, *(stream(Feed(TEXT, DONE)) for _ in range(2)))
            assert await streamed(made, edge, policy=TRIMMING) == TEXT + DONE
            await streamed(made, edge, policy=TRIMMING)
            asks = ["stream_options" in json.loads(body) for body in edge.bodies]
            assert asks == [True, False, False]
            assert json.loads(edge.bodies[0])["messages"] == json.loads(edge.bodies[1])["messages"]
            assert made.failed_open("rejected") == 0

    asyncio.run(run())


def test_stream_that_the_window_ended_teaches_its_size() -> None:
    """What is out cannot be taken back; the next request of that model is planned with what it filled."""

    async def run() -> None:
        async with engine() as made:
            last = event({"choices": [{"delta": {}, "finish_reason": "model_context_window_exceeded"}]})
            spent = event({"choices": [], "usage": {"prompt_tokens": 860, "completion_tokens": 1140}})
            edge = Edge(stream(Feed(TEXT, last, spent, DONE)))
            assert await streamed(made, edge, chat(LONG, stream=True)) == TEXT + last + spent + DONE
            assert made.parts.windows.window(REACTING, URL, "m").tokens == 2000

    asyncio.run(run())


def test_policy_may_ask_every_stream() -> None:
    """Where the policy says always, a stream that fits is asked too, and cleaned."""

    async def run() -> None:
        async with engine() as made:
            edge = Edge(stream(Feed(TEXT, USAGE, DONE)))
            policy = replace(REACTING, usage=UsageRules(ask="always"))
            body = chat(turns(1), stream=True)
            assert await streamed(made, edge, body, policy) == TEXT + DONE

    asyncio.run(run())


def test_leaving_lets_the_upstream_go() -> None:
    """A client that hangs up in the middle ends the upstream's work for it."""

    async def run() -> None:
        async with engine() as made:
            feed = Feed(ROLE, TEXT, is_open=True)
            exchange = Exchange(made.parts, ask(Edge(stream(feed)), BODY, REACTING))
            got = await exchange.open()
            assert await anext(got.chunks) == ROLE
            await exchange.close()
            assert feed.is_closed

    asyncio.run(run())


def test_exchange_that_was_never_opened_can_be_closed() -> None:
    """A client that left before anything was sent leaves nothing behind."""

    async def run() -> None:
        async with engine() as made:
            exchange = Exchange(made.parts, ask(Edge(answer()), BODY, REACTING))
            await exchange.close()
            assert exchange.attempts == 0

    asyncio.run(run())
