"""What steps will ask for is known before the trigger, and is looked for no oftener than a list grows."""

from __future__ import annotations

import asyncio
from typing import Any

from engine.asking import TELLING, Tell
from engine.summing import NEAR
from gateway.core.conversation import Message, Role
from gateway.core.frozen import replace
from gateway.core.ledger.find import find
from gateway.engine.pieces import Reading
from gateway.engine.pieces_wanted import MAX_LOOKS, Looks, firsts, missed
from gateway.engine.prepared import Summaries
from gateway.policy.levels import When
from gateway.policy.schema import Policy, Step
from gateway.store.base import Checkpoint
from gateway.strategies.piece import Piece
from gateway.strategies.tool_results import ToolResults
from wired import PLACE, chat, engine, message, turns, words


def missed_by(policy: Policy = TELLING, body: bytes = NEAR) -> tuple[Piece, ...]:
    """Return what would be asked for in vain."""

    async def run() -> tuple[Piece, ...]:
        async with engine() as made:
            subject = await made.subject(body, policy)
            reading = Reading(Summaries(made.parts.store), PLACE, "r", words)
            return missed(subject, None, reading, None, find)

    return asyncio.run(run())


def test_steps_are_tried_as_if_at_the_trigger() -> None:
    """Below it they would have nothing to do: as far as they will have to go, they go on the copy."""
    firsts = [piece.messages[0].text.split()[0] for piece in missed_by()]
    assert firsts[:4] == ["u0", "a0", "u1", "a1"]
    assert "now" not in firsts


def test_step_with_a_size_of_its_own_is_tried_too() -> None:
    """It runs at so many messages, which there will be; but not where its number of turns keeps it out."""

    def when(**sizes: Any) -> Policy:
        return replace(TELLING, steps=(Step("tell", Tell(), When(**sizes)),))

    assert missed_by(when(messages=100)) == missed_by()
    assert missed_by(when(tokens=100_000)) == missed_by()
    assert missed_by(when(messages=100, max_turns=3)) == ()
    assert missed_by(when(messages=100, min_turns=30)) == ()


def test_nothing_is_missed_where_lighter_steps_will_do() -> None:
    """Where old results take most of the room, no model is asked."""
    call = {"id": "c", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    said: list[dict[str, Any]] = [
        message("user", 20),
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "line " * 400},
        *turns(1),
    ]
    light = Step("tool_results", ToolResults(max_tokens=20, keep_last=0))
    assert missed_by(replace(TELLING, steps=(light, *TELLING.steps)), chat(said)) == ()


def test_list_is_looked_at_again_when_it_has_grown() -> None:
    """What is done with is left alone, what is not is tried a few times, and growth begins anew."""

    async def run() -> None:
        async with engine() as made:
            looks = Looks()
            short, longer, far = [
                await made.subject(chat([*turns(5), message("user", n, "more")])) for n in (5, 15, 200)
            ]
            assert looks.is_due(short, "r")
            looks.note(short, "r", is_done=True)
            assert not looks.is_due(short, "r")
            assert looks.is_due(short, "other rules")
            longer = await made.subject(chat([*turns(5), message("user", 5, "more"), message("user", 9)]))
            far = await made.subject(chat([*turns(5), message("user", 5, "more"), message("user", 90)]))
            assert not looks.is_due(longer, "r")
            assert looks.is_due(far, "r")

            looks = Looks()
            for _ in range(MAX_LOOKS):
                assert looks.is_due(short, "r")
                looks.note(short, "r", is_done=False)
            assert not looks.is_due(short, "r")
            assert not looks.is_due(longer, "r")
            assert looks.is_due(far, "r")
            looks.note(far, "r", is_done=False)
            assert looks.is_due(far, "r")

    asyncio.run(run())


def test_what_stands_on_a_missing_text_comes_after_it() -> None:
    """When that is there, the piece will say something else."""
    as_it_came = Message(Role.USER, (), 9, b"{}", origin=3)
    frozen = Message(Role.USER, (), 9, b'{"a": 1}')
    changed = Message(Role.USER, (), 9, b'{"a": 2}')
    first, second, third = (
        Piece("turn", messages, 20) for messages in ((as_it_came,), (as_it_came, frozen), (frozen, changed))
    )
    base = Checkpoint(b"p", 9, (b'{"a": 1}', 3), 5, 100, "f")
    assert firsts([third, first, second], base) == [first, second]
    assert firsts([third, first, second], None) == [first]
    assert firsts([third], base) == [third]
