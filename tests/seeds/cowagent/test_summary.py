"""The summaries of CowAgent's memory: asked for beside a request, in effect from the next one on."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from engine.summarising import Reply, bench, chatted, job
from engine.summarising import Scripted as Model
from engine.summing import Scripted, drained, run, sent, started
from gateway.strategies.notes import Section
from seeds.cowagent.memory import POLICY, contents, digest, summary, talk, turn
from wired import Engine, chat

FIRST = "## Events\n- The house was gone through, up to question 9."
SECOND = "## Events\n- All of it was gone through, up to question 19."


def test_summary_takes_effect_from_the_next_request_on() -> None:
    """Row "asynchronous summary": the request over the limit does not wait for it; the next one has it."""
    writer = Scripted(FIRST)

    async def check(made: Engine) -> None:
        over = await sent(made, chat(talk(21)), POLICY)
        assert not writer.jobs
        assert not summary(over)
        assert "Well, and part 0?" in digest(over).entries[Section.USER]
        await drained(made)
        (asked,) = writer.jobs
        assert [one.text for one in asked.messages][::2] == [f"Well, and part {n}?" for n in range(10)]
        after = await sent(made, chat(talk(22)), POLICY)
        assert summary(after) == FIRST
        assert contents(after)[1].endswith("\nWell, and part 10?")
        assert contents(after)[2:-2] == contents(over)[2:]
        await drained(made)
        longer = await sent(made, chat(talk(23)), POLICY)
        assert contents(longer)[: len(contents(after))] == contents(after)
        assert len(writer.jobs) == 1

    run(check, writer)


def test_slow_model_holds_up_nobody() -> None:
    """Row "asynchronous summary": while it is written, requests go on with the digest; none asks again."""
    writer = Scripted(FIRST, is_slow=True)

    async def check(made: Engine) -> None:
        await sent(made, chat(talk(21)), POLICY)
        tasks = started(made, writer)
        while not writer.jobs:
            await asyncio.sleep(0)
            tasks += started(made, writer)
        for number in range(22, 26):
            assert not summary(await sent(made, chat(talk(number)), POLICY))
            tasks += started(made, writer)
        writer.go.set()
        await asyncio.gather(*tasks)
        assert len(writer.jobs) == 1
        assert summary(await sent(made, chat(talk(26)), POLICY)) == FIRST

    run(check, writer)


def test_digest_by_rules_stays_where_the_model_fails() -> None:
    """Row "asynchronous summary", also support: what users said and what was answered is told by rules."""
    writer = Scripted(None)

    async def check(made: Engine) -> None:
        over = await sent(made, chat(talk(21)), POLICY)
        await drained(made)
        after = await sent(made, chat(talk(22)), POLICY)
        assert contents(after)[1] == contents(over)[1]
        assert digest(after).entries[Section.ANSWERS]
        assert len(contents(after)) == len(contents(over)) + 2

    run(check, writer)


def test_next_half_goes_at_the_next_limit_and_the_summary_goes_on() -> None:
    """Row "stage 2": again at 21 turns, written from the summary before, and in its place."""
    writer = Scripted(FIRST, SECOND)

    async def check(made: Engine) -> None:
        for number in range(19, 32):
            last = await sent(made, chat(talk(number)), POLICY)
            await drained(made)
        assert contents(last)[1].endswith("\nWell, and part 20?")
        assert summary(last) == FIRST
        assert [asked.previous for asked in writer.jobs] == ["", FIRST]
        last = await sent(made, chat(talk(32)), POLICY)
        assert summary(last) == SECOND
        assert contents(last)[1].count("<haversack-digest>") == 1
        assert contents(last)[-1] == talk(32)[-1]["content"]

    run(check, writer)


def test_request_that_is_taken_up_again_goes_out_as_it_came() -> None:
    """Row "stage 2": the latest user message is never changed, also if a summary stood before it."""
    writer = Scripted(FIRST)

    async def check(made: Engine) -> None:
        for number in (21, 22):
            last = await sent(made, chat(talk(number)), POLICY)
            await drained(made)
        assert contents(last)[1].endswith("\nWell, and part 10?")
        assert await sent(made, chat(talk(11)), POLICY) == chat(talk(11))

    run(check, writer)


def heavy(number: int) -> list[dict[str, Any]]:
    """Return a turn with three rounds, of 18,000 tokens together."""
    question, call, result, answer = turn(number, result="so " * 6000)
    more = [message for n in (1, 2) for message in turn(100 * number + n, result="so " * 6000)[1:3]]
    return [question, call, result, *more, answer]


def test_few_turns_that_are_left_keep_their_texts() -> None:
    """Row "stage 3": what counts is the turns that are sent; the oldest of them keep only their texts."""
    writer = Scripted(None, None, None)

    async def check(made: Engine) -> None:
        messages = talk(21)
        for number in range(21, 25):
            messages += [{"role": "assistant", "content": "Well."}, *heavy(number)]
            messages += [{"role": "user", "content": "And now?"}]
            await sent(made, chat(messages), POLICY)
        few = json.loads(await sent(made, chat(messages), POLICY))["messages"]
        assert "".join(one["role"][0] for one in few) == "s" + "u" + "at" * 3 + "aua" + "u" + "at" * 3 + "au"
        working = [*messages, *heavy(25)[1:-1]]
        after = json.loads(await sent(made, chat(working), POLICY))["messages"]
        roles = "".join(one["role"][0] for one in after)
        assert roles == "s" + "ua" * 2 + "u" + "at" * 3 + "a" + "u" + "at" * 3
        assert after[1]["content"].startswith("<haversack-digest>")
        assert after[2]["content"].startswith("Answer ")

    run(check, writer)


def test_summary_is_asked_for_by_event() -> None:
    """Row "summary style": events, decisions, what is to be done; by event, not by turn."""
    model = Model(f"{FIRST}\n## Key Decisions\n- None.\n## Next Steps\n- None.")
    with bench() as made:
        made.write(job(model, POLICY))
    (call,) = model.calls[:1]
    for heading in ("## Events", "## Key Decisions", "## Next Steps"):
        assert heading in call.user
    assert "by event, not turn by turn" in call.user


@pytest.mark.parametrize("word", ["NOTHING_TO_RECORD", "`NOTHING_TO_RECORD`."])
def test_one_word_says_that_nothing_is_worth_recording(word: str) -> None:
    """Row "summary style": the sentinel is asked for, and nothing is kept in its place."""
    model = Model(Reply(word))
    said = [chatted(message["role"], message["content"]) for n in range(3) for message in turn(n)]
    with bench() as made:
        assert not made.write(job(model, POLICY, said))
        assert made.ended[0] == "nothing"
    assert "NOTHING_TO_RECORD" in model.calls[0].user
