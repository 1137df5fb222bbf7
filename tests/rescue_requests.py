"""A working agent's request, as long as wanted, and how much smaller another form of it is, in several units.

Nobody says in which unit an upstream means "too long", so a rescue has to come down in all of them.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping
from typing import Any

import vendor
from answers import Recorded

_WORDS = re.findall(
    r"\w+",
    "parser window token session cache boundary request upstream message rule value decision open task file "
    "module import failure limit number answer stream event retry bytes header worker database migration "
    "the a of to in that is was for it with as be on not this but from or an they which one had by their "
    "customer invoice amount total region shipped pending report monthly average threshold alert deploy",
)

_TOOLS = {
    "read_file": "Read a file of the project and return its text with line numbers.",
    "run_tests": "Run the tests that match an expression and return the end of their output.",
    "search": "Search the project for a regular expression; at most fifty places are returned.",
}

_SYSTEM = (
    "You are a careful software agent. Change one thing at a time, run the tests after each change, never "
    "touch files under vendor/, keep the public interface stable, and say in one line what you did. "
)


def tools() -> list[dict[str, Any]]:
    """Return the schemas of three tools."""
    return [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": text,
                "parameters": {
                    "type": "object",
                    "properties": {"path": {"type": "string", "description": "What to look at."}},
                    "required": ["path"],
                },
            },
        }
        for name, text in _TOOLS.items()
    ]


def conversation(turns: int = 10, result_words: int = 650, seed: int = 0) -> list[dict[str, Any]]:
    """Return a list of `1 + 5 * turns` messages less what the last turn still owes; ten are 15,000 tokens."""
    chance = random.Random(seed)
    messages: list[dict[str, Any]] = [{"role": "system", "content": _SYSTEM * 3}]
    for turn in range(turns):
        messages.append({"role": "user", "content": f"Step {turn}. {_prose(chance, 40)}"})
        if turn == turns - 1:
            break
        messages.append(_call(chance, f"call_{seed}_{turn}"))
        words = chance.randint(result_words // 2, result_words * 3 // 2)
        result = {"role": "tool", "tool_call_id": f"call_{seed}_{turn}", "content": _lines(chance, words)}
        messages += [result, {"role": "assistant", "content": _prose(chance, 90)}]
        messages += [{"role": "user", "content": _prose(chance, 20)}]
        messages += [{"role": "assistant", "content": _prose(chance, 30)}]
    return messages


def request(model: str, *, stream: bool = False, seed: int = 0, **more: Any) -> dict[str, Any]:
    """Return a request with that conversation."""
    body = {"model": model, "messages": conversation(seed=seed), "tools": tools(), "temperature": 0.2}
    return {**body, **({"stream": True} if stream else {}), **more}


def _call(chance: random.Random, id: str) -> dict[str, Any]:
    name = chance.choice(list(_TOOLS))
    arguments = json.dumps({"path": f"src/{chance.choice(_WORDS)}/{chance.choice(_WORDS)}.py"})
    call = {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _prose(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words)).capitalize() + "."


def _lines(chance: random.Random, words: int) -> str:
    count = max(1, words // 9)
    return "\n".join(f"{line:4d}: {_prose(chance, 7)} = {chance.randint(0, 99999)}" for line in range(count))


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "\n".join(map(_text, value.values()))
    return "\n".join(map(_text, value)) if isinstance(value, list) else ""


UNITS: Mapping[str, Callable[[Recorded], int]] = {
    "bytes": lambda request: len(request.body),
    "characters of the messages": lambda request: len(_text(request.messages)),
    "words of the body": lambda request: len(request.body.split()),
    "tokens of the messages": lambda request: request.tokens.messages,
    "tokens of the prompt": lambda request: request.tokens.prompt,
    "tokens of the body": lambda request: vendor.count_text(request.body.decode("utf-8", "replace")),
}
"""Ways to measure a request."""


def share(request: Recorded, first: Recorded) -> dict[str, float]:
    """Return how much of *first* is left in *request*, in every unit."""
    return {unit: measure(request) / measure(first) for unit, measure in UNITS.items()}
