"""Cut inside what is large, the newest content included: the last but one rung.

Everything before it spares what the model has not seen yet. Here nothing is left to spare: one result, one
argument or one message is larger than the room. Results lose before calls, calls before texts, and the
latest user message loses last; within a group the largest loses first. Every piece keeps its beginning and
its end and a decent length as long as that is enough; only if it is not, less, down to the notice alone.

Untouched are the head, an answer that the client wants continued, what is not text, and the framing: where
these fit the target, the result does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gateway.core.conversation import Block, Conversation, Kind, Message, Offload, Role
from gateway.core.level import level
from gateway.strategies import marks
from gateway.strategies.arguments import shorten_arguments
from gateway.strategies.base import Room, Strategy, newest
from gateway.strategies.results import with_texts
from gateway.strategies.shorten import Cap, Counted, shorten


@dataclass(frozen=True, kw_only=True)
class NewestContent(Strategy):
    """Results, call arguments and at last the latest user message are cut until it fits."""

    floor_tokens: int = 400
    """No piece is cut below this as long as the others have more to give."""
    head_share: float = 0.6
    """Share of what stays of a piece that is taken from its beginning."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        yield from self.negative("floor_tokens")
        yield from self.beyond_whole("head_share")

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation within the target, wherever cutting texts can bring it there."""
        cutting = _Cutting(view, room, self.head_share)
        groups = _groups(view)
        for floor in (self.floor_tokens, self.floor_tokens // 8):
            for group in groups:
                cutting.level_down(group, floor)
        for group in groups:
            cutting.strip(group)
        return view.replacing(cutting.changes, cutting.offloads.values())


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block that may be cut."""

    index: int
    position: int


def _groups(view: Conversation) -> list[list[_Piece]]:
    """Return what may be cut, in the order in which it is: old results first, the latest request last."""
    groups: list[list[_Piece]] = [[], [], [], [], []]
    first_new = newest(view)
    last = len(view.messages) - 1
    for index, message in enumerate(view.messages):
        for position, block in enumerate(message.blocks):
            if block.path is None or not block.text or message.role is Role.SYSTEM:
                continue
            if block.kind is Kind.TOOL_RESULT:
                groups[int(index >= first_new)].append(_Piece(index, position))
            elif block.kind is Kind.TOOL_CALL:
                groups[2].append(_Piece(index, position))
            elif index == view.last_user:
                groups[4].append(_Piece(index, position))
            elif index < last or message.role is not Role.ASSISTANT:
                groups[3].append(_Piece(index, position))
    return groups


@dataclass(slots=True)
class _Cutting:
    """The work of one `apply`: what was changed so far, and how much too long the conversation still is."""

    view: Conversation
    room: Room
    head_share: float
    excess: int = field(init=False)
    changes: dict[int, Message] = field(default_factory=dict)
    offloads: dict[_Piece, Offload] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.excess = self.view.tokens - self.room.target

    def level_down(self, group: Sequence[_Piece], floor: int) -> None:
        """Cut the largest pieces of a group to a common length, not below the floor."""
        if self.excess <= 0:
            return
        sizes = [self._block(piece).tokens for piece in group]
        cap = max(floor, level(sizes, sum(sizes) - self.excess))
        for piece, size in zip(group, sizes, strict=True):
            if size > cap:
                self._cut(piece, cap)

    def strip(self, group: Sequence[_Piece]) -> None:
        """Cut pieces of a group to the least they can be, largest first, until it fits."""
        for piece in sorted(group, key=lambda piece: -self._block(piece).tokens):
            if self.excess <= 0:
                return
            self._cut(piece, 0)

    def _block(self, piece: _Piece) -> Block:
        return self.changes.get(piece.index, self.view.messages[piece.index]).blocks[piece.position]

    def _cut(self, piece: _Piece, tokens: int) -> None:
        block = self._block(piece)
        whole = Counted(block.text, block.tokens)
        cap = Cap(tokens, head_share=self.head_share)
        original = self._original(piece)
        if block.kind is Kind.TOOL_CALL:
            shorter = shorten_arguments(whole, cap, self.room.count)
        else:
            shorter = shorten(whole, cap, self.room.count, original)
        if shorter is whole:
            return
        message = self.changes.get(piece.index, self.view.messages[piece.index])
        self.changes[piece.index] = with_texts(message, {piece.position: shorter})
        self.excess -= whole.tokens - shorter.tokens
        if original and original in shorter.text:
            text = self.view.messages[piece.index].blocks[piece.position].text
            self.offloads[piece] = Offload(original, text, block.name)

    def _original(self, piece: _Piece) -> str:
        """Return the id under which the whole text can be had; empty if it cannot, or was not here whole."""
        text = self.view.messages[piece.index].blocks[piece.position].text
        if not self.room.archive or marks.is_marked(text):
            return ""
        return marks.content_id(text)
