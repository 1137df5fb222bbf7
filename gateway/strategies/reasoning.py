"""Drop the reasoning of earlier turns, whole.

What a model thought on the way to an answer is what it needs least once the answer is there. Vendors check
what comes back, so nothing is shortened: a message loses all its reasoning or none, and the turns that still
have theirs are the newest ones without a gap. The active turn keeps it: between a call and its result every
vendor wants it back.

After that turn Anthropic, OpenAI and Google do not ask for it again, and what they sign or encrypt is known
by that. DeepSeek and Kimi, whose reasoning is plain text, refuse a request if a message with calls has lost
it, in whichever turn (`wire.reasoning` has the sources), so there it stays unless the policy knows better.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gateway.core.conversation import Conversation, Count, Kind, Message, Role, Span
from gateway.strategies.base import Room, Strategy

_OPENING = re.compile(r"\s*<(think|thinking)>")


@dataclass(frozen=True, kw_only=True)
class Reasoning(Strategy):
    """The reasoning of earlier turns is dropped whole."""

    light = True

    keep_turns: int = 1
    """So many of the newest turns keep theirs, the active one included."""
    plain_calls: bool = False
    """Whether messages with calls lose reasoning without a signature, too; DeepSeek and Kimi refuse that."""
    think_tags: bool = True
    """Whether `<think>…</think>` at the beginning of an answer is reasoning."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        if self.keep_turns < 1:
            yield f"keep_turns must be at least 1, the active turn, got {self.keep_turns}"

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation without the reasoning of its oldest turns, until the target is met."""
        excess = view.tokens - room.target
        changes: dict[int, Message] = {}
        for turn in _finished(view, self.keep_turns):
            if excess <= 0:
                break
            for index, message in self._without(view, turn, room.count):
                excess -= view.messages[index].tokens - message.tokens
                changes[index] = message
        return view.replacing(changes)

    def _without(self, view: Conversation, turn: Span, count: Count) -> Iterator[tuple[int, Message]]:
        for index in turn:
            message = view.messages[index]
            if message.role is Role.ASSISTANT:
                shorter = self._dropped(message, count)
                if shorter is not message:
                    yield index, shorter

    def _dropped(self, message: Message, count: Count) -> Message:
        """Return the message without its reasoning; as it is, if that must stay or is all it says."""
        found = [index for index, block in enumerate(message.blocks) if block.kind is Kind.REASONING]
        wholes = [message.blocks[index].whole for index in found]
        is_calling = any(block.kind is Kind.TOOL_CALL for block in message.blocks)
        is_plain = not any(whole is not None and whole.is_signed for whole in wholes)
        if (is_calling and is_plain and not self.plain_calls) or None in wholes:
            return message
        shorter = self._without_tags(message, count) if self.think_tags else message
        if found and any(
            block.kind not in (Kind.TEXT, Kind.REASONING) or block.text.strip() for block in shorter.blocks
        ):
            shorter = shorter.replacing(dict.fromkeys(found), count)
        return shorter if shorter.tokens < message.tokens else message

    def _without_tags(self, message: Message, count: Count) -> Message:
        for index, block in enumerate(message.blocks):
            if block.kind is Kind.TEXT and block.path is not None and block.text.strip():
                answer = _after_tags(block.text)
                return message.with_text(index, answer, count) if answer else message
        return message


def _finished(view: Conversation, kept: int) -> Iterator[Span]:
    """Yield the turns less the newest ones that are *kept*.

    What a user says behind results, before the model has gone on from them, begins no turn: the vendor still
    wants to see what led to the calls.
    """
    starts = [turn.start for turn in view.turns]
    begun = [start for start in starts if start == 0 or view.messages[start - 1].role is not Role.TOOL]
    border = begun[-kept] if kept <= len(begun) else 0
    for turn in view.turns:
        if turn.start < border:
            yield turn


def _after_tags(text: str) -> str:
    """Return what was said after the thinking; empty if there was none of either.

    >>> _after_tags("<think>Hm. Two.</think>\\n\\nTwo.")
    'Two.'
    """
    opening = _OPENING.match(text)
    if opening is None:
        return ""
    _, closing, answer = text[opening.end() :].partition(f"</{opening[1]}>")
    return answer.strip() if closing else ""
