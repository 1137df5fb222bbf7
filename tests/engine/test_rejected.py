"""After a new compaction was refused for its form."""

from __future__ import annotations

import asyncio

from exchanging import BODY, INVALID, answered
from gateway.engine.lineage import REFUSED_S
from gateway.engine.subject import Action
from gateway.store.base import Checkpoint
from wired import PLACE, TRIMMING, Edge, answer, ask, chat, engine, said, turns


def test_new_compaction_that_was_refused_is_not_tried_at_every_turn() -> None:
    """After a refusal for its form the conversation goes out as it came, at once, and it is counted once."""

    async def run() -> None:
        async with engine() as made:
            edge = Edge(INVALID, answer(), answer(), answer())
            got = [await answered(made, ask(edge, BODY, TRIMMING)) for _ in range(3)]
            assert [one[2] for one in got] == [Action.FAILED_OPEN] * 3
            assert len(edge.seen) == 4
            assert made.failed_open("rejected") == 1

    asyncio.run(run())


def test_it_is_tried_again_after_a_while_or_if_it_surely_does_not_fit() -> None:
    """An upstream may be repaired; and what would be refused for its size has nothing to lose."""

    async def run() -> None:
        async with engine() as made:
            edge = Edge(INVALID, answer(), answer(), answer())
            await answered(made, ask(edge, chat(turns(8)), TRIMMING))
            large = await answered(made, ask(edge, chat(turns(30)), TRIMMING))
            made.clock.now += REFUSED_S
            later = await answered(made, ask(edge, chat(turns(8)), TRIMMING))
            assert (large[2], later[2]) == (Action.COMPACTED, Action.COMPACTED)

    asyncio.run(run())


def test_small_request_of_such_a_conversation_is_not_touched() -> None:
    """Seen: taken back to where nothing would be done to it, it was reported as a failure of ours."""

    async def run() -> None:
        async with engine() as made:
            edge = Edge(INVALID, answer(), answer())
            await answered(made, ask(edge, chat(turns(8)), TRIMMING))
            small = await answered(made, ask(edge, chat(turns(8)[:5]), TRIMMING))
            assert small[2] is Action.NONE

    asyncio.run(run())


def test_what_was_accepted_before_is_replayed() -> None:
    """Seen: a compaction that the upstream takes was left out, too, and each request went out whole."""

    async def run() -> None:
        async with engine() as made:
            edge = Edge(INVALID, answer(), answer())
            body = chat(turns(8))
            await answered(made, ask(edge, body, TRIMMING))
            subject = await made.subject(body)
            items = (b'{"role":"user","content":"digest"}',)
            prefix = subject.counted.chain()[1]
            earlier = Checkpoint(prefix, 2, items, 10, 1000, TRIMMING.fingerprint)
            await made.parts.checkpoints.commit(PLACE, earlier)
            got = await answered(made, ask(edge, body, TRIMMING))
            assert (got[2], said(edge.bodies[-1])[0]) == (Action.FROZEN, "digest")

    asyncio.run(run())


def test_fork_from_before_it_is_another_conversation() -> None:
    """Only what was replaced is known to be refused: another list that begins alike is compacted."""

    async def run() -> None:
        async with engine() as made:
            edge = Edge(INVALID, answer(), answer())
            await answered(made, ask(edge, chat(turns(8)), TRIMMING))
            fork = [*turns(8)[:2], *turns(8, 51)[2:]]
            assert (await answered(made, ask(edge, chat(fork), TRIMMING)))[2] is Action.COMPACTED

    asyncio.run(run())


def test_request_that_is_wrong_itself_says_nothing_of_its_compaction() -> None:
    """Where the client's own bytes are refused as well, the next turn is compacted as ever."""

    async def run() -> None:
        async with engine() as made:
            edge = Edge(INVALID, INVALID, answer())
            await answered(made, ask(edge, BODY, TRIMMING))
            assert (await answered(made, ask(edge, BODY, TRIMMING)))[2] is Action.COMPACTED

    asyncio.run(run())
