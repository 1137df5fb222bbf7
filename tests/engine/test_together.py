"""Many things at once end together, and a failure among them leaves no trace in whoever waits."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from gateway.engine.together import together


def test_results_come_in_order_and_only_so_many_run() -> None:
    """Who is done first does not come first, and no more than allowed are under way."""
    running: list[int] = []
    most = 0

    async def work(number: int) -> int:
        nonlocal most
        running.append(number)
        most = max(most, len(running))
        for _ in range(5 - number):
            await asyncio.sleep(0)
        running.remove(number)
        return number

    found = asyncio.run(together([partial(work, number) for number in range(5)], 2))

    assert found == [0, 1, 2, 3, 4]
    assert most == 2


def test_first_failure_ends_the_others() -> None:
    """What is under way is cancelled, and what waits for its turn never begins."""
    begun: list[str] = []
    ended: list[str] = []

    async def fail() -> None:
        await asyncio.sleep(0)
        raise ValueError("first")

    async def hang(name: str) -> None:
        begun.append(name)
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(name)

    with pytest.raises(ValueError, match="first"):
        asyncio.run(together([partial(hang, "a"), partial(fail), partial(hang, "b")], 2))

    assert begun == ended == ["a"]


def test_timeout_around_a_failure_is_still_a_timeout() -> None:
    """After a failure was dealt with, time that runs out is not taken for a cancellation from outside."""

    async def fail() -> None:
        await asyncio.sleep(0)
        raise ValueError

    async def hang() -> None:
        await asyncio.Event().wait()

    async def run() -> None:
        async with asyncio.timeout(0.01):
            with pytest.raises(ValueError):  # noqa: PT011 (it says nothing)
                await together([fail, hang], 2)
            await hang()

    with pytest.raises(TimeoutError):
        asyncio.run(run())


def test_cancellation_from_outside_ends_all() -> None:
    """Nobody works on for somebody who has left."""
    ended = 0

    async def hang() -> None:
        nonlocal ended
        try:
            await asyncio.Event().wait()
        finally:
            ended += 1

    async def run() -> None:
        async with asyncio.timeout(0):
            await together([hang, hang], 2)

    async def started() -> None:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(together([hang, hang], 2))
            for _ in range(5):
                await asyncio.sleep(0)
            task.cancel()

    asyncio.run(started())
    assert ended == 2
    with pytest.raises(TimeoutError):
        asyncio.run(run())
