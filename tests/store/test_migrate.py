"""The schema of a SQLite database is brought up to date."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import aiosqlite
import pytest

from gateway.core.errors import ConfigError
from gateway.store.migrate import migrate, scripts, statements


def migrated(path: Path, *before: str) -> list[tuple[object, ...]]:
    """Return the tables and versions of a database after these statements and a migration."""

    async def run() -> list[tuple[object, ...]]:
        async with aiosqlite.connect(path, isolation_level=None) as connection:
            for sql in before:
                await connection.execute(sql)
            await migrate(connection, 12.0)
            tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
            versions = "SELECT version, applied_at FROM schema_version"
            return [
                *[tuple(row) for row in await connection.execute_fetchall(tables)],
                *[tuple(row) for row in await connection.execute_fetchall(versions)],
            ]

    return asyncio.run(run())


def test_new_database_gets_every_table(tmp_path: Path) -> None:
    """A first start makes the tables and remembers which schema they have."""
    tables = [("checkpoints",), ("learned",), ("originals",), ("schema_version",), ("summaries",)]
    assert migrated(tmp_path / "a.db") == [*tables, *[(number, 12.0) for number in scripts()]]


def test_second_start_changes_nothing(tmp_path: Path) -> None:
    """A database that is up to date is left as it is."""
    first = migrated(tmp_path / "a.db")
    assert migrated(tmp_path / "a.db") == first


def test_store_of_the_first_schema_keeps_its_originals(tmp_path: Path) -> None:
    """What was archived before checkpoints told their policy can still be had; they are made anew."""
    original = "INSERT INTO originals VALUES (x'61', x'62', 'message', 0, 0, x'', x'')"
    frozen = "INSERT INTO checkpoints VALUES (x'61', 'openai_chat', x'70', 0, 1, 1, 0, 0, x'', x'')"
    versions = "CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at REAL NOT NULL)"
    first = (*statements(scripts()[1]), versions, "INSERT INTO schema_version VALUES (1, 3)")
    found = migrated(tmp_path / "a.db", *first, original, frozen)
    assert found[-len(scripts()) :] == [(1, 3.0), *[(n, 12.0) for n in scripts() if n > 1]]
    with sqlite3.connect(tmp_path / "a.db") as raw:
        counts = [
            raw.execute(f"SELECT count(*) FROM {table}").fetchone() for table in ("originals", "checkpoints")
        ]
    raw.close()
    assert counts == [(1,), (0,)]


def test_later_schema_is_refused(tmp_path: Path) -> None:
    """An older gateway does not touch a store that a newer one has used; it says why it stops."""
    migrated(tmp_path / "a.db")
    with pytest.raises(ConfigError, match=r"schema 999.*later"):
        migrated(tmp_path / "a.db", "INSERT INTO schema_version VALUES (999, 0)")


def test_numbers_have_no_gap() -> None:
    """Migrations are numbered from one, so that none is ever forgotten or applied twice."""
    assert list(scripts()) == list(range(1, len(scripts()) + 1))


def test_every_statement_of_every_script_is_run() -> None:
    """No statement is lost for want of a semicolon."""
    for script in scripts().values():
        assert "".join(statements(script)).strip() == script.strip()
