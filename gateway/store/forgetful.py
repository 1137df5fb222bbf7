"""A store that takes everything and keeps nothing: for what must leave no trace."""

from __future__ import annotations

from asyncio import TaskGroup
from collections.abc import Sequence

from gateway.store.base import Checkpoint, Learned, Original, Prepared


class Forgetful:
    """It is never away and never full."""

    async def open(self, group: TaskGroup) -> None:
        """Be ready: it always is."""

    async def close(self) -> None:
        """Let go of nothing."""

    async def put_originals(self, scope: str, originals: Sequence[Original]) -> None:
        """Take them and forget them."""

    async def original(self, scope: str, id: str) -> Original | None:
        """Return None."""
        return None

    async def delete_original(self, scope: str, id: str) -> bool:
        """Return that it was not there."""
        return False

    async def put_checkpoint(self, scope: str, wire_format: str, policy: str, checkpoint: Checkpoint) -> None:
        """Take it and forget it."""

    async def checkpoints(
        self, scope: str, wire_format: str, policy: str, prefixes: Sequence[bytes], limit: int = 8
    ) -> Sequence[Checkpoint]:
        """Return none."""
        return ()

    async def delete_checkpoint(self, scope: str, wire_format: str, policy: str, prefix: bytes) -> None:
        """Do nothing: it is not there."""

    async def put_summary(self, scope: str, wire_format: str, policy: str, summary: Prepared) -> None:
        """Take it and forget it."""

    async def summaries(
        self,
        scope: str,
        wire_format: str,
        policy: str,
        rules: str,
        prefixes: Sequence[bytes],
        limit: int = 1,
    ) -> Sequence[Prepared]:
        """Return none."""
        return ()

    async def learned(self) -> Sequence[Learned]:
        """Return nothing."""
        return ()

    async def put_learned(self, learned: Learned) -> None:
        """Take it and forget it."""

    async def expire(self, before: float, limit: int = 500, scope: str | None = None) -> int:
        """Return that nothing went."""
        return 0

    async def size_bytes(self) -> int:
        """Return nothing."""
        return 0
