"""Keep of each old turn what the user said and what they were answered; the rounds in between go.

An answer often stands beside a call, where a turn was cut short: its text is kept as a message of its own.
A turn that was never answered gets a one-line note in place of its rounds, so that roles go on alternating.

Where a model was asked beforehand, all that stood behind the user message becomes one answer in its words.
A turn that is over never changes, so neither does what the model is asked of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gateway.core.conversation import (
    FRAME_TOKENS,
    Block,
    Conversation,
    Kind,
    Message,
    Offload,
    Role,
    Span,
    made,
)
from gateway.strategies import chains, marks
from gateway.strategies.base import Room, Strategy, newest
from gateway.strategies.piece import Piece
from gateway.strategies.runs import Fold, folded, transcript
from gateway.strategies.told import told

_MOST_IDS = 8
"""So many of the contents that were put away in a turn are named; all of it names the others."""

_NAMED = "put away in it", "all of this turn"
"""What is named by ids behind an answer that a model wrote."""


@dataclass(frozen=True, kw_only=True)
class TurnText(Strategy):
    """Old turns keep only their user message and their last assistant text."""

    keep_turns: int = 2
    """So many of the newest turns stay whole, the active one included."""
    min_tokens: int = 0
    """Turns of fewer tokens stay as they are."""
    model: bool = False
    """Whether all behind the user message becomes an answer that a model wrote of it, where it did."""
    max_tokens: int = 1000
    """What that answer may take; a turn without calls that takes no more stays as it is."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        if self.keep_turns < 1:
            yield f"keep_turns must be at least 1, the active turn, got {self.keep_turns}"
        yield from self.negative("min_tokens")
        if self.max_tokens < 50:
            yield f"max_tokens must be at least 50, got {self.max_tokens}"

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with its oldest turns reduced to their texts, until the target is met."""
        return folded(view, room, self._old(view), lambda turn, _: self._folded(view, turn, room))

    def _folded(self, view: Conversation, turn: Span, room: Room) -> Fold | None:
        before = sum(view.messages[index].tokens for index in turn)
        if before < self.min_tokens:
            return None
        kept, put_away = self._reduced(view, turn, before, room)
        changes = {i: message for i, message in kept.items() if message is not view.messages[i]}
        gone = [index for index in turn if index not in kept]
        return Fold(changes, gone, put_away, before - sum(message.tokens for message in kept.values()))

    def _reduced(
        self, view: Conversation, turn: Span, before: int, room: Room
    ) -> tuple[dict[int, Message], list[Offload]]:
        """Return what stays of a turn, by its place, and what is put away."""
        if self.model and self._is_long(view, turn):
            found = _told(view, turn, self.max_tokens, room)
            if found and sum(message.tokens for message in found[0].values()) < before:
                return found
        return _kept(view, turn, room), []

    def _is_long(self, view: Conversation, turn: Span) -> bool:
        """Return whether there is more to a turn than a short answer."""
        rest = [message for message in _rest(view, turn) if not _is_ours(message.text)]
        size = sum(message.tokens - FRAME_TOKENS for message in rest)
        return any(map(_is_calling, rest)) or size > self.max_tokens

    def _old(self, view: Conversation) -> Sequence[Span]:
        first_new = newest(view)
        older = view.turns[: max(0, len(view.turns) - self.keep_turns)]
        return [turn for turn in older if turn.stop <= first_new]


def _is_ours(text: str) -> bool:
    """Return whether the assistant did not say it so: a note between turns, or an answer told by a model."""
    last = text.rpartition("\n")[2]
    return marks.is_acknowledgement(text) or last.startswith(
        tuple(f"[haversack: {what}: " for what in _NAMED)
    )


def _rest(view: Conversation, turn: Span) -> list[Message]:
    messages = view.messages[turn.start + 1 : turn.stop]
    return [message for message in messages if message.role is not Role.SYSTEM]


def _told(
    view: Conversation, turn: Span, max_tokens: int, room: Room
) -> tuple[dict[int, Message], list[Offload]] | None:
    """Return the turn with one answer, which a model wrote, behind the user message; None if it did not."""
    user, rest = view.messages[turn.start], _rest(view, turn)
    spoken = [index for index in turn if view.messages[index].role is Role.ASSISTANT]
    text = told(room, Piece("turn", (user, *rest), max_tokens, ask=user.text)) if spoken else ""
    if not text:
        return None
    whole = transcript(rest)
    offloads = [Offload(marks.content_id(whole), whole, "turn_text")] if room.archive else []
    ids = _put_away(rest), [offload.id for offload in offloads]
    lines = [
        marks.stand_in(f"{what}: {', '.join(f'GET {marks.ORIGINALS}/{id}' for id in some)}")
        for what, some in zip(_NAMED, ids, strict=True)
        if some
    ]
    kept = _asked(view, turn, room)
    kept[spoken[-1]] = made(Role.ASSISTANT, "\n".join([text, *lines]), room.count)
    return kept, offloads


def _put_away(messages: Iterable[Message]) -> list[str]:
    """Return the ids under which contents of these messages can be had, the newest of them."""
    texts = [block.text for message in messages for block in message.blocks]
    ids = dict.fromkeys(id for text in texts for id in _ids(text))
    return list(ids)[-_MOST_IDS:]


def _ids(text: str) -> Iterator[str]:
    if marks.is_chain(text):
        yield from chains.read(text).originals
    elif id := marks.stub_id(text):
        yield id
    elif (notice := marks.first_notice(text)) and notice["original"]:
        yield notice["original"]


def _asked(view: Conversation, turn: Span, room: Room) -> dict[int, Message]:
    """Return what stays of a turn in any case: system messages, what the user said."""
    kept = {index: view.messages[index] for index in turn if view.messages[index].role is Role.SYSTEM}
    is_first = turn.start == view.turns[0].start
    user = view.messages[turn.start]
    kept[turn.start] = user if is_first and room.keep.first_user else _text_only(user, room)
    return kept


def _kept(view: Conversation, turn: Span, room: Room) -> dict[int, Message]:
    """Return what stays of a turn, by its place: system messages, what the user said, the answer."""
    kept = _asked(view, turn, room)
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
