"""The assistant's one line behind a digest, where roles must alternate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gateway.core.conversation import Count, Kind, Message, Role, made
from gateway.strategies import marks


def acknowledged(follow: Iterable[Message], count: Count) -> Sequence[Message]:
    """Return the answer to a digest, if the next thing said behind it is the user's.

    Strict templates look at what is said only: calls and results may stand between.
    """
    first = next((message for message in follow if _is_said(message)), None)
    if first is None or first.role is not Role.USER:
        return ()
    return (made(Role.ASSISTANT, marks.ACKNOWLEDGEMENT, count),)


def _is_said(message: Message) -> bool:
    calls = any(block.kind is Kind.TOOL_CALL for block in message.blocks)
    return message.role in (Role.USER, Role.ASSISTANT) and not calls
