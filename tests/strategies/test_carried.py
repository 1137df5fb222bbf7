"""What is carried takes the room that is free, and none of what must stay."""

from __future__ import annotations

from typing import Any

import pytest

from carrying import (
    ROOM,
    RULES,
    TALK,
    answered,
    assistant,
    compacted,
    conversation,
    grown,
    ledger,
    talk,
    user,
)
from gateway.core.conversation import Conversation
from gateway.core.frozen import replace
from gateway.engine.pipeline import Result, less, run_steps, with_ledger
from gateway.policy.schema import Step
from gateway.strategies import marks, notes
from gateway.strategies.base import Keep, Strategy, Summary
from gateway.strategies.carried import put_down, unsaid
from gateway.strategies.carry import Kept, lift, reserve
from gateway.strategies.clear import Clear
from gateway.strategies.digest import Digest
from gateway.strategies.newest_content import NewestContent
from gateway.strategies.notes import Section
from gateway.strategies.strike import REPLACED
from gateway.strategies.summarize import Summarize
from gateway.strategies.tool_results import ToolResults
from gateway.strategies.trim_turns import TrimTurns


def test_users_words_stay_where_light_steps_are_enough() -> None:
    """A view may stay above the target then: what a digest says need not make room for anything."""
    told = [f"They said that parcel ORD-{n} would come by train." for n in range(20533, 20553)]
    digested = compacted(conversation(*answered(told), user("So?")), Digest(), replace(ROOM, target=700))
    kept = [text for text in told if text in digested.messages[0].text]
    call = {"id": "c", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    read = {"role": "tool", "tool_call_id": "c", "content": "word " * 900}
    reading = {"role": "assistant", "content": None, "tool_calls": [call]}
    view = grown(digested, reading, read, assistant(TALK), user("Well?"))
    after = compacted(view, ToolResults(keep_last=0, max_tokens=50), replace(ROOM, enough=1100))
    assert ROOM.target < after.tokens < 1100
    assert kept == [text for text in told if text in after.messages[0].text]


def test_users_words_outlast_the_digest_that_held_them() -> None:
    """Where a step takes away a digest, as what is new leaves it no room, users' words stay all the same."""
    said = "They said that parcel ORD-20533 would come by train."
    digested = compacted(conversation(*talk(8), user(said), *talk(8)[1:], user("And now?")), Digest())
    assert said in digested.messages[0].text
    after = compacted(grown(digested, assistant(TALK), *talk(9), user("word " * 389)), TrimTurns())
    assert any(said in message.text for message in after.messages)
    assert after.tokens <= ROOM.target


@pytest.mark.parametrize("strategy", [TrimTurns(), Clear(), TrimTurns(to=2)], ids=["trim", "clear", "to"])
def test_doubted_rule_outlasts_steps_that_leave_no_digest(strategy: Strategy) -> None:
    """Nobody presents it as in force, and yet it is no less the user's word: it was gone with its turn."""
    rule = "My colleague Anna says never deploy on Fridays."
    view = conversation(user("Please help."), *talk(1)[1:], user(rule), *talk(1)[1:])
    for _ in range(20):
        view = compacted(grown(view, *talk(6), user("And now?")), strategy)
        assert any(rule in message.text for message in view.messages)
        assert rule not in ledger(view)
        assert view.tokens <= ROOM.target
        view = Conversation(view.messages[:-1])


def test_steps_run_once_where_more_room_brings_nothing_back() -> None:
    """What was struck from an old text is not sought again where there is room: it would double the work."""
    room = replace(ROOM, target=700, budget=2000)
    first = conversation(
        user("Please help."),
        *talk(1)[1:],
        user("The budget cap is 500 EUR. Build it, please."),
        *talk(1)[1:],
        user("The budget cap is now 900 EUR."),
        *talk(12)[1:],
        user("And now?"),
    )
    view = grown(compacted(first, Digest(), room), assistant(TALK), *talk(8), user("And now?"))
    runs = 0

    def work(bare: Conversation, kept: Kept) -> Result:
        nonlocal runs
        runs += 1
        return run_steps(bare, [Step("step", Digest())], less(room, kept))

    after = with_ledger(view, room, room.budget, work).view
    assert after.tokens < view.tokens
    assert any(REPLACED in message.text for message in after.messages)
    assert runs == 1


@pytest.mark.parametrize("first_user", [True, False])
def test_update_is_said_twice_only_for_what_it_is_of(first_user: bool) -> None:
    """An update in view is carried with what it is of, as long as that is not in view as well."""
    room = replace(ROOM, keep=Keep(recent_turns=1, first_user=first_user))
    cap = user("The budget cap for the Lisbon trip is 500 EUR.")
    view = conversation(cap, *talk(12)[1:], user("Make it 900 EUR."), assistant("Yes."), user("And now?"))
    after = compacted(view, TrimTurns(), room)
    texts = [message.text for message in after.messages]
    assert "Make it 900 EUR." in texts
    assert (cap["content"] in texts) is first_user
    assert ("(of: The budget cap for the Lisbon trip is … EUR.)" in ledger(after)) is not first_user


def test_what_is_left_of_a_struck_sentence_is_not_missing() -> None:
    """A mark "replaced since" is no reason to take more from the rest: what stands around it is there."""
    room = replace(ROOM, target=700, budget=2000)
    view = conversation(
        user("Please help."),
        *talk(1)[1:],
        user("1. The budget cap is 500 EUR 2. The port is 8081."),
        *talk(1)[1:],
        user("The budget cap is now 900 EUR."),
        *talk(12)[1:],
        user("And now?"),
    )
    lifted = lift(view, room)
    kept = reserve(lifted, room)
    after = put_down(lifted, Digest().apply(lifted.view, less(room, kept)), room, room.budget, kept.tokens)
    assert any(f"1. {REPLACED} The port is 8081." in message.text for message in after.messages)
    assert unsaid(lifted, after) == 0
    nothing = after.without([0, 1])
    assert unsaid(lifted, nothing) > 0


def test_ledger_does_not_crowd_out_the_request_that_is_worked_on() -> None:
    """However much is to be carried, a long request with rounds behind it stays as it came."""
    request = user("Now do the following. " + "Look here. " * 260)
    called = {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    rounds: list[dict[str, Any]] = [
        {"role": "assistant", "content": None, "tool_calls": [called]},
        {"role": "tool", "tool_call_id": "c", "content": "row " * 40},
    ]
    hosts = (user(f"Note: host h{n}.example.net listens on port {9000 + n}.") for n in range(80))
    view = conversation(*RULES, *hosts, *talk(4), request, *rounds, *rounds)

    room = replace(ROOM, target=900)

    steps = [Step("digest", Digest()), Step("trim_turns", TrimTurns()), Step("content", NewestContent())]

    def work(bare: Conversation, kept: Kept) -> Result:
        return run_steps(bare, steps, less(room, kept))

    after = with_ledger(view, room, room.budget, work).view
    assert request["content"] in [message.text for message in after.messages]
    assert "Never push to the main branch." in ledger(after)
    assert after.tokens <= room.target


@pytest.mark.parametrize("lead", ["", "And as I said before, "])
def test_summary_says_nothing_that_the_ledger_knows_to_be_replaced(lead: str) -> None:
    """Whoever wrote it, in whatever words, did not know of what came later; what still holds stays in it."""
    rule = "Show at most 40 rows per page."
    told = f"## Constraints\n- {rule}\n- Never push to main.\n## Goal\n- Ship it."
    said = [lead + rule, "Never push to main.", "Well?"]
    later = ["Show at most 60 rows per page.", *["Well?"] * 8]
    view = conversation(*answered([*said, *later]), user("So?"))
    after = compacted(view, Summarize(), replace(ROOM, summary=Summary(6, told)))
    after = compacted(grown(after, *talk(9), user("And now?")), Digest())
    (summary,) = notes.read(after.messages[0].text).entries[Section.SUMMARY]
    assert "Show at most 60 rows per page." in ledger(after)
    assert summary == told.replace(rule, REPLACED)


def test_call_beside_a_note_of_the_gateways_keeps_its_result() -> None:
    """A model may repeat what the gateway made it say, and call a tool: nothing is put between the two."""
    call = {"id": "c", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    view = conversation(
        user("Never push to main."),
        assistant(TALK * 5),
        user("Read it."),
        {**assistant(marks.gap(3)), "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "a.py"},
    )
    room = replace(ROOM, target=400, keep=Keep(first_user=False))
    after = compacted(view, TrimTurns(rounds=False), room)
    assert "Never push" in ledger(after)
    assert [message.role for message in after.messages][-2:] == ["assistant", "tool"]


@pytest.mark.parametrize("cap", [50, 100, 150, 200, 250])
def test_users_words_stay_where_only_the_ledger_is_above_the_target(cap: int) -> None:
    """What light steps leave may be below the target, and with the ledger above it: that was enough, too."""
    rules = [f"Never deploy to host srv-{n} on a day like that." for n in range(20533, 20546)]
    told = [f"They said that parcel ORD-{n} would come by train." for n in range(20533, 20546)]
    room = replace(ROOM, target=700, budget=2000)
    digested = compacted(conversation(*answered([*rules, *told]), user("So?")), Digest(), room)
    kept = [text for text in told if text in digested.messages[0].text]
    call = {"id": "c", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    read = {"role": "tool", "tool_call_id": "c", "content": "word " * 900}
    reading = {"role": "assistant", "content": None, "tool_calls": [call]}
    view = grown(digested, reading, read, assistant(TALK), user("Well?"))

    after = compacted(view, ToolResults(keep_last=0, max_tokens=cap), replace(room, enough=1100))

    assert len(kept) > 10
    assert after.tokens <= 1100
    assert [text for text in told if text in after.messages[0].text] == kept
