"""The dry run: what would be sent, without a trace."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from gateway.engine import dry_run
from gateway.engine.subject import Action
from gateway.policy.schema import Mode, Policy, StoreRules
from gateway.store.file import MEMORY
from stores import opened
from wired import LONG, REACTING, TRIMMING, WIRE, Full, chat, engine


def test_dry_run_stores_nothing() -> None:
    """What would be sent is told without a trace, the second time as the first."""

    async def run() -> None:
        async with opened(Full(MEMORY)) as store, engine(store) as made:
            subject = await made.subject(chat(LONG), replace(TRIMMING, store=StoreRules(required=True)))
            first = await dry_run.preview(made.parts.compactor, subject, None)
            second = await dry_run.preview(made.parts.compactor, subject, None)
            assert first.action is second.action is Action.COMPACTED
            assert first.body == second.body
            assert made.failed_open("archive") == 0

    asyncio.run(run())


@pytest.mark.parametrize("target", [1, 100, 400, 859])
def test_dry_run_with_a_target_goes_down_to_it(target: int) -> None:
    """Who asks what a request of so many tokens would look like gets one, wherever one can be made."""

    async def run() -> None:
        async with engine() as made:
            subject = await made.subject(chat(LONG), REACTING)
            plan = await dry_run.preview(made.parts.compactor, subject, target)
            assert plan.tokens <= max(target, 70)

    asyncio.run(run())


def test_dry_run_with_a_target_that_is_met_changes_nothing() -> None:
    """A request that is small enough for the target is shown as it is."""

    async def run() -> None:
        async with engine() as made:
            body = chat(LONG)
            subject = await made.subject(body)
            assert (await dry_run.preview(made.parts.compactor, subject, 860)).body == body

    asyncio.run(run())


def test_off_changes_nothing_whatever_the_target() -> None:
    """A policy that forwards everything as it came is shown to do so."""
    body = chat(LONG)
    made = asyncio.run(dry_run.offline(WIRE, body, Policy(name="off", mode=Mode.OFF), 100))
    assert made.startswith(b'{"request":' + body)


def test_no_gateway_is_needed() -> None:
    """A process alone tells what a policy makes of a request: how large it was and is, and what went."""
    made = json.loads(asyncio.run(dry_run.offline(WIRE, chat(LONG), TRIMMING, 500)))
    report = made["report"]
    assert (report["action"], report["steps"][0]["step"]) == ("compacted", "trim_turns")
    assert report["tokens_after"] <= 500 < report["tokens_before"]
    assert len(report["removed"]) > 5
    assert made["request"]["messages"][0] == LONG[0]
