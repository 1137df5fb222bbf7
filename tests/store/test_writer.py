"""The one task that writes."""

from __future__ import annotations

import asyncio
import contextlib
from asyncio import TaskGroup
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiosqlite
import pytest

from gateway.store.base import StoreError
from gateway.store.driver import border
from gateway.store.writer import Writer

PUT = "INSERT INTO t VALUES (?)"


@asynccontextmanager
async def writing(group: TaskGroup) -> AsyncIterator[tuple[Writer, aiosqlite.Connection]]:
    """Start a writer on a table `t` of unique numbers."""
    async with aiosqlite.connect(":memory:", isolation_level=None) as connection:
        await connection.execute("CREATE TABLE t (n INTEGER PRIMARY KEY)")
        writer = Writer(connection, border)
        writer.start(group)
        try:
            yield writer, connection
        finally:
            await writer.stop()


async def numbers(connection: aiosqlite.Connection) -> list[int]:
    """Return what is in the table."""
    return [row[0] for row in await connection.execute_fetchall("SELECT n FROM t ORDER BY n")]


def test_a_unit_is_written_whole_or_not_at_all() -> None:
    """When one statement of a unit fails, none of it stays, and the next unit is not affected."""

    async def run() -> None:
        async with TaskGroup() as group, writing(group) as (writer, connection):
            assert await writer.write((PUT, [(1,), (2,)]), ("DELETE FROM t WHERE n = ?", [(1,)])) == 3
            with pytest.raises(StoreError):
                await writer.write((PUT, [(3,)]), (PUT, [(2,)]))
            await writer.write((PUT, [(4,)]))
            assert await numbers(connection) == [2, 4]

    asyncio.run(run())


def test_each_caller_learns_the_fate_of_its_own_unit() -> None:
    """Units that wait together are committed together, but one that fails fails alone."""

    async def run() -> None:
        async with TaskGroup() as group, writing(group) as (writer, connection):
            units = [writer.write((PUT, [(n % 90,)])) for n in range(100)]
            results = await asyncio.gather(*units, return_exceptions=True)
            assert results[:90] == [1] * 90
            assert all(isinstance(result, StoreError) for result in results[90:])
            assert await numbers(connection) == list(range(90))

    asyncio.run(run())


def test_maintenance_runs_between_transactions() -> None:
    """A vacuum that SQLite refuses inside a transaction can be asked for while others write."""

    async def run() -> None:
        async with TaskGroup() as group, writing(group) as (writer, connection):
            units = [writer.write((PUT, [(n,), (n + 100,)])) for n in range(10)]
            await asyncio.gather(*units[:5], writer.maintain("VACUUM"), *units[5:])
            assert len(await numbers(connection)) == 20

    asyncio.run(run())


def test_unit_without_rows_changes_nothing() -> None:
    """A statement for no rows is done at once."""

    async def run() -> None:
        async with TaskGroup() as group, writing(group) as (writer, _):
            assert await writer.write((PUT, [])) == 0

    asyncio.run(run())


def test_written_behind_is_written_before_the_end() -> None:
    """What nobody waits for is on the disk when the writer has stopped, and its failure disturbs nobody."""

    async def run() -> None:
        async with TaskGroup() as group, writing(group) as (writer, connection):
            for n in (1, 2, 2, 3):
                writer.write_behind((PUT, [(n,)]))
            await writer.stop()
            assert await numbers(connection) == [1, 2, 3]
            writer.write_behind((PUT, [(4,)]))
            with pytest.raises(StoreError, match="closed"):
                await writer.write((PUT, [(5,)]))

    asyncio.run(run())


def test_mistake_in_a_unit_does_not_end_the_writer() -> None:
    """A bug in one caller is that caller's exception; everybody else goes on writing."""

    async def run() -> None:
        async with TaskGroup() as group, writing(group) as (writer, connection):
            with pytest.raises(TypeError):
                await writer.write((None, [(1,)]))  # type: ignore[arg-type]
            await writer.write((PUT, [(2,)]))
            assert await numbers(connection) == [2]

    asyncio.run(run())


def test_callers_do_not_wait_for_a_writer_that_was_cancelled() -> None:
    """When the process is told to stop at once, whoever waits for a write is told so."""

    async def run() -> None:
        async with aiosqlite.connect(":memory:", isolation_level=None) as connection:
            writer = Writer(connection, border)
            with contextlib.suppress(ExceptionGroup):
                async with TaskGroup() as group:
                    writer.start(group)
                    writer.write_behind((PUT, [(1,)]))
                    raise RuntimeError("the application fails")
            await writer.stop()
            with pytest.raises(StoreError, match="closed"):
                await writer.write((PUT, [(1,)]))

    asyncio.run(run())
