"""Texts of pieces are there before they are needed, asked for once, and nobody waits for them."""

from __future__ import annotations

import asyncio
import json

from engine.asking import BRIEF, TELLING, Tell
from engine.summing import NEAR, Scripted, begun, drained, run, sent, started, summing
from gateway.core.frozen import replace
from gateway.engine.flights import MAX_PIECES_RUNNING
from gateway.engine.pieces_ahead import MAX_PIECES
from gateway.engine.pieces_wanted import MAX_LOOKS
from gateway.policy.levels import Level
from gateway.policy.rules import SummarizerRules
from gateway.policy.schema import Step
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.strategies.summarize import Summarize
from stores import opened
from wired import Engine, chat, message, turns

OVER = chat([message("system", 10, "rules"), *turns(6)])


def briefs(body: bytes) -> int:
    """Return how many messages of a request are what a model wrote."""
    return [one["content"] for one in json.loads(body)["messages"]].count(BRIEF)


def test_pieces_are_prepared_after_an_answer_and_used_at_the_trigger() -> None:
    """Near the trigger nothing waits; over it the texts are in place, and replayed from then on."""
    writer = Scripted(*[BRIEF] * 50)

    async def check(made: Engine) -> None:
        assert await sent(made, NEAR, TELLING) == NEAR
        assert not writer.jobs
        await drained(made)
        assert len(writer.jobs) == MAX_PIECES
        piece = writer.jobs[0].piece
        assert piece is not None
        assert (piece.messages, writer.jobs[0].ask) == (writer.jobs[0].messages, "Go on.")
        assert piece.messages[0].text.startswith("u0")
        await sent(made, NEAR, TELLING)
        await drained(made)
        first = await sent(made, OVER, TELLING)
        assert briefs(first) >= 6
        await drained(made)
        longer = chat([message("system", 10, "rules"), *turns(7)])
        assert (await sent(made, longer, TELLING)).startswith(first[: first.index(b"now now")])

    run(check, writer)


def test_each_piece_is_asked_for_once() -> None:
    """However often the list is looked at, and whoever else has the same messages in it."""
    writer = Scripted(*[BRIEF] * 90)

    async def check(made: Engine) -> None:
        for body in (NEAR, NEAR, OVER, NEAR, OVER):
            await sent(made, body, TELLING)
            await drained(made)
        keys = [job.piece.key for job in writer.jobs if job.piece is not None]
        assert len(keys) == len(set(keys)) > MAX_PIECES // 2

    run(check, writer)


def test_fifty_requests_at_once_ask_once_for_each_piece() -> None:
    """While texts are written, the requests of the conversation are answered, and none asks again."""
    writer = Scripted(*[BRIEF] * 50, is_slow=True)

    async def check(made: Engine) -> None:
        await asyncio.gather(*(sent(made, NEAR, TELLING) for _ in range(50)))
        tasks = await begun(made, writer)
        await asyncio.gather(*(sent(made, NEAR, TELLING) for _ in range(50)))
        tasks += started(made, writer)
        writer.go.set()
        await asyncio.gather(*tasks)
        assert len(writer.jobs) == MAX_PIECES
        assert len({job.piece.key for job in writer.jobs if job.piece is not None}) == MAX_PIECES

    run(check, writer)


def test_without_texts_the_next_step_does_it() -> None:
    """A model that fails costs nothing: the step does without, and is not asked again and again."""
    writer = Scripted(*[None] * 90)

    async def check(made: Engine) -> None:
        for _ in range(3 * MAX_LOOKS):
            await sent(made, NEAR, TELLING)
            await drained(made)
        keys = [job.piece.key for job in writer.jobs if job.piece is not None]
        assert len(keys) == len(set(keys))
        body = await sent(made, OVER, TELLING)
        assert b"haversack-digest" in body
        assert not briefs(body)

    run(check, writer)


