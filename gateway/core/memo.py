"""A bounded memory of what is known about messages, so that only new ones are read and counted.

Keyed by a fast hash of a message's bytes. Two generations: what is asked for is in the young one or moves
there; when the young one is full it becomes the old one, and what was old and not asked for is dropped. So a
hit costs one look-up and nothing is kept in order. Facts are all of one size, so a bound on bytes is a bound
on entries. Threads may share one: at worst they forget sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

import msgspec
from xxhash import xxh3_128_digest

Known = TypeVar("Known")

ENTRY_BYTES = 300
"""What an entry takes at most: key, facts, hash, its share of the dictionary (measured: 240 to 260)."""


class Facts(msgspec.Struct, frozen=True, gc=False, eq=False):
    """What the decision about a request needs to know of one message."""

    tokens: int
    """As `conversation.Message.tokens`."""
    role: str
    """One of `conversation.Role`."""
    digest: bytes
    """Hash of its canonical form, for the chain that recognises a conversation."""
    has_images: bool = False
    """Whether some of the tokens are images, whose real cost differs by vendor."""
    is_frame: bool = False
    """Whether it is a user message that asks nothing: a client tells how things are at the moment."""


class Found(msgspec.Struct, Generic[Known], frozen=True):
    """What a memo knew about a list of messages."""

    keys: list[bytes]
    """One per message, for `Memo.add`."""
    facts: list[Known | None]
    """One per message; None where nothing is known."""
    unknown: list[int]
    """Indices of the messages that nothing is known about."""


class Memo(Generic[Known]):
    """Facts by content, which are anything but None."""

    def __init__(self, max_bytes: int = 48 << 20, secret: int = 0) -> None:
        """*secret* goes into every key, so that nobody can prepare two messages with one key."""
        self._room = max(1, max_bytes // ENTRY_BYTES // 2)
        self._secret = secret
        self._young: dict[bytes, Known] = {}
        self._old: dict[bytes, Known] = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def lookup(self, slices: Sequence[bytes], salt: int = 0) -> Found[Known]:
        """Return what is known about these messages.

        *salt* keeps apart what depends on more than the bytes: one number per wire format and vocabulary.
        """
        seed = (self._secret + salt) & 0xFFFF_FFFF_FFFF_FFFF
        keys = [xxh3_128_digest(raw, seed) for raw in slices]
        facts: list[Known | None] = [*map(self._young.get, keys)]
        unknown = self._revive(keys, facts) if None in facts else []
        return Found(keys, facts, unknown)

    def add(self, key: bytes, facts: Known) -> None:
        """Remember *facts* under a key that `lookup` returned."""
        if len(self._young) >= self._room and key not in self._young:
            self._old = self._young
            self._young = {}
        self._young[key] = facts

    def _revive(self, keys: list[bytes], facts: list[Known | None]) -> list[int]:
        """Fill in what the old generation knows and make it young again; return the indices still unknown."""
        unknown = []
        for index in [index for index, known in enumerate(facts) if known is None]:
            key = keys[index]
            revived = self._old.pop(key, None)
            if revived is None:
                # Equal messages of one list: the first of them has moved there.
                revived = self._young.get(key)
            facts[index] = revived
            if revived is None:
                unknown.append(index)
            else:
                self.add(key, revived)
        return unknown
