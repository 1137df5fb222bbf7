"""What a summary is asked for: what is new, on top of what is known, and only if it is worth a call."""

from __future__ import annotations

import asyncio
import json

from engine.summing import NEAR, OVER, POLICY
from gateway.core.frozen import replace
from gateway.engine.subject import Action
from gateway.engine.wanted import Wanted, wanted
from gateway.policy.levels import Level, When
from gateway.policy.rules import SummarizerRules
from gateway.policy.schema import Policy, Step
from gateway.store.base import Checkpoint, Prepared
from gateway.strategies import marks
from gateway.strategies.base import Keep
from gateway.strategies.summarize import Summarize
from wired import TRIMMING, chat, engine, message, turns

SHORT = "The parser is to be built."


def found_for(
    body: bytes, policy: Policy = POLICY, base: Checkpoint | None = None, found: Prepared | None = None
) -> Wanted | None:
    """Return what is wanted for a request."""

    async def run() -> Wanted | None:
        async with engine() as made:
            return wanted(await made.subject(body, policy), base, found)

    return asyncio.run(run())


def firsts(asked: Wanted | None) -> list[str]:
    """Return the first word of every message that is to be summed up."""
    assert asked is not None
    return [one.text.split()[0] for one in asked.messages]


def test_all_before_the_tail_is_wanted_the_first_time() -> None:
    """Head, tail and the latest request are not summed up; what is asked now is told."""
    asked = found_for(NEAR)
    assert firsts(asked) == ["u0", "a0", "u1", "a1", "u2", "a2", "u3", "a3", "u4", "a4"][: len(firsts(asked))]
    assert asked is not None
    assert (asked.length, asked.previous) == (1 + len(asked.messages), "")
    assert asked.ask.startswith("now now")


def test_policy_without_the_step_wants_none() -> None:
    """Nobody is asked where no step would use it."""
    assert found_for(NEAR, TRIMMING) is None


def test_summary_that_is_ready_serves_or_is_gone_on_from() -> None:
    """If it will bring the list to the target nothing is wanted; if not, what is behind it, on top of it."""
    ready = Prepared(b"p", 7, SHORT)
    assert found_for(NEAR, found=ready) is None
    longer = chat([message("system", 10, "rules"), *turns(9)])
    asked = found_for(longer, found=ready)
    assert firsts(asked)[0] == "u3"
    assert asked is not None
    assert asked.previous == SHORT


def test_summary_that_cannot_serve_is_not_written_anew_for_every_message() -> None:
    """Where the head takes most of the window none comes down to the target: a tenth must be new at least."""
    narrow = replace(POLICY, target=Level(tokens=1))
    asked = found_for(NEAR, narrow)
    assert asked is not None
    ready = Prepared(b"p", asked.length, SHORT)
    longer = [*json.loads(NEAR)["messages"], message("assistant", 5), message("user", 5, "and")]
    assert found_for(chat(longer), narrow, found=ready) is None
    assert found_for(chat([*longer, *turns(3)]), narrow, found=ready) is not None


def test_request_that_is_worked_on_is_not_summed_up() -> None:
    """An agent's one request stays, so only what it did is told, and the request beside it."""
    steps = []
    for number in range(8):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
        steps += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": f"r{number} " * 50},
        ]
    asked = found_for(chat([message("user", 50, "task"), *steps]))
    assert asked is not None
    assert asked.ask.startswith("task")
    assert not any(one.text.startswith("task") for one in asked.messages)


def test_digest_is_what_is_known_so_far() -> None:
    """Where rules have noted what was before, a summary goes on from their notes."""

    async def run() -> None:
        async with engine() as made:
            plan = await made.parts.compactor.plan(await made.subject(OVER, POLICY))
            assert plan.action is Action.COMPACTED
            longer = chat([*json.loads(OVER)["messages"], *turns(5)])
            asked = wanted(await made.subject(longer, POLICY), plan.checkpoint, None)
            assert asked is not None
            assert "## Answers given" in asked.previous or "## User messages" in asked.previous
            assert "haversack-digest" not in asked.previous
            assert all("haversack" not in one.text for one in asked.messages)
            assert asked.length > (plan.checkpoint.length if plan.checkpoint is not None else 0)

    asyncio.run(run())


def test_what_the_ledger_says_is_known_too() -> None:
    """Else a summary would go on saying what the ledger knows to be replaced."""

    async def run() -> None:
        async with engine() as made:
            rule = {"role": "user", "content": "Never deploy on a Friday."}
            body = chat([rule, message("assistant", 50), *turns(8)])
            plan = await made.parts.compactor.plan(await made.subject(body, POLICY))
            longer = chat([*json.loads(body)["messages"], *turns(5)])
            asked = wanted(await made.subject(longer, POLICY), plan.checkpoint, None)
            assert asked is not None
            assert "## Prohibitions\n- Never deploy on a Friday." in asked.previous

    asyncio.run(run())


def test_digest_before_the_users_words_is_no_part_of_them() -> None:
    """What a digest tells is known, and the words behind it are the user's: they are new."""
    policy = replace(POLICY, keep=Keep(recent_ratio=0.1, place="first_user"))
    short = [message("user", 20, "u"), message("assistant", 80, "a")]

    async def run() -> None:
        async with engine() as made:
            body = chat([message("system", 10, "rules"), *(short * 7), message("user", 50, "now")])
            plan = await made.parts.compactor.plan(await made.subject(body, policy))
            assert plan.view is not None
            assert marks.apart(plan.view.messages[1].text)
            longer = chat([*json.loads(body)["messages"], *turns(5)])
            asked = wanted(await made.subject(longer, policy), plan.checkpoint, None)
            assert asked is not None
            assert "## User messages" in asked.previous
            assert [one.text.split()[0] for one in asked.messages][:2] == ["u", "a"]
            assert all("haversack" not in one.text for one in asked.messages)

    asyncio.run(run())


def test_step_with_a_size_of_its_own_wants_nothing_before_it() -> None:
    """`next`: asked for when there are so many turns, and not as soon as the list has had so many once."""
    step = Step("summarize", Summarize(fold="half"), When(turns=6))
    policy = replace(POLICY, steps=(step, *POLICY.steps[1:]), summarizer=SummarizerRules(mode="next"))
    assert found_for(chat(turns(4)), policy) is None
    asked = found_for(chat(turns(5)), policy)
    assert firsts(asked) == ["u0", "a0", "u1", "a1"]


def test_nothing_is_wanted_that_is_ready_already() -> None:
    """A list that has grown by too little to move the border asks for nothing."""
    asked = found_for(NEAR)
    assert asked is not None
    ready = Prepared(b"p", asked.length, "word " * 400)
    assert found_for(NEAR, replace(POLICY), found=ready) is None


def test_later_request_that_is_worked_on_is_summed_up_too() -> None:
    """It may change what was said before; written without it, a summary went on telling that for good."""
    steps = [
        message
        for number in range(8)
        for message in (
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": f"c{number}", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
                ],
            },
            {"role": "tool", "tool_call_id": f"c{number}", "content": f"r{number} " * 50},
        )
    ]
    asked = found_for(chat([message("user", 5, "task"), message("user", 5, "instead"), *steps]))
    assert asked is not None
    assert asked.ask.startswith("instead")
    assert [one.text.split()[0] for one in asked.messages[:2]] == ["task", "instead"]
