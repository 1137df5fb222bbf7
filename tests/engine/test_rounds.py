"""Rounds are counted once for every turn, when the next one begins."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.summing import sent
from gateway.engine.rounds import rounds_before
from wired import TRIMMING, chat, engine

CALL = {"id": "c", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
ROUND = [
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c", "content": "a.py"},
]
ASKED, ANSWER = {"role": "user", "content": "List it."}, {"role": "assistant", "content": "There."}


@pytest.mark.parametrize(
    ("messages", "rounds"),
    [
        ([ASKED], None),
        ([ASKED, *ROUND], None),
        ([ASKED, ANSWER, ASKED], 0),
        ([ASKED, *ROUND, *ROUND, ANSWER, ASKED], 2),
        ([ASKED, *ROUND, *ROUND, ANSWER, ASKED, *ROUND], None),
        ([ASKED, ANSWER, ASKED, *ROUND, ASKED], 1),
    ],
)
def test_turn_is_counted_when_the_next_begins(messages: list[Any], rounds: int | None) -> None:
    """While an agent works nothing is told; what it took is told by the first request after it."""

    async def main() -> None:
        async with engine() as made:
            subject = await made.subject(chat(messages))
            assert rounds_before(subject.counted.facts) == rounds
            await sent(made, chat(messages), TRIMMING)
            told = made.parts.metrics.registry.get_sample_value
            labels = {"tenant": "", "policy": "trimming"}
            assert told("haversack_rounds_per_turn_count", labels) == (None if rounds is None else 1)
            assert told("haversack_rounds_per_turn_sum", labels) == rounds

    asyncio.run(main())
