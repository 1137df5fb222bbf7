"""Settings of `tool_chains`, and how notes grow; what one step does is in tests/cases/tool_chains."""

from __future__ import annotations

import json
from dataclasses import replace

from gateway.core.conversation import Conversation
from gateway.strategies import chains, marks
from gateway.strategies.base import Keep, Room
from gateway.strategies.tool_chains import ToolChains
from gateway.wire.openai_chat import OpenAIChat

WIRE = OpenAIChat()
STEP = ToolChains(min_messages=4, min_tokens=0)


def words(text: str) -> int:
    return len(text.split())


ROOM = Room(0, 1000, words, Keep(recent_ratio=0))


def view_of(*items: object) -> Conversation:
    raws = (json.dumps(item).encode() for item in items)
    return Conversation(tuple(WIRE.message(raw, words, index) for index, raw in enumerate(raws)))


def rounds(first: int, last: int) -> list[object]:
    found: list[object] = []
    for n in range(first, last):
        function = {"name": "read", "arguments": json.dumps({"path": f"f{n % 10}.py"})}
        call = {"id": f"c{n}", "type": "function", "function": function}
        found.append({"role": "assistant", "content": None, "tool_calls": [call]})
        found.append({"role": "tool", "tool_call_id": f"c{n}", "content": f"line {n}\n" * 50})
    return found


def test_a_hundred_rounds_leave_one_note() -> None:
    """However often a growing run is folded, there is one note, and no call is missing from its count."""
    ask = {"role": "user", "content": "Go."}
    view = view_of(ask)
    for n in range(0, 100, 5):
        more = view_of(ask, *rounds(n, n + 5)).messages[1:]
        view = STEP.apply(Conversation((*view.messages, *more)), ROOM)

    notes = [b.text for message in view.messages for b in message.blocks if marks.is_chain(b.text)]
    assert len(notes) == 1
    assert sum(entry.times for entry in chains.read(notes[0]).entries) == 99
    assert len(view.messages) == 5  # the request, the round with the note, and the newest round


def test_what_was_folded_can_be_had() -> None:
    """The id in the note is that of a text which holds every call and every result word for word."""
    after = STEP.apply(view_of({"role": "user", "content": "Go."}, *rounds(0, 4)), ROOM)

    (offload,) = after.offloads
    assert offload.id == marks.content_id(offload.text)
    assert offload.id in "".join(block.text for block in after.messages[2].blocks)
    assert all(f"line {n}\n" * 50 in offload.text for n in range(3))


def test_what_frees_less_than_it_seemed_to_is_made_up_for_at_once() -> None:
    """An image in the result that stays is not freed: the rest of the run goes now, not at the next turn."""
    gif = "data:image/gif;base64,R0lGODlhAAQABAAAACw="
    items = rounds(0, 6)
    items[3] = {
        "role": "tool",
        "tool_call_id": "c1",
        "content": [{"type": "text", "text": "x"}, {"type": "image_url", "image_url": {"url": gif}}],
    }
    view = view_of({"role": "user", "content": "Go."}, *items)

    for excess in range(10, 400, 10):
        room = replace(ROOM, target=view.tokens - excess)
        after = STEP.apply(view, room)
        assert STEP.apply(after, room) is after


def test_problems() -> None:
    """Numbers that fold nothing, or leave nothing of a note, are told."""
    found = list(ToolChains(min_messages=3, min_tokens=-1, max_tokens=9, text_chars=-1).problems())
    assert [line.split()[0] for line in found] == ["min_tokens", "text_chars", "min_messages", "max_tokens"]
