"""A summary that came too late for a decision is used for the next, and nothing is written for nothing."""

from __future__ import annotations

import asyncio

from engine.summing import Scripted, begun, drained, run, sent, started
from wired import Engine, chat, message, turns


def test_summary_that_comes_too_late_is_used_when_the_boundary_moves_next() -> None:
    """It is paid for. The digest that went out in its place stays until then: the provider has it cached."""
    writer = Scripted(is_slow=True)

    async def check(made: Engine) -> None:
        await sent(made)
        tasks = await begun(made, writer)
        said = [message("system", 10, "rules"), *turns(12)]
        late = await sent(made, chat(said))
        assert b"haversack-digest" in late
        writer.go.set()
        await asyncio.wait([*tasks, *started(made, writer)])
        await drained(made)
        assert writer.cancelled == 0

        more = [*said, message("assistant", 5), message("user", 5, "on")]
        assert (await sent(made, chat(more))).startswith(late[: late.rindex(b"]")])
        again = await sent(made, chat([*more, *turns(9)[1:]]))
        assert again.count(b"Build the parser.") == 1

    run(check, writer)


def test_summary_that_is_overtaken_twice_is_not_written_to_its_end() -> None:
    """What it could have been used for is gone."""
    writer = Scripted(is_slow=True)

    async def check(made: Engine) -> None:
        await sent(made)
        tasks = await begun(made, writer)
        said = [message("system", 10, "rules"), *turns(12)]
        assert b"haversack-digest" in await sent(made, chat(said))
        assert b"haversack-digest" in await sent(made, chat([*said, *turns(12)[1:]]))
        await asyncio.wait(tasks, timeout=5)
        assert writer.cancelled == 1
        writer.go.set()

    run(check, writer)
