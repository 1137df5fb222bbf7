"""What messages were found to say, remembered by their content: each is read once, however often it comes.

Two generations, as in `core.memo`: what is asked for again stays. Messages in which there is nothing to find
are remembered too, and cost next to nothing. Threads may share it: at the worst a message is read twice.
"""

from __future__ import annotations

from xxhash import xxh3_128_digest

from gateway.core.conversation import Message
from gateway.core.ledger.entry import Entry
from gateway.core.ledger.find import find

ENTRY_BYTES = 180
"""What an entry takes beside its text (measured: object, strings, its place in the tuple)."""


class Known:
    """Entries by message."""

    def __init__(self, max_bytes: int = 16 << 20, secret: int = 0) -> None:
        """*secret* goes into every key, so that nobody can prepare two messages with one key."""
        self._room = max_bytes // 2
        self._secret = secret
        self._bytes = 0
        self._young: dict[bytes, tuple[Entry, ...]] = {}
        self._old: dict[bytes, tuple[Entry, ...]] = {}

    def find(self, message: Message) -> tuple[Entry, ...]:
        """Return what a message says that must survive."""
        if not message.raw:
            return find(message)
        # The same bytes need not be the same message in every dialect.
        seen = hash((message.role, *[(block.kind, block.name, len(block.text)) for block in message.blocks]))
        key = xxh3_128_digest(message.raw, (self._secret ^ seen) & 0xFFFF_FFFF_FFFF_FFFF)
        known = self._young.get(key)
        if known is None:
            known = self._old.get(key)
            if known is None:
                known = find(message)
            self._add(key, known)
        return known

    def _add(self, key: bytes, entries: tuple[Entry, ...]) -> None:
        if self._bytes >= self._room:
            self._old, self._young, self._bytes = self._young, {}, 0
        self._young[key] = entries
        self._bytes += ENTRY_BYTES + sum(ENTRY_BYTES + 2 * len(entry.text) for entry in entries)
