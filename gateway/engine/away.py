"""Going on without the store: what it would have said is nothing, and that it is away is counted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from gateway.store.base import StoreError

T = TypeVar("T")


async def unless_away(work: Awaitable[T], failed_open: Callable[[str], None], reason: str) -> T | None:
    """Return what comes of something done with the store; None, counted for that *reason*, if it is away."""
    try:
        return await work
    except StoreError:
        failed_open(reason)
        return None
