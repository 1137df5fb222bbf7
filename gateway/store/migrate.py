"""Bring the schema of a SQLite database up to date.

The steps are the numbered files in `migrations/`: `0001_start.sql` and those that follow. A file that was
released is never edited; a change is a new file with the next number.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from importlib.resources import files

import aiosqlite

from gateway.core.errors import ConfigError

_VERSIONS = (
    "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, applied_at REAL NOT NULL)"
)


def scripts() -> dict[int, str]:
    """Return the text of every migration by its number, in order."""
    folder = files("gateway.store") / "migrations"
    found = [file for file in folder.iterdir() if file.name.endswith(".sql")]
    return {int(file.name[:4]): file.read_text("utf-8") for file in sorted(found, key=lambda file: file.name)}


def statements(script: str) -> Iterator[str]:
    """Yield the statements of a script.

    >>> list(statements("CREATE TABLE a (b);\\nCREATE TABLE c (d);\\n"))
    ['CREATE TABLE a (b);\\n', 'CREATE TABLE c (d);\\n']
    """
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


async def migrate(connection: aiosqlite.Connection, now: float) -> None:
    """Bring the schema up to date in one transaction, or leave it as it was.

    Raise ConfigError if it belongs to a later version of the gateway.
    """
    known = scripts()
    # Immediate: two processes that start together do this one after the other.
    await connection.execute("BEGIN IMMEDIATE")
    await connection.execute(_VERSIONS)
    rows = list(await connection.execute_fetchall("SELECT max(version) FROM schema_version"))
    version = rows[0][0] or 0
    if version > max(known):
        later = f"the store has schema {version}, but this version of haversack knows {max(known)}"
        raise ConfigError([f"{later}: it was used by a later one"])
    for number, script in known.items():
        if number > version:
            for statement in statements(script):
                await connection.execute(statement)
            await connection.execute("INSERT INTO schema_version VALUES (?, ?)", (number, now))
    await connection.commit()
