"""What is sent after a refusal: smaller each time, or nothing."""

from __future__ import annotations

import asyncio
import json

from gateway.core.failures import Overflow
from gateway.core.frozen import replace
from gateway.core.rescue import Clamp, Move, Shrink, TrimItem
from gateway.engine.subject import Action, Plan, Subject
from gateway.policy.rules import OverflowRules
from gateway.policy.schema import Policy
from wired import LONG, PLACE, REACTING, URL, Engine, chat, engine, message, said, turns


async def first(made: Engine, body: bytes, policy: Policy = REACTING) -> tuple[Subject, Plan]:
    """Return a request, and the plan that was refused: as it came."""
    subject = await made.subject(body, policy)
    plan = await made.parts.compactor.plan(subject)
    assert plan.action is Action.NONE
    return subject, plan


async def followed(made: Engine, body: bytes, move: Move, policy: Policy = REACTING) -> Plan | None:
    """Return what is sent after the request was refused."""
    subject, plan = await first(made, body, policy)
    return await made.parts.compactor.follow(subject, plan, move)


def test_shrinking_meets_the_target() -> None:
    """A request comes down to what the upstream takes; head and question stay."""

    async def run() -> None:
        async with engine() as made:
            plan = await followed(made, chat(LONG), Shrink(500))
            assert plan is not None
            assert plan.tokens <= 500
            assert (plan.action, plan.tokens_before) == (Action.RESCUED, 860)
            assert (said(plan.body)[0], said(plan.body)[-1]) == ("rules", "now")
            assert plan.checkpoint is not None

    asyncio.run(run())


def test_each_rescue_is_smaller_than_what_was_refused() -> None:
    """The second rescue goes on from the first, down to the last rung."""

    async def run() -> None:
        async with engine() as made:
            subject, plan = await first(made, chat(LONG))
            sizes = [plan.tokens]
            for tokens in (500, 200, 70):
                smaller = await made.parts.compactor.follow(subject, plan, Shrink(tokens))
                assert smaller is not None
                plan = smaller
                sizes.append(plan.tokens)
            assert sizes == sorted(set(sizes), reverse=True)
            assert sizes[-1] <= 70

    asyncio.run(run())


def test_nothing_is_sent_that_is_not_smaller() -> None:
    """Where all that is left may not be removed, there is no further attempt."""

    async def run() -> None:
        async with engine() as made:
            assert (
                await followed(made, chat([message("system", 800), message("user", 5)]), Shrink(100)) is None
            )

    asyncio.run(run())


def test_policy_without_rungs_is_not_rescued() -> None:
    """Who leaves the ladder empty wants the upstream's refusal."""

    async def run() -> None:
        async with engine() as made:
            bare = replace(REACTING, overflow=OverflowRules(rungs=()))
            assert await followed(made, chat(LONG), Shrink(100), bare) is None

    asyncio.run(run())


def test_tools_are_taken_off_the_room() -> None:
    """What is sent beside the messages counts, and cannot be made smaller."""

    async def run() -> None:
        async with engine() as made:
            tools = [{"type": "function", "function": {"name": "f", "description": "word " * 300}}]
            plan = await followed(made, chat(LONG, tools=tools), Shrink(700))
            assert plan is not None
            assert plan.tokens <= 700

    asyncio.run(run())


def test_clamp_leaves_the_conversation() -> None:
    """Where less output cures it, the messages go as they came."""

    async def run() -> None:
        async with engine() as made:
            body = chat(LONG, max_tokens=9000)
            plan = await followed(made, body, Clamp(500))
            assert plan is not None
            assert (plan.output, plan.body, plan.action) == (500, body, Action.RESCUED)
            assert not plan.is_rewritten

    asyncio.run(run())


def test_shrinking_may_clamp_as_well() -> None:
    """Output that takes most of the window comes down with the conversation, and stays down."""

    async def run() -> None:
        async with engine() as made:
            subject, plan = await first(made, chat(LONG, max_tokens=900))
            smaller = await made.parts.compactor.follow(subject, plan, Shrink(500, output=400))
            assert smaller is not None
            assert smaller.output == 400
            smallest = await made.parts.compactor.follow(subject, smaller, Shrink(100))
            assert smallest is not None
            assert smallest.output == 400

    asyncio.run(run())


def test_bytes_come_down() -> None:
    """A limit in bytes is met in bytes."""

    async def run() -> None:
        async with engine() as made:
            body = chat(LONG)
            plan = await followed(made, body, Shrink(430, size_bytes=len(body) // 2))
            assert plan is not None
            assert len(plan.body) <= len(body) // 2

    asyncio.run(run())


def test_number_of_messages_comes_down() -> None:
    """A limit on the number of messages is met, though there is room for more tokens."""

    async def run() -> None:
        async with engine() as made:
            plan = await followed(made, chat(LONG), Shrink(400, messages=8))
            assert plan is not None
            assert plan.messages <= 8

    asyncio.run(run())


def test_one_text_is_cut() -> None:
    """Only the text that is too long for its field is changed."""

    async def run() -> None:
        async with engine() as made:
            long = {"role": "user", "content": " ".join(f"w{n}" for n in range(100))}
            body = chat([message("system", 10, "rules"), long])
            plan = await followed(made, body, TrimItem("messages[1].content", 200))
            assert plan is not None
            assert len(json.loads(plan.body)["messages"][1]["content"]) <= 200
            assert json.loads(plan.body)["messages"][0] == message("system", 10, "rules")
            assert plan.steps == ("trim_item",)
            assert await followed(made, body, TrimItem("messages[0].content", 2000)) is None

    asyncio.run(run())


def test_earlier_decision_about_the_conversation_comes_first() -> None:
    """What another exchange has found to fit is sent again, byte for byte."""

    async def run() -> None:
        async with engine() as made:
            subject, plan = await first(made, chat(LONG))
            before = await made.parts.compactor.follow(subject, plan, Shrink(500))
            assert before is not None
            assert before.checkpoint is not None
            await made.parts.checkpoints.commit(PLACE, before.checkpoint)
            again = await made.parts.compactor.follow(subject, plan, Shrink(500, output=7))
            assert again is not None
            assert (again.body, again.action, again.output) == (before.body, Action.RESCUED, 7)
            tighter = await made.parts.compactor.follow(subject, plan, Shrink(200))
            assert tighter is not None
            assert tighter.base == before.checkpoint
            assert tighter.tokens <= 200

    asyncio.run(run())


def test_window_learned_meanwhile_counts() -> None:
    """The refusal has told the window, so the rescue goes down to the policy's target of it."""

    async def run() -> None:
        async with engine() as made:
            body = chat([*turns(40)])
            subject, plan = await first(made, body)
            made.parts.windows.overflowed(URL, "m", Overflow(limit=1600), plan.tokens)
            smaller = await made.parts.compactor.follow(subject, plan, Shrink(1400))
            assert smaller is not None
            # 45 per cent of what a window of 1600 leaves beside a reserve of 200.
            assert smaller.tokens <= 630

    asyncio.run(run())
