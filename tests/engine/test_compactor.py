"""What is sent: as it came, frozen and replayed, compacted anew, or smaller after a refusal."""

from __future__ import annotations

import asyncio
import json

import pytest

from gateway.core.errors import StoreUnavailable
from gateway.core.frozen import replace
from gateway.engine.finish import removed
from gateway.engine.subject import Action, Plan
from gateway.policy.rules import StoreRules
from gateway.policy.schema import Policy, Step
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.strategies.offload import OffloadContent
from gateway.strategies.trim_turns import TrimTurns
from stores import opened
from wired import LONG, PLACE, REACTING, TRIMMING, Engine, Full, away, chat, engine, message, said, turns


async def planned(made: Engine, body: bytes, policy: Policy = TRIMMING) -> Plan:
    """Return what would be sent for a request."""
    return await made.parts.compactor.plan(await made.subject(body, policy))


async def accepted(made: Engine, plan: Plan) -> None:
    """Commit what an upstream has accepted."""
    assert plan.checkpoint is not None
    await made.parts.checkpoints.commit(PLACE, plan.checkpoint)


def test_what_fits_is_not_touched_and_neither_is_the_store() -> None:
    """Under the trigger a request goes out as it came, and a store that is away is not missed."""

    async def run() -> None:
        async with engine(away()) as made:
            body = chat(turns(5))
            plan = await planned(made, body)
            assert plan.body is body
            assert plan.action is Action.NONE
            assert made.failed_open("store_read") == 0

    asyncio.run(run())


@pytest.mark.parametrize("body", [chat([]), chat(turns(100)), chat([message("user", 5000)])])
def test_unknown_window_changes_nothing(body: bytes) -> None:
    """While nobody knows how long the window is, nothing is compacted before the upstream asks for it."""

    async def run() -> None:
        async with engine(away()) as made:
            plan = await planned(made, body, REACTING)
            assert (plan.body, plan.action) == (body, Action.NONE)
            assert made.failed_open("store_read") == 0

    asyncio.run(run())


def test_conversation_over_the_trigger_comes_down_to_the_target() -> None:
    """The oldest turns go; head and newest question stay; everything else keeps its bytes."""

    async def run() -> None:
        async with engine() as made:
            body = chat(LONG, temperature=0.5)
            plan = await planned(made, body)
            assert plan.action is Action.COMPACTED
            assert plan.tokens <= 360 < plan.tokens_before == plan.tokens_frozen == 860
            assert (said(plan.body)[0], said(plan.body)[-1]) == ("rules", "now")
            assert json.loads(plan.body)["temperature"] == 0.5
            assert plan.steps == ("trim_turns",)

    asyncio.run(run())


def test_what_is_removed_is_stored_first() -> None:
    """Before anything is sent, every message that is gone can be read again."""

    async def run() -> None:
        async with opened(SqliteStore(MEMORY)) as store, engine(store) as made:
            subject = await made.subject(chat(LONG))
            plan = await made.parts.compactor.plan(subject)
            assert plan.view is not None
            kept = {message.origin for message in plan.view.messages}
            gone = {json.dumps(entry).encode() for n, entry in enumerate(LONG) if n not in kept}
            assert gone
            originals = list(removed(subject, None, plan.view, 0.0))
            found = [await store.original(PLACE.scope, original.id) for original in originals]
            assert {original.content for original in found if original is not None} == gone

    asyncio.run(run())


def test_frozen_decision_is_replayed_byte_for_byte() -> None:
    """The next request of the conversation begins with the very bytes of the one before."""

    async def run() -> None:
        async with engine() as made:
            first = await planned(made, chat(LONG))
            await accepted(made, first)
            longer = chat([*LONG, message("assistant", 20, "answer"), message("user", 20, "more")])
            second = await planned(made, longer)
            assert second.action is Action.FROZEN
            assert second.body.startswith(first.body[:-2])
            assert said(second.body)[-2:] == ["answer", "more"]
            assert second.tokens == first.tokens + 40
            assert second.checkpoint is None

    asyncio.run(run())


def test_regenerated_answer_finds_the_frozen_prefix() -> None:
    """Editing or repeating the last question keeps what was decided about everything before it."""

    async def run() -> None:
        async with engine() as made:
            await accepted(made, await planned(made, chat(LONG)))
            edited = await planned(made, chat([*LONG[:-1], message("user", 30, "edited")]))
            assert edited.action is Action.FROZEN
            assert said(edited.body)[-1] == "edited"

    asyncio.run(run())


