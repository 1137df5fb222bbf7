"""Every store there is, for the suite that all of them have to pass."""

from __future__ import annotations

from asyncio import TaskGroup
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from gateway.store.base import Store
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore

AnyStore = TypeVar("AnyStore", bound=Store)


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


Make = Callable[[Path, Clock], Store]

# One row per store; a store that needs a server is added where its server is known to run.
STORES: dict[str, Make] = {
    "sqlite": lambda path, clock: SqliteStore(path / "store.db", clock),
    "memory": lambda _, clock: SqliteStore(MEMORY, clock),
}


@asynccontextmanager
async def opened(store: AnyStore) -> AsyncIterator[AnyStore]:
    """Run the store in a task group, as the application does."""
    async with TaskGroup() as group:
        try:
            await store.open(group)
            yield store
        finally:
            await store.close()
