"""A bounded memory of the hash chains of conversations, so that a turn hashes what is new in it.

A chain is worked out where a checkpoint may apply: at every turn of a conversation that was compacted.
Without a memory that is a hash per message, a quarter of what such a request costs. Used by one thread.
"""

from __future__ import annotations

from collections import OrderedDict

from gateway.core.prefix import chain

SHORT_MESSAGES = 16
"""A list shorter than this is hashed at once."""

_BEGIN = 3
"""Messages by which a conversation is found again; whether it is the same one, all of them tell."""


class Chains:
    """The chains of the conversations met last: one that goes on is hashed from where it was left."""

    def __init__(self, max_hashes: int = 1 << 17) -> None:
        """*max_hashes*: of all chains together; one takes about 70 bytes."""
        self._max_hashes = max_hashes
        self._count = 0
        self._met: OrderedDict[tuple[bytes, ...], tuple[list[bytes], list[bytes]]] = OrderedDict()
        """Digests and their chain, by the digests of the first messages; the last one met of each."""

    def of(self, digests: list[bytes]) -> list[bytes]:
        """Return what `chain` returns."""
        if len(digests) < SHORT_MESSAGES:
            return chain(digests)
        begin = tuple(digests[:_BEGIN])
        before, hashes = self._met.pop(begin, ([], []))
        self._count -= len(hashes)
        same = _common(before, digests)
        made = hashes[:same] + chain(digests[same:], seed=hashes[same - 1] if same else b"")
        self._met[begin] = digests, made
        self._count += len(made)
        while self._count > self._max_hashes:
            self._count -= len(self._met.popitem(last=False)[1][1])
        return list(made)


def _common(before: list[bytes], now: list[bytes]) -> int:
    """Return how many digests both lists begin with."""
    if before == now[: len(before)]:
        return len(before)
    pairs = enumerate(zip(before, now, strict=False))
    return next((index for index, (one, other) in pairs if one != other), len(now))
