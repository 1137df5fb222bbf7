"""What comes after a refusal is smaller, or nothing; more of it is told in `test_compactor_rescue`."""

from __future__ import annotations

import asyncio

from gateway.core.rescue import Clamp, Shrink
from gateway.engine.subject import Action
from wired import LONG, REACTING, chat, engine


def test_output_alone_is_asked_for_less_where_that_is_what_was_refused() -> None:
    """The messages stay as they are."""

    async def run() -> None:
        async with engine() as made:
            subject = await made.subject(chat(LONG), REACTING)
            refused = await made.parts.compactor.plan(subject)
            plan = await made.parts.compactor.follow(subject, refused, Clamp(100))
            assert plan is not None
            assert (plan.action, plan.output, plan.body) == (Action.RESCUED, 100, refused.body)

    asyncio.run(run())


def test_what_is_found_out_without_sending_stores_nothing() -> None:
    """A dry run with a target tells what would be sent, and is no rescue."""

    async def run() -> None:
        async with engine() as made:
            subject = await made.subject(chat(LONG), REACTING)
            plan = await made.parts.compactor.squeezed(subject, 300)
            assert plan is not None
            assert (plan.action, plan.tokens <= 300) == (Action.COMPACTED, True)
            refused = await made.parts.compactor.plan(subject)
            again = await made.parts.compactor.follow(subject, refused, Shrink(300))
            assert again is not None
            assert again.action is Action.RESCUED

    asyncio.run(run())
