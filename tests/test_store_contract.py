"""What every store promises; a store is done when it passes."""

from __future__ import annotations

import asyncio
import math
from asyncio import TaskGroup
from pathlib import Path

import pytest

from gateway.store.base import Checkpoint, Learned, Original, Prepared, Store, StoreError
from stores import STORES, Clock, Make, opened

HOUR_S = 3600.0


@pytest.fixture(params=STORES)
def make(request: pytest.FixtureRequest) -> Make:
    """Return what constructs the store under test."""
    return STORES[request.param]


def checkpoint(prefix: bytes = b"p", length: int = 4, window: int = 8000, tokens: int = 7) -> Checkpoint:
    """Return a checkpoint with both kinds of items."""
    return Checkpoint(prefix, length, (0, b'{"role":"user"}', 3), tokens, window, "sha256-1", 5.0)


def test_original_comes_back_as_it_was_stored(make: Make, tmp_path: Path) -> None:
    """What was removed can be read again, every byte and every field."""
    original = Original("sha256-1", b"\x00\xff" + b"long " * 9000, "offload", "read_file", 12.5)

    async def run() -> None:
        async with opened(make(tmp_path, Clock())) as store:
            await store.put_originals("acme", [original])
            assert await store.original("acme", "sha256-1") == original
            assert await store.original("acme", "sha256-2") is None

    asyncio.run(run())


def test_original_that_is_there_is_kept(make: Make, tmp_path: Path) -> None:
    """Storing the same content again costs nothing and changes nothing."""

    async def run() -> None:
        async with opened(make(tmp_path, Clock())) as store:
            await store.put_originals("acme", [Original("sha256-1", b"a", created_at=1.0)])
            await store.put_originals("acme", [])
            await store.put_originals("acme", [Original("sha256-1", b"a", created_at=2.0)])
            found = await store.original("acme", "sha256-1")
            assert found is not None
            assert found.created_at == 1.0

    asyncio.run(run())


def test_deleted_original_is_gone(make: Make, tmp_path: Path) -> None:
    """A person who deletes an original is told whether it existed, and nobody can read it afterwards."""

    async def run() -> None:
        async with opened(make(tmp_path, Clock())) as store:
            await store.put_originals("acme", [Original("sha256-1", b"a")])
            assert await store.delete_original("acme", "sha256-1")
            assert not await store.delete_original("acme", "sha256-1")
            assert await store.original("acme", "sha256-1") is None

    asyncio.run(run())


def test_scopes_never_see_each_other(make: Make, tmp_path: Path) -> None:
    """Two tenants whose ids and prefixes are equal read, replace and delete only what is their own."""

    async def run() -> None:
        async with opened(make(tmp_path, Clock())) as store:
            await store.put_originals("acme", [Original("sha256-1", b"ours")])
            await store.put_checkpoint("acme", "openai_chat", "default", checkpoint())

            assert await store.original("other", "sha256-1") is None
            assert not await store.checkpoints("other", "openai_chat", "default", [b"p"])

            await store.put_originals("other", [Original("sha256-1", b"theirs")])
            await store.put_checkpoint("other", "openai_chat", "default", checkpoint(tokens=99))
            assert await store.delete_original("other", "sha256-1")
            await store.delete_checkpoint("other", "openai_chat", "default", b"p")
            assert await store.expire(math.inf, scope="other") == 0

            found = await store.original("acme", "sha256-1")
            assert found is not None
            assert found.content == b"ours"
            assert list(await store.checkpoints("acme", "openai_chat", "default", [b"p"])) == [checkpoint()]

    asyncio.run(run())


def test_scopes_that_differ_only_past_any_bound_stay_apart(make: Make, tmp_path: Path) -> None:
    """However long two tenants' names are, one never reads what belongs to the other."""

    async def run() -> None:
        async with opened(make(tmp_path, Clock())) as store:
            await store.put_originals("x" * 5000 + "a", [Original("sha256-1", b"a")])
            assert await store.original("x" * 5000 + "b", "sha256-1") is None
            assert await store.original("x" * 5000 + "a", "sha256-1") is not None

    asyncio.run(run())


def test_checkpoints_come_longest_first(make: Make, tmp_path: Path) -> None:
    """Of all prefixes of a conversation that were compacted, the longest is offered first."""

    async def run() -> None:
        async with opened(make(tmp_path, Clock())) as store:
            for length in (4, 9, 6):
                await store.put_checkpoint(
                    "acme", "openai_chat", "default", checkpoint(b"p%d" % length, length)
                )
            prefixes = [b"p%d" % n for n in range(3000)]
            found = await store.checkpoints("acme", "openai_chat", "default", prefixes)
            assert [c.length for c in found] == [9, 6, 4]
            assert [
                c.length for c in await store.checkpoints("acme", "openai_chat", "default", prefixes, 2)
            ] == [9, 6]
            assert not await store.checkpoints("acme", "openai_chat", "default", [])
            assert not await store.checkpoints("acme", "anthropic_messages", "default", prefixes)

    asyncio.run(run())


def test_policies_do_not_take_each_others_place(make: Make, tmp_path: Path) -> None:
    """What one policy decided about a prefix stays, whatever another one decides or gives up."""

    async def run() -> None:
        async with opened(make(tmp_path, Clock())) as store:
            await store.put_checkpoint("acme", "openai_chat", "default", checkpoint(tokens=1))
            await store.put_checkpoint("acme", "openai_chat", "other", checkpoint(tokens=2))
            assert list(await store.checkpoints("acme", "openai_chat", "default", [b"p"])) == [
                checkpoint(tokens=1)
            ]
            await store.delete_checkpoint("acme", "openai_chat", "default", b"p")
            assert not await store.checkpoints("acme", "openai_chat", "default", [b"p"])
            assert list(await store.checkpoints("acme", "openai_chat", "other", [b"p"])) == [
                checkpoint(tokens=2)
            ]

    asyncio.run(run())


