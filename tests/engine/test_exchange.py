"""One request and one answer, whatever it takes in between; streams are in test_exchange_streams.py."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import httpx
import pytest

from exchanging import BODY, INVALID, TOO_LONG, answered, exchanged
from gateway.core.errors import WindowExceeded
from gateway.engine.exchange import Exchange
from gateway.engine.subject import Action
from gateway.policy.rules import OverflowRules
from gateway.wire.base import Usage
from wired import (
    LONG,
    PLACE,
    REACTING,
    TRIMMING,
    URL,
    Edge,
    answer,
    ask,
    chat,
    engine,
    failed,
    message,
    refusal,
    said,
    turns,
)


def test_answer_passes() -> None:
    """A request that fits goes out as it came, and its answer comes back as it is."""
    edge = Edge(answer())

    assert exchanged(edge, chat(turns(2))) == (200, answer().content, Action.NONE, 1)
    assert edge.bodies == [chat(turns(2))]


def test_refusal_is_rescued_before_the_client_sees_it() -> None:
    """The upstream says "too long", a smaller request is accepted, and the client gets that answer."""
    edge = Edge(TOO_LONG, answer())

    assert exchanged(edge) == (200, answer().content, Action.RESCUED, 2)
    first, second = edge.bodies
    assert first == BODY
    assert len(second) < len(first)
    assert (said(second)[0], said(second)[-1]) == ("rules", "now")


def test_attempts_are_bounded_and_each_is_smaller() -> None:
    """An upstream that always refuses is asked as often as the policy says; then one clear error comes."""
    edge = Edge(*[refusal(1200, 1030)] * 9)
    with pytest.raises(WindowExceeded, match="in 3 attempts"):
        exchanged(edge)
    sizes = [len(body) for body in edge.bodies]
    assert len(sizes) == 3
    assert sizes == sorted(set(sizes), reverse=True)

    once = Edge(*[refusal(1200, 1030)] * 9)
    policy = replace(REACTING, overflow=OverflowRules(attempts=1))
    status, body, action, attempts = exchanged(once, policy=policy)
    assert (status, json.loads(body)["error"]["code"], action, attempts) == (
        400,
        "context_length_exceeded",
        Action.NONE,
        1,
    )


def test_nothing_smaller_gives_the_upstreams_own_refusal() -> None:
    """Where there is nothing to remove, the client reads what the upstream said to its own bytes."""
    edge = Edge(TOO_LONG)

    status, body, action, attempts = exchanged(edge, chat([message("system", 900), message("user", 5)]))
    assert (status, body, action, attempts) == (400, TOO_LONG.content, Action.NONE, 1)


def test_rewritten_request_refused_for_its_form_is_sent_once_as_it_came() -> None:
    """Compaction never makes worse what would have worked."""
    edge = Edge(INVALID, answer())

    assert exchanged(edge, policy=TRIMMING) == (200, answer().content, Action.FAILED_OPEN, 2)
    assert edge.bodies[1] == BODY
    assert edge.bodies[0] != BODY


def test_both_forms_refused_gives_the_answer_to_the_clients_own() -> None:
    """What was wrong with the request itself is told about the request itself."""
    edge = Edge(INVALID, failed(400, "Invalid value: 'temperature'."))

    status, body, action, _ = exchanged(edge, policy=TRIMMING)
    assert status == 400
    assert b"temperature" in body
    assert action is Action.FAILED_OPEN


def test_rescue_refused_for_its_form_gives_the_first_refusal() -> None:
    """The client learns that its request was too long, not that ours was malformed."""
    edge = Edge(TOO_LONG, INVALID)

    assert exchanged(edge) == (400, TOO_LONG.content, Action.FAILED_OPEN, 2)


def test_refused_rewrite_is_not_rewritten_again() -> None:
    """After a refusal of form, a refusal of size of the client's own bytes is the answer: no loop."""
    edge = Edge(INVALID, TOO_LONG, answer())

    status, body, _, attempts = exchanged(edge, policy=TRIMMING)
    assert (status, attempts) == (400, 2)
    assert body == TOO_LONG.content


