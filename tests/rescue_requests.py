"""A working agent's request, as long as wanted, and how much smaller another form of it is, in several units.

Nobody says in which unit an upstream means "too long", so a rescue has to come down in all of them.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import vendor
from answers import Recorded
from clients.chat import CHAT
from clients.dialects import Dialect, count

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


def in_format(wire: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return a request of Chat Completions as another format has it."""
    if wire == "openai_chat":
        return body
    rest = {key: value for key, value in body.items() if key not in ("messages", "tools", "max_tokens")}
    functions = [tool["function"] for tool in body["tools"]]
    if wire == "openai_responses":
        cap = {"max_output_tokens": body["max_tokens"]} if "max_tokens" in body else {}
        tools = [{"type": "function", **function} for function in functions]
        return {**rest, **cap, "tools": tools, "input": list(_items(body["messages"]))}
    tools = [{"name": f["name"], "input_schema": f["parameters"]} for f in functions]
    head, *said = body["messages"]
    fixed = {"system": head["content"], "max_tokens": body.get("max_tokens", 1000), "tools": tools}
    return {**rest, **fixed, "messages": list(_turns(said))}


def _items(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the items of Responses."""
    for message in messages:
        if message["role"] == "tool":
            id = message["tool_call_id"]
            yield {"type": "function_call_output", "call_id": id, "output": message["content"]}
        elif message["content"] is not None:
            yield {"role": message["role"], "content": message["content"]}
        for call in message.get("tool_calls", ()):
            yield {"type": "function_call", "call_id": call["id"], **call["function"]}


def _turns(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the messages of Anthropic's format."""
    for message in messages:
        uses = [
            {"type": "tool_use", "id": call["id"], "name": call["function"]["name"], "input": {"a": 1}}
            for call in message.get("tool_calls", ())
        ]
        if message["role"] == "tool":
            id = message["tool_call_id"]
            block = {"type": "tool_result", "tool_use_id": id, "content": message["content"]}
            yield {"role": "user", "content": [block]}
        else:
            yield {"role": message["role"], "content": uses or message["content"]}


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


UNITS: Mapping[str, Callable[[Recorded, Dialect], int]] = {
    "bytes": lambda request, _: len(request.body),
    "characters of the messages": lambda request, dialect: len(_text(dialect.items(request.json))),
    "words of the body": lambda request, _: len(request.body.split()),
    "tokens of the messages": lambda request, dialect: count(dialect.items(request.json)),
    "tokens of the prompt": lambda request, dialect: dialect.prompt(request.json),
    "tokens of the body": lambda request, _: vendor.count_text(request.body.decode("utf-8", "replace")),
}
"""Ways to measure a request."""


def share(request: Recorded, first: Recorded, dialect: Dialect = CHAT) -> dict[str, float]:
    """Return how much of *first* is left in *request*, in every unit."""
    return {unit: measure(request, dialect) / measure(first, dialect) for unit, measure in UNITS.items()}
