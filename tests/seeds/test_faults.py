"""What the four systems get wrong and their users reported: fourteen faults, a test for each, by number."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from hashlib import sha256
from typing import Any

import httpx
import pytest

from engine.summarising import GOOD, TALK, Scripted, bench, job, limited, ruled
from engine.summing import NEAR, OVER, run, sent, started
from engine.summing import Scripted as Writer
from exchanging import answered, exchanged
from gateway.core import prefix
from gateway.core.errors import WindowExceeded
from gateway.core.failures import Overflow, read
from gateway.core.tokens import estimating
from gateway.engine.pipeline import run_steps
from gateway.engine.subject import Action
from gateway.policy.schema import Mode
from gateway.strategies.base import Room
from gateway.wire.anthropic_messages import AnthropicMessages
from seeds.shipped import FILES, call, result, said, shipped, view_of
from wired import (
    LONG,
    PLACE,
    REACTING,
    WIRE,
    Edge,
    Engine,
    answer,
    ask,
    chat,
    engine,
    failed,
    message,
    refusal,
    turns,
    words,
)

SMALL = "window: 1000\ntrigger: {ratio: 0.8}\nprepare: {ratio: 0.7}\ntarget: {ratio: 0.4}"

QUOTED = "This model's maximum context length is 4096 tokens, your messages resulted in 5000 tokens."
POLICIES = {name: policy for name in FILES if (policy := shipped(name)).mode is Mode.COMPACT}
EACH = pytest.mark.parametrize("name", sorted(POLICIES))


def compacted(name: str, messages: list[Any], target: int = 300, wire: Any = WIRE) -> Any:
    """Return what the steps of a shipped policy make of a list."""
    policy = POLICIES[name]
    return run_steps(view_of(messages, wire), policy.steps, Room(target, 2 * target, words, policy.keep)).view


def in_engine(work: Any) -> None:
    """Do something with an engine."""

    async def main() -> None:
        async with engine() as made:
            await work(made)

    asyncio.run(main())


def sent_by(body: bytes) -> list[dict[str, Any]]:
    """Return the messages of a request."""
    messages: list[dict[str, Any]] = json.loads(body)["messages"]
    return messages


@EACH
def test_1_no_call_and_no_result_is_left_alone(name: str) -> None:
    """Fault 1: after a cut, and where the client replays one, each call has its result and the reverse."""
    replayed = [said("system", "s"), result("lost", 30), said("user", "Go."), call("unanswered")]
    rounds = [each for n in range(12) for each in (call(f"c{n}"), result(f"c{n}", 60))]
    body = chat(
        [*replayed, said("assistant", "Well."), said("user", "On."), *rounds, said("user", "And now?")]
    )

    async def work(made: Engine) -> None:
        plan = await made.parts.compactor.plan(await made.subject(body, shipped(name, SMALL)))
        assert plan.action is Action.COMPACTED
        assert WIRE.problems(view_of(sent_by(plan.body))) == []

    in_engine(work)


def test_2_what_cannot_be_made_smaller_is_not_sent_again() -> None:
    """Fault 2: a compaction that frees nothing is none, and what was refused is not repeated."""
    body = chat([message("system", 1500), message("user", 20)])
    edge = Edge(refusal(1600, 1000))
    status, _, action, attempts = exchanged(edge, body, REACTING)
    assert (status, action, attempts) == (400, Action.NONE, 1)
    assert edge.bodies == [body]


def test_3_summary_that_overflows_is_not_asked_for_again_as_it_was() -> None:
    """Fault 3: the summariser's own overflow makes its parts smaller; no call is made twice."""
    model = Scripted(limited(900, GOOD))
    with bench() as made:
        assert made.write(job(model, ruled(min_parts=1), TALK * 3)) is not None
    bodies = [prompted.seen.body for prompted in model.calls]
    assert len(set(bodies)) == len(bodies) <= 12
    assert model.calls[0].tokens > 900


