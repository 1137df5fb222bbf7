"""Shorten the long strings in the arguments of old calls.

Whole files and patches stand there, and after the call they are on the disk. Only values are shortened, so
the arguments stay the JSON that the tool knows, with every name, number and order as it was; paths, names
and ids, by which the model finds the rest, stay whole. Arguments that are no JSON object are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from gateway.core.conversation import Block, Conversation, Kind, Message, Offload
from gateway.strategies import marks
from gateway.strategies.arguments import shorten_values
from gateway.strategies.base import Room, Strategy
from gateway.strategies.results import is_named, with_texts
from gateway.strategies.shorten import Cap, Counted


@dataclass(frozen=True, kw_only=True)
class ToolArguments(Strategy):
    """Long values in the arguments of old calls keep their beginning and their end."""

    light = True

    max_tokens: int = 200
    """Values longer than this are shortened to it."""
    min_tokens: int = 400
    """Calls with fewer tokens of arguments stay as they are."""
    keep_last: int = 3
    """The calls of so many of the newest rounds stay whole."""
    head_share: float = 0.6
    """Share of what stays of a value that is taken from its beginning."""
    keep_keys: tuple[str, ...] = ("*path", "*file", "file*name", "*url", "uri", "*id", "name", "key")
    """Globs of names, in lower case, whose values stay whole."""
    deny: tuple[str, ...] = ()
    """Globs of tool names whose arguments are never shortened."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        yield from self.negative("max_tokens", "min_tokens")
        if self.keep_last < 1:
            yield f"keep_last must be at least 1, the newest round, got {self.keep_last}"
        yield from self.beyond_whole("head_share")

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with its oldest calls shortened, until the target is met."""
        excess = view.tokens - room.target
        changes: dict[int, Message] = {}
        offloads: list[Offload] = []
        for span in view.rounds[: max(0, len(view.rounds) - self.keep_last)]:
            if excess <= 0:
                break
            message = view.messages[span.start]
            shorter = self._shortened(message, room, offloads)
            if shorter is not message:
                changes[span.start] = shorter
                excess -= message.tokens - shorter.tokens
        return view.replacing(changes, offloads)

    def _shortened(self, message: Message, room: Room, offloads: list[Offload]) -> Message:
        """Return the message with its calls shortened; what was cut can be had again by *offloads*."""
        texts: dict[int, Counted] = {}
        for position, block in enumerate(message.blocks):
            if not self._is_long_call(block):
                continue
            id_of = cache(marks.content_id) if room.archive else _no_id
            cap = Cap(self.max_tokens, head_share=self.head_share)
            whole = Counted(block.text, block.tokens)
            texts[position], cut = shorten_values(whole, cap, self.keep_keys, room.count, id_of)
            named = marks.named_ids(texts[position].text.encode("utf-8", "surrogatepass"))
            offloads += (Offload(id_of(text), text, block.name) for text in cut if id_of(text) in named)
        return with_texts(message, texts)

    def _is_long_call(self, block: Block) -> bool:
        return (
            block.kind is Kind.TOOL_CALL
            and block.path is not None
            and block.tokens >= self.min_tokens
            and is_named(block.name, (), self.deny)
        )


def _no_id(text: str) -> str:
    return ""