def test_output_is_clamped_where_that_cures_it() -> None:
    """A request whose only fault is its output keeps its conversation."""
    text = "max_tokens is too large: 9000. This model supports at most 4096 completion tokens."
    edge = Edge(failed(400, text), answer())

    assert exchanged(edge, chat(turns(2), max_tokens=9000))[2:] == (Action.RESCUED, 2)
    first, second = map(json.loads, edge.bodies)
    assert second == {**first, "max_tokens": 4096}


def test_accepted_decision_is_remembered() -> None:
    """What was found to fit is replayed by the next request, with the window that the refusal named."""

    async def run() -> None:
        async with engine() as made:
            edge = Edge(TOO_LONG, answer(), answer())
            await answered(made, ask(edge, BODY, REACTING))
            longer = chat([*LONG, message("assistant", 20, "answer"), message("user", 20, "more")])
            assert (await answered(made, ask(edge, longer, REACTING)))[2:] == (Action.FROZEN, 1)
            assert edge.bodies[2].startswith(edge.bodies[1][:-2])
            assert made.parts.windows.window(REACTING, URL, "m").tokens == 1030
            assert [entry.window for entry in await made.parts.store.learned()] == [1030]

    asyncio.run(run())


def test_refused_checkpoint_is_quarantined() -> None:
    """A frozen prefix that an upstream refuses for its form is not replayed a second time."""

    async def run() -> None:
        async with engine() as made:
            edge = Edge(answer(), INVALID, answer(), answer())
            await answered(made, ask(edge, BODY, TRIMMING))
            again = [await answered(made, ask(edge, BODY, TRIMMING)) for _ in range(2)]
            assert [got[2] for got in again] == [Action.FAILED_OPEN, Action.COMPACTED]
            assert made.failed_open("rejected") == 1
            chain = (await made.subject(BODY)).counted.chain()
            assert await made.parts.checkpoints.find(PLACE, chain, lambda _: True) is not None

    asyncio.run(run())


def test_usage_of_an_answer_is_learned() -> None:
    """Three answers tell how this upstream counts, and what it bills is in the account of each."""

    async def run() -> None:
        async with engine() as made:
            body = chat(turns(5))
            for _ in range(3):
                exchange = Exchange(made.parts, ask(Edge(answer(prompt=1100)), body, REACTING))
                async for _ in await exchange.open():
                    pass
                await exchange.close()
                assert exchange.account.usages == (Usage(1100, 3),)
            assert made.parts.windows.correction(URL, "m").factor == 2.0

    asyncio.run(run())


def test_model_list_is_asked_for_once_for_a_long_conversation() -> None:
    """Where nobody knows the window, a conversation worth it has the upstream's list read afterwards."""

    async def run() -> None:
        async with engine() as made:
            edge = Edge(answer(), answer())
            for body in (chat(turns(2)), chat(turns(20))):
                await answered(made, ask(edge, body, REACTING, [(b"authorization", b"k")]))
            [(name, work)] = made.background
            assert name == "model list"
            edge.answers.append(httpx.Response(200, content=b'{"data":[{"id":"m","context_length":4096}]}'))
            await work
            assert edge.seen[-1].target == b"/v1/models"
            assert made.parts.windows.window(REACTING, URL, "m").tokens == 4096

    asyncio.run(run())


def test_conversation_is_known_by_its_beginning() -> None:
    """The name of a session without one comes from the messages up to the first question."""

    async def run() -> None:
        async with engine() as made:
            roots = []
            for body in (BODY, chat([*LONG, message("assistant", 9)]), chat(LONG[:1]), chat([])):
                exchange = Exchange(made.parts, ask(Edge(answer()), body, REACTING))
                assert exchange.root == []
                await exchange.open()
                await exchange.close()
                roots.append(exchange.root)
            assert roots[0] == roots[1]
            assert [len(root) for root in roots] == [2, 2, 1, 0]

    asyncio.run(run())
