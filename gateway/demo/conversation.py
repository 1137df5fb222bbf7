"""A long agent conversation, driven with the official `openai` client exactly as an application would.

The agent works on one task for many turns; in each it reads a file and runs the tests, with results as long
as such results are. The whole conversation goes with every request. Nothing here knows of the gateway but
the base URL, and two response headers that are read for the table.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import openai

MODEL = "demo-8k"
MAX_TOKENS = 400
MAX_ROUNDS = 8

SYSTEM = (
    "You are the maintainer of an order service. Rules: never touch migrations; keep the public interface; "
    "amounts are integers in cents; every change has a test."
)
TASKS = (
    "Make {path} validate its input before it writes anything.",
    "The nightly run says that {path} is slow with 10,000 orders. Find out why and fix it.",
    "Somebody reports a rounding error in {path}. Reproduce it with a test, then fix it.",
    "Remove what nobody calls any more from {path}.",
    "Write down in {path} what happens when the payment provider does not answer.",
)
TOOLS: list[Any] = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": about,
            "parameters": {"type": "object", "properties": {key: {"type": "string"}}, "required": [key]},
        },
    }
    for name, key, about in (
        ("read_file", "path", "Return the content of a file."),
        ("run_tests", "target", "Run the tests of a file and return the log."),
    )
]

# From the least to the most that the gateway does for a request; a turn is shown with its strongest.
ACTIONS = ("none", "bypass", "frozen", "clamped", "compacted", "rescued", "failed-open")


@dataclass
class Turn:
    """What one turn cost."""

    number: int
    requests: int = 0
    sent: int = 0
    """Tokens of the longest request as the client sent it, and"""
    out: int = 0
    """as it went out."""
    saved: int = 0
    """Tokens not sent, in all requests of the turn."""
    rescued: int = 0
    """Requests that the upstream refused and the client never knew of."""
    summed_up: int = 0
    """Requests in which a summary took the place of what was old."""
    action: str = "none"
    elapsed_ms: float = 0.0
    errors: list[str] = field(default_factory=list)


@dataclass
class _Answer:
    message: dict[str, Any]
    headers: Any


class Conversation:
    """One conversation, from its first to its last turn. Iterate over it to run it."""

    def __init__(self, base_url: str, turns: int, seed: int = 8) -> None:
        # The gateway is on this machine: a proxy that the environment names does not lead there.
        directly = openai.DefaultHttpxClient(trust_env=False)
        self._client = openai.OpenAI(
            base_url=base_url, api_key="demo", max_retries=0, timeout=60, http_client=directly
        )
        self._turns = turns
        self._chance = random.Random(seed)
        self.messages: list[Any] = [{"role": "system", "content": SYSTEM}]

    def __iter__(self) -> Iterator[Turn]:
        with self._client:
            for number in range(1, self._turns + 1):
                yield self._take_turn(number)

    def _take_turn(self, number: int) -> Turn:
        turn = Turn(number)
        task = TASKS[number % len(TASKS)].format(path=f"src/module_{number % 12:02d}.py")
        self.messages.append({"role": "user", "content": f"Task {number}: {task}"})
        for _ in range(MAX_ROUNDS):
            started = time.perf_counter()
            try:
                answer = self._ask(stream=number % 2 == 1)
            except openai.APIError as error:
                turn.errors.append(f"turn {number}: {error}")
                return turn
            turn.elapsed_ms += (time.perf_counter() - started) * 1000
            _account(turn, answer.headers)
            self.messages.append(answer.message)
            if not answer.message.get("tool_calls"):
                return turn
            self.messages += [self._run(call) for call in answer.message["tool_calls"]]
        turn.errors.append(f"turn {number}: the agent did not come to an end")
        return turn

    def _ask(self, stream: bool) -> _Answer:
        create = self._client.chat.completions.with_raw_response.create
        common: dict[str, Any] = {
            "model": MODEL,
            "messages": self.messages,
            "tools": TOOLS,
            "max_tokens": MAX_TOKENS,
        }
        if stream:
            streamed = create(**common, stream=True)
            return _Answer(_gather(streamed.parse()), streamed.headers)
        whole = create(**common)
        message = whole.parse().choices[0].message
        return _Answer(message.model_dump(exclude_none=True) | {"content": message.content}, whole.headers)

    def _run(self, call: dict[str, Any]) -> dict[str, Any]:
        """Return the result of a call, as long as such results are."""
        produce = self._file if call["function"]["name"] == "read_file" else self._log
        return {"role": "tool", "tool_call_id": call["id"], "content": produce()}

    def _file(self) -> str:
        chance = self._chance
        lines = [
            f"def step_{chance.randrange(10**6)}(order, amount_cents={chance.randrange(10**5)}):\n"
            f"    if order.state == {chance.randrange(9)}:\n"
            f"        return total(order.lines[{chance.randrange(40)}:], amount_cents)\n"
            for _ in range(chance.randrange(12, 40))
        ]
        return "\n".join(lines)

    def _log(self) -> str:
        chance = self._chance
        lines = [
            f"tests/test_order.py::test_{chance.randrange(10**5)} PASSED [{index:3d}%] {chance.random():.4f}s"
            for index in range(chance.randrange(10, 35))
        ]
        return "\n".join([*lines, f"{len(lines)} passed in {chance.random() * 9:.2f}s"])


def _gather(stream: Any) -> dict[str, Any]:
    """Return the message that the pieces of a stream make up."""
    text = ""
    calls: dict[int, dict[str, str]] = {}
    for piece in stream:
        for choice in piece.choices:
            text += choice.delta.content or ""
            for part in choice.delta.tool_calls or ():
                call = calls.setdefault(part.index, {"id": "", "name": "", "arguments": ""})
                call["id"] += part.id or ""
                call["name"] += part.function.name or ""
                call["arguments"] += part.function.arguments or ""
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if calls:
        message["tool_calls"] = [
            {"id": c["id"], "type": "function", "function": {"name": c["name"], "arguments": c["arguments"]}}
            for c in calls.values()
        ]
    return message


def _account(turn: Turn, headers: Any) -> None:
    """Add to a turn what the gateway's headers say about one request."""
    turn.requests += 1
    action = headers.get("x-haversack-action", "none")
    turn.rescued += action == "rescued"
    turn.summed_up += "summarize" in headers.get("x-haversack-steps", "").split(",")
    if action in ACTIONS and ACTIONS.index(action) > ACTIONS.index(turn.action):
        turn.action = action
    numbers = re.fullmatch(r"before=(\d+);\s*after=(\d+)", headers.get("x-haversack-tokens", ""))
    if numbers:
        before, after = map(int, numbers.groups())
        turn.saved += before - after
        if before >= turn.sent:
            turn.sent, turn.out = before, after
