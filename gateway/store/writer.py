"""The one task that writes to a SQLite database.

SQLite takes one writer at a time, and a transaction spans several round trips to the driver's thread: two
that interleave on a connection fail. So a transaction is one queued unit of plain statements. Units that
wait together are committed together; each caller learns the fate of its own unit. A unit that was queued is
written even if its caller has left.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import aiosqlite

from gateway.store.base import StoreError

Statement = tuple[str, Sequence[Sequence[Any]]]
"""SQL, and the rows to run it for."""

Border = Callable[[], contextlib.AbstractContextManager[None]]
"""Turns what the driver raises into StoreError."""

_LARGEST_GROUP = 64
"""Units per commit: the first of a group waits for the last."""

_CLOSED = "the store is closed"


@dataclass(frozen=True, slots=True)
class _Unit:
    statements: tuple[Statement, ...]
    done: asyncio.Future[int]
    alone: bool = False
    """Not part of any transaction: maintenance, which SQLite refuses inside one."""


class Writer:
    """Runs units in order on a connection that nobody else uses."""

    def __init__(self, connection: aiosqlite.Connection, border: Border) -> None:
        self._connection = connection
        self._border = border
        self._units: list[_Unit] = []
        self._group: list[_Unit] = []
        """The units that are being written."""
        self._ready = asyncio.Event()
        self._open = True
        self._task: asyncio.Task[None] | None = None

    async def write(self, *statements: Statement) -> int:
        """Return how many rows the statements changed, once they are committed. Raise StoreError."""
        return await self._queue(statements).done

    async def maintain(self, sql: str) -> None:
        """Run a statement outside any transaction. Raise StoreError."""
        await self._queue(((sql, ()),), alone=True).done

    def write_behind(self, *statements: Statement) -> None:
        """Queue the statements; nobody waits for them, and nobody learns that they failed."""
        with contextlib.suppress(StoreError):
            # Reading the exception marks it as seen; a cancelled future has none.
            self._queue(statements).done.add_done_callback(lambda done: done.cancelled() or done.exception())

    def _queue(self, statements: tuple[Statement, ...], alone: bool = False) -> _Unit:
        if not self._open:
            raise StoreError(_CLOSED)
        unit = _Unit(statements, asyncio.get_running_loop().create_future(), alone)
        self._units.append(unit)
        self._ready.set()
        return unit

    def start(self, group: asyncio.TaskGroup) -> None:
        """Begin to write, in a task of *group*."""
        self._task = group.create_task(self._run(), name="store writer")
        # Not a `finally` in the task: one that is cancelled before it began runs no line of its body.
        self._task.add_done_callback(self._end)

    async def stop(self) -> None:
        """Take no more units, and return when those that were taken are written."""
        self._open = False
        self._ready.set()
        if self._task is not None:
            # Not `await self._task`: if that was cancelled, we are not.
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        while self._open or self._units:
            await self._ready.wait()
            self._group = self._next_group()
            await self._write_group(self._group)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._open = False
        for unit in (*self._group, *self._units):
            _fail(unit, StoreError(_CLOSED))

    def _next_group(self) -> list[_Unit]:
        """Take the units that belong in one commit: all that wait, up to the next one that must be alone."""
        size = next((n for n, unit in enumerate(self._units) if unit.alone), len(self._units))
        size = min(max(size, 1), _LARGEST_GROUP)
        group, self._units = self._units[:size], self._units[size:]
        if not self._units and self._open:
            self._ready.clear()
        return group

    async def _write_group(self, group: Sequence[_Unit]) -> None:
        try:
            with self._border():
                await self._begin(group)
        except Exception as error:
            # Nothing to do with any one unit: the file is gone, or another process holds it.
            for unit in group:
                _fail(unit, error)
        else:
            await self._write_begun(group)

    async def _write_begun(self, group: Sequence[_Unit]) -> None:
        try:
            with self._border():
                counts = [await self._execute(unit) for unit in group]
                if self._connection.in_transaction:
                    await self._connection.commit()
        # A mistake in one caller's values must not end the writer for everybody else.
        except Exception as error:
            with contextlib.suppress(Exception):
                await self._abandon()
            await self._write_each(group, error)
        else:
            for unit, count in zip(group, counts, strict=True):
                if not unit.done.done():
                    unit.done.set_result(count)

    async def _write_each(self, group: Sequence[_Unit], error: Exception) -> None:
        """Tell the one unit that failed; of several, find out which it is."""
        if len(group) == 1:
            _fail(group[0], error)
            return
        for unit in group:
            await self._write_group([unit])

    async def _begin(self, group: Sequence[_Unit]) -> None:
        await self._abandon()
        if group and not group[0].alone and not _is_one_row(group):
            # Not a deferred transaction: one that starts by reading fails at once when another writes.
            await self._connection.execute("BEGIN IMMEDIATE")

    async def _abandon(self) -> None:
        # Some failures end the transaction themselves, and then there is none to roll back.
        if self._connection.in_transaction:
            await self._connection.rollback()

    async def _execute(self, unit: _Unit) -> int:
        count = 0
        for sql, rows in unit.statements:
            if unit.alone:
                # As a script: a plain `execute` stops after the first row, which is one page of a vacuum.
                await self._connection.executescript(sql)
            elif len(rows) == 1:
                count += (await self._connection.execute(sql, rows[0])).rowcount
            elif rows:
                count += (await self._connection.executemany(sql, rows)).rowcount
        return count


def _is_one_row(group: Sequence[_Unit]) -> bool:
    """Whether the group is a transaction already: it saves two round trips to the driver's thread."""
    statements = [statement for unit in group for statement in unit.statements]
    return len(statements) == 1 and len(statements[0][1]) == 1


def _fail(unit: _Unit, error: Exception) -> None:
    if not unit.done.done():
        unit.done.set_exception(error)