def test_policy_that_asks_no_model_does_nothing_more_after_answers() -> None:
    """No look is begun for it."""
    writer = Scripted()

    async def check(made: Engine) -> None:
        silent = replace(TELLING, steps=(Step("tell", Tell(model=False)), *TELLING.steps[1:]))
        for body in (NEAR, OVER):
            await sent(made, body, silent)
            assert not made.background

    run(check, writer)


def test_texts_survive_a_restart() -> None:
    """What one process prepared, the next one uses."""

    async def main() -> None:
        async with opened(SqliteStore(MEMORY)) as store:
            async with summing(Scripted(*[BRIEF] * 50), store) as made:
                for _ in range(2):
                    await sent(made, NEAR, TELLING)
                    await drained(made)
            idle = Scripted()
            async with summing(idle, store) as made:
                assert briefs(await sent(made, OVER, TELLING)) >= 6
                assert not idle.jobs

    asyncio.run(main())


def test_summary_and_pieces_are_prepared_side_by_side() -> None:
    """A policy may have both; pieces that would do make the summary needless at the next look."""
    writer = Scripted(*[BRIEF] * 90)
    both = replace(TELLING, steps=(Step("tell", Tell()), Step("summarize", Summarize()), *TELLING.steps[1:]))

    async def check(made: Engine) -> None:
        await sent(made, NEAR, both)
        await drained(made)
        assert [job.piece is None for job in writer.jobs[:2]] == [True, False]
        body = await sent(made, OVER, both)
        assert briefs(body) or BRIEF.encode() in body

    run(check, writer)


def test_pieces_that_a_digest_has_overtaken_are_not_written_to_their_end() -> None:
    """The conversation moved on and was compacted without them: they could not be used any more."""
    writer = Scripted(is_slow=True)

    async def check(made: Engine) -> None:
        await sent(made, NEAR, TELLING)
        tasks = await begun(made, writer)
        longer = chat([message("system", 10, "rules"), *turns(12)])
        assert b"haversack-digest" in await sent(made, longer, TELLING)
        await asyncio.wait(tasks)
        assert writer.cancelled == len(writer.jobs) == MAX_PIECES_RUNNING
        tasks = started(made, writer)
        writer.go.set()
        await asyncio.gather(*tasks)

    run(check, writer)


def test_waiting_policy_prepares_nothing_ahead() -> None:
    """Where clients wait, what is missing is written when it is."""
    writer = Scripted()

    async def check(made: Engine) -> None:
        await sent(made, NEAR, replace(TELLING, summarizer=SummarizerRules(mode="inline")))
        await drained(made)
        assert not writer.jobs

    run(check, writer)


def test_store_that_is_away_costs_no_text() -> None:
    """Nothing is looked up and nothing kept, and what was written serves as long as the process lives."""
    writer = Scripted(*[BRIEF] * 50)

    async def check(made: Engine) -> None:
        for _ in range(2):
            await sent(made, NEAR, TELLING)
            await drained(made)
        assert made.failed_open("store_read") >= 1
        assert made.failed_open("store") == len(writer.jobs) > 0
        assert briefs(await sent(made, OVER, TELLING)) >= 6

    run(check, writer, SqliteStore(MEMORY))


def test_pieces_of_what_is_frozen_are_written_to_their_end() -> None:
    """A digest that was there before they were asked for is no reason to end them."""
    writer = Scripted(is_slow=True)
    eager = replace(TELLING, prepare=Level(ratio=0.3))

    async def check(made: Engine) -> None:
        longer = [message("system", 10, "rules"), *turns(7)]
        assert b"haversack-digest" in await sent(made, chat(longer), eager)
        tasks = await begun(made, writer)
        more = [message("assistant", 5), message("user", 5)]
        await sent(made, chat([*longer, *more]), eager)
        tasks += started(made, writer)
        writer.go.set()
        await asyncio.gather(*tasks, *started(made, writer))
        assert writer.cancelled == 0

    run(check, writer)
