"""Every strategy on Responses conversations: whatever it does, what goes out is valid.

The conversations are those that all strategies are tried on, written in this dialect, with reasoning, hosted
tools and names. The rules are the vendor's, written once more and of the items themselves, so that the
format's own repair does not judge itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import cycle, pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drawn import ROOMS, STEPS, conversations
from gateway.core.conversation import Conversation, Count, Role
from gateway.strategies.base import Room, Strategy
from gateway.wire.openai_responses import OpenAIResponses

WIRE = OpenAIResponses()
LOOSE = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
HOSTED = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search"}}
BETWEEN = {"type": "additional_tools", "role": "developer", "tools": []}


def part(value: Any, role: str) -> Any:
    """Return a part of a Chat Completions content as this dialect has it."""
    if value["type"] == "image_url":
        image = value["image_url"] if isinstance(value["image_url"], dict) else {"url": value["image_url"]}
        return {"type": "input_image", "image_url": image["url"], "detail": image.get("detail", "auto")}
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": kind, "text": value.get("text", "hm")}


def content(value: Any, role: str) -> Any:
    return [part(one, role) for one in value] if isinstance(value, list) else value


class Pen:
    """Writes Chat Completions messages as items, as a model that thinks would have produced them."""

    def __init__(self, thoughts: list[bool], extras: list[Any]) -> None:
        self._thoughts = cycle(thoughts)
        self._extras = cycle(extras)
        self._number = 0

    def items(self, messages: list[Any]) -> Iterator[Any]:
        for message in messages:
            match message["role"]:
                case "assistant":
                    yield from self.said(message)
                case "tool":
                    output = content(message["content"], "tool")
                    id = message["tool_call_id"]
                    yield {"type": "function_call_output", "call_id": id, "output": output}
                case role:
                    yield {"role": role, "content": content(message["content"], role)}

    def said(self, message: Any) -> Iterator[Any]:
        self._number += 1
        calls = message.get("tool_calls", [])
        if next(self._thoughts) and (calls or message["content"] is not None):
            yield {
                "type": "reasoning",
                "id": f"rs_{self._number}",
                "summary": [],
                "encrypted_content": "gAAA" * 400,
            }
        if extra := next(self._extras):
            yield {**extra, "id": f"ws_{self._number}"}
        if message["content"] is not None:
            text = content(message["content"], "assistant")
            parts = [{"type": "output_text", "text": text}] if isinstance(text, str) else text
            name = {"id": f"msg_{self._number}", "status": "completed"}
            yield {"type": "message", "role": "assistant", **name, "content": parts}
        for call in calls:
            called = {"name": call["function"]["name"], "arguments": call["function"]["arguments"]}
            yield {"type": "function_call", "id": f"fc_{call['id']}", "call_id": call["id"], **called}


@st.composite
def inputs(draw: st.DrawFn) -> list[Any]:
    """Draw the items of a conversation."""
    thoughts = draw(st.lists(st.booleans(), min_size=1, max_size=5))
    extras = draw(st.lists(st.sampled_from([None, None, HOSTED]), min_size=1, max_size=5))
    items = list(Pen(thoughts, extras).items(draw(conversations())))
    if draw(st.integers(0, 9)) == 0:
        items[1:1] = [{"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAA" * 400}]
    if draw(st.integers(0, 9)) == 0:
        items.insert(draw(st.integers(0, len(items))), BETWEEN)
    return draw(st.sampled_from([items, [referred(item) for item in items]]))


def referred(item: Any) -> Any:
    """Return an item as Vercel's SDK sends it where the upstream has stored it."""
    if item.get("role") == "assistant" or item.get("type") in ("reasoning", "web_search_call"):
        return {"type": "item_reference", "id": item["id"]}
    return {key: value for key, value in item.items() if key != "id"}


def is_thought(item: Any) -> bool:
    return item.get("type") == "reasoning" or str(item.get("id")).startswith("rs_")


def faults(items: list[Any]) -> list[str]:
    """Return what the vendor would refuse about these items; what a compaction stands for does not count."""
    start = max((i + 1 for i, item in enumerate(items) if item.get("type") == "compaction"), default=0)
    items = items[start:]
    found = [
        f"{item['id']} leads to nothing"
        for item, behind in pairwise(items)
        if is_thought(item) and (behind.get("role") == "user" or is_thought(behind) or "output" in behind)
    ]
    calls = [item["call_id"] for item in items if item.get("type") == "function_call"]
    results = [item["call_id"] for item in items if item.get("type") == "function_call_output"]
    found += [f"{id} is not answered" for id in calls if calls.count(id) > results.count(id)]
    for index, item in enumerate(items):
        asked = [before.get("call_id") for before in items[:index] if before.get("type") == "function_call"]
        if item.get("type") == "function_call_output" and item["call_id"] not in asked:
            found.append(f"{item['call_id']} answers nothing")
    return found


def bound(items: list[Any]) -> dict[str, str]:
    """Return the reasoning that each named item came with."""
    found, thought = {}, ""
    for item in items:
        if is_thought(item):
            thought = item["id"]
        elif item.get("role") == "user" or item.get("type") == "function_call_output":
            thought = ""
        elif thought and "id" in item:
            found[item["id"]] = thought
    return found


def view_of(items: list[Any], count: Count) -> Conversation:
    request = WIRE.read(json.dumps({"input": items}).encode())
    return Conversation(tuple(WIRE.message(raw, count, i) for i, raw in enumerate(request.messages)))


def sent(view: Conversation) -> list[Any]:
    items: list[Any] = json.loads(WIRE.write(WIRE.read(b'{"input": []}'), view))["input"]
    return items


def check(items: list[Any], steps: list[Strategy], room: Room) -> None:
    """Assert that what these steps make of a conversation is valid, shorter, and all there is to do."""
    before = view_of(items, room.count)
    assert faults(items) == []
    assert WIRE.repair(before, room.count) is before

    view = before
    for step in steps:
        view = step.apply(view, room)
    after = WIRE.repair(view, room.count)

    assert WIRE.problems(after) == []
    assert faults(sent(after)) == []
    assert after.tokens <= before.tokens
    assert WIRE.repair(after, room.count) is after
    assert opaque(after) == opaque(before)
    came = bound(items)
    assert {id: came[id] for id in bound(sent(after))} == bound(sent(after))
    kept = [item.get("id") for item in sent(after)]
    assert all(came[id] in kept for id in kept if id in came)


def opaque(view: Conversation) -> list[bytes]:
    """Return the bytes of all that no step may touch."""
    return [message.raw for message in view.messages if message.role is Role.SYSTEM]


@pytest.mark.parametrize("name", STEPS)
def test_every_strategy_keeps_an_input_valid(name: str) -> None:
    """No strategy leaves a call, a result or a thought alone, nor a name that asks for what is gone."""

    @settings(LOOSE, max_examples=60)
    @given(inputs(), STEPS[name], ROOMS)
    def check_one(items: list[Any], step: Strategy, room: Room) -> None:
        check(items, [step], room)

    check_one()


@settings(LOOSE, max_examples=500)
@given(inputs(), st.lists(st.one_of(*STEPS.values()), min_size=2, max_size=4), ROOMS)
def test_strategies_one_after_another_keep_an_input_valid(
    items: list[Any], steps: list[Strategy], room: Room
) -> None:
    """What one strategy made is as good as what a client sent."""
    check(items, steps, room)
