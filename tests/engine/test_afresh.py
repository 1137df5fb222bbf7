"""With `mode: next` nobody waits at the trigger, and the next request has what was written then, once."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from engine.asking import BRIEF, TELLING, Tell
from engine.summing import POLICY, TEXT, Scripted, begun, drained, run, sent, started
from gateway.core.frozen import replace
from gateway.core.memo import Facts
from gateway.engine.afresh import Afresh, Before, Later, reaching
from gateway.policy.levels import Level, When
from gateway.policy.rules import SummarizerRules
from gateway.policy.schema import Policy, Step
from gateway.store.base import Checkpoint
from gateway.strategies.digest import Digest
from gateway.strategies.summarize import Summarize
from wired import PLACE, Engine, chat, message, turns

NEXT = SummarizerRules(mode="next")
SUMMING = replace(POLICY, summarizer=NEXT)
PIECES = replace(TELLING, summarizer=NEXT)
SAID = [message("system", 10, "rules"), *turns(7)]
"""760 tokens: over the trigger, which is at 640."""


def talk(more: int = 0) -> bytes:
    """Return the conversation with so many short turns behind it."""
    added = [message(role, 5, f"{role[0]}x{n}") for n in range(more) for role in ("assistant", "user")]
    return chat([*SAID, *added])


def start_of(body: bytes) -> bytes:
    """Return what the provider can have cached of a request when the next comes: all but its end."""
    return body[: body.rindex(b"]")]


def test_summary_takes_effect_from_the_next_request_on() -> None:
    """The first goes out with the digest; the next has the summary of what that told; then it stays."""
    writer = Scripted()

    async def check(made: Engine) -> None:
        first = await sent(made, talk(), SUMMING)
        assert b"haversack-digest" in first
        assert b"Build the parser." not in first
        await drained(made)
        (job,) = writer.jobs
        assert (job.previous, job.messages[0].text.split()[0]) == ("", "u0")
        second = await sent(made, talk(1), SUMMING)
        assert second.count(b"Build the parser.") == 1
        assert b"Answers given" not in second
        await drained(made)
        third = await sent(made, talk(2), SUMMING)
        assert third.startswith(start_of(second))
        await drained(made)
        assert (await sent(made, talk(3), SUMMING)).startswith(start_of(third))
        assert len(writer.jobs) == 1

    run(check, writer)


def test_requests_go_on_with_the_digest_while_a_summary_is_written() -> None:
    """However long it takes, the boundary moves when it is there and not before."""
    writer = Scripted(is_slow=True)

    async def check(made: Engine) -> None:
        first = await sent(made, talk(), SUMMING)
        tasks = await begun(made, writer)
        for more in (1, 2):
            assert (await sent(made, talk(more), SUMMING)).startswith(start_of(first))
            tasks += started(made, writer)
        writer.go.set()
        await asyncio.gather(*tasks)
        assert writer.cancelled == 0
        assert b"Build the parser." in await sent(made, talk(3), SUMMING)

    run(check, writer)


def test_failed_summary_leaves_the_decision_as_it_is() -> None:
    """Nothing was written, so nothing moves, and nobody is asked at every turn."""
    writer = Scripted(*[None] * 9)

    async def check(made: Engine) -> None:
        first = await sent(made, talk(), SUMMING)
        await drained(made)
        for more in (1, 2):
            assert (await sent(made, talk(more), SUMMING)).startswith(start_of(first))
            await drained(made)
        assert len(writer.jobs) == 1

    run(check, writer)


def test_fifty_requests_at_once_move_the_boundary_once() -> None:
    """Of those that come when it is there one is compacted anew, and the others find what that was."""
    writer = Scripted()

    async def check(made: Engine) -> None:
        await asyncio.gather(*(sent(made, talk(), SUMMING) for _ in range(50)))
        await drained(made)
        assert len(writer.jobs) == 1
        second = await sent(made, talk(1), SUMMING)
        bodies = await asyncio.gather(*(sent(made, talk(2), SUMMING) for _ in range(50)))
        assert all(body.startswith(start_of(second)) for body in bodies)
        assert b"Build the parser." in second

    run(check, writer)


def test_pieces_take_effect_from_the_next_request_on() -> None:
    """All of them together: one that is ready before the others does not move the boundary by itself."""
    writer = Scripted(*[BRIEF] * 90)

    def briefs(body: bytes) -> int:
        return [one["content"] for one in json.loads(body)["messages"]].count(BRIEF)

    async def check(made: Engine) -> None:
        assert not briefs(await sent(made, talk(), PIECES))
        await made.background.pop(0)[1]  # the look
        await made.background.pop(0)[1]  # the first text
        assert not briefs(await sent(made, talk(1), PIECES))
        await drained(made)
        asked = len(writer.jobs)
        second = await sent(made, talk(2), PIECES)
        assert briefs(second) or BRIEF.encode() in second
        await drained(made)
        assert (await sent(made, talk(3), PIECES)).startswith(start_of(second))
        await drained(made)
        assert len(writer.jobs) == asked

    run(check, writer)


def test_number_of_messages_triggers_it_too() -> None:
    """A policy that counts messages has its summary as well as one that counts tokens."""
    writer = Scripted()
    counting: Policy = replace(SUMMING, window=20_000, trigger=Level(messages=12), prepare=Level(messages=10))

    async def check(made: Engine) -> None:
        await sent(made, talk(), counting)
        await drained(made)
        assert len(writer.jobs) == 1

    run(check, writer)


def test_dry_run_does_not_use_it_up() -> None:
    """What is only asked for is still to come."""
    writer = Scripted()

    async def check(made: Engine) -> None:
        await sent(made, talk(), SUMMING)
        await drained(made)
        for _ in range(2):
            dry = await made.parts.compactor.plan(await made.subject(talk(1), SUMMING), dry=True)
            assert b"Build the parser." in dry.body
        assert b"Build the parser." in await sent(made, talk(1), SUMMING)

    run(check, writer)


def test_step_that_cannot_use_it_leaves_the_decision_as_it_is() -> None:
    """A text for a step that has nothing to do any more moves no boundary."""
    writer = Scripted(*[BRIEF] * 90)

    async def check(made: Engine) -> None:
        first = await sent(made, talk(), PIECES)
        await drained(made)
        idle = replace(PIECES, steps=(Step("tell", Tell(max_tokens=7)), Step("digest", Digest())))
        assert (await sent(made, talk(1), idle)).startswith(start_of(first))
        assert (await sent(made, talk(2), PIECES)).startswith(start_of(first))

    run(check, writer)


def test_nothing_is_made_anew_before_all_that_it_lacks_is_over() -> None:
    """Failures count as over; if all failed it stands."""
    afresh, before = Afresh(), Before(b"before", is_urgent=True)

    later = Later(afresh, PLACE, b"p", before)
    later.begin()
    later.begin()
    later.end()
    later.end(is_written=True)
    assert afresh.find(PLACE, b"p", is_moving=False) is None
    later.end()
    assert afresh.find(PLACE, b"p", is_moving=False) == b"before"
    afresh.done(PLACE, b"p")
    assert afresh.find(PLACE, b"p", is_moving=False) is None

    later = Later(afresh, PLACE, b"q", before)
    later.begin()
    later.end()
    later.end()
    assert afresh.find(PLACE, b"q", is_moving=True) is None


def test_notes_are_bounded() -> None:
    """The oldest is forgotten; it costs what was written for it."""
    afresh = Afresh(most=2)
    for prefix in (b"a", b"b", b"c"):
        afresh.note(PLACE, prefix, Before(b"", is_urgent=True))
    found = [afresh.find(PLACE, prefix, is_moving=False) is None for prefix in (b"a", b"b", b"c")]
    assert found == [True, False, False]


def test_what_is_not_urgent_waits_for_the_boundary_to_move() -> None:
    """A summary that came too late costs no move of its own."""
    (afresh := Afresh()).note(PLACE, b"p", Before(b"before", is_urgent=False))
    assert afresh.find(PLACE, b"p", is_moving=False) is None
    assert afresh.find(PLACE, b"p", is_moving=True) == b"before"


def test_decision_reaches_as_far_as_the_one_whose_place_it_takes() -> None:
    """Else the older one, which is longer, would be found before it."""
    facts: Any = [Facts(number, "user", b"") for number in (1, 2, 3, 4, 5)]
    chain = [b"1", b"2", b"3", b"4", b"5"]
    short = Checkpoint(b"2", 2, (b"{}",), 7, 100, "f")
    longer = reaching(short, 4, chain, facts)
    assert (longer.prefix, longer.length, longer.items, longer.tokens) == (b"4", 4, (b"{}", 2, 3), 14)
    assert reaching(short, 1, chain, facts) is short


def test_both_may_be_wanted() -> None:
    """A summary and pieces of one decision: it is made anew when both are there."""
    writer = Scripted(TEXT, *[BRIEF] * 90)
    steps = (Step("summarize", Summarize()), Step("tell", Tell()), Step("digest", Digest()))

    async def check(made: Engine) -> None:
        both = replace(SUMMING, steps=steps)
        await sent(made, talk(), both)
        await drained(made)
        assert {job.piece is None for job in writer.jobs} == {True, False}
        assert b"Build the parser." in await sent(made, talk(1), both)

    run(check, writer)


def test_limit_of_turns_has_a_summary_each_time_it_is_reached() -> None:
    """The client's list has too many turns for ever; what is sent of it has so again after some more."""
    writer = Scripted(*[f"## Goal\n- Build parser number {n}." for n in range(9)])
    size = When(turns=8)
    steps = (
        Step("summarize", Summarize(fold="half"), size),
        Step("digest", Digest(fold="half", max_turns=7), size),
    )
    policy = replace(SUMMING, window=20_000, trigger=Level(turns=8), steps=steps)

    async def check(made: Engine) -> None:
        asked = []
        for number in range(7, 16):
            body = await sent(made, chat([message("system", 10, "rules"), *turns(number)]), policy)
            await drained(made)
            asked.append(len(writer.jobs))
            assert (b"number 0" in body) is (8 <= number < 11)
        assert asked == [1, 1, 1, 2, 2, 2, 3, 3, 3]

    run(check, writer)


