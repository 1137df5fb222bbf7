"""One request and one answer, whatever it takes in between; streams are in test_exchange_streams.py."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from exchanging import BODY, TOO_LONG, answered, exchanged
from gateway.core.frozen import replace
from gateway.engine.exchange import Exchange
from gateway.engine.subject import Action
from gateway.wire.base import Usage
from wired import (
    LONG,
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
    turns,
)


def test_answer_passes() -> None:
    """A request that fits goes out as it came, and its answer comes back as it is."""
    edge = Edge(answer())

    assert exchanged(edge, chat(turns(2))) == (200, answer().content, Action.NONE, 1)
    assert edge.bodies == [chat(turns(2))]


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


def test_pieces_of_other_streams_come_between_the_parts_of_the_work() -> None:
    """Whoever waits for the loop has its turn after a request is read, and again after it is planned."""

    async def run() -> int:
        async with engine() as made:
            edge, others_turns = Edge(answer()), 0
            exchange = Exchange(made.parts, ask(edge, BODY, REACTING))
            async with asyncio.TaskGroup() as group:
                group.create_task(exchange.open())
                while not edge.bodies:
                    await asyncio.sleep(0)
                    others_turns += 1
            await exchange.close()
            return others_turns

    assert asyncio.run(run()) >= 3


def test_log_names_windows(caplog: pytest.LogCaptureFixture) -> None:
    """It says once that a model's window is unknown, with the way out, and what was learned of it."""

    async def run() -> None:
        async with engine() as made:
            edge = Edge(failed(404, "no such model"), answer(), answer(), TOO_LONG, answer(), answer())
            for body in (BODY, BODY, BODY, BODY, BODY):
                await answered(made, ask(edge, body, REACTING))
            for _, work in made.background:
                work.close()

    with caplog.at_level("INFO"):
        asyncio.run(run())
    unknown, learned = [vars(line) for line in caplog.records if line.message.startswith("window ")]
    assert (unknown["message"], unknown["model"], unknown["upstream"]) == ("window unknown", "m", "openai")
    assert "name the window under `windows`" in unknown["hint"]
    assert (learned["message"], learned["window"], learned["source"]) == ("window learned", 1030, "learned")


def test_log_tells_a_guessed_window_from_a_told_one(caplog: pytest.LogCaptureFixture) -> None:
    """Where an upstream refuses without a number, the number in the log is not said to be its own."""
    numberless = failed(400, "maximum context length is exceeded", "context_length_exceeded")
    body = chat(turns(60))
    with caplog.at_level("INFO"):
        exchanged(Edge(numberless, answer()), body, REACTING)
    (said,) = [vars(line) for line in caplog.records if line.message == "window learned"]
    assert said["source"] == "guessed"


def test_log_is_silent_of_windows_that_a_policy_names(caplog: pytest.LogCaptureFixture) -> None:
    """What the operator has written down is no news."""
    with caplog.at_level("INFO"):
        exchanged(Edge(answer()), chat(turns(2)), TRIMMING)
    assert not [line for line in caplog.records if line.message.startswith("window ")]


def test_log_warns_of_a_window_that_a_policy_has_wrong(caplog: pytest.LogCaptureFixture) -> None:
    """An operator whose policy names more than the upstream takes learns of it, with both numbers."""
    with caplog.at_level("INFO"):
        exchanged(Edge(TOO_LONG, answer()), BODY, replace(REACTING, windows={"m": 4000}))
    (said,) = [vars(line) for line in caplog.records if line.message == "window learned"]
    assert (said["levelname"], said["window"], said["source"]) == ("WARNING", 1030, "learned")
    assert "the policy names 4000" in said["hint"]
