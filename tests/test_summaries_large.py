"""Summaries of very much, and for very many at once: bounded calls, and the last good state for everybody."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.summarising import Step, limited
from gateway.strategies.notes import Section
from summarised import GOOD, HEAVY, PLANTED, Way, conversation, talking
from wired import failed

MEGABYTE = "\n".join(f"row {n} was imported" for n in range(50_000)) + "\nFATAL: row 49998 has no vat"

REFUSES = failed(400, "prompt is too long", "context_length_exceeded")


def long_talk(more: int) -> list[dict[str, Any]]:
    """Return 500 messages and *more*, a result of a megabyte among the first."""
    first = conversation(5)
    first[3] = {**first[3], "content": f"src/export.py: write_page {MEGABYTE}"}
    said = [
        {"role": role, "content": f"{role} says thing {n} about the pages. " * 12}
        for n in range((500 + more - len(first)) // 2)
        for role in ("assistant", "user")
    ]
    return [*first, *said]


@pytest.mark.parametrize(
    ("answer", "is_used"),
    [(limited(9000, GOOD), True), (REFUSES, False)],
)
def test_five_hundred_messages_and_a_megabyte_are_summed_up_or_digested(answer: Step, is_used: bool) -> None:
    """However small the summariser's window: bounded calls, none in vain twice, and all is carried."""

    async def check() -> None:
        async with talking(Way((answer,)), "background", "openai_chat", 360_000, HEAVY) as talk:
            await talk.say(long_talk(0))
            await talk.settled()
            calls = [call.seen.body for call in talk.vendor.summariser.calls]
            assert 0 < len(calls) == len(set(calls)) <= 3 * 16
            await talk.say(long_talk(600))
            assert (Section.SUMMARY in talk.told[-1]) is is_used
            assert [text for text in PLANTED if text not in talk.told[-1]] == []

    asyncio.run(check())


@pytest.mark.parametrize("wire", ["openai_chat", "anthropic_messages"])
def test_fifty_requests_at_once_have_the_last_good_state(wire: str) -> None:
    """While a summary is written for them all go out with the one before it, the same bytes in each."""

    async def check() -> None:
        async with talking(Way((GOOD, GOOD, GOOD, None)), "background", wire) as talk:
            turns = 8
            while not talk.told or Section.SUMMARY not in talk.told[-1]:
                await talk.send(turns)
                await talk.settled()
                turns += 1
            calls = len(talk.vendor.summariser.calls)
            while len(talk.vendor.summariser.calls) == calls:
                await talk.send(turns)
                await asyncio.sleep(0)
                turns += 1
            async with asyncio.TaskGroup() as group:
                for _ in range(50):
                    group.create_task(talk.send(turns))
            assert len(talk.vendor.summariser.calls) == calls + 1
            assert len(set(talk.told[-50:])) == 1
            assert "it streams its pages" in talk.told[-1]

    asyncio.run(check())
