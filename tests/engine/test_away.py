"""A store that is away costs what it would have said, and nothing else."""

from __future__ import annotations

import asyncio

import pytest

from gateway.engine.away import unless_away
from gateway.store.base import StoreError


async def said(error: Exception | None = None) -> str:
    """Return an answer, or fail."""
    if error is not None:
        raise error
    return "found"


def test_what_the_store_says_is_passed_on() -> None:
    """Nothing is counted."""
    counted: list[str] = []
    assert asyncio.run(unless_away(said(), counted.append, "store_read")) == "found"
    assert counted == []


def test_store_that_is_away_says_nothing() -> None:
    """It is counted for what was tried."""
    counted: list[str] = []
    assert asyncio.run(unless_away(said(StoreError("locked")), counted.append, "store_read")) is None
    assert counted == ["store_read"]


def test_mistakes_are_not_hidden() -> None:
    """Only that it is away is gone on without."""
    with pytest.raises(KeyError):
        asyncio.run(unless_away(said(KeyError("x")), list[str]().append, "store_read"))
