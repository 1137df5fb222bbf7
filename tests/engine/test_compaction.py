"""What the policy's steps make of a request, as it is sent and as it is tried out."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from gateway.core.conversation import Conversation, Message, Role
from gateway.core.ledger.entry import Entry
from gateway.core.ledger.find import find
from gateway.engine.compaction import compaction
from gateway.engine.sizes import fits_of
from gateway.policy.levels import When
from gateway.policy.schema import Step
from gateway.strategies import marks
from gateway.strategies.base import Keep, Room, Strategy
from gateway.strategies.digest import Digest
from gateway.strategies.offload import OffloadContent
from gateway.strategies.tool_arguments import ToolArguments
from gateway.strategies.tool_chains import ToolChains
from gateway.strategies.tool_results import ToolResults
from wired import LONG, REACTING, TRIMMING, chat, engine, message, words

RULE = "Never deploy on a Friday."
LINES = "\n".join(f"{n:03d} opened the queue and read on" for n in range(40))
SHORTER = Step("tool_results", ToolResults(max_tokens=60, keep_last=1))


def test_steps_go_down_to_their_target() -> None:
    """What is newest stays, and the ledger's room is kept free."""

    async def run() -> None:
        async with engine() as made:
            subject = await made.subject(chat(LONG))
            result = compaction(subject, None, TRIMMING.steps, Room(360, fits_of(subject), words))
            assert result.view.tokens <= 360
            assert result.view.messages[-1].text.startswith("now")

    asyncio.run(run())


def test_what_would_be_refused_for_sure_climbs_the_ladder() -> None:
    """Steps that leave too much are not the last word where the window is certain."""

    async def run() -> None:
        async with engine() as made:
            subject = await made.subject(chat([message("user", 2000)]))
            result = compaction(subject, None, TRIMMING.steps, Room(360, fits_of(subject), words))
            assert result.view.tokens <= fits_of(subject)

    asyncio.run(run())


def test_unknown_window_fits_everything() -> None:
    """Nobody knows what would not fit."""

    async def run() -> None:
        async with engine() as made:
            assert fits_of(await made.subject(chat(LONG), REACTING)) == sys.maxsize

    asyncio.run(run())


