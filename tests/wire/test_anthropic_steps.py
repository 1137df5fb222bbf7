"""Every strategy on Messages conversations: whatever it does, what goes out is valid.

The conversations are those that all strategies are tried on, written in this dialect, with signed thinking,
cache marks, what servers did, and users who speak behind results. The rules are the vendor's, written once
more and of the items themselves, so that the format's own repair does not judge itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clients.messages import MESSAGES
from drawn import ROOMS, STEPS, conversations
from gateway.core.conversation import Conversation, Count, Role
from gateway.strategies.base import Room, Strategy
from gateway.wire.anthropic_messages import AnthropicMessages

WIRE = AnthropicMessages()
LOOSE = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
MARK = {"cache_control": {"type": "ephemeral"}}
SERVED: list[dict[str, Any]] = [
    {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {"query": "x"}},
    {"type": "web_search_tool_result", "tool_use_id": "srv", "content": []},
]
PICTURE = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}


class Pen:
    """Writes Chat Completions messages as items, as a model that thinks would have produced them."""

    def __init__(self, thoughts: list[int], extras: list[str]) -> None:
        self._thoughts = cycle(thoughts)
        self._extras = cycle(extras)
        self._number = 0

    def items(self, messages: list[Any]) -> list[Any]:
        items: list[Any] = []
        for message in messages:
            match message["role"]:
                case "assistant":
                    items.append({"role": "assistant", "content": self.said(message)})
                case "tool":
                    self.answer(items, message)
                case "user":
                    items.append({"role": "user", "content": self.asked(message["content"])})
                    if next(self._extras) == "system":
                        items.append({"role": "system", "content": f"Now it is {len(items)}."})
        return items

    def asked(self, content: Any) -> Any:
        """Return what a user says: in this dialect that is never nothing."""
        if isinstance(content, str):
            return content if content.strip() else "hm"
        return [block(part) for part in content]

    def answer(self, items: list[Any], message: Any) -> None:
        content = message["content"]
        parts = content if isinstance(content, str) else [block(part) for part in content]
        result = {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": parts}
        if items[-1]["role"] != "user":
            items.append({"role": "user", "content": []})
        blocks = items[-1]["content"]
        while blocks and blocks[-1]["type"] == "text":
            blocks.pop()
        blocks.append(result)
        if next(self._extras) == "behind":
            blocks.append({"type": "text", "text": "By the way, hurry. " * 20})

    def said(self, message: Any) -> list[Any]:
        blocks: list[Any] = []
        for _ in range(next(self._thoughts)):
            self._number += 1
            blocks.append({"type": "thinking", "thinking": "hm " * 50, "signature": f"s{self._number}"})
        if next(self._extras) == "served":
            blocks += map(dict, SERVED)
        text = message["content"]
        if isinstance(text, str) and text.strip():
            blocks.append({"type": "text", "text": text.strip()})
        for call in message.get("tool_calls", []):
            blocks.append({"type": "tool_use", "id": call["id"], "name": "run", "input": {"a": "b " * 99}})
        return blocks if any(one["type"] != "thinking" for one in blocks) else [{"type": "text", "text": "."}]


def block(part: Any) -> Any:
    if part["type"] != "text":
        return dict(PICTURE)
    return {"type": "text", "text": part["text"] if part["text"].strip() else "hm"}


@st.composite
def lists(draw: st.DrawFn) -> list[Any]:
    """Draw the items of a conversation, some of their blocks marked."""
    thoughts = draw(st.lists(st.integers(0, 2), min_size=1, max_size=5))
    extras = draw(st.lists(st.sampled_from(["", "", "behind", "served", "system"]), min_size=1, max_size=5))
    items = Pen(thoughts, extras).items(draw(conversations()))
    able = [
        one
        for item in items
        if isinstance(item["content"], list)
        for one in item["content"]
        if one["type"] != "thinking"
    ]
    for one in draw(st.lists(st.sampled_from(able), max_size=4)) if able else []:
        one.update(MARK)
    return items


def faults(items: list[Any]) -> list[str]:
    """Return what the vendor would refuse about these items."""
    return [*MESSAGES.problems({"messages": items}), *thinking_faults(items), *system_faults(items)]


def thinking_faults(items: list[Any]) -> Iterator[str]:
    for item in items:
        kinds = [one["type"] for one in item["content"]] if isinstance(item["content"], list) else []
        if kinds and set(kinds) == {"thinking"}:
            yield "nothing but thinking"
        if isinstance(item["content"], str) and not item["content"].strip():
            yield "text content blocks must contain non-whitespace text"


def system_faults(items: list[Any]) -> Iterator[str]:
    for index, item in enumerate(items):
        if item["role"] == "system":
            behind = items[index + 1]["role"] if index + 1 < len(items) else "assistant"
            before = items[index - 1] if index else item
            if behind != "assistant" or not (before["role"] == "user" or "server_tool" in str(before)):
                yield f"messages.{index}: system between {before['role']} and {behind}"


def thoughts(items: list[Any]) -> list[list[Any]]:
    """Return the thinking of each message."""
    return [
        [one for one in item["content"] if one["type"] == "thinking"]
        for item in items
        if isinstance(item["content"], list)
    ]


def last_said(items: list[Any], whole: bool) -> int:
    """Return the index of the last item in which a user says something; *whole*: and nothing else."""
    kinds = [{one["type"] for one in blocks(item)} for item in items]
    return max(
        (
            index
            for index, item in enumerate(items)
            if item["role"] == "user"
            and ("tool_result" not in kinds[index] if whole else kinds[index] != {"tool_result"})
        ),
        default=0,
    )


def open_thoughts(items: list[Any]) -> dict[str, list[Any]]:
    """Return what led to each call that the model has yet to go on from."""
    return {
        one["id"]: [thought for thought in blocks(item) if thought["type"] == "thinking"]
        for item in items[last_said(items, whole=True) + 1 :]
        for one in blocks(item)
        if one["type"] == "tool_use"
    }


def stale(came: list[Any], sent: list[Any]) -> list[list[Any]]:
    """Return the thinking of finished turns that stands behind something new."""
    before, after = unmarked(came), unmarked(sent)
    same = next(
        (i for i, (one, two) in enumerate(zip(before, after, strict=False)) if one != two), len(after)
    )
    return [some for some in thoughts(sent[same : last_said(sent, whole=True)]) if some]


def view_of(items: list[Any], count: Count) -> Conversation:
    request = WIRE.read(body_of(items))
    return Conversation(tuple(WIRE.message(raw, count, i) for i, raw in enumerate(request.messages)))


def body_of(items: list[Any]) -> bytes:
    return json.dumps({"messages": items}).encode()


def check(items: list[Any], steps: list[Strategy], room: Room) -> None:
    """Assert that what these steps make of a conversation is valid, shorter, and all there is to do."""
    request, before = WIRE.read(body_of(items)), view_of(items, room.count)
    assert faults(items) == []
    assert WIRE.repair(before, room.count) is before
    assert WIRE.write(request, before) == request.body

    view = before
    for step in steps:
        view = step.apply(view, room)
    after = WIRE.repair(view, room.count)

    assert WIRE.problems(after) == []
    assert after.tokens <= before.tokens
    assert WIRE.repair(after, room.count) is after
    sent = json.loads(WIRE.write(request, after))["messages"]
    assert faults(sent) == []
    came = thoughts(items)
    assert all(not some or some in came for some in thoughts(sent))
    assert all(open_thoughts(items).get(id) == some for id, some in open_thoughts(sent).items())
    assert stale(items, sent) == []
    newest = [message.raw for message in before.messages if message.role is Role.USER][-1]
    assert newest in [message.raw for message in after.messages] or newest not in [
        message.raw for message in view.messages
    ]
    check_replay(items, request.messages, after)


def check_replay(items: list[Any], slices: tuple[bytes, ...], after: Conversation) -> None:
    """Assert that the frozen items say the same when the conversation has gone on."""
    frozen = [WIRE.compose(one) if not one.raw else one.raw for one in after.messages]
    more = [{"role": "assistant", "content": "Done."}, {"role": "user", "content": "And now?"}]
    if items[-1]["role"] == "assistant":
        more = more[1:]
    longer = WIRE.read(body_of([*items, *more]))
    now = json.loads(longer.with_messages((*frozen, *longer.messages[len(slices) :])))["messages"]
    then = json.loads(WIRE.read(body_of(items)).with_messages(frozen))["messages"]
    assert unmarked(now[: len(then)]) == unmarked(then)


def unmarked(items: list[Any]) -> list[Any]:
    """Return the items without their marks, and with strings as the blocks that may bear one."""
    return [{**item, "content": [without_mark(one) for one in blocks(item)]} for item in items]


def blocks(item: Any) -> list[Any]:
    content = item["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def without_mark(one: Any) -> Any:
    kept = {key: value for key, value in one.items() if key != "cache_control"}
    if isinstance(kept.get("content"), list):
        kept["content"] = [without_mark(inner) for inner in kept["content"]]
    return kept


@pytest.mark.parametrize("name", STEPS)
def test_every_strategy_keeps_a_list_valid(name: str) -> None:
    """No strategy leaves a call or a result alone, a text that says nothing, or half a thought."""

    @settings(LOOSE, max_examples=100)
    @given(lists(), STEPS[name], ROOMS)
    def check_one(items: list[Any], step: Strategy, room: Room) -> None:
        check(items, [step], room)

    check_one()


@settings(LOOSE, max_examples=1000)
@given(lists(), st.lists(st.one_of(*STEPS.values()), min_size=2, max_size=4), ROOMS)
def test_strategies_one_after_another_keep_a_list_valid(
    items: list[Any], steps: list[Strategy], room: Room
) -> None:
    """What one strategy made is as good as what a client sent."""
    check(items, steps, room)
