"""A summariser that is busy, refuses a key or is in trouble is not hammered, and clients do not notice.

The compactor, the queue and the summariser are real; time passes when a test says so. One word is one token.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from gateway.core.frozen import replace
from gateway.engine.flights import MAX_PIECES_RUNNING
from gateway.engine.summary_call import REST_S
from gateway.engine.summary_record import Trouble
from gateway.engine.summary_rest import MOST_FAILURES, PAUSE_S
from gateway.policy.schema import Step
from gateway.strategies.notes import Section
from gateway.strategies.tool_chains import ToolChains
from summarised import GOOD, HEAVY, Steps, Talk, Way, talking

DATE = "Wed, 21 Oct 2026 07:28:00 GMT"
CHAINS = ToolChains(model=True, min_tokens=100, min_messages=4, max_tokens=100)
TELLING: Steps = (Step("tool_chains", CHAINS), Step("digest", HEAVY[-1].strategy))
NEAR = 8
"""Turns at which a summary is prepared; one more is over the trigger."""


@asynccontextmanager
async def refused(status: int, headers: dict[str, str], steps: Steps = HEAVY) -> AsyncIterator[Talk]:
    """Put a gateway together whose upstream refuses the gateway's own calls, and answers clients."""

    def refuse(_: object) -> httpx.Response:
        return httpx.Response(status, headers=headers, json={"error": {"message": "no"}})

    async with talking(Way((refuse,)), "background", "openai_chat", steps=steps) as talk:
        talk.policy = replace(talk.policy, summarizer=replace(talk.policy.summarizer, part_ratio=0.9))
        yield talk


async def asked(talk: Talk, messages: list[dict[str, Any]] | int, seconds: float = 0.0) -> int:
    """Return how many calls it takes, after that time, to answer a list, and what is done behind it."""
    before = len(talk.vendor.summariser.calls)
    talk.made.clock.now += seconds
    await (talk.send(messages) if isinstance(messages, int) else talk.say(messages))
    await talk.settled()
    return len(talk.vendor.summariser.calls) - before


def working(turns: int) -> list[dict[str, Any]]:
    """Return so many turns with a run of four calls each; the last one is not answered."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "You are an engineer."}]
    for turn in range(turns):
        messages.append({"role": "user", "content": f"Now look at page {turn}. {'go on ' * 6}"})
        for at in range(4):
            id, path = f"c{turn}_{at}", f"src/export{turn}_{at}.py"
            call = {"name": "read_file", "arguments": f'{{"path": "{path}"}}'}
            calls = [{"id": id, "type": "function", "function": call}]
            messages.append({"role": "assistant", "content": None, "tool_calls": calls})
            messages.append({"role": "tool", "tool_call_id": id, "content": path + " row" * 20})
        messages.append({"role": "assistant", "content": f"Page {turn} streams. {'and so on ' * 4}"})
    return messages[:-1]


@pytest.mark.parametrize(
    ("headers", "rest_s"),
    [
        ({"retry-after": "20"}, 20.0),
        ({"retry-after-ms": "20000"}, 20.0),
        ({"date": DATE, "retry-after": "Wed, 21 Oct 2026 07:28:20 GMT"}, 20.0),
        ({}, REST_S[Trouble.BUSY]),
    ],
    ids=["seconds", "thousandths", "date", "none"],
)
def test_busy_summariser_is_asked_when_it_said_and_not_before(headers: dict[str, str], rest_s: float) -> None:
    """Of this conversation and any other of that client nothing until then; then one call, which is used."""

    async def check() -> None:
        async with refused(429, headers) as talk:
            assert await asked(talk, NEAR) == 1
            for other in (working(5), working(6)):
                assert await asked(talk, NEAR, rest_s / 3) == 0
                assert await asked(talk, other) == 0
            talk.vendor.summariser.steps = [GOOD]
            assert await asked(talk, NEAR, rest_s / 3 + 1) == 1
            assert await asked(talk, NEAR + 1) == 0
            assert Section.SUMMARY in talk.told[-1]

    asyncio.run(check())


@pytest.mark.parametrize("status", [401, 403])
def test_key_that_is_refused_is_tried_once_in_a_while(status: int) -> None:
    """It will not be let in a second later; after ten minutes somebody may have put it right."""

    async def check() -> None:
        async with refused(status, {}) as talk:
            assert await asked(talk, NEAR) == 1
            for turns in range(NEAR, 26):
                assert await asked(talk, turns, REST_S[Trouble.DENIED] / 20) == 0
            talk.made.clock.now += REST_S[Trouble.DENIED]
            assert sum([await asked(talk, turns) for turns in range(26, 36)]) == 1

    asyncio.run(check())


@pytest.mark.parametrize("status", [500, 503])
def test_upstream_in_trouble_is_left_alone_after_a_few_jobs(status: int) -> None:
    """Each text is another job, so a long talk would go on and on; after the pause one more finds out."""

    async def check() -> None:
        async with refused(status, {}, TELLING) as talk:
            calls = [await asked(talk, working(turns), 10.0) for turns in range(3, 25)]
            assert MOST_FAILURES <= sum(calls) < MOST_FAILURES + MAX_PIECES_RUNNING
            assert 1 <= await asked(talk, working(6), PAUSE_S) <= MAX_PIECES_RUNNING
            assert await asked(talk, working(7), 10.0) == 0

    asyncio.run(check())
