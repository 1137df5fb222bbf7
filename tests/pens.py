"""Pens that write request bodies as text, in every spelling that clients use and in some that none does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import TypeVar

T = TypeVar("T")
Write = Callable[[], str]
Members = dict[str, Write]

ROLES = ["system", "developer", "user", "assistant", "assistant", "tool", "function", "x"]
PARTS = ["text", "text", "image_url", "file", "refusal", "x"]
SIGNS = ["\\n", '\\"', "\\\\", "\\/", "\\u0000", "\\u00e9", "\\ud83d", "\\ude00"]
CHARACTERS = [*"ab{}[]:,/ é的\u2028\x7f🎒", *SIGNS]
NUMBERS = ["0", "-0", "-0.0", "1.10", "1E5", "1e400", "12345678901234567890123", "-9223372036854775809"]
BLOCKS = ["text", "text", "image", "document", "thinking", "tool_use", "tool_result", "tool_result", "x"]


class Pen:
    """Writes bodies as text, not as values, so that every spelling that clients use can occur."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    def body(self) -> bytes:
        always = {"model": self.string, "messages": lambda: self.array(self.message, 5)}
        often = {"stream": self.word, "n": self.number, "max_tokens": self.number, "tools": self.value}
        return (self.space() + self.object(always, often) + self.space()).encode()

    def message(self) -> str:
        if self._chance.random() < 0.05:
            return self.value()
        always = {"role": lambda: f'"{self.one(ROLES)}"', "content": self.content}
        calls = {"tool_calls": lambda: self.array(self.call), "function_call": self.called}
        labels = {"name": self.string, "tool_call_id": self.string, "refusal": self.string}
        return self.object(always, {**calls, **labels, "content": self.content, "reasoning": self.value})

    def content(self) -> str:
        shapes: list[Write] = [self.string, lambda: self.array(self.part), self.value]
        return self.one(shapes)()

    def part(self) -> str:
        always = {"type": lambda: f'"{self.one(PARTS)}"', "text": self.string}
        return self.object(always, {"image_url": self.value, "file": self.value, "text": self.value})

    def call(self) -> str:
        always = {"id": self.string, self.one(["function", "function", "custom"]): self.called}
        return self.object(always, {"type": self.string, "id": self.value, "function": self.value})

    def called(self) -> str:
        return self.object(
            {"name": self.string, "arguments": self.string}, {"input": self.string, "arguments": self.value}
        )

    def value(self, depth: int = 3) -> str:
        inner = partial(self.value, depth - 1)
        shapes: list[Write] = [self.string, self.number, self.word]
        if depth:
            shapes += [lambda: self.array(inner), lambda: self.object({}, dict.fromkeys("abc", inner))]
        return self.one(shapes)()

    def object(self, always: Members, often: Members) -> str:
        """Return an object in any order; a member of *often* may be missing, or there twice, or unknown."""
        members = [
            *always.items(),
            *self._chance.choices([*often.items(), (self.string()[1:-1], self.string)], k=2),
        ]
        self._chance.shuffle(members)
        kept = members if self._chance.random() < 0.5 else [item for item in members if item[0] in always]
        written = (f'{self.space()}"{key}"{self.space()}:{self.padded(value)}' for key, value in kept)
        return f"{{{','.join(written)}}}"

    def array(self, item: Write, longest: int = 3) -> str:
        items = (self.padded(item) for _ in range(self._chance.randint(0, longest)))
        return f"[{','.join(items)}]"

    def padded(self, value: Write) -> str:
        return self.space() + value() + self.space()

    def string(self) -> str:
        signs = self._chance.choices(CHARACTERS, k=self._chance.randint(0, 8))
        return f'"{"".join(signs)}"'

    def number(self) -> str:
        return self.one(NUMBERS)

    def word(self) -> str:
        return self.one(["true", "false", "null"])

    def space(self) -> str:
        return self.one(["", "", "", " ", "\n", "\t \r\n"])

    def one(self, choices: list[T]) -> T:
        return self._chance.choice(choices)


class MessagesPen(Pen):
    """Writes bodies of the Messages dialect."""

    def message(self) -> str:
        if self._chance.random() < 0.05:
            return self.value()
        always = {"role": lambda: f'"{self.one(["user", "user", "assistant", "system"])}"'}
        return self.object({**always, "content": self.content}, {"content": self.content, "name": self.value})

    def part(self, depth: int = 1) -> str:
        always = {"type": lambda: f'"{self.one(BLOCKS)}"', "text": self.string}
        inner = partial(self.part, depth - 1)
        content: Write = (lambda: self.array(inner)) if depth else self.string
        marks: Members = {"cache_control": self.value, "is_error": self.word, "text": self.value}
        uses: Members = {"id": self.string, "input": self.value, "tool_use_id": self.string}
        return self.object({**always, "content": content}, {**marks, **uses, "source": self.value})
