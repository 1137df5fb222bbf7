"""Settle what is current."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gateway.core.ledger.entry import Entry


@dataclass(frozen=True, slots=True)
class Settled:
    """What holds, and what held."""

    current: tuple[Entry, ...]
    gone: tuple[Entry, ...]


def settle(entries: Iterable[Entry]) -> Settled:
    """Return what holds of entries in the order in which they were said."""
    return Settled(tuple(dict.fromkeys(entries)), ())
