"""A rule that is stated once is kept for the whole conversation: five hundred turns, each of them sent."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import pytest

from exchanging import answered
from gateway.core.frozen import replace
from gateway.engine.vocabulary import Vocabulary
from gateway.policy.live import read_all
from quality.filler import Filler
from quality.turns import SHAPES, Saying, Writer
from wired import Edge, answer, ask, chat, engine

TURNS = 500
STATED_AT = 2
WINDOW = 8_000
POLICY = replace(read_all(None, "default").policies["mechanical"], window=WINDOW)

RULES = {
    "en": "From now on, never write anything to /srv/ledger/4821, and keep every export below 350 rows.",
    "zh": "从现在起，绝对不要写入 /srv/ledger/4821，而且每次导出都不得超过 350 行。",
}


def conversation(language: str) -> tuple[dict[str, Any], ...]:
    """Return five hundred turns with tool rounds; the rule is in the second user message and nowhere else."""
    writer = Writer(
        Random(5), Filler(Random(6), language), "data", replace(SHAPES["data"], rounds=(0, 1), bulk=0.3)
    )
    writer.begin()
    for turn in range(1, TURNS + 1):
        writer.turn([Saying(RULES[language], "user", [])] if turn == STATED_AT else [])
    return writer.end()


async def sent(messages: tuple[dict[str, Any], ...]) -> list[list[dict[str, Any]]]:
    """Return what goes out at every turn when a client sends its growing list."""
    ends = [n for n, message in enumerate(messages, 1) if message["role"] == "user"]
    edge = Edge(*(answer() for _ in ends))
    count = Vocabulary().load("m").count
    async with engine() as made:
        for end in ends:
            status, *_ = await answered(made, ask(edge, chat(messages[:end]), POLICY, count=count))
            assert status == 200
    return [json.loads(body)["messages"] for body in edge.bodies]


@pytest.mark.slow
@pytest.mark.parametrize("language", RULES)
def test_a_rule_is_there_five_hundred_turns_later(language: str) -> None:
    """Word by word, in every request from the second turn on, however often it was compacted."""
    rounds = asyncio.run(sent(conversation(language)))
    assert len(rounds) > TURNS
    assert max(len(messages) for messages in rounds) < TURNS, "nothing was compacted"
    missing = [
        turn
        for turn, messages in enumerate(rounds[STATED_AT:], STATED_AT + 1)
        if not any(RULES[language] in (message["content"] or "") for message in messages)
    ]
    assert missing == []
