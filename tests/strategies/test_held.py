"""Values in results that are cut or put away: they stay in their place in time."""

from __future__ import annotations

import json
from typing import Any

import pytest

from carrying import ROOM, conversation, user
from gateway.core.conversation import Conversation
from gateway.core.frozen import replace
from gateway.strategies import marks
from gateway.strategies.base import Strategy
from gateway.strategies.carry import lift, lift_lost
from gateway.strategies.held import held
from gateway.strategies.offload import OffloadContent
from gateway.strategies.tool_results import ToolResults

LINES = "\n".join(f"{n:03d} opened the queue and read on" for n in range(400))
FIRST = LINES[: LINES.index("020")]
STEPS: list[Strategy] = [ToolResults(max_tokens=80, keep_last=0), OffloadContent(keep_last=0)]


def told(*results: str) -> Conversation:
    """Return a conversation in which calls came to these results."""
    messages: list[dict[str, Any]] = [user("Look around.")]
    for number, text in enumerate(results):
        function = {"name": "look", "arguments": json.dumps({"at": number})}
        call = {"id": f"c{number}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": text})
    return conversation(*messages, {"role": "assistant", "content": "I looked."}, user("And now?"))


def texts(view: Conversation) -> list[str]:
    return [block.text for message in view.messages for block in message.blocks]


def within(value: str) -> str:
    """Return a long result with a line between its beginning and its end."""
    return f"{FIRST}{value}\n{LINES}"


@pytest.mark.parametrize("step", STEPS, ids=lambda step: type(step).__name__)
@pytest.mark.parametrize("value", ["PORT=8443", "The invoice number is INV-2024-7781."])
def test_value_stands_in_what_is_left_of_its_result(step: Strategy, value: str) -> None:
    """Whoever cuts a result quotes what must survive of it, and what is quoted is known for what it is."""
    view = told(within(value))
    after = step.apply(view, ROOM)

    assert after.tokens < view.tokens / 2
    assert any(value in text for text in texts(after))
    lifted = lift_lost(after, view, ROOM)
    assert lifted is not None
    assert [entry.text for entry in lifted.settled.current] == [value]
    assert lifted.lost(after.messages) == []
    assert [entry.text for entry in lift(after, ROOM).settled.current if entry.source] == [value]
    assert step.apply(after, ROOM).messages == after.messages


@pytest.mark.parametrize("step", STEPS, ids=lambda step: type(step).__name__)
def test_newer_value_stays_behind_the_older_one(step: Strategy) -> None:
    """A short result stays as it is: what a later one says must not come before it."""
    after = texts(step.apply(told("PORT=8080", within("PORT=8443")), ROOM))

    assert "PORT=8080" in after
    assert next(at for at, text in enumerate(after) if "8443" in text) > after.index("PORT=8080")


def test_stub_tells_what_its_preview_does_not() -> None:
    """How a content begins is told once."""
    [stub] = [t for t in texts(STEPS[1].apply(told("PORT=8443\n" + LINES * 5), ROOM)) if marks.stub_id(t)]

    assert stub.count("PORT=8443") == 1
    assert "…" not in stub


def test_no_more_is_quoted_than_a_few_lines() -> None:
    """A table of values is cut as any other text: the ledger chooses among them."""
    [*_, message, _, _] = told("\n".join(f"item-{n}: total = {n * 7919} EUR" for n in range(400))).messages

    assert sum(map(len, held(message, message.blocks[0].text, ROOM))) <= 400
    assert held(conversation(user("PORT=8443")).messages[0], "PORT=8443", ROOM) == ()


def test_line_that_looks_like_a_quotation_is_the_tool_s_own() -> None:
    """Lines that a tool numbers itself stay as they are: cut off, their beginning would count as lost."""
    view = told("  12| PORT=8443\n" + LINES)
    after = STEPS[0].apply(view, ROOM)

    lifted = lift_lost(after, view, ROOM)
    assert lifted is not None
    assert [entry.text for entry in lifted.settled.current] == ["12| PORT=8443"]
    assert lifted.lost(after.messages) == []


def test_earlier_notice_is_no_line_of_the_tool() -> None:
    """Cut again, a log has one notice, which quotes nothing of the first one but what that quoted."""
    log = [f"2026-11-12T10:{n:02d}:00 INFO queue opened, then read in {n} ms" for n in range(60)]
    for told_in_it in ([], ["PORT=8443"]):
        view = told("\n".join([*log[:30], *told_in_it, *log[30:]]))
        for most in (200, 90):
            view = ToolResults(max_tokens=most, keep_last=0).apply(view, replace(ROOM, target=0))
            (text,) = [text for text in texts(view) if "[haversack" in text]
            assert text.count("[haversack") == 1
            assert [text.count(line) for line in told_in_it] == [1] * len(told_in_it)
