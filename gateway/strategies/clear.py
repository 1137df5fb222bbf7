"""Start over: only the head and the latest user message stay. The last rung.

A round that is still open at the end stays with them if it fits, so that a running agent is not sent back
to its first step without need. What the client wants continued (an assistant message at the very end)
always stays: without it the request would ask for something else.
"""

from __future__ import annotations

from dataclasses import dataclass

from gateway.core.conversation import Conversation, Kind, Role
from gateway.strategies.base import Room, Strategy, newest


@dataclass(frozen=True, kw_only=True)
class Clear(Strategy):
    """All but the head, the latest user message and an open round goes."""

    keep_round: bool = True
    """Whether an open round at the end stays where it fits."""

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the least of the conversation that still asks for the same."""
        end = len(view.messages) - _is_prefilled(view)
        after_user = view.head_end if view.last_user is None else view.last_user + 1
        start = max(after_user, newest(view))
        with_round = view.without(_going(view, start))
        must_stay = view.last_user is None
        if must_stay or (self.keep_round and with_round.tokens <= room.target):
            return with_round
        return view.without(_going(view, end))


def _is_prefilled(view: Conversation) -> bool:
    """Return whether the list ends with an assistant message that the model is to continue."""
    last = view.messages[-1] if view.messages else None
    return (
        last is not None
        and last.role is Role.ASSISTANT
        and all(block.kind is not Kind.TOOL_CALL for block in last.blocks)
    )


def _going(view: Conversation, stop: int) -> list[int]:
    """Return the indices before *stop* that are neither head nor the latest user message."""
    return [
        index
        for index in range(view.head_end, stop)
        if view.messages[index].role is not Role.SYSTEM and index != view.last_user
    ]
