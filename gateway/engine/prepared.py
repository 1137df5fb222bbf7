"""What models wrote before it is needed: summaries, found by the beginning of a conversation they are about,
and texts of pieces, found by what the piece says.

Like checkpoints they are a cache bound to a hash: a conversation that was edited, forked or taken up again
finds what is about itself, and nothing else. What was written under other rules is none.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence

import msgspec

from gateway.core.recent import Recent
from gateway.engine.afresh import Afresh
from gateway.engine.lineage import Place
from gateway.engine.subject import Subject
from gateway.policy.schema import Policy, Step
from gateway.store.base import Checkpoint, Prepared, Store
from gateway.strategies.base import Summary
from gateway.strategies.summarize import Summarize

CACHE_BYTES = 16 * 1024 * 1024
"""What the summaries kept in the process may take."""

CACHE_ENTRY_BYTES = 600
"""What one takes beside its text."""

MAX_ASKED = 20_000
"""Pieces of which it is remembered that the store has nothing on them."""

Key = tuple[Place, str, bytes]


class Summaries:
    """The summaries of this process, most recently used last, over those of the store."""

    def __init__(self, store: Store, max_bytes: int = CACHE_BYTES) -> None:
        self._store = store
        self._max_bytes = max_bytes
        self._bytes = 0
        self._cached: OrderedDict[Key, Prepared] = OrderedDict()
        self._asked: Recent[Key, None] = Recent(MAX_ASKED)
        self.afresh = Afresh()

    async def find(self, place: Place, rules: str, chain: Sequence[bytes]) -> Prepared | None:
        """Return the longest one for a list, given its chain of prefix hashes. Raise StoreError."""
        return self.held(place, rules, chain) or await self._stored(place, rules, chain)

    def held(self, place: Place, rules: str, chain: Sequence[bytes]) -> Prepared | None:
        """Return the longest of those held in the process."""
        if not self._cached:
            return None
        for prefix in reversed(chain):
            if (found := self._cached.get((place, rules, prefix))) is not None:
                self._cached.move_to_end((place, rules, prefix))
                return found
        return None

    def text(self, place: Place, rules: str, key: bytes) -> str | None:
        """Return what is held of a piece. It changes nothing: threads may ask."""
        found = self._cached.get((place, rules, key))
        return found.text if found is not None else None

    def has_since(self, place: Place, rules: str, keys: Iterable[bytes], when: float) -> bool:
        """Return whether one of these, as far as they are held, was written after a time."""
        held = (self._cached.get((place, rules, key)) for key in keys)
        return any(found is not None and found.created_at > when for found in held)

    def used(self, place: Place, rules: str, keys: Iterable[bytes]) -> None:
        """Take note of what was used: it stays longest."""
        for key in keys:
            if (place, rules, key) in self._cached:
                self._cached.move_to_end((place, rules, key))

    async def load(self, place: Place, rules: str, keys: Iterable[bytes]) -> bool:
        """Hold what is stored of these pieces; return whether there was any. Raise StoreError.

        The store is asked once for each: later on this process has what there is.
        """
        unknown = [
            key
            for key in keys
            if (place, rules, key) not in self._cached and (place, rules, key) not in self._asked
        ]
        if not unknown:
            return False
        stored = place.scope, place.wire_format, place.policy
        found = await self._store.summaries(*stored, rules, unknown, limit=len(unknown))
        for key in unknown:
            self._asked.put((place, rules, key), None)
        for one in found:
            self._keep(place, one)
        return bool(found)

    async def commit(self, place: Place, summary: Prepared) -> None:
        """Hold a summary and store it. Raise StoreError if that failed; it is then held all the same."""
        self._keep(place, summary)
        await self._store.put_summary(place.scope, place.wire_format, place.policy, summary)

    async def _stored(self, place: Place, rules: str, chain: Sequence[bytes]) -> Prepared | None:
        key = place.scope, place.wire_format, place.policy
        for found in await self._store.summaries(*key, rules, chain):
            self._keep(place, found)
            return found
        return None

    def _keep(self, place: Place, summary: Prepared) -> None:
        key = place, summary.rules, summary.prefix
        self._drop(key)
        self._cached[key] = summary
        self._bytes += size_bytes(summary)
        while self._bytes > self._max_bytes and self._cached:
            oldest = next(iter(self._cached))
            self._drop(oldest)
            self._asked.pop(oldest, None)

    def _drop(self, key: Key) -> None:
        old = self._cached.pop(key, None)
        if old is not None:
            self._bytes -= size_bytes(old)


def size_bytes(summary: Prepared) -> int:
    """Return about how much memory a summary takes; a character may take four bytes."""
    return 4 * len(summary.text) + CACHE_ENTRY_BYTES


def summarizing(steps: Sequence[Step]) -> Summarize | None:
    """Return the first step that puts a summary in its place."""
    return next((step.strategy for step in steps if isinstance(step.strategy, Summarize)), None)


def asking(steps: Iterable[Step]) -> frozenset[str]:
    """Return the names of the steps that use what a model writes."""
    return frozenset(step.use for step in steps if step.strategy.uses_model)


def asks_pieces(steps: Iterable[Step]) -> bool:
    """Return whether any of the steps asks for texts of pieces."""
    return any(step.strategy.asks for step in steps)


def piece_rules(policy: Policy) -> str:
    """Return the fingerprint of all that a policy says of how pieces are written."""
    return _fingerprint("pieces", policy.summarizer)


def rules_of(policy: Policy, step: Summarize) -> str:
    """Return the fingerprint of all that a policy says of summaries."""
    return _fingerprint(policy.summarizer, step)


def _fingerprint(*said: object) -> str:
    encoded = msgspec.json.encode([msgspec.to_builtins(one) for one in said], order="sorted")
    return "sha256-" + hashlib.sha256(encoded).hexdigest()


async def ready(
    summaries: Summaries, subject: Subject, chain: Sequence[bytes], base: Checkpoint | None, waits: bool
) -> Summary | None:
    """Return the longest summary of a list that is ready; if it *waits*, one may be written meanwhile.

    None if no step of the policy asks for one. Raise StoreError.
    """
    step = summarizing(subject.policy.steps)
    if step is None:
        return None
    rules = rules_of(subject.policy, step)
    if waits and subject.asked.summarize is not None:
        await subject.asked.summarize(subject, base)
    found = await summaries.find(subject.place, rules, chain)
    return Summary(found.length, found.text) if found is not None else None
