"""A step that uses what a model wrote: each old large message as one piece. One word is one token."""

from __future__ import annotations

from dataclasses import dataclass

from engine.summing import POLICY
from gateway.core.conversation import Conversation, Kind, Role
from gateway.core.frozen import replace
from gateway.policy.schema import Step
from gateway.strategies.base import Room, Strategy
from gateway.strategies.digest import Digest
from gateway.strategies.piece import Piece

BRIEF = "In brief this is done."


@dataclass(frozen=True, kw_only=True)
class Tell(Strategy):
    """Messages of 40 tokens and more, before the tail, become what a model wrote of them."""

    model: bool = True
    max_tokens: int = 20

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with its oldest texts exchanged, until the target is met."""
        excess, changes = view.tokens - room.target, {}
        for index in range(view.head_end, room.tail(view)):
            message = view.messages[index]
            if excess <= 0 or message.tokens < 40 or message.role is Role.SYSTEM:
                continue
            block = next(at for at, one in enumerate(message.blocks) if one.kind is Kind.TEXT)
            text = room.written(Piece("content", (message,), self.max_tokens, block, "Go on."))
            if text is not None:
                changes[index] = message.with_text(block, text, room.count)
                excess -= message.tokens - changes[index].tokens
        return view.replacing(changes)


TELLING = replace(POLICY, name="telling", steps=(Step("tell", Tell()), Step("digest", Digest())))
"""A budget of 800: prepared from 520 on, compacted from 640 on down to 360."""