@pytest.mark.parametrize(
    ("status", "text", "code"),
    [
        (402, "Insufficient balance: your prompt has too many tokens for your credit.", "insufficient_quota"),
        (429, "Rate limit reached: Limit 30000 tokens per min, Requested 41000.", "rate_limit_exceeded"),
        (400, f'Rejected by our safety system: "{QUOTED}"', "content_policy_violation"),
    ],
)
def test_4_what_is_no_overflow_is_not_taken_for_one(status: int, text: str, code: str) -> None:
    """Fault 4: billing, tokens per minute and an error that quotes the user shorten nothing."""
    refused = failed(status, text, code)
    assert not isinstance(read(status, refused.content), Overflow)
    edge = Edge(refused)
    got, body, action, attempts = exchanged(edge)
    assert (got, body, action, attempts) == (status, refused.content, Action.NONE, 1)


def test_5_output_is_clamped_before_the_history_is_touched() -> None:
    """Fault 5: where only the output asked for is too much, less of it is asked for, and nothing is cut."""
    text = (
        "This model's maximum context length is 8000 tokens. However, you requested 8450 tokens (450 in the "
        "messages, 8000 in the completion). Please reduce the length of the messages or completion."
    )
    edge = Edge(failed(400, text, "context_length_exceeded"), answer())
    status, _, _, attempts = exchanged(edge, chat(turns(4), max_tokens=8000))
    first, second = map(json.loads, edge.bodies)
    assert (status, attempts) == (200, 2)
    assert second["messages"] == first["messages"]
    assert second["max_tokens"] <= 7550


@pytest.mark.parametrize(("prompt", "output"), [(1030, 0), (1200, 9)])
def test_6_silent_overflow_is_seen(prompt: int, output: int) -> None:
    """Fault 6: 200 with `length` and no output, or usage above the window, is an overflow."""
    usage = {"prompt_tokens": prompt, "completion_tokens": output}
    told = {"role": "assistant", "content": "Well." if output else ""}
    choice = {"index": 0, "message": told, "finish_reason": "length"}
    edge = Edge(httpx.Response(200, json={"choices": [choice], "usage": usage}), answer())
    policy = shipped("mechanical", "window: 1030\ntrigger: {ratio: 1}")
    status, body, action, attempts = exchanged(edge, chat(turns(9)), policy)
    assert (status, action, attempts) == (200, Action.RESCUED, 2)
    assert b"All right." in body


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("请把价格改成四十二欧元，不要动旧文件。" * 50, 0.5 * 950, 1.5 * 950),
        ("iVBORw0KGgoAAAANSUhEUgAA" * 200, 4800 / 3.2, 4800),
    ],
    ids=["Chinese", "base64"],
)
def test_7_estimates_are_near(text: str, least: float, most: float) -> None:
    """Fault 7: Chinese and base64 are not counted as if they were English."""
    assert least <= estimating().count(text) <= most


def test_7_tools_are_counted() -> None:
    """Fault 7: what stands beside the messages is part of the estimate, and makes the budget smaller."""
    tool = {"type": "function", "function": {"name": "f", "description": "w " * 300, "parameters": {}}}

    async def work(made: Engine) -> None:
        bare, tooled = await made.subject(chat(LONG)), await made.subject(chat(LONG, tools=[tool]))
        assert tooled.counted.tokens >= bare.counted.tokens + 300
        assert bare.budget is not None
        assert tooled.budget is not None
        assert tooled.budget.tokens <= bare.budget.tokens - 300

    in_engine(work)


@EACH
def test_8_what_the_model_has_not_read_yet_stays(name: str) -> None:
    """Fault 8: the results of the newest round stand whole, else it would read them again, for ever."""
    old = [each for n in range(6) for each in (call(f"c{n}"), result(f"c{n}", 90))]
    fresh = [call("d"), result("d", 200, "fresh")]
    after = compacted(name, [said("user", "Read them all."), *old, *fresh])
    assert after.messages[-1].raw == json.dumps(fresh[1]).encode()
    assert WIRE.problems(after) == []


@EACH
def test_9_latest_request_stays_last_and_the_rest_is_background(name: str) -> None:
    """Fault 9: the model goes on with what was asked last, word for word; what is before says what it is."""
    talk = [message("system", 20, "rules"), *turns(20)[:-1], said("user", "Now write the release notes.")]
    after = compacted(name, talk)
    assert after.messages[-1].text == "Now write the release notes."
    digests = [each.text for each in after.messages if "haversack-digest" in each.text]
    assert all("Background, not a request" in text for text in digests)
    assert after.tokens <= 400