def test_list_of_very_many_messages_is_looked_up(make: Make, tmp_path: Path) -> None:
    """A conversation of twenty thousand messages finds its checkpoint like any other."""

    async def run() -> None:
        async with opened(make(tmp_path, Clock())) as store:
            await store.put_checkpoint("acme", "openai_chat", "default", checkpoint(b"p7"))
            found = await store.checkpoints(
                "acme", "openai_chat", "default", [b"p%d" % n for n in range(20_000)]
            )
            assert list(found) == [checkpoint(b"p7")]

    asyncio.run(run())


def test_checkpoint_takes_the_place_of_its_predecessor(make: Make, tmp_path: Path) -> None:
    """One prefix has one replacement per window, and the newest counts."""

    async def run() -> None:
        async with opened(make(tmp_path, Clock())) as store:
            await store.put_checkpoint("acme", "openai_chat", "default", checkpoint(tokens=1))
            await store.put_checkpoint("acme", "openai_chat", "default", checkpoint(tokens=2))
            await store.put_checkpoint("acme", "openai_chat", "default", checkpoint(tokens=3, window=32_000))
            found = await store.checkpoints("acme", "openai_chat", "default", [b"p"])
            assert sorted(c.tokens for c in found) == [2, 3]
            await store.delete_checkpoint("acme", "openai_chat", "default", b"p")
            assert not await store.checkpoints("acme", "openai_chat", "default", [b"p"])

    asyncio.run(run())


def test_what_was_learned_comes_back(make: Make, tmp_path: Path) -> None:
    """A window learned from an error is known after a restart, whatever the model is called."""
    first = Learned("http://a", "m\x00\ud83d", window=8192, window_at=3.0)
    later = Learned("http://a", "m\x00\ud83d", window=4096, correction=1.07, no_stream_options=True)

    async def run() -> None:
        async with opened(make(tmp_path, Clock())) as store:
            await store.put_learned(first)
            await store.put_learned(later)
            await store.put_learned(Learned("http://b", "m"))
            assert {one.upstream: one for one in await store.learned()} == {
                "http://a": later,
                "http://b": Learned("http://b", "m"),
            }

    asyncio.run(run())


def test_odd_text_is_stored_whole(make: Make, tmp_path: Path) -> None:
    """NUL and half an emoji, which databases cut or refuse, go in and come out."""
    original = Original("sha256-\x00\udc00", b"a\x00b", name="tool\x00\ud83d")

    async def run() -> None:
        async with opened(make(tmp_path, Clock())) as store:
            await store.put_originals("sc\x00\ud83d", [original])
            assert await store.original("sc\x00\ud83d", "sha256-\x00\udc00") == original
            assert await store.original("sc", "sha256-\x00\udc00") is None

    asyncio.run(run())


def test_fifty_writers_at_once_lose_nothing(make: Make, tmp_path: Path) -> None:
    """Fifty conversations that are compacted in the same moment are all stored, without an error."""

    async def write(store: Store, n: int) -> None:
        for m in range(10):
            await store.put_originals(f"s{n}", [Original(f"sha256-{m}", b"%d" % n)])
            found = await store.original(f"s{n}", f"sha256-{m}")
            assert found is not None
            assert found.content == b"%d" % n

    async def run() -> None:
        async with opened(make(tmp_path, Clock())) as store, TaskGroup() as writers:
            for n in range(50):
                writers.create_task(write(store, n))

    asyncio.run(run())


def test_caller_who_leaves_disturbs_nobody(make: Make, tmp_path: Path) -> None:
    """A request that is cancelled while it stores something leaves the store working for the others."""

    async def run() -> None:
        async with opened(make(tmp_path, Clock())) as store, TaskGroup() as callers:
            tasks = [
                callers.create_task(store.put_originals("acme", [Original(f"sha256-{n}", b"x")]))
                for n in range(20)
            ]
            await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            await tasks[1]
            await store.put_originals("acme", [Original("after", b"x")])
            assert await store.original("acme", "after") is not None
            assert await store.original("acme", "sha256-19") is not None

    asyncio.run(run())


def test_store_that_is_not_open_says_so(make: Make, tmp_path: Path) -> None:
    """Every verb of a store that is closed, or was never opened, raises StoreError: the gateway goes on."""
    store = make(tmp_path, Clock())

    async def each() -> None:
        for verb in (
            lambda: store.put_originals("a", [Original("i", b"")]),
            lambda: store.original("a", "i"),
            lambda: store.delete_original("a", "i"),
            lambda: store.put_checkpoint("a", "f", "default", checkpoint()),
            lambda: store.checkpoints("a", "f", "default", [b"p"]),
            lambda: store.delete_checkpoint("a", "f", "default", b"p"),
            lambda: store.put_summary("a", "f", "default", Prepared(b"p", 1, "")),
            lambda: store.summaries("a", "f", "default", "r", [b"p"]),
            lambda: store.learned(),
            lambda: store.put_learned(Learned("u", "m")),
            lambda: store.expire(1.0),
            lambda: store.size_bytes(),
        ):
            with pytest.raises(StoreError):
                await verb()

    async def run() -> None:
        await each()
        async with opened(store):
            pass
        await each()
        await store.close()

    asyncio.run(run())
