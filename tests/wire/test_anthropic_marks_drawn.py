"""Cache marks of a rewritten Messages list, whatever was taken out of it: there, allowed, few, and in order.

The conversations hold what servers did for the model over several messages, and code that called the client's
tools: of these something is left out last of all, when the marks have found their places.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drawn import ROOMS, STEPS, words
from gateway.core.conversation import Conversation
from gateway.wire.anthropic_messages import AnthropicMessages

WIRE = AnthropicMessages()
CODE = "code_execution_20260120"
SEEDS = st.integers(0, 2**32)
MARKS_MAX = 4


class Talk:
    """Writes a conversation, and marks it as one request or another of it may be marked."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self._number = 0
        self._running = ""
        self.items: list[Any] = []
        for _ in range(self._chance.randint(1, 4)):
            self._turn()
        if self._chance.random() < 0.7:
            self.items.append({"role": "user", "content": self._said("And now?")})

    def marked(self, seed: int, most: int, has_long: bool) -> list[Any]:
        """Return the items with up to so many marks, an hour's before those of five minutes."""
        chance = Random(seed)
        items: list[Any] = json.loads(json.dumps(self.items))
        called = {block["id"] for block in blocks(items) if is_by_code(block)}
        able = [block for block in blocks(items) if can_bear(block, called)]
        chosen = sorted(chance.sample(range(len(able)), min(most, len(able))))
        long = chance.randint(0, len(chosen)) if has_long else 0
        for number, place in enumerate(chosen):
            able[place]["cache_control"] = {"type": "ephemeral", **({"ttl": "1h"} if number < long else {})}
        return items

    def _turn(self) -> None:
        self.items.append({"role": "user", "content": self._said("Do that. " * 30)})
        self._running = ""
        for _ in range(self._chance.randint(0, 3)):
            self._round()
        last = [*self._served(), {"type": "text", "text": "So it is. " * 20}]
        self.items.append({"role": "assistant", "content": last})

    def _said(self, text: str) -> Any:
        return self._chance.choice([text, [{"type": "text", "text": text}]])

    def _round(self) -> None:
        spoken: list[Any] = [*self._served()]
        if self._chance.random() < 0.5:
            spoken.append({"type": "text", "text": "Let me look. " * 10})
        if self._chance.random() < 0.5 and not self._running:
            self._running = self._new("srv")
            tool = {"name": "code_execution", "input": {"code": "q()"}}
            spoken.append({"type": "server_tool_use", "id": self._running, **tool})
        calls = [self._call() for _ in range(self._chance.randint(1, 3))]
        results = [{"type": "tool_result", "tool_use_id": one["id"], "content": "4 " * 80} for one in calls]
        behind = [{"type": "text", "text": "Hurry."}] if self._chance.random() < 0.2 else []
        self.items += [
            {"role": "assistant", "content": [*spoken, *calls]},
            {"role": "user", "content": [*results, *behind]},
        ]

    def _served(self) -> Iterator[Any]:
        """Yield the result of what a server was asked, now or later."""
        if self._running and self._chance.random() < 0.5:
            yield {"type": "code_execution_tool_result", "tool_use_id": self._running, "content": {}}
            self._running = ""

    def _call(self) -> dict[str, Any]:
        call = {"type": "tool_use", "id": self._new("toolu"), "name": "q", "input": {"cache_control": 1}}
        if self._running and self._chance.random() < 0.7:
            return {**call, "caller": {"type": CODE, "tool_id": self._running}}
        return call

    def _new(self, kind: str) -> str:
        self._number += 1
        return f"{kind}_{self._number}"


def blocks(items: list[Any]) -> list[Any]:
    """Return the blocks of all items."""
    return [block for item in items if isinstance(item["content"], list) for block in item["content"]]


def is_by_code(block: Any) -> bool:
    """Return whether code made a call, not the model."""
    return bool(block["type"] == "tool_use" and block.get("caller", {}).get("type") == CODE)


def can_bear(block: Any, called: set[str]) -> bool:
    """Return whether the vendor takes a mark on a block."""
    if block["type"] in ("thinking", "redacted_thinking"):
        return False
    if block["type"] == "text":
        return bool(block["text"].strip())
    return not {block.get("id"), block.get("tool_use_id")} & called or block["type"] == "server_tool_use"


def problems(body: Any, called: set[str]) -> list[str]:
    """Return what the vendor would refuse about the marks of a request, and that there is none."""
    found = [block for block in blocks(body["messages"]) if "cache_control" in block]
    system = [block for block in body["system"] if "cache_control" in block]
    lasting = ["1h" if "ttl" in block["cache_control"] else "5m" for block in (*system, *found)]
    checks = {
        "no mark in the list": bool(found),
        f"more than {MARKS_MAX} marks": len(lasting) <= MARKS_MAX,
        "an hour's mark behind one of five minutes": lasting == sorted(lasting),
        "a mark where none may be": all(can_bear(block, called) for block in found),
    }
    return [said for said, is_right in checks.items() if not is_right]


@st.composite
def requests(draw: st.DrawFn) -> tuple[bytes, list[Any]]:
    """Draw a request with marks in its list, and the same conversation as an earlier request marked it."""
    talk, long = Talk(draw(SEEDS)), draw(st.booleans())
    system: dict[str, Any] = {"type": "text", "text": "Be brief."}
    if is_marked := draw(st.booleans()):
        system["cache_control"] = {"type": "ephemeral", **({"ttl": "1h"} if long else {})}
    items = talk.marked(draw(SEEDS), draw(st.integers(1, MARKS_MAX - is_marked)), long)
    earlier = talk.marked(draw(SEEDS), draw(st.integers(0, 3)), draw(st.booleans()))
    body = {"model": "m", "system": [system], "messages": items}
    return json.dumps(body).encode(), earlier


@given(requests(), st.lists(st.one_of(*STEPS.values()), max_size=3), ROOMS, st.data())
@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_list_with_marks_keeps_one(
    drawn: tuple[bytes, list[Any]], steps: list[Any], room: Any, data: st.DataObject
) -> None:
    """Whatever steps take out, also of what is frozen with marks of its own, the cache is still read from."""
    body, earlier = drawn
    request = WIRE.read(body)
    assert b"cache_control" in body[request.start : request.stop]
    frozen = WIRE.read(json.dumps({"messages": earlier}).encode()).messages
    length = data.draw(st.integers(0, len(frozen)))
    raws = (*frozen[:length], *request.messages[length:])
    view = Conversation(tuple(WIRE.message(raw, words, at) for at, raw in enumerate(raws)))
    for step in steps:
        view = step.apply(view, room)
    gone = data.draw(st.sets(st.integers(0, len(raws)), max_size=6))
    view = WIRE.repair(view.without(at for at in gone if at < len(view.messages) - 1), words)

    sent = json.loads(WIRE.write(request, view))
    called = {block["id"] for block in blocks(json.loads(body)["messages"]) if is_by_code(block)}
    if WIRE.write(request, view) != body:
        assert problems(sent, called) == []
