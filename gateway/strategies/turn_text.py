"""Keep of each old turn what the user said and what they were answered; the rounds in between go.

An answer often stands beside a call, where a turn was cut short: its text is kept as a message of its own.
A turn that was never answered gets a one-line note in place of its rounds, so that roles go on alternating.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gateway.core.conversation import Block, Conversation, Kind, Message, Role, Span, made
from gateway.strategies import marks
from gateway.strategies.base import Room, Strategy, newest


@dataclass(frozen=True, kw_only=True)
class TurnText(Strategy):
    """Old turns keep only their user message and their last assistant text."""

    keep_turns: int = 2
    """So many of the newest turns stay whole, the active one included."""
    min_tokens: int = 0
    """Turns of fewer tokens stay as they are."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        if self.keep_turns < 1:
            yield f"keep_turns must be at least 1, the active turn, got {self.keep_turns}"
        if self.min_tokens < 0:
            yield f"min_tokens must not be negative, got {self.min_tokens}"

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with its oldest turns reduced to their texts, until the target is met."""
        excess = view.tokens - room.target
        changes: dict[int, Message] = {}
        gone: list[int] = []
        for turn in self._old(view):
            if excess <= 0:
                break
            kept = _kept(view, turn, room)
            before = sum(view.messages[index].tokens for index in turn)
            saved = before - sum(message.tokens for message in kept.values())
            if saved > 0 and before >= self.min_tokens:
                changes.update((i, message) for i, message in kept.items() if message is not view.messages[i])
                gone += (index for index in turn if index not in kept)
                excess -= saved
        return view.replacing(changes).without(gone)

    def _old(self, view: Conversation) -> Sequence[Span]:
        first_new = newest(view)
        older = view.turns[: max(0, len(view.turns) - self.keep_turns)]
        return [turn for turn in older if turn.stop <= first_new]


def _kept(view: Conversation, turn: Span, room: Room) -> dict[int, Message]:
    """Return what stays of a turn, by its place: system messages, what the user said, the answer."""
    kept = {index: view.messages[index] for index in turn if view.messages[index].role is Role.SYSTEM}
    is_first = turn.start == view.turns[0].start
    user = view.messages[turn.start]
    kept[turn.start] = user if is_first and room.keep.first_user else _text_only(user, room)
    spoken = [index for index in turn if view.messages[index].role is Role.ASSISTANT]
    answer = next((index for index in reversed(spoken) if view.messages[index].text.strip()), None)
    if answer is not None:
        kept[answer] = _answer(view.messages[answer], room)
        return kept
    empty = [index for index in spoken if not _is_calling(view.messages[index])]
    if empty:
        kept[empty[-1]] = view.messages[empty[-1]]
    elif spoken:
        gone = len(turn) - len(kept)
        kept[spoken[-1]] = made(Role.ASSISTANT, marks.gap(gone), room.count)
    return kept


def _is_calling(message: Message) -> bool:
    return any(block.kind is Kind.TOOL_CALL for block in message.blocks)


def _answer(message: Message, room: Room) -> Message:
    return made(Role.ASSISTANT, message.text, room.count) if _is_calling(message) else message


def _text_only(message: Message, room: Room) -> Message:
    """Return the message with a marker for all that is no text; as it is, if that is not shorter."""
    if all(block.kind is Kind.TEXT for block in message.blocks):
        return message
    parts = (_text(block) for block in message.blocks)
    shorter = made(Role.USER, "\n".join(filter(None, parts)), room.count)
    return shorter if shorter.tokens < message.tokens else message


def _text(block: Block) -> str:
    if block.kind is Kind.TEXT:
        return block.text
    return marks.stand_in(f"{'image' if block.kind is Kind.IMAGE else 'attachment'} left out")
