"""The whole gateway within the process of the test, on a store of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from asgi import Call
from gateway.app import Gateway
from gateway.settings import Settings
from gateway.store.sqlite import SqliteStore


def settings(folder: Path, **others: Any) -> Settings:
    """Return settings with a data directory of their own."""
    return Settings(data_dir=folder / "data", **others)


def database(folder: Path) -> SqliteStore:
    """Return the store in that data directory."""
    return SqliteStore(folder / "data" / "haversack.db")


async def page(
    gateway: Gateway, path: str, headers: list[tuple[bytes, bytes]] | None = None, body: bytes = b""
) -> tuple[int | None, bytes]:
    """Return status and body of a page."""
    call = Call(gateway, path, method="POST" if body else "GET", headers=headers or [], body=[body])
    found = await call.read()
    return call.status, found


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what another thread does."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 (nobody tells when it is so)
            await asyncio.sleep(0.001)


def shown(gateway_metrics: bytes, name: str) -> float | None:
    """Return a metric without labels from a scrape."""
    lines = [line.split() for line in gateway_metrics.decode().splitlines() if line.startswith(name + " ")]
    return float(lines[0][1]) if lines else None
