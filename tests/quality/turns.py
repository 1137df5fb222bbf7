"""The turns of a generated session: messages with tool rounds, and the places where something is planted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from gateway.core.frozen import replace
from quality.filler import Filler

Range = tuple[int, int]

_OWN_MESSAGE = 0.45
"""How often the user says a planted thing in a message of its own."""

_TWO_CALLS = 0.2
"""How often a round has two calls at once."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How long a session is, and what it is made of."""

    turns: Range
    rounds: Range
    """Tool rounds per turn."""
    tools: tuple[str, ...]
    bulk: float = 1.0
    """How large tool results are, in proportion."""
    sometimes_plain: bool = False
    """Whether every other seed has no tools at all."""

    def has_tools(self, seed: int) -> bool:
        """Return whether the session of that seed calls tools."""
        return not (self.sometimes_plain and seed % 2)

    def of(self, seed: int) -> Shape:
        """Return the shape for a seed."""
        return self if self.has_tools(seed) else replace(self, rounds=(0, 0))


SHAPES: dict[str, Shape] = {
    "coding": Shape((20, 36), (2, 5), ("read_file", "grep", "run_tests", "edit_file")),
    "support": Shape((140, 360), (0, 1), ("find_order",), sometimes_plain=True),
    "research": Shape((20, 30), (1, 3), ("web_search", "read_page")),
    "data": Shape((40, 80), (1, 2), ("run_sql", "run_python")),
}


@dataclass(frozen=True, slots=True)
class Saying:
    """Something planted that is to be said in a turn."""

    text: str
    by: str
    said: list[int] = field(compare=False)
    """Gets the index of the message that says it."""


class Writer:
    """Writes the messages of one session, turn by turn."""

    def __init__(self, rng: Random, filler: Filler, kind: str, shape: Shape) -> None:
        self._rng = rng
        self._filler = filler
        self._kind = kind
        self._shape = shape
        self._calls = 0
        self._messages: list[dict[str, Any]] = []

    def begin(self) -> None:
        """Write the system message."""
        self._add("system", self._filler.say("system", self._kind))

    def end(self) -> tuple[dict[str, Any], ...]:
        """Write the latest user message, and return all of them."""
        self._add("user", self._filler.say("final"))
        return tuple(self._messages)

    def turn(self, sayings: Iterable[Saying]) -> None:
        """Write a turn in which these things are said, and before it those that have a turn of their own."""
        by: dict[str, list[Saying]] = {"user": [], "assistant": [], "tool": []}
        for saying in sayings:
            if saying.by == "user" and self._rng.random() < _OWN_MESSAGE:
                self._say("user", saying.text, [saying])
                self._add("assistant", self._filler.say("ack"))
            else:
                by[saying.by].append(saying)
        self._say("user", self._asking(by["user"]), by["user"])
        for number in range(max(self._rng.randint(*self._shape.rounds), len(by["tool"]))):
            self._round(by["tool"][number : number + 1])
        self._say("assistant", self._answer(by["assistant"]), by["assistant"])

    def _add(self, role: str, content: str | None, **members: Any) -> None:
        self._messages.append({"role": role, "content": content, **members})

    def _say(self, role: str, content: str, sayings: Iterable[Saying], **members: Any) -> None:
        for saying in sayings:
            saying.said.append(len(self._messages))
        self._add(role, content, **members)

    def _asking(self, sayings: list[Saying]) -> str:
        text = self._filler.say("request", self._kind)
        for saying in sayings:
            text = self._embedded(saying.text, text)
        return text

    def _embedded(self, planted: str, text: str) -> str:
        """Return a message that says *planted*: after what it says, or in the middle of much more."""
        filler, rng = self._filler, self._rng
        if "\n" in planted or planted.startswith(("#", "-", "*", "//", "|", ">")):
            return (
                f"{text}\n\n{planted}" if rng.random() < 0.6 else f"{text}\n\n{planted}\n\n{filler.prose(2)}"
            )
        planted = f"{filler.say('aside')} {planted}".strip()
        match rng.randint(0, 3):
            case 0:
                return f"{text} {planted}"
            case 1:
                return f"{planted} {text}"
            case 2:
                return f"{text} {filler.prose(2)} {planted} {filler.prose(rng.randint(2, 6))}"
            case _:
                return f"{text}\n{filler.prose(3)}\n{planted}\n{filler.prose(3)}"

    def _answer(self, sayings: Iterable[Saying]) -> str:
        text = self._filler.say("answer")
        for saying in sayings:
            text = f"{text} {saying.text} {self._filler.prose(1)}"
        return text

    def _round(self, sayings: list[Saying]) -> None:
        names = [self._rng.choice(self._shape.tools) for _ in range(1 + (self._rng.random() < _TWO_CALLS))]
        calls = [self._call(name) for name in names]
        self._add("assistant", self._filler.say("thought") or None, tool_calls=calls)
        for number, (name, call) in enumerate(zip(names, calls, strict=True)):
            told = sayings if number == 0 else []
            self._say("tool", self._result(name, told), told, tool_call_id=call["id"])

    def _call(self, name: str) -> dict[str, Any]:
        self._calls += 1
        arguments = {"path": self._filler.file()} if "file" in name else {"query": self._filler.say("noun")}
        if name == "edit_file":
            arguments["text"] = self._filler.code(self._rng.randint(8, 30))
        function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
        return {"id": f"call_{self._kind}_{self._calls}", "type": "function", "function": function}

    def _result(self, name: str, sayings: list[Saying]) -> str:
        text = self._output(name)
        for saying in sayings:
            if self._rng.random() < 0.4:
                text = saying.text
            else:
                lines = text.split("\n")
                at = int(self._rng.random() * (len(lines) + 1))
                text = "\n".join([*lines[:at], saying.text, *lines[at:]])
        return text

    def _output(self, name: str) -> str:
        filler = self._filler
        makers: dict[str, tuple[Callable[[int], str], Range]] = {
            "read_file": (filler.code, (30, 120)),
            "grep": (filler.listing, (8, 40)),
            "run_tests": (filler.tests, (6, 40)),
            "find_order": (filler.records, (2, 6)),
            "web_search": (filler.page, (3, 8)),
            "read_page": (filler.page, (8, 24)),
            "run_sql": (filler.table, (10, 60)),
            "run_python": (filler.table, (3, 12)),
        }
        if name not in makers:
            return "ok"
        make, size = makers[name]
        return make(max(int(self._rng.randint(*size) * self._shape.bulk), 1))