def test_later_digest_is_made_anew_from_what_was_frozen_before_it() -> None:
    """The summary that is in place is gone on from, and the next one takes the place of both."""
    writer = Scripted(TEXT, TEXT + "\n- Keep it small.")

    async def check(made: Engine) -> None:
        await sent(made, talk(), SUMMING)
        await drained(made)
        await sent(made, talk(1), SUMMING)
        longer = [message("system", 10, "rules"), *turns(7)[:-1], *turns(12)]
        first = await sent(made, chat(longer), SUMMING)
        assert first.count(b"Build the parser.") == 1
        await drained(made)
        assert writer.jobs[1].previous == TEXT
        again = await sent(made, chat([*longer, message("assistant", 5), message("user", 5)]), SUMMING)
        assert (again.count(b"Build the parser."), again.count(b"Keep it small.")) == (1, 1)

    run(check, writer)


def test_conversation_whose_last_decision_is_gone_stands_as_it_is() -> None:
    """What was frozen before a digest may be forgotten by then: nothing is made anew on a guess."""
    writer = Scripted()

    async def check(made: Engine) -> None:
        first = await sent(made, talk(), SUMMING)
        subject = await made.subject(talk(), SUMMING)
        held = made.parts.checkpoints.held(PLACE, subject.counted.chain(), lambda _: True)
        assert held is not None
        afresh = made.parts.compactor._afresh
        afresh.note(PLACE, held.prefix, Before(b"forgotten", is_urgent=True))
        assert (await sent(made, talk(1), SUMMING)).startswith(start_of(first))
        assert afresh.find(PLACE, held.prefix, is_moving=True) is None

    run(check, writer)
