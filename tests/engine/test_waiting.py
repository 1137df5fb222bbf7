"""Where the policy lets clients wait, they wait for all that is missing, together, and not too long."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from engine.asking import BRIEF, TELLING, Tell
from engine.summing import OVER, TEXT, Scripted, run, sent, started
from gateway.core.frozen import replace
from gateway.engine.attempt import Ask
from gateway.engine.flights import MAX_JOBS
from gateway.engine.subject import Subject
from gateway.engine.waiting import Waiting
from gateway.policy.rules import SummarizerRules
from gateway.policy.schema import Step
from gateway.store.base import Checkpoint
from gateway.strategies.piece import Piece
from gateway.strategies.summarize import Summarize
from wired import Edge, Engine, ask

INLINE = replace(TELLING, summarizer=SummarizerRules(mode="inline"))


def briefs(body: bytes) -> int:
    """Return how many messages of a request are what a model wrote."""
    return [one["content"] for one in json.loads(body)["messages"]].count(BRIEF)


async def served(made: Engine, writer: Scripted, *requests: asyncio.Task[bytes]) -> list[bytes]:
    """Return what the upstream gets, while what is started meanwhile runs."""
    tasks: list[asyncio.Task[None]] = []
    while not all(request.done() for request in requests):
        await asyncio.sleep(0)
        tasks += started(made, writer)
    await asyncio.gather(*tasks, *started(made, writer))
    return [request.result() for request in requests]


def test_pieces_are_waited_for_and_shared() -> None:
    """The first request over the trigger has its texts, and all others of that time: one call for each."""
    writer = Scripted(*[BRIEF] * 90)

    async def check(made: Engine) -> None:
        async with asyncio.TaskGroup() as group:
            requests = [group.create_task(sent(made, OVER, INLINE)) for _ in range(50)]
            bodies = await served(made, writer, *requests)
        assert set(map(briefs, bodies)) == {briefs(bodies[0])}
        assert briefs(bodies[0]) > 8
        keys = [job.piece.key for job in writer.jobs if job.piece is not None]
        assert len(keys) == len(set(keys)) <= MAX_JOBS

    run(check, writer)


def test_waiting_ends_when_the_time_is_over() -> None:
    """A model that hangs is waited for as long as the policy says, and the next step acts."""
    writer = Scripted(is_slow=True)
    policy = replace(INLINE, summarizer=SummarizerRules(mode="inline", timeout_s=0))

    async def check(made: Engine) -> None:
        body = await sent(made, OVER, policy)
        assert b"haversack-digest" in body
        assert not briefs(body)
        tasks = started(made, writer)
        writer.go.set()
        await asyncio.gather(*tasks)

    run(check, writer)


def test_failing_model_is_waited_for_once() -> None:
    """What could not be written is not asked for again by the same request."""
    writer = Scripted(*[None] * 90)

    async def check(made: Engine) -> None:
        async with asyncio.TaskGroup() as group:
            (body,) = await served(made, writer, group.create_task(sent(made, OVER, INLINE)))
        assert b"haversack-digest" in body
        keys = [job.piece.key for job in writer.jobs if job.piece is not None]
        assert len(keys) == len(set(keys))

    run(check, writer)


def test_summary_and_pieces_are_both_waited_for() -> None:
    """A policy may have both: the steps find all of it."""
    writer = Scripted(TEXT, *[BRIEF] * 90)
    steps = (Step("summarize", Summarize()), Step("tell", Tell()), Step("digest", TELLING.steps[1].strategy))

    async def check(made: Engine) -> None:
        async with asyncio.TaskGroup() as group:
            request = group.create_task(sent(made, OVER, replace(INLINE, steps=steps)))
            (body,) = await served(made, writer, request)
        assert b"Build the parser." in body

    run(check, writer)


def test_patience_is_one_for_all() -> None:
    """What the summary took is not there any more for pieces."""
    seen: list[str] = []

    class Hanging:
        async def summary(self, ask: Ask, subject: Subject, base: Checkpoint | None) -> None:
            seen.append("summary")
            await asyncio.Event().wait()

        async def pieces(self, ask: Ask, subject: Subject, pieces: Sequence[Piece]) -> None:
            await asyncio.sleep(0)
            seen.append("pieces")

    async def check(made: Engine) -> None:
        policy = replace(INLINE, summarizer=SummarizerRules(mode="inline", timeout_s=0))
        waiting = Waiting(Hanging(), ask(Edge(), OVER, policy))
        subject = await made.subject(OVER, policy)
        await waiting.summary(subject, None)
        await waiting.pieces(subject, [])
        assert seen == ["summary"]

    run(check, Scripted())
