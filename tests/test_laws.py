"""The lens laws of every wire format, and the laws of repair, over generated and recorded bodies.

write(request, view(request)) == body       nothing changes unless a step changed it
an edit changes the string it edits         and no byte outside of it
repair only takes away, to a fixed point    and what is left has no problems
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.core.conversation import Conversation, Message, Role
from gateway.wire import WIRE_FORMATS
from gateway.wire.base import Request, WireFormat

CHAT = WIRE_FORMATS["openai_chat"]
RECORDED = sorted((Path(__file__).parent / "wire").glob("*/*.json"))

many = settings(max_examples=1000, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
some = settings(many, max_examples=300)


T = TypeVar("T")
Write = Callable[[], str]
Members = dict[str, Write]

ROLES = ["system", "developer", "user", "assistant", "assistant", "tool", "function", "x"]
PARTS = ["text", "text", "image_url", "file", "refusal", "x"]
SIGNS = ["\\n", '\\"', "\\\\", "\\/", "\\u0000", "\\u00e9", "\\ud83d", "\\ude00"]
CHARACTERS = [*"ab{}[]:,/ é的\u2028\x7f🎒", *SIGNS]
NUMBERS = ["0", "-0", "-0.0", "1.10", "1E5", "1e400", "12345678901234567890123", "-9223372036854775809"]


def words(text: str) -> int:
    return len(text.split())


def view_of(wire_format: WireFormat, request: Request) -> Conversation:
    return Conversation(
        tuple(wire_format.message(raw, words, origin) for origin, raw in enumerate(request.messages))
    )


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


BODIES = st.integers(0, 2**64).map(lambda seed: Pen(seed).body())


@given(BODIES)
@many
def test_unchanged_body_is_the_same_bytes(body: bytes) -> None:
    """Whatever a client writes, what no step has changed leaves byte for byte as it came."""
    request = CHAT.read(body)

    assert CHAT.write(request, view_of(CHAT, request)) == body
    assert request.body[: request.start] + body[request.start : request.stop] + body[request.stop :] == body


@given(BODIES)
@some
def test_edit_changes_one_string_only(body: bytes) -> None:
    """Every block that says it can be edited can be, and nothing around its string moves."""
    request = CHAT.read(body)
    for message in view_of(CHAT, request).messages:
        assert_edits_are_local(message)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_bodies_keep_the_laws(path: Path) -> None:
    """The bodies of real clients keep both laws too."""
    wire_format = WIRE_FORMATS[path.parent.name]
    body = path.read_bytes()
    request = wire_format.read(body)
    view = view_of(wire_format, request)

    assert wire_format.write(request, view) == body
    for message in view.messages:
        assert_edits_are_local(message)


def assert_edits_are_local(message: Message) -> None:
    mark = '\ud83d "mark" \x00'
    spelled = rb'"\ud83d \"mark\" \u0000"'
    for index, block in enumerate(message.blocks):
        if block.path is None:
            continue
        edited = message.with_text(index, mark, words)
        before, found, after = edited.raw.partition(spelled)
        assert found
        assert message.raw.startswith(before)
        assert message.raw.endswith(after)
        replaced = message.raw[len(before) : len(message.raw) - len(after)]
        assert json.loads(replaced) == block.text


# --- Repair

IDS = st.sampled_from(["a", "b", "c", ""])
SPOKEN = st.sampled_from(["", "one two", None])


def asks(ids: list[str], content: str | None) -> dict[str, object]:
    calls = [{"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}} for id in ids]
    return {"role": "assistant", "content": content, "tool_calls": calls}


ITEM = st.one_of(
    st.just({"role": "system", "content": "S"}),
    st.builds(lambda text: {"role": "user", "content": text}, st.sampled_from(["", "q"])),
    st.builds(lambda text: {"role": "assistant", "content": text}, SPOKEN),
    st.builds(asks, st.lists(IDS, min_size=1, max_size=3), SPOKEN),
    st.builds(lambda id: {"role": "tool", "tool_call_id": id, "content": "r"}, IDS),
    st.builds(lambda id: {"role": "tool", "tool_call_id": id, "content": "r"}, IDS),
    st.just({"role": "assistant", "content": None, "function_call": {"name": "w", "arguments": "{}"}}),
    st.just({"role": "function", "name": "w", "content": "sun"}),
    st.just({"role": "narrator", "content": "x"}),
)


@st.composite
def mutilated(draw: st.DrawFn) -> Conversation:
    """Return a list with pieces cut out of it, texts edited, and a user message that stayed."""
    items = draw(st.lists(ITEM, max_size=10))
    items.insert(draw(st.integers(0, len(items))), {"role": "user", "content": "stay"})
    messages = [CHAT.message(json.dumps(item).encode(), words, index) for index, item in enumerate(items)]
    view = Conversation(tuple(messages))
    texts = draw(st.dictionaries(st.integers(0, len(items) - 1), st.sampled_from(["", "new"]), max_size=3))
    view = view.replacing({index: edited(view.messages[index], text) for index, text in texts.items()})
    gone = draw(st.sets(st.integers(0, len(items) - 1), max_size=5))
    return view.without(index for index in gone if items[index]["content"] != "stay")


def edited(message: Message, text: str) -> Message:
    for index, block in enumerate(message.blocks):
        if block.path and block.text != "stay":
            return message.with_text(index, text, words)
    return message


@given(mutilated())
@some
def test_repair_takes_away_until_nothing_is_wrong(view: Conversation) -> None:
    """However a list was cut, repair makes it valid by leaving things out, once and for all."""
    after = CHAT.repair(view, words)

    assert CHAT.problems(after) == []
    assert CHAT.repair(after, words) is after
    assert after.tokens <= view.tokens
    assert len(after.messages) <= len(view.messages)
    assert any(message.role is Role.USER for message in after.messages)
    heads = [message.raw for message in view.messages if message.role is Role.SYSTEM]
    assert [message.raw for message in after.messages if message.role is Role.SYSTEM] == [
        raw for raw in heads if raw in {message.raw for message in after.messages}
    ]
