"""Find entries in a message."""

from __future__ import annotations

from gateway.core.conversation import Message
from gateway.core.ledger.entry import Entry


def find(message: Message) -> tuple[Entry, ...]:
    """Return what a message says that must survive."""
    return ()
