"""A text that was written after the decision it was wanted for is used also by the next process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest

from engine.asking import BRIEF, TELLING
from engine.summing import POLICY, Scripted, begun, drained, sent, started, summing
from gateway.core.frozen import replace
from gateway.engine.late import told
from gateway.policy.rules import SummarizerRules
from gateway.policy.schema import Policy
from gateway.store.base import Checkpoint
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from stores import opened
from wired import Engine, chat, message, turns

NEXT = SummarizerRules(mode="next")
SUMMING, PIECES = replace(POLICY, summarizer=NEXT), replace(TELLING, summarizer=NEXT)
SAID = [message("system", 10, "rules"), *turns(7)]
"""760 tokens: over the trigger, which is at 640."""

Process = Callable[[Engine, Scripted], Awaitable[None]]


def talk(more: int = 0) -> bytes:
    """Return the conversation with so many short turns behind it."""
    added = [message(role, 5, f"{role[0]}x{n}") for n in range(more) for role in ("assistant", "user")]
    return chat([*SAID, *added])


def start_of(body: bytes) -> bytes:
    """Return what the provider can have cached of a request when the next comes: all but its end."""
    return body[: body.rindex(b"]")]


def processes(*each: Process, texts: Sequence[str] = (), is_slow: bool = False) -> None:
    """Run one process after the other on the same store; time passes in between."""

    async def main() -> None:
        async with opened(SqliteStore(MEMORY)) as store:
            for number, process in enumerate(each):
                writer = Scripted(*texts, is_slow=is_slow and not number)
                async with summing(writer, store) as made:
                    made.clock.now += 1000 * number
                    await process(made, writer)

    asyncio.run(main())


async def written(made: Engine, body: bytes, policy: Policy) -> bytes:
    """Send a list, have what it lacks written a little later, and return what the upstream got."""
    got = await sent(made, body, policy)
    made.clock.now += 1
    await drained(made)
    return got


def test_summary_takes_effect_from_the_next_request_on_also_after_a_restart() -> None:
    """It is paid for: the next process puts it in place at once, and then it stays."""

    async def first(made: Engine, writer: Scripted) -> None:
        assert b"haversack-digest" in await written(made, talk(), SUMMING)
        assert len(writer.jobs) == 1

    async def second(made: Engine, writer: Scripted) -> None:
        got = await written(made, talk(1), SUMMING)
        assert got.count(b"Build the parser.") == 1
        assert (await written(made, talk(2), SUMMING)).startswith(start_of(got))
        assert not writer.jobs

    async def third(made: Engine, writer: Scripted) -> None:
        got = await written(made, talk(3), SUMMING)
        assert got.count(b"Build the parser.") == 1
        assert (await written(made, talk(4), SUMMING)).startswith(start_of(got))
        assert not writer.jobs

    processes(first, second, third)


@pytest.mark.parametrize("policy", [SUMMING, PIECES], ids=["summary", "pieces"])
def test_next_process_sends_what_the_first_would_have_sent(policy: Policy) -> None:
    """Whatever a model writes: the end of a process loses only what it was about to write."""
    bodies: list[bytes] = []

    async def first(made: Engine, writer: Scripted) -> None:
        bodies.append(await written(made, talk(), policy))
        assert writer.jobs

    async def second(made: Engine, writer: Scripted) -> None:
        bodies.append(await written(made, talk(1), policy))

    async def both(made: Engine, writer: Scripted) -> None:
        await first(made, writer)
        await second(made, writer)

    processes(both, texts=[BRIEF] * 90)
    processes(first, second, texts=[BRIEF] * 90)
    assert bodies[:2] == bodies[2:]
    assert not bodies[1].startswith(start_of(bodies[0]))


@pytest.mark.parametrize("policy", [SUMMING, PIECES, POLICY], ids=["summary", "pieces", "background"])
def test_decision_that_lacks_nothing_stands_after_a_restart(policy: Policy) -> None:
    """What had its texts, or whose texts could not be written, is not made anew."""
    bodies: list[bytes] = []

    async def process(made: Engine, writer: Scripted) -> None:
        writer.texts = [None] * 90
        more = len(bodies)
        bodies.append(await written(made, talk(more), policy))
        bodies.append(await written(made, talk(more + 1), policy))

    processes(process, process)
    assert bodies[2].startswith(start_of(bodies[1]))


def test_summary_that_comes_too_late_is_used_when_the_boundary_moves_after_a_restart() -> None:
    """The digest that went out in its place stays until then, and nothing is written anew."""
    said = [message("system", 10, "rules"), *turns(12)]
    more = [*said, message("assistant", 5), message("user", 5, "on")]
    late: list[bytes] = []

    async def first(made: Engine, writer: Scripted) -> None:
        await sent(made)
        tasks = await begun(made, writer)
        late.append(await sent(made, chat(said)))
        assert b"haversack-digest" in late[0]
        made.clock.now += 1
        writer.go.set()
        await asyncio.wait([*tasks, *started(made, writer)])

    async def second(made: Engine, writer: Scripted) -> None:
        assert (await sent(made, chat(more))).startswith(start_of(late[0]))
        again = await sent(made, chat([*more, *turns(9)[1:]]))
        assert again.count(b"Build the parser.") == 1
        assert not writer.jobs

    processes(first, second, is_slow=True)


def test_decision_tells_of_what_it_does_not_send_as_it_came() -> None:
    """Up to the last message that stands in something made."""
    made = Checkpoint(b"p", 6, (0, b"{}", 4, 5), 9, 100, "f")
    assert told(made) == 4
    assert told(replace(made, items=(0, 1, 2, 3, 4, 5))) == 0
    assert told(replace(made, items=(0, b"{}"))) == 6
