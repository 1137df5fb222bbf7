"""What a store keeps, and the verbs every store has.

Every record belongs to a scope (a tenant, or in open mode one API key), and no verb reads across scopes
but those named for maintenance. Content is addressed by its hash, so storing it twice costs nothing.
"""

from __future__ import annotations

from asyncio import TaskGroup
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import msgspec


class StoreError(Exception):
    """The store could not do it. Compaction goes on without; the engine counts it."""


class Original(msgspec.Struct, frozen=True):
    """A message as the client sent it, or the content behind a stub."""

    id: str
    """Algorithm tag and hash of the content, e.g. `sha256-9f86d0…`."""
    content: bytes
    kind: str = "message"
    """`message` (JSON of a wire format) or `offload` (text)."""
    name: str = ""
    """The tool that produced it, if one did."""
    created_at: float = 0.0
    """Unix time in seconds."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The frozen replacement for a prefix of a conversation."""

    prefix: bytes
    """Chain hash of the client's messages that it replaces."""
    length: int
    """How many they are."""
    items: tuple[int | bytes, ...]
    """What is sent in their place: an index into the client's list (its bytes go as they come), or bytes."""
    tokens: int
    """Of what is sent in their place, uncorrected."""
    window: int
    """The window it was made for."""
    policy: str
    """Fingerprint of what the policy said when it made it; recorded, not part of the key."""
    created_at: float = 0.0
    whole_tokens: int = field(default=0, compare=False)
    """Of all messages sent when it was made, uncorrected; not stored, and 0 where it is not known."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a model wrote about a prefix of a conversation, before it is needed."""

    prefix: bytes
    """Chain hash of the client's messages that it is about."""
    length: int
    """How many they are."""
    text: str
    rules: str = ""
    """Fingerprint of what the policy says of summaries; part of the key."""
    created_at: float = 0.0
    """Unix time in seconds."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned about one model of one upstream."""

    upstream: str
    model: str
    window: int | None = None
    """Tokens the upstream itself named in an error; what was only guessed is not kept."""
    window_at: float = 0.0
    """Unix time in seconds of that error."""
    correction: float | None = None
    """True tokens per token of ours."""
    no_stream_options: bool = False
    """It refused `stream_options`."""
    is_guessed: bool = False
    """The window is the size of what was refused without a number: only earlier versions have stored such."""


class Store(Protocol):
    """The verbs. All raise StoreError, and nothing else, when the store is the reason.

    A store that could not be opened, or was closed, raises it from every verb: callers need no second state.
    """

    async def open(self, group: TaskGroup) -> None:
        """Make it ready; what it does in the background runs in *group*.

        Raise ConfigError if a later version of the gateway made it.
        """
        ...

    async def close(self) -> None:
        """Finish what was asked for and let go of everything; for `finally`, also if `open` failed."""
        ...

    async def put_originals(self, scope: str, originals: Sequence[Original]) -> None:
        """Store all or none. An id that is there already is kept as it is."""
        ...

    async def original(self, scope: str, id: str) -> Original | None: ...

    async def delete_original(self, scope: str, id: str) -> bool:
        """Return whether it was there."""
        ...

    async def put_checkpoint(self, scope: str, wire_format: str, policy: str, checkpoint: Checkpoint) -> None:
        """Store it, in place of an earlier one of the same policy, prefix and window.

        *policy* is a name; what the policy said when it made it is the checkpoint's own.

        That is a use of the originals that it names (`strategies.marks.named_ids`): a stub never outlives
        what it promises.
        """
        ...

    async def checkpoints(
        self, scope: str, wire_format: str, policy: str, prefixes: Sequence[bytes], limit: int = 8
    ) -> Sequence[Checkpoint]:
        """Return at most *limit* of those stored for any of these prefixes, longest first, in one read.

        That is a use of them, and of the originals that they name.
        """
        ...

    async def delete_checkpoint(self, scope: str, wire_format: str, policy: str, prefix: bytes) -> None: ...

    async def put_summary(self, scope: str, wire_format: str, policy: str, summary: Prepared) -> None:
        """Store it, in place of an earlier one of the same policy, rules and prefix."""
        ...

    async def summaries(
        self,
        scope: str,
        wire_format: str,
        policy: str,
        rules: str,
        prefixes: Sequence[bytes],
        limit: int = 1,
    ) -> Sequence[Prepared]:
        """Return at most *limit* of those stored for any of these prefixes, longest first.

        Only those written under the same *rules*. That is a use of them.
        """
        ...

    async def learned(self) -> Sequence[Learned]:
        """Return everything learned, for the start of the process."""
        ...

    async def put_learned(self, learned: Learned) -> None: ...

    async def expire(self, before: float, limit: int = 500, scope: str | None = None) -> int:
        """Delete at most *limit* records last used before that Unix time, oldest first; return how many went.

        Only those of *scope*, if one is given. With `math.inf` the least recently used go, originals first,
        which is how a store is kept under a size. Use is recorded to the hour.
        """
        ...

    async def size_bytes(self) -> int:
        """Return what the store takes on disk, write-ahead log included."""
        ...