def asked(result: str, name: str = "read", arguments: str = "{}") -> list[dict[str, Any]]:
    """Return a conversation that begins with a rule, a call and what it came to."""
    call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}
    other = {"id": "c2", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    return [
        {"role": "user", "content": RULE},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": result},
        {"role": "assistant", "content": None, "tool_calls": [other]},
        {"role": "tool", "tool_call_id": "c2", "content": "fine"},
        {"role": "assistant", "content": "It was read."},
        {"role": "user", "content": "Then we go on."},
    ]


def compacted(
    messages: list[dict[str, Any]], *steps: Step, target: int, enough: int = 0
) -> tuple[Conversation, set[Role]]:
    """Return what steps make of a conversation, and whose messages were searched for what must survive."""
    searched = set[Role]()

    def seen(message: Message) -> tuple[Entry, ...]:
        searched.add(message.role)
        return find(message)

    async def run() -> Conversation:
        async with engine() as made:
            subject = await made.subject(chat(messages))
            room = Room(target, fits_of(subject), words, Keep(recent_turns=1), find=seen, enough=enough)
            return compaction(subject, None, steps, room).view

    return asyncio.run(run()), searched


def texts(view: Conversation) -> Sequence[str]:
    return [block.text for message in view.messages for block in message.blocks]


def test_what_nobody_lost_is_not_searched() -> None:
    """Where only results of tools are cut, and nothing in them matters, what people said is left alone."""
    view, searched = compacted(asked(LINES), SHORTER, target=180)

    assert view.tokens <= 180
    assert searched == {Role.TOOL}
    assert [message.text for message in view.messages if message.role is Role.USER] == [
        RULE,
        "Then we go on.",
    ]


def test_value_in_a_result_that_was_cut_is_carried() -> None:
    """A light step alone can take away what the ledger is for."""
    lines = LINES.split("\n")
    told = "\n".join([*lines[:20], "The invoice number is INV-2024-7781.", *lines[20:]])
    tight = Step("tool_results", ToolResults(max_tokens=24, keep_last=1))
    view, _ = compacted(asked(told), tight, target=240)

    cut = next(message for message in view.messages if message.role is Role.TOOL)
    assert "INV-2024-7781" not in cut.blocks[0].text
    assert any(marks.is_digest(text) and "INV-2024-7781" in text for text in texts(view))


def test_to_do_list_in_a_call_that_was_cut_is_carried() -> None:
    """Its tool has no memory of its own, and what the model knows of it is that call."""
    todos = [
        {"content": f"Part {n}: " + "write and test it well " * 30, "status": "pending"} for n in range(4)
    ]
    arguments = json.dumps({"todos": todos})
    step = Step("tool_arguments", ToolArguments(max_tokens=20, keep_last=1))
    view, _ = compacted(asked("ok", "todo_write", arguments), step, target=550)

    assert any(marks.is_digest(text) and "Part 3: write" in text for text in texts(view))


def test_light_steps_are_taken_once() -> None:
    """What comes after them goes on from what they left."""
    runs = list[int]()

    class Counted(Strategy):
        light = True

        def apply(self, view: Conversation, room: Room) -> Conversation:
            runs.append(view.tokens)
            return SHORTER.strategy.apply(view, room)

    light = Step("light", Counted())
    view, searched = compacted(asked(LINES), light, Step("digest", Digest()), target=60)

    assert len(runs) == 1
    assert Role.USER in searched
    assert any(RULE in text for text in texts(view))


def test_value_of_a_tool_costs_nobody_their_words() -> None:
    """No more room is kept for the ledger than it needs: all that users said would fill the target."""
    rules = [f"Never touch folder number {n}, whatever is asked of you there." for n in range(12)]
    before = [one for rule in rules for one in (message("assistant", 5), {"role": "user", "content": rule})]
    told = f"{LINES}\nThe invoice number is INV-2024-7781.\n{LINES}\n{LINES}"
    tight = Step("tool_results", ToolResults(max_tokens=24, keep_last=1))
    view, _ = compacted([*before, *asked(told)], tight, Step("digest", Digest()), target=300, enough=450)

    said = [message.text for message in view.messages if message.role is Role.USER]
    assert [text for text in said if not marks.is_digest(text)] == [*rules, RULE, "Then we go on."]
    assert any(marks.is_digest(text) and "INV-2024-7781" in text for text in said)


REPLACED = [
    ("PORT=8443", "PORT=9000"),
    ("Total libraries: 30", "Total libraries: 41"),
    ("release: 1.2.3", "release: 1.2.4"),
    ("max is now 30", "cap is now 40"),
]


@pytest.mark.parametrize(("older", "newer"), [*REPLACED, *((older, "fine") for older, _ in REPLACED)])
def test_value_that_was_replaced_since_is_not_carried(older: str, newer: str) -> None:
    """What a result said is looked at beside what is said of the same elsewhere, though that stays."""
    tight = Step("tool_results", ToolResults(max_tokens=16, keep_last=1))
    messages = asked(f"{LINES}\n{older}\n{LINES}\n{LINES}")
    messages[4]["content"] = newer
    view, _ = compacted(messages, tight, target=300)

    assert any(older in text for text in texts(view)) is (newer == "fine")


def test_rule_that_was_taken_back_in_other_words_is_not_carried() -> None:
    """What users said and is put away can be taken back by what names none of it."""
    rule = "Never write to the archive folder."
    messages = asked("fine")
    messages[0]["content"] = "Begin with the reader."
    told = f"{LINES}\n\n{rule}\n\n{LINES}"
    messages[1:1] = [{"role": "user", "content": told}, message("assistant", 6)]
    messages[-2:-2] = [message("assistant", 6), {"role": "user", "content": "Scratch that."}]
    away = Step("offload", OffloadContent(roles=("user",), min_tokens=60, keep_last=1))
    view, _ = compacted(messages, away, target=400)

    assert told not in texts(view)
    assert not any(rule in text for text in texts(view))


def test_step_with_a_size_of_its_own_brings_no_other_with_it() -> None:
    """It runs when it says so; for what follows, light steps have done enough all the same."""
    often = Step("tool_chains", ToolChains(min_messages=2), when=When(always=True))
    view, _ = compacted(asked(LINES), SHORTER, often, Step("digest", Digest()), target=60, enough=400)

    assert not any(map(marks.is_digest, texts(view)))


def test_values_of_results_that_make_room_for_the_ledger_are_carried() -> None:
    """One cut would do but for the ledger of what it took: what the next one takes is in it, too."""
    messages = asked(f"{LINES}\nPORT=8443\n{LINES}\n{LINES}")
    messages[4]["content"] = f"{LINES}\nHOST=lisbon-4.example.com\n{LINES}"
    tight = Step("tool_results", ToolResults(max_tokens=24, keep_last=0))
    roomy, _ = compacted(messages, tight, target=800)
    assert [text for text in texts(roomy) if "lisbon-4" in text] == [messages[4]["content"]]

    view, _ = compacted(messages, tight, target=750)
    assert messages[4]["content"] not in texts(view)
    digest = next(filter(marks.is_digest, texts(view)))
    assert "8443" in digest
    assert "lisbon-4" in digest


def test_what_light_steps_left_is_let_alone() -> None:
    """Where nothing heavier is due, a ledger of all that was ever said is no reason to cut what fits."""
    rules = [f"Never touch folder number {n}, whatever is asked of you there." for n in range(20)]
    before = [one for rule in rules for one in (message("assistant", 9), {"role": "user", "content": rule})]
    told = f"{LINES}\nThe invoice number is INV-2024-7781.\n{LINES}\n{LINES}"
    tight = Step("tool_results", ToolResults(max_tokens=24, keep_last=1))
    view, _ = compacted([*before, *asked(told), message("assistant", 250), *asked("ok")], tight, target=300)
    assert any(map(marks.is_digest, texts(view)))

    came = [
        json.loads(one.raw) if one.raw else {"role": one.role, "content": one.text} for one in view.messages
    ]
    again, _ = compacted(came, tight, target=300)
    assert texts(again) == texts(view)
