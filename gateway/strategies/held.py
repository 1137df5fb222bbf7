"""What of a result of a tool the ledger would carry: it is quoted where the result is cut or put away.

There it stands in its time, behind what it replaced and before what replaced it, and nothing has to be said
of it elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from gateway.core.conversation import Message, Role
from gateway.strategies.base import Room

_MOST_CHARS = 400
"""So much of one result: what says more is no result of a few values, and the ledger chooses among all."""


def held(message: Message, text: str, room: Room) -> Sequence[str]:
    """Return the lines of a text of a message that the ledger would carry, as they stand there."""
    if message.role is not Role.TOOL:
        return ()
    found, left = list[str](), _MOST_CHARS
    for entry in room.find(message):
        if entry.text in text and "\n" not in entry.text:
            left -= len(entry.text)
            if left < 0:
                break
            found.append(entry.text)
    return found
