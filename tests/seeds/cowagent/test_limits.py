"""The numbers of CowAgent's short-term memory, each at its border: what is within is sent as it came."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.summing import sent
from gateway.engine.retention import DAY_S, delete_old
from gateway.policy.policies import PolicySet
from gateway.policy.schema import Policy
from gateway.store.base import Original
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from seeds.cowagent.memory import HEAD, NAME, POLICY, changed, contents, digest, later, talk, turn
from stores import Clock, opened
from wired import chat, engine

LATER = later()
NOW = {"role": "user", "content": "And now?"}


def went_out(messages: list[Any], policy: Policy = POLICY) -> bytes:
    """Return what is sent for a list."""

    async def main() -> bytes:
        async with engine() as made:
            return await sent(made, chat(messages), policy)

    return asyncio.run(main())


def sized(tokens: int) -> list[Any]:
    """Return a conversation of seven turns and so many tokens."""
    said = [message for n in range(6) for message in turn(n, (tokens - 70) // 6 - 11)]
    messages = [HEAD, *said, NOW]
    short = tokens - sum(len((message["content"] or "").split()) + 4 for message in messages)
    messages[2] = {"role": "assistant", "content": messages[2]["content"] + "so " * short}
    return messages


@pytest.mark.parametrize(("policy", "budget"), [(POLICY, 50_000), (LATER, 64_000)])
def test_token_budget(policy: Policy, budget: int) -> None:
    """Row "token budget": up to 50,000 tokens (later 64,000) nothing is done, whatever the window."""
    within = sized(budget - 1)
    assert went_out(within, policy) == chat(within)
    assert len(contents(went_out(sized(budget), policy))) < len(within)


def test_token_budget_is_capped_by_the_window() -> None:
    """Row "token budget": never more than the window leaves beside the answer."""
    policy = changed("window: 10000", "reserve_output: 2000")
    within = sized(7999)
    assert went_out(within, policy) == chat(within)
    assert len(contents(went_out(sized(8000), policy))) < len(within)


@pytest.mark.parametrize(("policy", "limit"), [(POLICY, 20), (LATER, 30)])
def test_turn_limit(policy: Policy, limit: int) -> None:
    """Row "turn limit": 20 turns (later 30) may stand; with one more the oldest half goes, the head stays."""
    within = talk(limit)
    assert went_out(within, policy) == chat(within)
    over = talk(limit + 1)
    out = contents(went_out(over, policy))
    assert out[0] == HEAD["content"]
    assert out[1].endswith(f"\n{over[1 + limit]['content']}")
    assert out[2:] == [message["content"] for message in over[2 + limit :]]


def test_results_of_earlier_turns_are_cut_before_each_call() -> None:
    """Row "stage 1": far below all limits results over 20,000 characters are cut, but in the current turn."""
    long = "line of a log\n" * 2000
    began = [HEAD, *turn(0, result=long), NOW, *turn(1, result=long)[1:3]]
    out = contents(went_out(began))
    assert len(out) == len(began)
    cut = out[3]
    assert len(cut) <= 20_000
    assert cut.startswith("line of a log\n")
    assert cut.endswith("line of a log\n")
    assert f"of {len(long)} characters left out" in cut
    assert out[7] == long
    assert went_out([HEAD, *turn(0, result=long[:20_000]), NOW]) == chat(
        [HEAD, *turn(0, result=long[:20_000]), NOW]
    )


def test_later_version_caps_the_current_turn_too() -> None:
    """Row "stage 1", also support: of what was read in the current turn the first 50,000 characters stay."""
    long = "line of a log\n" * 5000
    rounds = [message for n in range(2) for message in turn(n, result=long)[1:3]]
    out = contents(went_out([HEAD, NOW, *rounds], LATER))
    read, unread = out[3], out[5]
    assert len(read) <= 50_000
    assert read.startswith("line of a log\n")
    assert read.rstrip().endswith("]")
    assert unread == long


def test_sessions_are_kept_for_thirty_days() -> None:
    """Row "retention": what nobody has used for more than 30 days is removed."""

    async def main() -> None:
        clock, current = Clock(), PolicySet({NAME: POLICY}, {}, POLICY)
        async with opened(SqliteStore(MEMORY, clock)) as store:
            await store.put_originals("key-1", [Original("sha256-1", b"a")])
            await delete_old(store, current, str, clock.now + 29 * DAY_S, 0)
            assert await store.original("key-1", "sha256-1") is not None
            await delete_old(store, current, str, clock.now + 31 * DAY_S, 0)
            assert await store.original("key-1", "sha256-1") is None

    asyncio.run(main())


def test_rounds_of_the_agents_loop_are_told() -> None:
    """Row "agent_max_steps": how many rounds a turn took can be read, and nothing is cut off for it."""
    steps = [message for n in range(16) for message in turn(n, result="ok")[1:3]]
    messages = [HEAD, NOW, *steps, {"role": "assistant", "content": "Done."}, NOW]

    async def main() -> None:
        async with engine() as made:
            assert await sent(made, chat(messages), POLICY) == chat(messages)
            told = made.parts.metrics.registry.get_sample_value
            assert told("haversack_rounds_per_turn_sum", {"tenant": "", "policy": NAME}) == 16

    asyncio.run(main())


def test_what_goes_is_told_in_the_first_user_message() -> None:
    """Row "stage 2": what users said in the turns that went, and no message more than before."""
    over = talk(21)
    out = went_out(over)
    assert [text for texts in digest(out).entries.values() for text in texts][:10] == [
        message["content"] for message in over[1:21:2]
    ]
    assert len(contents(out)) == len(over) - 20
