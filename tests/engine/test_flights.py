"""What is written is written once, in bounded numbers, and not when nobody could use it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from engine.asking import TELLING
from engine.summing import NEAR, OVER, Scripted, drained, run, sent, started
from gateway.core.conversation import Role, made
from gateway.core.frozen import replace
from gateway.engine.afresh import Afresh, Before, Later
from gateway.engine.flights import MAX_JOBS, RETRY_S, Flight, Flights, job_of
from gateway.engine.prepared import Summaries
from gateway.engine.summarizer import Job
from gateway.store.base import Checkpoint
from gateway.strategies.piece import Piece
from wired import PLACE, Edge, Engine, ask, words

Check = Callable[[Flights, Callable[[str], Flight]], Awaitable[None]]


def flying(check: Check, writer: Scripted) -> None:
    """Run a check on a queue, with what makes a flight for the piece that a text is."""

    async def within(engine: Engine) -> None:
        parts = engine.parts
        summaries = Summaries(parts.store)
        flights = Flights(writer, summaries, parts.start, engine.clock, parts.metrics.failed_open.add)
        subject, asked = await engine.subject(OVER, TELLING), ask(Edge(), OVER, TELLING)
        chain = subject.counted.chain()

        def flight(text: str) -> Flight:
            piece = Piece("content", (made(Role.USER, text, words),), 20, 0)
            about: dict[str, Any] = {"messages": piece.messages, "previous": "", "ask": "", "piece": piece}
            job = job_of(asked, subject, **about)
            return Flight(PLACE, "r", piece.key, 3, frozenset(chain), chain[-1], job)

        await check(flights, flight)
        tasks = started(engine, writer)
        writer.go.set()
        await asyncio.gather(*tasks)
        assert not flights

    run(within, writer)


def test_what_is_being_written_is_found_by_whoever_wants_it() -> None:
    """One text for a piece, in whatever conversation it stands."""

    async def check(flights: Flights, flight: Callable[[str], Flight]) -> None:
        one = flight("a")
        assert flights.begin(one)
        assert flights.piece(PLACE, "r", one.key) is one
        assert flights.piece(PLACE, "other", one.key) is None
        assert flights.summary(PLACE, "r", [one.mark]) is None
        assert flights.has_pieces(PLACE, [b"before", one.mark])
        assert not flights.has_pieces(PLACE, [b"another"])

    flying(check, Scripted(is_slow=True))


def test_queue_is_bounded() -> None:
    """What finds it full is not begun."""

    async def check(flights: Flights, flight: Callable[[str], Flight]) -> None:
        begun = [flights.begin(flight(str(number))) for number in range(MAX_JOBS + 3)]
        assert begun == [True] * MAX_JOBS + [False] * 3
        assert flights.is_full(PLACE.scope)
        assert not flights.is_full("another tenant")

    flying(check, Scripted(is_slow=True))


def test_resting_model_and_ending_process_begin_nothing() -> None:
    """Nobody is asked who wants to be left alone, and nothing is left running at the end."""
    writer = Scripted(is_slow=True)

    async def check(flights: Flights, flight: Callable[[str], Flight]) -> None:
        writer.is_resting_now = True
        assert not flights.begin(flight("a"))
        writer.is_resting_now = False
        assert flights.begin(flight("a"))
        flights.stop()
        assert not flights.begin(flight("b"))
        assert not flights

    flying(check, writer)


def test_what_failed_is_left_alone_for_a_while() -> None:
    """A piece that nobody can put into fewer words is not asked for after every answer."""

    async def within(engine: Engine) -> None:
        await sent(engine, NEAR, TELLING)
        await drained(engine)
        number = len(writer.jobs)
        assert number
        await sent(engine, NEAR, TELLING)
        await drained(engine)
        first, again = keys(writer.jobs[:number]), keys(writer.jobs[number:])
        assert not first & again
        engine.clock.now += RETRY_S
        await sent(engine, NEAR, TELLING)
        await drained(engine)
        assert keys(writer.jobs[number + len(again) :]) & first

    def keys(jobs: list[Job]) -> set[bytes]:
        return {job.piece.key for job in jobs if job.piece is not None}

    writer = Scripted(*[None] * 40)
    run(within, writer)


def test_decision_that_waits_for_a_text_is_no_reason_to_end_it() -> None:
    """A digest that went out meanwhile is what the text is to take the place of."""
    writer = Scripted(is_slow=True)

    async def check(flights: Flights, flight: Callable[[str], Flight]) -> None:
        one = flight("a")
        digest = Checkpoint(b"p", 9, (b"<haversack-digest>",), 5, 100, "f")
        afresh = Afresh()
        later = Later(afresh, PLACE, digest.prefix, Before(b"", is_urgent=True))
        assert flights.begin(one)
        one.then(later)
        later.end()
        flights.overtake(PLACE, [one.mark], digest, None)
        assert flights.piece(PLACE, "r", one.key) is one
        flights.overtake(PLACE, [one.mark], replace(digest, prefix=b"q"), None)
        assert flights.piece(PLACE, "r", one.key) is None

    flying(check, writer)


def test_piece_that_is_still_there_is_written_to_its_end() -> None:
    """A digest of what stands before it takes nothing from it."""
    writer = Scripted(is_slow=True)

    async def check(flights: Flights, flight: Callable[[str], Flight]) -> None:
        one, other = flight("a"), flight("b")
        one.origins, other.origins = frozenset({4, 5}), frozenset({1, 5})
        assert flights.begin(one)
        assert flights.begin(other)
        digest = Checkpoint(b"p", 9, (b"<haversack-digest>", 4, 5), 5, 9, "f")
        flights.overtake(PLACE, [one.mark], digest, None)
        assert flights.piece(PLACE, "r", one.key) is one
        assert flights.piece(PLACE, "r", other.key) is None

    flying(check, writer)
