"""Checkpoints: the longest that fits is used, and what they cover ends where the client's own list begins."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from gateway.core.conversation import Conversation, Message, Role
from gateway.core.frozen import replace
from gateway.engine.lineage import Checkpoints, Place, boundary, freeze, size_bytes
from gateway.store.base import Checkpoint, Original, StoreError
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from stores import Clock, opened
from wired import PLACE, away

DAY_S = 86_400.0

CHAIN = [b"one", b"two", b"three", b"four"]


def checkpoint(prefix: bytes, length: int, window: int = 1000, item: bytes = b"{}") -> Checkpoint:
    """Return a checkpoint that puts one message in the place of so many."""
    return Checkpoint(prefix, length, (item,), tokens=9, window=window, policy="p")


def any_of_them(_: Checkpoint) -> bool:
    """Take whatever there is."""
    return True


async def kept(checkpoints: Checkpoints, *items: Checkpoint) -> None:
    """Commit some checkpoints."""
    for item in items:
        await checkpoints.commit(PLACE, item)


async def found(checkpoints: Checkpoints, chain: list[bytes], place: Place = PLACE) -> bytes | None:
    """Return the prefix of what is found."""
    checkpoint = await checkpoints.find(place, chain, any_of_them)
    return checkpoint.prefix if checkpoint is not None else None


def test_longest_prefix_is_used() -> None:
    """Of two earlier compactions of a conversation, the one that covers more of it is replayed."""

    async def run() -> None:
        async with opened(SqliteStore(MEMORY)) as store:
            checkpoints = Checkpoints(store)
            await kept(checkpoints, checkpoint(b"two", 2), checkpoint(b"three", 3), checkpoint(b"one", 1))

            assert await found(checkpoints, CHAIN) == b"three"
            assert await found(checkpoints, CHAIN[:2]) == b"two"
            assert await found(checkpoints, [b"another"]) is None

    asyncio.run(run())


def test_unusable_is_passed_over() -> None:
    """Where the longest does not suit this model's window, a shorter one that does is used."""

    async def run() -> None:
        async with opened(SqliteStore(MEMORY)) as store:
            checkpoints = Checkpoints(store)
            await kept(checkpoints, checkpoint(b"two", 2, window=8000), checkpoint(b"three", 3, window=10))
            for cache in (checkpoints, Checkpoints(store)):
                best = await cache.find(PLACE, CHAIN, lambda one: one.window > 100)
                assert best is not None
                assert best.prefix == b"two"

    asyncio.run(run())


@pytest.mark.parametrize("key", ["scope", "wire_format", "policy"])
def test_nobody_finds_what_belongs_to_another(key: str) -> None:
    """The same conversation under another key, in another dialect or under another policy shares nothing."""
    place = msgspec.structs.replace(PLACE, **{key: "another"})

    async def run() -> None:
        async with opened(SqliteStore(MEMORY)) as store:
            checkpoints = Checkpoints(store)
            await kept(checkpoints, checkpoint(b"two", 2))

            assert await found(checkpoints, CHAIN, place) is None
            assert await found(Checkpoints(store), CHAIN, place) is None

    asyncio.run(run())


def test_store_remembers_after_a_restart() -> None:
    """A new process finds what an earlier one froze, reads it once, and needs the store no more."""

    async def run() -> None:
        async with opened(SqliteStore(MEMORY)) as store:
            await kept(Checkpoints(store), checkpoint(b"two", 2))
            restarted = Checkpoints(store)
            assert await found(restarted, CHAIN) == b"two"
            await store.close()
            assert await found(restarted, CHAIN) == b"two"

    asyncio.run(run())


def test_store_that_is_away_is_reported_and_remembered_without() -> None:
    """A checkpoint that could not be stored is used by this process all the same."""

    async def run() -> None:
        checkpoints = Checkpoints(away())
        with pytest.raises(StoreError):
            await found(checkpoints, CHAIN)
        with pytest.raises(StoreError):
            await checkpoints.commit(PLACE, checkpoint(b"two", 2))
        assert await found(checkpoints, CHAIN) == b"two"

    asyncio.run(run())


def test_quarantined_is_never_used_again() -> None:
    """What an upstream refused is gone from the process and from the store, and does not come back."""

    async def run() -> None:
        async with opened(SqliteStore(MEMORY)) as store:
            checkpoints = Checkpoints(store)
            await kept(checkpoints, checkpoint(b"one", 1), checkpoint(b"two", 2))
            await checkpoints.quarantine(PLACE, b"two")
            assert await found(checkpoints, CHAIN) == b"one"
            assert await found(Checkpoints(store), CHAIN) == b"one"

    asyncio.run(run())


