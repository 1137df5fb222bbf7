"""The dry run: what would be sent, without a trace."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from gateway.engine.subject import Action
from gateway.policy.schema import StoreRules
from gateway.store.file import MEMORY
from stores import opened
from wired import LONG, REACTING, TRIMMING, Full, chat, engine


def test_dry_run_stores_nothing() -> None:
    """What would be sent is told without a trace, the second time as the first."""

    async def run() -> None:
        async with opened(Full(MEMORY)) as store, engine(store) as made:
            subject = await made.subject(chat(LONG), replace(TRIMMING, store=StoreRules(required=True)))
            first = await made.parts.compactor.preview(subject, None)
            second = await made.parts.compactor.preview(subject, None)
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
            plan = await made.parts.compactor.preview(subject, target)
            assert plan.tokens <= max(target, 70)

    asyncio.run(run())


def test_dry_run_with_a_target_that_is_met_changes_nothing() -> None:
    """A request that is small enough for the target is shown as it is."""

    async def run() -> None:
        async with engine() as made:
            body = chat(LONG)
            subject = await made.subject(body)
            assert (await made.parts.compactor.preview(subject, 860)).body == body

    asyncio.run(run())
