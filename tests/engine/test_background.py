"""Summaries are there before they are needed, asked for once, and nobody waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import httpx
import pytest

from engine.summing import NEAR, OVER, POLICY, TEXT, Scripted, begun, drained, run, sent, started, summing
from exchanging import answered
from gateway.core.frozen import replace
from gateway.engine.background import REST_S
from gateway.engine.flights import MAX_JOBS, RETRY_S
from gateway.engine.summary_rest import EVERY
from gateway.policy.rules import SummarizerRules
from gateway.policy.schema import Policy, Step
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.strategies.tool_results import ToolResults
from stores import opened
from wired import TRIMMING, URL, Edge, Engine, ask, chat, message, turns


def test_summary_is_prepared_after_an_answer_and_applied_at_the_trigger() -> None:
    """Near the trigger nothing waits; over it the summary is in place, and replayed from then on."""
    writer = Scripted()

    async def check(made: Engine) -> None:
        assert await sent(made) == NEAR
        assert not writer.jobs
        await drained(made)
        (job,) = writer.jobs
        assert (job.tenant, job.scope, job.previous, job.model) == ("", "scope", "", "m")
        assert [one.text.split()[0] for one in job.messages][:2] == ["u0", "a0"]
        first = await sent(made, OVER)
        assert b"Build the parser." in first
        await drained(made)
        longer = chat([message("system", 10, "rules"), *turns(8)])
        assert (await sent(made, longer)).startswith(first[: first.index(b"now now")])
        assert len(writer.jobs) == 1

    run(check, writer)


def test_what_is_ready_is_not_asked_for_again() -> None:
    """As long as the summary that is ready brings the conversation to the target, no other is written."""
    writer = Scripted()

    async def check(made: Engine) -> None:
        for _ in range(3):
            await sent(made)
            await drained(made)
        assert len(writer.jobs) == 1

    run(check, writer)


def test_fifty_requests_at_once_ask_for_one_summary() -> None:
    """While a summary is written, the requests of its conversation are answered, and none asks again."""
    writer = Scripted(is_slow=True)

    async def check(made: Engine) -> None:
        await asyncio.gather(*(sent(made) for _ in range(50)))
        tasks = await begun(made, writer)
        await asyncio.gather(*(sent(made) for _ in range(50)))
        tasks += started(made, writer)
        writer.go.set()
        await asyncio.gather(*tasks)
        assert len(writer.jobs) == 1

    run(check, writer)


def test_without_a_summary_the_digest_does_it() -> None:
    """A summariser that fails costs nothing: the next step acts, and the client is answered."""
    writer = Scripted(None, None)

    async def check(made: Engine) -> None:
        await sent(made)
        await drained(made)
        assert b"haversack-digest" in await sent(made, OVER)

    run(check, writer)


def test_what_could_not_be_written_is_left_alone_for_a_while() -> None:
    """A model that fails is not asked after every answer."""
    writer = Scripted(None, TEXT)

    async def check(made: Engine) -> None:
        for _ in range(3):
            await sent(made)
            await drained(made)
        assert len(writer.jobs) == 1
        made.clock.now += RETRY_S
        await sent(made)
        await drained(made)
        assert len(writer.jobs) == 2

    run(check, writer)


def test_resting_model_is_not_asked() -> None:
    """After a 429 nothing is asked for in the background."""
    writer = Scripted()
    writer.is_resting_now = True

    async def check(made: Engine) -> None:
        await sent(made)
        await drained(made)
        assert not writer.jobs

    run(check, writer)


@pytest.mark.parametrize(
    ("body", "policy", "fields"),
    [
        (chat(turns(2)), POLICY, {}),
        (NEAR, TRIMMING, {}),
        (NEAR, POLICY, {"whole_first": True}),
        (NEAR, replace(POLICY, summarizer=SummarizerRules(mode="next")), {}),
        (NEAR, replace(POLICY, summarizer=SummarizerRules(mode="inline")), {}),
    ],
)
def test_nothing_is_prepared_where_nothing_is_needed(
    body: bytes, policy: Policy, fields: dict[str, Any]
) -> None:
    """Short conversations, policies without the step, a client's own compaction: no call is made for them."""
    writer = Scripted()

    async def check(made: Engine) -> None:
        await sent(made, body, policy, **fields)
        await drained(made)
        assert not writer.jobs

    run(check, writer)