def test_edit_of_what_was_frozen_starts_anew() -> None:
    """A conversation whose beginning was changed has nothing to do with the old one."""

    async def run() -> None:
        async with engine() as made:
            await accepted(made, await planned(made, chat(LONG)))
            edited = await planned(made, chat([message("system", 10, "other"), *LONG[1:]]))
            assert edited.action is Action.COMPACTED
            assert said(edited.body)[0] == "other"

    asyncio.run(run())


def test_boundary_moves_when_the_tail_has_grown() -> None:
    """Over the trigger again, the next compaction stands on the last; saved before and saved now are told."""

    async def run() -> None:
        async with engine() as made:
            first = await planned(made, chat(LONG))
            await accepted(made, first)
            grown = [*LONG, message("assistant", 20, "answer"), *turns(6)]
            second = await planned(made, chat(grown))
            assert second.action is Action.COMPACTED
            assert second.base == first.checkpoint
            assert second.tokens <= 360 < second.tokens_frozen == first.tokens + 670 < second.tokens_before

    asyncio.run(run())


def test_decision_for_a_far_smaller_window_is_not_used() -> None:
    """A conversation that moves to a larger model gets back what was left out for a small one."""

    async def run() -> None:
        async with engine() as made:
            await accepted(made, await planned(made, chat(LONG)))
            longer = chat([*LONG, message("assistant", 20), *turns(25)])
            plan = await planned(made, longer, replace(TRIMMING, window=4000))
            assert plan.base is None

    asyncio.run(run())


def test_unreadable_store_is_counted_and_done_without() -> None:
    """Compaction goes on without what was remembered."""

    async def run() -> None:
        async with engine(away()) as made:
            assert (await planned(made, chat(LONG))).action is Action.COMPACTED
            assert made.failed_open("store_read") == 1
            assert made.failed_open("archive") == 1

    asyncio.run(run())


RESULT = " ".join(f"line{n}" for n in range(700))
TOOLS = [
    {"role": "user", "content": "Read it."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "1", "type": "function", "function": {"name": "read", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "1", "content": RESULT},
    {"role": "assistant", "content": "It is long."},
    {"role": "user", "content": "Go on."},
]
OFFLOADING = replace(
    TRIMMING,
    steps=(Step("offload", OffloadContent(min_tokens=100, keep_last=0)), Step("trim_turns", TrimTurns())),
)


def test_promise_is_made_only_of_what_is_stored() -> None:
    """A stub names an id under which the content is there; without a store there is no stub."""

    async def run() -> None:
        async with opened(SqliteStore(MEMORY)) as store, engine(store) as made:
            plan = await planned(made, chat(TOOLS), OFFLOADING)
            assert plan.view is not None
            [offload] = plan.view.offloads
            assert offload.id.encode() in plan.body
            kept = await store.original(PLACE.scope, offload.id)
            assert kept is not None
            assert kept.content.decode() == RESULT
        async with opened(Full(MEMORY)) as store, engine(store) as made:
            without = await planned(made, chat(TOOLS), OFFLOADING)
            assert without.action is Action.COMPACTED
            assert without.tokens <= 800
            assert offload.id.encode() not in without.body
            assert made.failed_open("archive") == 1

    asyncio.run(run())


def test_policy_may_insist_on_the_store() -> None:
    """`store.required` refuses a request rather than forgetting what it removes, and says the way out."""

    async def run() -> None:
        async with opened(Full(MEMORY)) as store, engine(store) as made:
            insisting = replace(TRIMMING, store=StoreRules(required=True))
            with pytest.raises(StoreUnavailable, match="x-haversack-bypass"):
                await planned(made, chat(LONG), insisting)
            assert (await planned(made, chat(turns(3)), insisting)).action is Action.NONE

    asyncio.run(run())


def test_steps_that_find_nothing_change_nothing() -> None:
    """A request that no step makes smaller goes out as it came, while it may still fit."""

    async def run() -> None:
        async with engine() as made:
            body = chat([message("user", 700)])
            plan = await planned(made, body)
            assert (plan.body, plan.action) == (body, Action.NONE)

    asyncio.run(run())


def test_window_that_is_certain_is_kept_to_at_once() -> None:
    """What would surely be refused climbs the ladder before it is sent for the first time."""

    async def run() -> None:
        async with engine() as made:
            plan = await planned(made, chat([message("user", 2000)]))
            assert plan.tokens <= 800
            assert "newest_content" in plan.steps

    asyncio.run(run())
