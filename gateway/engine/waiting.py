"""A client that waits for what a model writes, in all no longer than its policy says."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Protocol

from gateway.engine.attempt import Ask
from gateway.engine.subject import Subject
from gateway.store.base import Checkpoint
from gateway.strategies.piece import Piece


class Writing(Protocol):
    """Has texts written, and returns when they are, or could not be (`engine.background`)."""

    async def summary(self, ask: Ask, subject: Subject, base: Checkpoint | None) -> None: ...

    async def pieces(self, ask: Ask, subject: Subject, pieces: Sequence[Piece]) -> None: ...


class Waiting:
    """One request's patience: what its summary took is not there any more for its pieces.

    What is begun is written to its end all the same: whoever comes next has it.
    """

    def __init__(self, writing: Writing, ask: Ask) -> None:
        self._writing = writing
        self._ask = ask
        self._until: float | None = None

    async def summary(self, subject: Subject, base: Checkpoint | None) -> None:
        """Wait for a summary on top of what is frozen."""
        await self._within(self._writing.summary(self._ask, subject, base))

    async def pieces(self, subject: Subject, pieces: Sequence[Piece]) -> None:
        """Wait for the texts of pieces."""
        await self._within(self._writing.pieces(self._ask, subject, pieces))

    async def _within(self, work: Awaitable[None]) -> None:
        if self._until is None:
            self._until = asyncio.get_running_loop().time() + self._ask.policy.summarizer.timeout_s
        try:
            async with asyncio.timeout_at(self._until):
                await work
        except TimeoutError:
            return
