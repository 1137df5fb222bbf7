"""Whatever a summariser does, its clients do not notice: nobody waits, nobody sees an error, nothing is lost.

A conversation in which rules, limits, values, preferences, a goal and a task are planted grows far over its
window, in every wire format and every mode, through the real compactor, queue and summariser. One word is one
token.
"""

from __future__ import annotations

import asyncio

import pytest

import hasty
from engine.summarising import Reply
from gateway.strategies.notes import Section
from gateway.wire import WIRE_FORMATS
from hasty import HastyLoop
from summarised import GOOD, MODES, PLANTED, TIMEOUT_S, Mode, Way, talking
from wired import failed

RULE = "Never touch legacy/old.py. At most 40 rows per page. Run tests/test_export.py before a commit."
HUGE = f"{GOOD}\n" + "- The exporter streamed one more page of the table, and then some more. " * 900
CHAT = "Sure! I will now run the tests. Shall I also commit the change? Let me know what you prefer."


WAYS = {
    "good": Way((GOOD,), "it streams its pages", is_used=True),
    "failing": Way((failed(500, "the exporter exploded"),), "exploded"),
    "empty": Way((Reply(""),), Section.SUMMARY),
    "truncated": Way((Reply(GOOD[:300], "length"),), "it streams its pages"),
    "a tool call": Way((Reply("", "tool_calls", has_calls=True),), Section.SUMMARY),
    "an error text": Way(("Error: 429 Too Many Requests. Please try again later.",), "429"),
    "drops a rule": Way((GOOD.replace(RULE, "None."),), "it streams its pages", is_used=True),
    "invents an identifier": Way((f"{GOOD}\n- See src/discount.py and ORDER-7777.",), "ORDER-7777"),
    "answers": Way((CHAT,), "Shall I also"),
    "larger than its source": Way((HUGE,), "one more page"),
}


@pytest.mark.parametrize("wire", WIRE_FORMATS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", WAYS)
def test_client_does_not_notice_what_a_summariser_does(name: str, mode: Mode, wire: str) -> None:
    """Every request is answered and fits; what is planted is in it, and nothing of a summary that is bad."""
    way = WAYS[name]

    async def check() -> None:
        async with talking(way, mode, wire) as talk:
            for turns in range(8, 26, 2):
                await talk.send(turns)
                await talk.settled()
                assert [text for text in PLANTED if text not in talk.told[-1]] == []
            used = [told for told in talk.told if way.sign in told]
            assert all(Section.SUMMARY in told for told in used)
            assert talk.vendor.summariser.calls
            assert bool(used) is way.is_used

    asyncio.run(check())


@pytest.mark.parametrize("wire", WIRE_FORMATS)
@pytest.mark.parametrize("mode", ["background", "next"])
def test_nobody_waits_for_a_summary_that_is_written_beside_them(mode: Mode, wire: str) -> None:
    """A summariser that never answers is asked, and every request goes out as if it were not there."""

    async def check() -> None:
        async with talking(Way((None,)), mode, wire) as talk:
            for turns in range(8, 26, 2):
                await talk.send(turns)
                assert [text for text in PLANTED if text not in talk.told[-1]] == []
            assert talk.vendor.summariser.calls

    asyncio.run(check())


@pytest.mark.parametrize("wire", WIRE_FORMATS)
@pytest.mark.parametrize(("seconds", "is_used"), [(5, True), (30, False)])
def test_who_waits_for_a_summary_waits_as_long_as_the_policy_says(
    seconds: int, is_used: bool, wire: str
) -> None:
    """One that is ready by then is used; for one that is not nobody waits twice, and the digest does it."""

    async def check(loop: HastyLoop) -> None:
        waits = []
        async with talking(Way((GOOD,), seconds=seconds), "inline", wire) as talk:
            for turns in range(8, 18, 2):
                before_s = loop.skipped_s
                await talk.send(turns)
                waits.append(loop.skipped_s - before_s)
                assert [text for text in PLANTED if text not in talk.told[-1]] == []
        assert 1 < max(waits) <= TIMEOUT_S
        assert is_used or sum(wait > 1 for wait in waits) == 1
        assert any(Section.SUMMARY in told for told in talk.told) is is_used

    hasty.run(check)