def test_nothing_is_prepared_where_lighter_steps_will_do() -> None:
    """Where old results take most of the room, no model is asked: they will be shortened."""
    writer = Scripted()
    call = {"id": "c", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    said: Sequence[dict[str, Any]] = [
        message("user", 20),
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "line " * 400},
        *turns(1),
    ]
    light = Step("tool_results", ToolResults(max_tokens=20, keep_last=0))

    async def check(made: Engine) -> None:
        await sent(made, chat(said), replace(POLICY, steps=(light, *POLICY.steps)))
        await drained(made)
        assert not writer.jobs
        await sent(made, chat(said))
        await drained(made)
        assert writer.jobs

    run(check, writer)


def test_queue_of_a_tenant_is_bounded() -> None:
    """However many conversations are near the trigger, so many wait for a summary, and few are written."""
    writer = Scripted(is_slow=True)

    async def check(made: Engine) -> None:
        for number in range(MAX_JOBS + 5):
            await sent(made, chat([message("user", 10, f"talk{number}"), message("assistant", 5), *turns(5)]))
        tasks = started(made, writer)
        while len(tasks) < 2 * MAX_JOBS + 5:
            await asyncio.sleep(0)
            tasks += started(made, writer)
        assert len(writer.jobs) == 2
        writer.go.set()
        await asyncio.gather(*tasks)
        assert len(writer.jobs) == MAX_JOBS

    run(check, writer)


def test_client_that_is_told_to_slow_down_has_its_model_left_alone() -> None:
    """What is done in the background leaves requests their room, for as long as the upstream says."""
    writer = Scripted()

    async def check(made: Engine) -> None:
        later = {"retry-after": "7"}
        for status, headers, seconds in ((429, {}, REST_S), (429, later, 7.0), (529, later, 7.0)):
            busy = httpx.Response(status, headers=headers, json={"error": {"message": "slow down"}})
            assert (await answered(made, ask(Edge(busy), NEAR, POLICY)))[0] == status
            assert writer.rested.pop() == ("scope", URL, EVERY, seconds)
            assert not made.background

    run(check, writer)


def test_end_of_the_process_ends_what_is_written() -> None:
    """Nobody waits for a model when the gateway is stopped."""
    writer = Scripted(is_slow=True)

    async def check(made: Engine) -> None:
        await sent(made)
        tasks = await begun(made, writer)
        assert made.parts.background is not None
        made.parts.background.stop()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task
        assert writer.cancelled == 1
        await sent(made)
        await drained(made)
        assert len(writer.jobs) == 1

    run(check, writer)


def test_prepared_summary_survives_a_restart() -> None:
    """What one process prepared, the next one applies."""

    async def main() -> None:
        async with opened(SqliteStore(MEMORY)) as store:
            async with summing(Scripted(), store) as made:
                await sent(made)
                await drained(made)
            async with summing(Scripted(), store) as made:
                assert b"Build the parser." in await sent(made, OVER)

    asyncio.run(main())


def test_later_summary_is_written_from_the_one_before() -> None:
    """The next time only what is new is read, with the summary that is in place."""
    writer = Scripted(TEXT, TEXT + "\n- Keep it small.")

    async def check(made: Engine) -> None:
        said = [message("system", 10, "rules")]
        for number in range(5, 13):
            body = chat([*said, *turns(number)])
            await sent(made, body)
            await drained(made)
        assert len(writer.jobs) == 2
        assert writer.jobs[1].previous == TEXT
        assert "u0" not in {one.text.split()[0] for one in writer.jobs[1].messages}

    run(check, writer)


def test_store_that_is_away_costs_nobody_an_answer() -> None:
    """Without a store a summary is held as long as the process lives."""
    writer = Scripted()

    async def check(made: Engine) -> None:
        await sent(made)
        await drained(made)
        assert made.failed_open("store") == 1
        assert b"Build the parser." in await sent(made, OVER)

    run(check, writer, SqliteStore(MEMORY))