@EACH
def test_10_signed_reasoning_is_whole_or_gone(name: str) -> None:
    """Fault 10: a thinking block that is sent is the client's, byte for byte."""
    thought = {"type": "thinking", "thinking": "hm " * 60, "signature": "c2lnbmVk"}
    talk: list[Any] = []
    for n in range(8):
        use = {"type": "tool_use", "id": f"t{n}", "name": "look", "input": {"n": n}}
        done = {"type": "tool_result", "tool_use_id": f"t{n}", "content": "w " * 60}
        talk += [
            {"role": "user", "content": f"Question {n}?"},
            {"role": "assistant", "content": [thought, use]},
        ]
        talk += [
            {"role": "user", "content": [done]},
            {"role": "assistant", "content": [{"type": "text", "text": "So."}]},
        ]
    after = compacted(name, [*talk, {"role": "user", "content": "And now?"}], wire=AnthropicMessages())
    for each in after.messages:
        content = json.loads(each.raw)["content"] if each.raw else []
        blocks = [block for block in content if isinstance(block, dict) and "thinking" in block["type"]]
        assert all(block == thought for block in blocks)


def test_11_nobody_waits_while_a_summary_is_written() -> None:
    """Fault 11: the other requests of a conversation are answered with the last good state."""
    writer = Writer(is_slow=True)

    async def check(made: Engine) -> None:
        await sent(made)
        tasks = started(made, writer)
        for _ in range(200):  # it is looked at in a thread, queued, begun
            await asyncio.sleep(0.001 * (not writer.jobs))
            tasks += started(made, writer)
        assert [await sent(made) for _ in range(5)] == [NEAR] * 5
        assert b"haversack-digest" in await sent(made, OVER)
        tasks += started(made, writer)
        writer.go.set()
        await asyncio.gather(*tasks, return_exceptions=True)

    run(check, writer)
    assert len(writer.jobs) == 1


def test_12_cancel_is_no_failure_and_costs_no_call() -> None:
    """Fault 12: what the user breaks off is not asked of the next model."""

    async def cancelled() -> tuple[int, tuple[str, str]]:
        model = Scripted(None)
        with bench() as made:
            work: Coroutine[Any, Any, Any] = made.summarizer.write(
                job(model, ruled(fallback_models=("other",)))
            )
            async with asyncio.TaskGroup() as group:
                task = group.create_task(work)
                await model.reached.wait()
                task.cancel()
            return len(model.calls), made.ended

    assert asyncio.run(cancelled()) == (1, ("cancelled", ""))


def test_13_one_huge_result_is_cut_and_the_answer_comes() -> None:
    """Fault 13: a megabyte that nobody has read yet is no endless loop: it is cut, and goes out."""
    talk = [said("user", "Read it."), call("c"), result("c", 150_000, "line")]
    edge = Edge(refusal(150_050, 4000), answer())
    status, _, action, attempts = exchanged(edge, chat(talk))
    assert (status, action, attempts) == (200, Action.RESCUED, 2)
    first, *_, last = sent_by(edge.bodies[1])
    assert (first["content"], last["tool_call_id"]) == ("Read it.", "c")
    assert words(last["content"]) < 4000


def test_13_what_cannot_fit_is_one_error_with_numbers() -> None:
    """Fault 13: where instructions alone fill the window, the client is told so once, with the numbers."""
    body = chat([message("system", 6000), *turns(9)])
    edge = Edge(refusal(7000, 4000), *[refusal(6050, 4000)] * 5)
    with pytest.raises(WindowExceeded, match=r"4000 tokens.*about 7000 tokens"):
        exchanged(edge, body)
    assert len(edge.seen) <= 3


def test_14_what_a_rescue_leaves_out_can_still_be_had() -> None:
    """Fault 14: even where all but the request is cleared, each message is in the store as it came."""

    async def work(made: Engine) -> None:
        edge = Edge(*[refusal(900, 100)] * 2, answer())
        status, _, action, _ = await answered(made, ask(edge, chat(LONG), REACTING))
        assert (status, action) == (200, Action.RESCUED)
        kept = {json.dumps(each) for each in sent_by(edge.bodies[-1])}
        assert len(kept) < 5
        for raw in (json.dumps(each).encode() for each in LONG):
            if raw.decode() not in kept:
                found = await made.parts.store.original(PLACE.scope, prefix.tagged(sha256(raw).digest()))
                assert found is not None
                assert found.content == raw

    in_engine(work)