def test_least_recently_used_go_first() -> None:
    """The process holds as many bytes as it may; what was used last stays."""

    async def run() -> None:
        one, two, three = (checkpoint(name, 1, item=b"x" * 1000) for name in CHAIN[:3])
        checkpoints = Checkpoints(away(), max_bytes=2 * size_bytes(one))
        checkpoints.keep(PLACE, one)
        checkpoints.keep(PLACE, two)
        assert await found(checkpoints, [b"one"]) == b"one"
        checkpoints.keep(PLACE, three)

        assert await found(checkpoints, [b"one"]) == b"one"
        assert await found(checkpoints, [b"three"]) == b"three"
        with pytest.raises(StoreError):  # it is not held, so the store is asked
            await found(checkpoints, [b"two"])

    asyncio.run(run())


def test_what_is_replayed_from_memory_does_not_expire() -> None:
    """A conversation that goes on for longer than records are kept loses neither decision nor stubs."""
    original = Original("sha256-" + "0" * 24, b"long")
    stub = b'{"role": "tool", "content": "[haversack offload sha256-000000000000000000000000: 9 tokens]"}'
    clock = Clock()

    async def run() -> None:
        async with opened(SqliteStore(MEMORY, clock)) as store:
            checkpoints = Checkpoints(store)
            await store.put_originals(PLACE.scope, [original])
            await kept(checkpoints, checkpoint(b"one", 1, item=stub), checkpoint(b"idle", 1))
            for _ in range(3):
                clock.now += 20 * DAY_S
                assert await found(checkpoints, [b"one"]) == b"one"
                await checkpoints.renew()
                await store.expire(clock.now - 30 * DAY_S)

            assert await found(Checkpoints(store), [b"one"]) == b"one"
            assert await found(Checkpoints(store), [b"idle"]) is None
            assert await store.original(PLACE.scope, original.id) == original

    asyncio.run(run())


def test_replacing_a_checkpoint_costs_its_room_once() -> None:
    """A conversation compacted a hundred times over takes no more room than once."""

    async def run() -> None:
        one = checkpoint(b"one", 1, item=b"x" * 1000)
        checkpoints = Checkpoints(away(), max_bytes=2 * size_bytes(one))
        checkpoints.keep(PLACE, checkpoint(b"two", 2, item=b"x" * 1000))
        for tokens in range(100):
            checkpoints.keep(PLACE, replace(one, tokens=tokens))

        assert await found(checkpoints, [b"two"]) == b"two"
        assert await found(checkpoints, [b"one"]) == b"one"

    asyncio.run(run())


class Forgetful(SqliteStore):
    """A store that does not delete what it is told to."""

    async def delete_checkpoint(self, scope: str, wire_format: str, policy: str, prefix: bytes) -> None:
        """Do nothing."""


def test_quarantine_is_bounded() -> None:
    """However many prefixes upstreams refuse, only the latest ten thousand are remembered as such."""

    async def run() -> None:
        async with opened(Forgetful(MEMORY)) as store:
            checkpoints = Checkpoints(store)
            for number in range(10_001):
                await checkpoints.quarantine(PLACE, b"%d" % number)
            for prefix in (b"0", b"1"):
                await store.put_checkpoint(
                    PLACE.scope, PLACE.wire_format, PLACE.policy, checkpoint(prefix, 1)
                )

            # A store that keeps a refused one does not bring it back.
            assert await found(checkpoints, [b"0"]) == b"0"
            assert await found(checkpoints, [b"1"]) is None

    asyncio.run(run())


def own(index: int) -> Message:
    """Return the client's message of that index, untouched."""
    return Message(Role.USER, (), 5, b'"%d"' % index, index)


MADE = Message(Role.USER, (), 5, b'"made"')


@pytest.mark.parametrize(
    ("messages", "covered", "items"),
    [
        ([own(0), own(1), own(2), own(3)], 0, ()),
        ([MADE, own(3)], 3, (b'"made"',)),
        ([own(0), MADE, own(2), own(3)], 2, (0, b'"made"')),
        ([own(0), own(2), own(3)], 2, (0,)),
        ([own(2), own(3)], 2, ()),
        ([own(0), own(1), own(2), MADE], 4, (0, 1, 2, b'"made"')),
        ([own(0), own(1), own(2)], 4, (0, 1, 2)),
        ([own(0), MADE, own(1), own(2), own(3)], 1, (0, b'"made"')),
        ([], 4, ()),
    ],
)
def test_frozen_part_ends_where_nothing_was_changed(
    messages: list[Message], covered: int, items: tuple[int | bytes, ...]
) -> None:
    """A tail that is the client's own is not frozen, so a regenerated answer still finds the checkpoint."""
    view = Conversation(tuple(messages))

    assert boundary(view, 4) == covered
    prefix = CHAIN[covered - 1] if covered else b""
    assert freeze(view, 4, CHAIN) == (prefix, covered, items)
