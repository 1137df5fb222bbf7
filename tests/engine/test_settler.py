"""What is removed is put away first, as far as the store and the policy go."""

from __future__ import annotations

import asyncio

from gateway.core.conversation import Conversation
from gateway.core.frozen import replace
from gateway.core.memo import Memo
from gateway.engine.counting import Counting
from gateway.engine.pipeline import Result
from gateway.engine.replay import view_of
from gateway.engine.settler import Settler
from gateway.engine.subject import Action
from gateway.store.file import MEMORY
from stores import opened
from wired import LONG, Full, chat, engine, message


def test_work_is_done_again_where_nothing_can_be_put_away() -> None:
    """It is told so, and may then promise nothing that nobody could keep."""
    told: list[bool] = []

    async def run() -> None:
        async with opened(Full(MEMORY)) as store, engine(store) as made:
            settler = Settler(Counting(Memo(), made.executor), store, told_of.append, made.clock, None)
            subject = await made.subject(chat(LONG))
            view = view_of(subject, None)

            def work(archive: bool) -> Result:
                told.append(archive)
                return Result(replace(view, messages=view.messages[-3:]))

            plan = await settler.settle(subject, subject.counted.chain(), None, work, Action.COMPACTED)
            assert plan is not None
            assert (told, told_of) == ([True, False], ["archive"])
            dry = await settler.settle(
                subject, subject.counted.chain(), None, work, Action.COMPACTED, dry=True
            )
            assert dry is not None
            assert told == [True, False, True]

    told_of: list[str] = []
    asyncio.run(run())


def test_view_that_is_the_clients_own_list_is_no_plan() -> None:
    """Where nothing was changed, or too little, nothing is sent anew."""

    async def run() -> None:
        async with engine() as made:
            parts = made.parts
            fail = parts.metrics.failed_open.add
            settler = Settler(Counting(Memo(), made.executor), parts.store, fail, made.clock, None)
            subject = await made.subject(chat(LONG))
            chain, view = subject.counted.chain(), view_of(subject, None)
            less = Conversation(view.messages[-3:])
            same = await settler.settle(subject, chain, None, lambda _: Result(view), Action.COMPACTED)
            little = await settler.settle(
                subject, chain, None, lambda _: Result(less), Action.COMPACTED, worth=lambda _: False
            )
            assert (same, little) == (None, None)

    asyncio.run(run())


def test_what_messages_say_is_found_once_for_all() -> None:
    """What is worked out in the background reads no message anew that a compaction has read."""

    async def run() -> None:
        async with engine() as made:
            subject = await made.subject(chat([message("user", 10, "Never")]))
            (one,) = view_of(subject, None).messages
            find = made.parts.compactor.find
            assert find(one) is find(one)

    asyncio.run(run())
