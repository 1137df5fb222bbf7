"""The provider's prompt cache over a long conversation: compaction must not defeat it.

The shipped policies, 200 turns, and a provider that reads what it has seen before from its cache, in blocks
of 128 tokens. What it reads is compared with what it would have read of the same conversation in a window
without end.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from caching import Meter, Provider
from exchanging import answered
from gateway.core.frozen import replace
from gateway.engine.subject import Action
from gateway.policy.live import read_all
from gateway.policy.schema import Policy
from wired import ask, chat, engine

TURNS = 200
LEAST = 0.85
"""Of the share that is read without compaction."""

Message = dict[str, Any]


def text(random: Random, least: int, most: int) -> str:
    """Return a text of some words that no other text has."""
    words = (
        f"{random.choice(('the', 'order', 'file', 'test', 'total'))}{random.randrange(10_000)}"
        for _ in iter(int, 1)
    )
    return " ".join(next(words) for _ in range(random.randint(least, most)))


def chatting(random: Random) -> Iterator[list[Message]]:
    """Yield the requests of a conversation without tools: one a turn."""
    messages: list[Message] = [{"role": "system", "content": text(random, 400, 400)}]
    for _ in range(TURNS):
        messages.append({"role": "user", "content": text(random, 20, 120)})
        yield messages
        messages.append({"role": "assistant", "content": text(random, 80, 300)})


def working(random: Random) -> Iterator[list[Message]]:
    """Yield the requests of an agent that reads a file in each turn: two a turn."""
    messages: list[Message] = [{"role": "system", "content": text(random, 400, 400)}]
    for turn in range(TURNS):
        messages.append({"role": "user", "content": text(random, 10, 60)})
        yield messages
        call = {"name": "read_file", "arguments": json.dumps({"path": f"src/{turn}.py"})}
        called = {"id": f"c{turn}", "type": "function", "function": call}
        messages.append({"role": "assistant", "content": None, "tool_calls": [called]})
        messages.append({"role": "tool", "tool_call_id": f"c{turn}", "content": text(random, 40, 500)})
        yield messages
        messages.append({"role": "assistant", "content": text(random, 30, 120)})


TALKS = {"chat": chatting, "agent": working}


def shipped(name: str, window: int) -> Policy:
    """Return a shipped policy for a window of that size."""
    return replace(read_all(None, "default").policies[name], window=window)


def compacted(policy: Policy, talk: str) -> tuple[Meter, Meter, list[Action]]:
    """Return what a provider reads of a conversation with compaction and without, and what was done."""

    async def run() -> tuple[Meter, Meter, list[Action]]:
        provider, without, actions = Provider(Meter()), Meter(), []
        async with engine() as made:
            for messages in TALKS[talk](Random(7)):
                body = chat(messages)
                without.charge(body)
                actions.append((await answered(made, ask(provider, body, policy)))[2])
        return provider.meter, without, actions

    return asyncio.run(run())


@pytest.mark.parametrize(("name", "talk"), [("default", "chat"), ("mechanical", "agent")])
def test_cache_stays_warm(name: str, talk: str) -> None:
    """Over 200 turns the cache gives at least 85 % of the share that it gives without compaction."""
    with_it, without, actions = compacted(shipped(name, 12_000), talk)
    moves = sum(action in (Action.COMPACTED, Action.RESCUED) for action in actions)

    assert without.input > 2 * with_it.input
    assert with_it.share >= LEAST * without.share
    assert moves <= len(actions) / 10
