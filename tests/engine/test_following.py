"""What is sent after a refusal: something smaller, the client's own bytes, or nothing."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest

from exchanging import BODY, INVALID, TOO_LONG, answered, exchanged
from gateway.core.errors import WindowExceeded
from gateway.core.frozen import replace
from gateway.engine.subject import Action
from gateway.policy.levels import Level
from gateway.policy.rules import OverflowRules
from gateway.policy.schema import Policy
from listening import DONE, ROLE, TEXT
from wired import (
    PLACE,
    REACTING,
    TRIMMING,
    Edge,
    Feed,
    answer,
    ask,
    chat,
    engine,
    failed,
    message,
    refusal,
    said,
    stream,
    turns,
    words,
)


def test_refusal_is_rescued_before_the_client_sees_it() -> None:
    """The upstream says "too long", a smaller request is accepted, and the client gets that answer."""
    edge = Edge(TOO_LONG, answer())

    assert exchanged(edge) == (200, answer().content, Action.RESCUED, 2)
    first, second = edge.bodies
    assert first == BODY
    assert len(second) < len(first)
    assert (said(second)[0], said(second)[-1]) == ("rules", "now")


@pytest.mark.parametrize("times", [1.1, 2.5, 6, 12])
def test_request_many_times_too_long_is_rescued_without_a_number(times: float) -> None:
    """Seen: a question twelve times as long as the window was refused thrice, where no window was named."""
    sizes: list[int] = []

    class Small(Edge):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            messages = json.loads(await request.aread())["messages"]
            sizes.append(sum(words(entry["content"]) + 4 for entry in messages))
            return answer() if sizes[-1] <= 1000 else failed(400, "Input is too long for requested model.")

    body = chat([message("system", 200, "rules"), message("user", int(times * 1000) - 200, "query")])
    assert exchanged(Small(), body)[::2] == (200, Action.RESCUED)
    assert len(sizes) <= 3
    assert sizes[-1] >= 220, "something of the question is left"


@pytest.mark.parametrize("window", [None, 1050])
def test_instructions_larger_than_the_window_are_told_at_once(window: int | None) -> None:
    """Seen: a second attempt that could not be taken either. The error says what does not fit, in numbers."""
    edge = Edge(refusal(1400, 1050), refusal(1400, 1050))
    body = chat([message("system", 1300, "rules"), message("user", 100, "now")])
    policy = replace(REACTING, window=window)

    with pytest.raises(WindowExceeded, match=r"maximum context length is 1050 tokens\. .*About 1300 of them"):
        exchanged(edge, body, policy)
    assert len(edge.seen) == 1


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


def resent(*replies: httpx.Response, policy: Policy = REACTING) -> list[int]:
    """Return how long the bodies were that such streams were answered with, as shares of the first."""

    async def run() -> list[int]:
        async with engine() as made:
            edge = Edge(*replies)
            await answered(made, ask(edge, chat(turns(60), stream=True), policy))
            return [100 * len(body) // len(edge.bodies[0]) for body in edge.bodies]

    return asyncio.run(run())


def empty() -> httpx.Response:
    """Return a stream that ends before anything is said."""
    return stream(Feed(ROLE, DONE))


def spoken() -> httpx.Response:
    """Return a stream that is an answer."""
    return stream(Feed(ROLE, TEXT, DONE))


def test_empty_stream_is_asked_once_more_before_anything_is_made_of_it() -> None:
    """Seen: one mishap of an upstream took half of a conversation from its answer, and it fitted."""
    assert resent(empty(), spoken()) == [100, 100]


def test_stream_that_stays_empty_is_asked_with_less() -> None:
    """Some servers end a stream where the window is full; the repetition is one of the attempts."""
    first, again, last = resent(empty(), empty(), spoken())
    assert (first, again) == (100, 100)
    assert last < 30


def test_empty_stream_is_not_repeated_where_there_is_no_attempt_left_or_no_doubt() -> None:
    """What fills a window that somebody has told did not fit."""
    once = replace(REACTING, overflow=OverflowRules(attempts=1))
    assert resent(empty(), policy=once) == [100]
    full = replace(REACTING, window=6300, trigger=Level(ratio=1.0), reserve_output=1)
    first, second = resent(empty(), spoken(), policy=full)
    assert (first, second < 90) == (100, True)
