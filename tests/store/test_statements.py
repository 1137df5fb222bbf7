"""The SQL fits the schema that the migrations make."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from gateway.store import statements
from gateway.store.migrate import scripts

QUERIES = {name: sql for name, sql in vars(statements).items() if name.isupper() and isinstance(sql, str)}


@pytest.mark.parametrize("name", QUERIES)
def test_statement_fits_the_schema(name: str) -> None:
    """SQLite takes every statement: no column is misnamed, no value is missing."""
    sql = QUERIES[name].format(marks="?", table="summaries")
    with closing(sqlite3.connect(":memory:")) as database:
        for script in scripts().values():
            database.executescript(script)
        count = 3 if "?3" in sql else sql.count("?")
        database.execute(sql, [0] * count)


def test_every_table_expires() -> None:
    """Nothing is kept for ever: each table of the schema is among those whose old records go."""
    with closing(sqlite3.connect(":memory:")) as database:
        for script in scripts().values():
            database.executescript(script)
        rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    assert {name for (name,) in rows} == set(statements.EXPIRING)
