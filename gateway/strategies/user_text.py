"""Shorten long old messages of users to their beginning and their end: what was pasted into them.

What such a message asks stands at one of its ends; in the middle stand logs, files, pages. Rules and values
in what is left out are the ledger's. The latest request is never touched, nor what the gateway wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gateway.core.conversation import Conversation, Kind, Message, Offload, Role
from gateway.core.level import level
from gateway.strategies import marks
from gateway.strategies.base import Room, Strategy, requests
from gateway.strategies.results import with_texts
from gateway.strategies.shorten import Cap, Counted, shorten


@dataclass(frozen=True, kw_only=True)
class UserText(Strategy):
    """Long old messages of users keep their beginning and their end."""

    max_tokens: int = 2000
    """Messages whose text is longer than this are shortened to it; 0: no such cap."""
    max_chars: int = 0
    """The same in characters; with both, the stricter counts."""
    head_share: float = 0.6
    """Share of what stays that is taken from the beginning."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        yield from self.negative("max_tokens", "max_chars")
        if not self.max_tokens and not self.max_chars:
            yield "without any cap nothing is ever shortened; set max_tokens"
        yield from self.beyond_whole("head_share")

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with long old user messages shortened, oldest first, to the target."""
        excess = view.tokens - room.target
        changes: dict[int, Message] = {}
        offloads: list[Offload] = []
        for index in self._old(view, room):
            if excess <= 0:
                break
            before = view.messages[index]
            after, put_away = self._shortened(before, room)
            if after is not before:
                changes[index] = after
                offloads += put_away
                excess -= before.tokens - after.tokens
        return view.replacing(changes, offloads)

    def _old(self, view: Conversation, room: Room) -> Iterator[int]:
        kept = requests(view, room.keep)
        for index in range(view.head_end, view.unseen):
            if view.messages[index].role is Role.USER and index not in kept:
                yield index

    def _shortened(self, message: Message, room: Room) -> tuple[Message, list[Offload]]:
        blocks = {
            position: block
            for position, block in enumerate(message.blocks)
            if block.kind is Kind.TEXT and block.path is not None and not marks.is_marked(block.text)
        }
        tokens = level([block.tokens for block in blocks.values()], self.max_tokens)
        chars = level([len(block.text) for block in blocks.values()], self.max_chars)
        cap = Cap(tokens if self.max_tokens else None, chars if self.max_chars else None, 0, self.head_share)
        texts: dict[int, Counted] = {}
        offloads = []
        for position, block in blocks.items():
            original = marks.content_id(block.text) if room.archive else ""
            shorter = shorten(Counted(block.text, block.tokens), cap, room.count, original)
            if shorter.text != block.text:
                texts[position] = shorter
                if original and original in shorter.text:
                    offloads.append(Offload(original, block.text))
        return with_texts(message, texts), offloads
