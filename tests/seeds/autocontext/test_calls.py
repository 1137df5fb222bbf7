"""What a long piece of work costs in calls of a model: each part of it once, the smaller before the larger.

A run of calls that is told changes its turn, so a turn that is asked of before would be asked of twice.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from engine.summing import Scripted, drained, run, sent
from gateway.core.frozen import replace
from gateway.engine.summarizer import Job
from gateway.policy.live import read_all
from gateway.strategies import marks
from gateway.strategies.piece import Piece
from wired import Engine, chat

POLICY = replace(
    read_all(None, "default").policies["autocontext"], window=8000, reserve_output=800, reserve_ratio=None
)
TURNS = 100
ROUNDS = (1, 2, 4, 0, 6, 3)
"""Calls of a turn, over and over: so some have runs that can be folded, and some have none."""


class Writing(Scripted):
    """Names every call that changed something, and each text is another."""

    async def write(self, job: Job) -> str | None:
        """Return the text of a piece."""
        await super().write(job)
        number = len(self.jobs)
        if job.piece is None or job.piece.form == "turn":
            return f"In brief, number {number}: it was looked at, and all went well."
        blocks = (block for message in job.messages for block in message.blocks)
        paths = [json.loads(block.text)["path"] for block in blocks if block.name == "write_file"]
        return "\n".join(
            [f"- read_file(path=all) {number}", *(f"- write_file(path={one}): ok" for one in paths)]
        )


def turn(number: int) -> list[dict[str, Any]]:
    """Return a question, its calls with their results, and an answer."""
    said: list[dict[str, Any]] = [
        {"role": "user", "content": f"Question {number}: how is it with that part?"}
    ]
    for at in range(ROUNDS[number % len(ROUNDS)]):
        name, id = "write_file" if at % 4 == 3 else "read_file", f"c{number}_{at}"
        function = {"name": name, "arguments": json.dumps({"path": f"src/p{number}_{at}.py"})}
        call = {"id": id, "type": "function", "function": function}
        said.append({"role": "assistant", "content": None, "tool_calls": [call]})
        said.append(
            {"role": "tool", "tool_call_id": id, "content": "word " * (20, 60, 150)[(number + at) % 3]}
        )
    return [*said, {"role": "assistant", "content": f"Answer {number}: " + "so it is " * 9}]


def foldable(piece: Piece) -> bool:
    """Return whether a turn has a run in it that could be told first: three rounds, one behind the other."""
    texts = [block.text for message in piece.messages for block in message.blocks]
    return len(piece.messages) >= 8 and not any(map(marks.is_chain, texts))


def test_hundred_turns_ask_once_of_each_part_and_of_a_turn_when_its_runs_are_told() -> None:
    """No piece twice, no turn twice, and none with a run in it that is still to be told."""
    writer = Writing()

    async def check(made: Engine) -> None:
        said: list[dict[str, Any]] = [{"role": "system", "content": "You are an agent."}]
        for number in range(TURNS):
            said += turn(number)
            await sent(made, chat([*said[:-1]]), POLICY)
            await drained(made)

    run(check, writer)
    pieces = [job.piece for job in writer.jobs if job.piece is not None]
    told = [piece for piece in pieces if piece.form == "turn"]
    assert len({piece.key for piece in pieces}) == len(pieces) == len(writer.jobs)
    assert Counter(piece.ask for piece in told).most_common(1)[0][1] == 1
    assert not any(map(foldable, told))
    assert {piece.form for piece in pieces} == {"calls", "turn"}
    assert len(pieces) < 1.5 * TURNS
