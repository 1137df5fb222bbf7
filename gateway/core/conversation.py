"""The neutral view of a conversation: blocks in messages in turns.

A lens over the client's JSON, not a translation. A message carries the very bytes that will be sent; an
edit splices a new value into those bytes, so every field that was not edited stays as the client wrote
it, unknown fields and number formats included. Strategies see only this module; they never learn which
dialect the client speaks.

Everything is frozen. A step that fails cannot leave half a change behind.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property

import msgspec

from gateway.core import json
from gateway.core.frames import is_frame
from gateway.core.frozen import replace

Count = Callable[[str], int]
"""Number of tokens of a text."""


class Role(StrEnum):
    """Who speaks. Each wire format maps its own roles to these four."""

    SYSTEM = "system"
    """System and developer messages, wherever they stand: together they are the head."""
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    """Results of calls, the legacy `function` role included."""


class Kind(StrEnum):
    """What a block is."""

    TEXT = "text"
    TOOL_CALL = "tool_call"
    """`text` is the arguments as the client sent them."""
    TOOL_RESULT = "tool_result"
    IMAGE = "image"
    REASONING = "reasoning"
    """What the model thought before it spoke: carried along or dropped whole, never rewritten."""
    OTHER = "other"
    """Refusals, audio, files, citations: counted and carried along, never rewritten."""


class Whole(msgspec.Struct, frozen=True):
    """A block as one piece that can leave its message, or make way for a text."""

    places: tuple[json.Path, ...]
    """The values in the JSON of its message that are this block and nothing else."""
    text_type: str = ""
    """The type of the text part that may stand in its place; empty: none may."""
    about: str = ""
    """What it is in a few words: format and size of an image."""
    is_signed: bool = False
    """Whether its vendor can tell that it was changed."""


class Block(msgspec.Struct, frozen=True):
    """One piece of a message."""

    kind: Kind
    text: str
    """What it says; empty for what is not text."""
    tokens: int
    path: json.Path | None = None
    """Where the JSON string holding `text` stands in its message; None: it cannot be edited in place."""
    call_id: str = ""
    """Pairs a call with its result."""
    name: str = ""
    """The tool's name, on calls (and on results whose wire format repeats it)."""
    whole: Whole | None = None
    """How it leaves as one piece; None: it does not."""


class Message(msgspec.Struct, frozen=True):
    """One item of the client's list, or one that the gateway wrote."""

    role: Role
    blocks: tuple[Block, ...]
    tokens: int
    """All of it: blocks, field names and the framing of a chat template."""
    raw: bytes = b""
    """The JSON that will be sent. Empty: made here and not yet written by the wire format."""
    origin: int | None = None
    """Index in the client's list, as long as `raw` is exactly what the client sent."""
    is_pasted: bool = False
    """Whether it looks like a digest of the gateway, and is a user's own: `strategies.place` tells."""

    @property
    def text(self) -> str:
        """All its text blocks, one per line."""
        return "\n".join([block.text for block in self.blocks if block.kind is Kind.TEXT and block.text])

    def with_text(self, index: int, text: str, count: Count) -> Message:
        """Return the message with the text of block *index* replaced; the same message if it says so already.

        Raise ValueError if that block cannot be edited.
        """
        block = self.blocks[index]
        if text == block.text:
            return self
        if block.path is None:
            raise ValueError(f"a block of kind {block.kind} cannot be edited")
        edited = replace(block, text=text, tokens=count(text))
        return replace(
            self,
            blocks=(*self.blocks[:index], edited, *self.blocks[index + 1 :]),
            tokens=self.tokens - block.tokens + edited.tokens,
            raw=json.replace(self.raw, block.path, json.encode(text)) if self.raw else b"",
            origin=None,
        )

    def replacing(self, changes: Mapping[int, str | None], count: Count) -> Message:
        """Return the message with the blocks at these indices exchanged for a text, or, where None, left out.

        Raise ValueError if one of them cannot leave, or no text can stand in its place.
        """
        values: dict[json.Path, bytes | None] = {}
        blocks: list[Block] = []
        for index, block in enumerate(self.blocks):
            if index not in changes:
                blocks.append(block)
                continue
            text = changes[index]
            if block.whole is None or (text is not None and not block.whole.text_type):
                raise ValueError(f"a block of kind {block.kind} cannot make way")
            values |= dict.fromkeys(block.whole.places)
            if text is not None:
                part = {"type": block.whole.text_type, "text": text}
                values[block.whole.places[0]] = json.encode(part)
                blocks.append(self._in_place(block, text, count))
        tokens = self.tokens + sum(b.tokens for b in blocks) - sum(b.tokens for b in self.blocks)
        gone = _indices(path for path, value in values.items() if value is None)
        moved = tuple(_moved(block, gone) if gone else block for block in blocks)
        return replace(self, blocks=moved, tokens=tokens, raw=json.edit(self.raw, values), origin=None)

    def _in_place(self, block: Block, text: str, count: Count) -> Block:
        kind = Kind.TOOL_RESULT if self.role is Role.TOOL else Kind.TEXT
        path = (*block.whole.places[0], "text") if block.whole else None
        return replace(block, kind=kind, text=text, tokens=count(text), path=path, whole=None)


