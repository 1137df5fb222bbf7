"""What is kept of what was removed, and for how long."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from gateway import app
from gateway.app import build
from gateway.engine.sessions import open_scope
from gateway.policy.tenants import key_hash
from gateway.store.base import Original
from gateway.store.sqlite import SqliteStore
from stores import Clock, opened
from upstream import ScriptedUpstream
from whole import database, page, settings, until

ORIGINAL = Original("sha256-1", b'{"role":"user"}')
ME = [(b"authorization", b"Bearer me")]
PATH = "/haversack/originals/sha256-1"


def kept(folder: Path) -> int:
    """Return how many originals are in the store."""
    with closing(sqlite3.connect(folder / "data" / "haversack.db")) as connection:
        return int(connection.execute("SELECT count(*) FROM originals").fetchone()[0])


def test_store_is_kept_under_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not used for longest goes when the store is larger than it may be."""
    monkeypatch.setattr(app, "RETENTION_S", 0.001)

    async def run() -> None:
        async with opened(database(tmp_path)) as store:
            await store.put_originals(open_scope("me"), [ORIGINAL])
        async with build(settings(tmp_path, max_store_bytes=1)) as gateway:
            status: int | None = 200
            async with asyncio.timeout(20):
                while status != 404:
                    status, _ = await page(gateway, PATH, ME)
                    await asyncio.sleep(0.001)

    asyncio.run(run())


def test_what_is_young_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within retention and size nothing is deleted, however often that is looked at."""
    monkeypatch.setattr(app, "RETENTION_S", 0.0)

    async def run() -> None:
        async with opened(database(tmp_path)) as store:
            await store.put_originals(open_scope("me"), [ORIGINAL])
        async with build(settings(tmp_path)) as gateway:
            for _ in range(20):
                await asyncio.sleep(0)
                status, body = await page(gateway, PATH, ME)
                assert (status, body) == (200, ORIGINAL.content)

    asyncio.run(run())


def test_tenant_keeps_for_as_long_as_its_policy_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenant with a year keeps for a year, whatever the other policies say, and one with a day for a day.

    Seen: what a tenant's own file kept for longer than any shared policy was deleted with the rest.
    """
    monkeypatch.setattr(app, "RETENTION_S", 0.001)
    (tmp_path / "tenants").mkdir()
    for name, days in (("long", 365), ("short", 1)):
        text = f"keys: [{key_hash(f'hvs_{name}')}]\nstore: {{retention_days: {days}}}\n"
        (tmp_path / "tenants" / f"{name}.yaml").write_text(text)

    async def run() -> None:
        used = Clock()
        async with opened(SqliteStore(tmp_path / "data" / "haversack.db", used)) as store:
            for scope, days in (("tenant-long", 60), ("tenant-short", 60), ("nobody", 400)):
                used.now = time.time() - days * 86400
                await store.put_originals(scope, [ORIGINAL])
        async with build(settings(tmp_path, policies=tmp_path)) as gateway:
            # Counted in the file, because reading an original keeps it.
            await until(lambda: kept(tmp_path) == 1)
            found = [await page(gateway, PATH, key(name)) for name in ("long", "short")]
            assert [status for status, _ in found] == [200, 404]

    asyncio.run(run())


def key(name: str) -> list[tuple[bytes, bytes]]:
    """Return the headers of that tenant's client."""
    return [(b"authorization", f"Bearer hvs_{name}".encode())]


def test_clean_up_that_fails_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A disk that is full for a minute does not end the clean-up for the life of the process.

    Seen: the first error ended it, and the store grew for ever after.
    """
    monkeypatch.setattr(app, "RETENTION_S", 0.001)

    def failures() -> int:
        return [record.getMessage() for record in caplog.records].count("background work failed")

    async def run() -> None:
        async with build(settings(tmp_path)):
            for file in (tmp_path / "data").iterdir():
                file.unlink()
            await until(lambda: failures() >= 2)

    asyncio.run(run())


def test_conversation_that_goes_on_does_not_expire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is replayed from memory counts as used, so that a restart still finds it after a month.

    Seen: only reading the store was a use, and a process that remembers does not read it.
    """
    monkeypatch.setattr(app, "RENEW_S", 0.001)
    (tmp_path / "small.yaml").write_text("extends: mechanical\nwindow: 2000\n")
    said = [
        {"role": role, "content": f"{role} {n} " * 100} for n in range(10) for role in ("user", "assistant")
    ]
    body = json.dumps({"model": "m", "messages": said[:-1]}).encode()

    async def run() -> None:
        with ScriptedUpstream() as upstream:
            given = settings(tmp_path, policies=tmp_path, policy="small", upstream=upstream.url)
            async with build(given) as gateway:
                assert (await page(gateway, "/v1/chat/completions", ME, body))[0] == 200
                # Beside the loop, which may be in the middle of a transaction.
                await asyncio.to_thread(checkpoints, tmp_path, "UPDATE checkpoints SET used_at = 0")
                assert (await page(gateway, "/v1/chat/completions", ME, body))[0] == 200
                await until(lambda: checkpoints(tmp_path, "SELECT min(used_at) FROM checkpoints") > 0)
            assert len({request.body for request in upstream.chats}) == 1

    asyncio.run(run())


def checkpoints(folder: Path, sql: str) -> float:
    """Run a statement on the store, and return what it finds."""
    with closing(sqlite3.connect(folder / "data" / "haversack.db", timeout=5)) as connection, connection:
        found = connection.execute(sql).fetchone()
    return float(found[0]) if found else 0.0
