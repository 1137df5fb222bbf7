"""Summaries that are ready before they are needed, in every store: whole, and for what they are about."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from gateway.store.base import Prepared
from gateway.store.sqlite import SqliteStore
from stores import STORES, Clock, Make, opened

HOUR_S = 3600.0

WRITES_UNTIL_KILLED = """
import asyncio, sys
from pathlib import Path
from gateway.store.base import Prepared
from gateway.store.sqlite import SqliteStore

async def write(store, n):
    for m in range(100_000):
        await store.put_summary(f"s{n}", "f", "p", Prepared(b"p", m, f"{m} " * 9000, "r"))
        print(n, m, flush=True)

async def main():
    async with asyncio.TaskGroup() as group:
        store = SqliteStore(Path(sys.argv[1]))
        await store.open(group)
        for n in range(8):
            group.create_task(write(store, n))

asyncio.run(main())
"""


@pytest.fixture(params=STORES)
def make(request: pytest.FixtureRequest) -> Make:
    """Return what constructs the store under test."""
    return STORES[request.param]


def prepared(
    prefix: bytes = b"p", length: int = 4, text: str = "## Goal\n\x00\ud83d", rules: str = "r"
) -> Prepared:
    """Return a summary that is ready before it is needed."""
    return Prepared(prefix, length, text, rules, 5.0)


def test_longest_summary_comes_back_as_it_was_stored(make: Make, tmp_path: Path) -> None:
    """Of all beginnings that were summed up, the longest is found, every character of it."""

    async def run() -> None:
        async with opened(make(tmp_path, Clock())) as store:
            for length in (4, 9, 6):
                text = f"{length} " * 2000
                await store.put_summary("acme", "openai_chat", "p", prepared(b"p%d" % length, length, text))
            await store.put_summary("acme", "openai_chat", "p", prepared())
            prefixes = [b"p%d" % n for n in range(20_000)]
            found = await store.summaries("acme", "openai_chat", "p", "r", prefixes)
            assert list(found) == [prepared(b"p9", 9, "9 " * 2000)]
            found = await store.summaries("acme", "openai_chat", "p", "r", [*prefixes, b"p"], 8)
            assert [summary.length for summary in found] == [9, 6, 4, 4]
            assert not await store.summaries("acme", "openai_chat", "p", "r", [])

    asyncio.run(run())


def test_summary_serves_only_whom_it_was_written_for(make: Make, tmp_path: Path) -> None:
    """Another scope, wire format, policy, or what a policy said before, finds none."""

    async def run() -> None:
        async with opened(make(tmp_path, Clock())) as store:
            await store.put_summary("acme", "openai_chat", "p", prepared(text="old"))
            await store.put_summary("acme", "openai_chat", "p", prepared())
            for key in (
                ("other", "openai_chat", "p"),
                ("acme", "anthropic_messages", "p"),
                ("acme", "openai_chat", "q"),
            ):
                assert not await store.summaries(*key, "r", [b"p"])
            assert not await store.summaries("acme", "openai_chat", "p", "s", [b"p"])
            assert list(await store.summaries("acme", "openai_chat", "p", "r", [b"p"])) == [prepared()]

    asyncio.run(run())


def test_summary_expires_with_the_rest_unless_it_is_used(make: Make, tmp_path: Path) -> None:
    """What nobody reads goes after its retention; to read it is to use it."""

    async def run() -> None:
        clock = Clock()
        async with opened(make(tmp_path, clock)) as store:
            for prefix in (b"p", b"q"):
                await store.put_summary("acme", "openai_chat", "p", prepared(prefix))
            clock.now += 2 * HOUR_S
            await store.summaries("acme", "openai_chat", "p", "r", [b"p"])
            assert await store.expire(clock.now - HOUR_S, scope="other") == 0
            assert await store.expire(clock.now - HOUR_S, scope="acme") == 1
            assert not await store.summaries("acme", "openai_chat", "p", "r", [b"q"])
            assert await store.summaries("acme", "openai_chat", "p", "r", [b"p"])

    asyncio.run(run())


def test_kill_leaves_no_half_of_a_summary(tmp_path: Path) -> None:
    """After `kill -9` while summaries are written, each that is found is whole."""
    path = tmp_path / "store.db"
    command = [sys.executable, "-c", WRITES_UNTIL_KILLED, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        acknowledged = [writer.stdout.readline().split() for _ in range(200)]
        writer.kill()

    async def check() -> None:
        async with opened(SqliteStore(path)) as store:
            for scope, least in dict(acknowledged).items():
                (found,) = await store.summaries(f"s{scope}", "f", "p", "r", [b"p"])
                assert found.length >= int(least)
                assert found.text == f"{found.length} " * 9000

    asyncio.run(check())