_Indices = Mapping[json.Path, Sequence[int]]
"""Elements by the array they stand in, in order."""


def _indices(paths: Iterable[json.Path]) -> _Indices:
    found: dict[json.Path, list[int]] = {}
    for path in paths:
        if isinstance(path[-1], int):
            insort(found.setdefault(path[:-1], []), path[-1])
    return found


def _moved(block: Block, gone: _Indices) -> Block:
    """Return a block where it stands after elements before it have left their arrays."""
    path = None if block.path is None else _moved_path(block.path, gone)
    whole = block.whole
    if whole is not None:
        whole = replace(whole, places=tuple(_moved_path(place, gone) for place in whole.places))
    return replace(block, path=path, whole=whole)


def _moved_path(path: json.Path, gone: _Indices) -> json.Path:
    return tuple(
        step if isinstance(step, str) else step - bisect_left(gone.get(path[:depth], ()), step)
        for depth, step in enumerate(path)
    )


FRAME_TOKENS = 4
"""What a chat template adds around a message: 3 by OpenAI's own cookbook, and the role."""


def made(role: Role, text: str, count: Count) -> Message:
    """Return a message written by the gateway; the wire format gives it its bytes when it is sent."""
    tokens = count(text)
    return Message(role, (Block(Kind.TEXT, text, tokens),), tokens + FRAME_TOKENS)


class Offload(msgspec.Struct, frozen=True):
    """Content that now stands behind a stub."""

    id: str
    text: str
    name: str = ""
    """The tool that produced it, if one did."""


class Span(msgspec.Struct, frozen=True):
    """Messages `start` up to, not including, `stop`."""

    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.start, self.stop))


class Conversation(msgspec.Struct, frozen=True, dict=True):
    """Messages in order."""

    messages: tuple[Message, ...]
    offloads: tuple[Offload, ...] = ()
    """What the stubs in it stand for; to be stored before the conversation is sent."""

    @cached_property
    def tokens(self) -> int:
        """Tokens of all messages, uncorrected."""
        return sum(message.tokens for message in self.messages)

    @cached_property
    def head_end(self) -> int:
        """Index of the first message that is not a system message: before it, only head."""
        for index, message in enumerate(self.messages):
            if message.role is not Role.SYSTEM:
                return index
        return len(self.messages)

    @cached_property
    def turns(self) -> tuple[Span, ...]:
        """The turns, oldest first: each from a user message up to the next.

        Messages between the head and the first user message belong to no turn. A user message that only
        tells how things are at the moment asks nothing: it stands in the turn that goes on.
        """
        asked = [index for index, message in enumerate(self.messages) if message.role is Role.USER]
        starts = [index for index in asked if not is_frame(self.messages[index].text)] or asked
        return tuple(map(Span, starts, [*starts[1:], len(self.messages)]))

    @cached_property
    def rounds(self) -> tuple[Span, ...]:
        """Every assistant message with calls, together with the results that follow it; never to be split."""
        return tuple(self._find_rounds())

    def _find_rounds(self) -> Iterator[Span]:
        start: int | None = None
        for index, message in enumerate(self.messages):
            if message.role is Role.TOOL:
                continue
            if start is not None:
                yield Span(start, index)
            calls = message.role is Role.ASSISTANT and any(b.kind is Kind.TOOL_CALL for b in message.blocks)
            start = index if calls else None
        if start is not None:
            yield Span(start, len(self.messages))

    @cached_property
    def last_user(self) -> int | None:
        """Index of the latest user message, which is what the model is asked to do now."""
        return self.turns[-1].start if self.turns else None

    @cached_property
    def unseen(self) -> int:
        """Index from which on no successful call has seen the messages: after the last answer in the list.

        An assistant message at the very end is a prefill, not an answer.
        """
        for index in range(len(self.messages) - 2, -1, -1):
            if self.messages[index].role is Role.ASSISTANT:
                return index + 1
        return 0

    def replacing(self, changes: Mapping[int, Message], offloads: Iterable[Offload] = ()) -> Conversation:
        """Return the conversation with the messages at these indices exchanged."""
        if not changes:
            return self
        messages = list(self.messages)
        for index, message in changes.items():
            messages[index] = message
        return Conversation(tuple(messages), offloads=(*self.offloads, *offloads))

    def splicing(self, start: int, stop: int, messages: Iterable[Message] = ()) -> Conversation:
        """Return the conversation with messages *start* up to *stop* exchanged for others, or for none."""
        return replace(self, messages=(*self.messages[:start], *messages, *self.messages[stop:]))

    def without(self, indices: Iterable[int]) -> Conversation:
        """Return the conversation less the messages at these indices."""
        gone = set(indices)
        if not gone:
            return self
        kept = tuple(message for index, message in enumerate(self.messages) if index not in gone)
        return replace(self, messages=kept)
