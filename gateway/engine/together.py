"""Several things at the same time, a bounded number of them, of which the first failure ends the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


async def together(works: Sequence[Callable[[], Awaitable[T]]], most: int) -> list[T]:
    """Return what all of them bring, in their order, *most* at a time; raise what the first failure raises.

    A failure is not left to the group: if a child raises while its group waits for the others, the parent
    keeps a cancellation that nobody asked for (CPython before 3.13), and a timeout around it that ends later
    is taken for a cancellation from outside.
    """
    turn = asyncio.Semaphore(most)
    failures: list[Exception] = []
    tasks: list[asyncio.Task[T | None]] = []

    async def one(work: Callable[[], Awaitable[T]]) -> T | None:
        try:
            async with turn:
                return None if failures else await work()
        except Exception as failure:
            failures.append(failure)
            for task in tasks:
                if task is not asyncio.current_task():
                    task.cancel()
            return None

    async with asyncio.TaskGroup() as group:
        tasks += [group.create_task(one(work)) for work in works]
    if failures:
        raise failures[0]
    return [task.result() for task in tasks]  # type: ignore[misc]  # none is missing if none failed
