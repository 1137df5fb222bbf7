"""A piece of a conversation that a model may say in fewer words: a run of calls, a turn, one large text.

A step that can use such a text asks the room for it (`Room.written`) and does what it can without where
there is none; nothing is awaited. What was asked for in vain is what is worth having written: so the very
steps, run on a copy before the trigger is reached, tell what to prepare, and find it when they run for real.

A piece is known by what it says and the request that it serves, not by its place: the same content has the
same text in every fork, and under another request one of its own, for a text may tell of its request.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from gateway.core.conversation import Message

Form = Literal["calls", "turn", "content", "work"]
"""`calls`: rounds of calls become names, exact arguments, outcomes. `turn`: all but its user message becomes
one answer that stands on its own. `content`: one large text, shortened. `work`: what was done in the turn
that goes on, calls kept by name and arguments."""


@dataclass(frozen=True)
class Piece:
    """What is to be said in fewer words, and how."""

    form: Form
    messages: tuple[Message, ...] = field(repr=False)
    """As the step sees them, in order; for `content` the one message that holds the text."""
    max_tokens: int
    """What the text may take, in the view's own count."""
    block: int | None = None
    """Position of the block that is meant, in the one message of `content`."""
    ask: str = field(default="", repr=False)
    """The request that it serves, for whoever writes it: the same as long as a conversation has the piece."""

    @cached_property
    def key(self) -> bytes:
        """What it is known by: form, size, content and request; not numbers of messages, not wire bytes."""
        ask = self.ask.encode(errors="surrogatepass")
        said = hashlib.sha256(f"{self.form}\0{self.max_tokens}\0{self.block}\0{len(ask)}\0".encode() + ask)
        for message in self.messages:
            said.update(f"\0\0{message.role}".encode())
            for block in message.blocks:
                for text in (block.kind, block.name, block.call_id, block.text):
                    said.update(b"\0" + text.encode(errors="surrogatepass"))
        return said.digest()


def unwritten(_piece: Piece) -> str | None:
    """Return the text of a piece where nobody writes any."""
    return None
