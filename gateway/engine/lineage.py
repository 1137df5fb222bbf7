"""Frozen decisions: find the checkpoint of a conversation, replay it, make the next one.

A checkpoint belongs to a prefix of the client's list, under one policy, and to nothing else. Edits, forks,
regenerations and late attaching need no case of their own: a prefix that does not match is not used.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence

import msgspec

from gateway.core.conversation import Conversation
from gateway.core.recent import Recent
from gateway.store.base import Checkpoint, Store

CACHE_BYTES = 64 * 1024 * 1024
"""What the checkpoints kept in the process may take."""

REFUSED_S = 600
"""How long a conversation goes out as it came after a new compaction of it was refused for its form."""

MAX_REFUSED = 10_000
"""Conversations, and checkpoints, of which it is remembered that they were refused."""

CACHE_ENTRY_BYTES = 600
"""What one takes beside its bytes (measured: record, tuple, key)."""


class Place(msgspec.Struct, frozen=True):
    """Where checkpoints of a conversation may be looked for."""

    scope: str
    wire_format: str
    policy: str
    """The name of the policy: another one takes effect at once, and finds what it has decided before."""


Rejected = tuple[Place, str, bytes]
"""The beginning of a conversation, by its hash, under a policy, by its fingerprint."""


class Checkpoints:
    """The checkpoints of this process, most recently used last, over those of the store."""

    def __init__(self, store: Store, max_bytes: int = CACHE_BYTES) -> None:
        self._store = store
        self._max_bytes = max_bytes
        self._bytes = 0
        self._cached: OrderedDict[tuple[Place, bytes], Checkpoint] = OrderedDict()
        self._places: Counter[Place] = Counter()
        self._used: set[tuple[Place, bytes]] = set()
        """Those of them that were used since the store was last told."""
        self._quarantined: Recent[tuple[Place, bytes], None] = Recent(MAX_REFUSED)
        self._refused: Recent[Rejected, float] = Recent(MAX_REFUSED)

    def knows(self, place: Place) -> bool:
        """Return whether any checkpoint of a place is held in the process."""
        return self._places[place] > 0

    async def find(
        self, place: Place, chain: Sequence[bytes], usable: Callable[[Checkpoint], bool]
    ) -> Checkpoint | None:
        """Return a usable checkpoint of a list, given its chain of prefix hashes; None if there is none.

        Raise StoreError if the store could not be read.
        """
        return self.held(place, chain, usable) or await self.stored(place, chain, usable)

    def held(
        self, place: Place, chain: Sequence[bytes], usable: Callable[[Checkpoint], bool]
    ) -> Checkpoint | None:
        """Return the longest usable one of those held in the process."""
        for prefix in reversed(chain):
            checkpoint = self._cached.get((place, prefix))
            if checkpoint is not None and usable(checkpoint):
                self._cached.move_to_end((place, prefix))
                self._used.add((place, prefix))
                return checkpoint
        return None

    async def stored(
        self, place: Place, chain: Sequence[bytes], usable: Callable[[Checkpoint], bool]
    ) -> Checkpoint | None:
        """Return the longest usable one of those stored, and hold it. Raise StoreError."""
        for checkpoint in await self._store.checkpoints(*_keys(place), chain):
            if (place, checkpoint.prefix) not in self._quarantined and usable(checkpoint):
                self.keep(place, checkpoint)
                return checkpoint
        return None

    def keep(self, place: Place, checkpoint: Checkpoint) -> None:
        """Hold a checkpoint in the process."""
        key = place, checkpoint.prefix
        self._drop(key)
        self._cached[key] = checkpoint
        self._places[place] += 1
        self._bytes += size_bytes(checkpoint)
        while self._bytes > self._max_bytes and self._cached:
            self._drop(next(iter(self._cached)))

    async def commit(self, place: Place, checkpoint: Checkpoint) -> None:
        """Hold a checkpoint and store it. Raise StoreError if that failed; it is then held all the same."""
        self.keep(place, checkpoint)
        await self._store.put_checkpoint(*_keys(place), checkpoint)

    async def renew(self) -> None:
        """Tell the store what was used without asking it, so that it does not expire. Raise StoreError."""
        while self._used:
            place, prefix = self._used.pop()
            # Reading is what records a use.
            await self._store.checkpoints(*_keys(place), [prefix])

    async def quarantine(self, place: Place, prefix: bytes) -> None:
        """Never use a checkpoint again: the upstream refused what it made. Raise StoreError."""
        self._drop((place, prefix))
        self._quarantined.put((place, prefix), None)
        await self._store.delete_checkpoint(*_keys(place), prefix)

    def reject(self, refused: Rejected, now: float) -> None:
        """Take note that a new compaction of a conversation was refused for its form."""
        self._refused.put(refused, now)

    def is_rejected(self, refused: Rejected, now: float) -> bool:
        """Return whether a new compaction of a conversation was refused for its form a short while ago."""
        at = self._refused.get(refused)
        return at is not None and now - at < REFUSED_S

    def _drop(self, key: tuple[Place, bytes]) -> None:
        old = self._cached.pop(key, None)
        self._used.discard(key)
        if old is not None:
            self._bytes -= size_bytes(old)
            self._places[key[0]] -= 1
            if not self._places[key[0]]:
                del self._places[key[0]]


def _keys(place: Place) -> tuple[str, str, str]:
    return place.scope, place.wire_format, place.policy


def size_bytes(checkpoint: Checkpoint) -> int:
    """Return about how much memory a checkpoint takes."""
    literal = sum(len(item) for item in checkpoint.items if isinstance(item, bytes))
    return literal + 64 * len(checkpoint.items) + CACHE_ENTRY_BYTES


def boundary(view: Conversation, length: int) -> int:
    """Return how many of the client's *length* messages a checkpoint of this view must cover.

    After it, the view is the client's own list to the end: those messages are not part of what is frozen,
    so a regenerated or edited tail still finds the checkpoint.
    """
    covered = length
    for message in reversed(view.messages):
        if covered == 0 or message.origin != covered - 1:
            break
        covered -= 1
    return covered


def freeze(
    view: Conversation, length: int, chain: Sequence[bytes]
) -> tuple[bytes, int, tuple[int | bytes, ...]]:
    """Return the prefix hash, the length and the items of the checkpoint that replays *view*.

    Every message of the view must have its bytes. A view that is the client's own list covers nothing: its
    length is 0, and it needs no checkpoint.
    """
    covered = boundary(view, length)
    tail = length - covered
    kept = view.messages[: len(view.messages) - tail]
    items = tuple(message.raw if message.origin is None else message.origin for message in kept)
    return chain[covered - 1] if covered else b"", covered, items
