"""Fold everything between the head and the tail into one short message. No model is asked.

The digest is one user message, fenced and labelled as background, directly after the head. Where a user
message follows it, the assistant acknowledges it in one line, so that the roles alternate as strict
templates want it. If the latest user message lies in what is folded (an agent that works for hundreds of
rounds on one request), it stays as it came, after the digest. An earlier digest is read and carried on, so
digests never nest and never grow beyond their cap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gateway.core.conversation import Conversation, Message, Role, made
from gateway.strategies import marks, notes
from gateway.strategies.base import Room, Strategy
from gateway.strategies.facts import facts

_MOST_OF_FOLDED = 0.8
"""A digest that takes a larger share of what it replaces is not worth what it loses."""

_LEAST_OF_TARGET = 0.1
"""What a digest may take even where nothing is left: without it everything folded would be lost."""

_TRIES = 4


@dataclass(frozen=True, kw_only=True)
class Digest(Strategy):
    """User texts verbatim, calls in one line each, decisions: one message for all that is old."""

    max_tokens: int = 0
    """Cap of the digest; 0: `fill_ratio` decides."""
    fill_ratio: float = 0.8
    """Cap of the digest as a share of what the target leaves beside the messages that stay."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        if self.max_tokens < 0:
            yield f"max_tokens must not be negative, got {self.max_tokens}"
        if not 0 < self.fill_ratio <= 1:
            yield f"fill_ratio must be above 0 and at most 1, got {self.fill_ratio}"

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with all before the tail in a digest; *view* if that is not shorter."""
        tail = room.tail(view)
        stays = view.last_user if view.last_user is not None and view.last_user < tail else None
        folded = [view.messages[index] for index in range(view.head_end, tail) if index != stays]
        if not any(map(_is_news, folded)):
            return view
        system = [message for message in folded if message.role is Role.SYSTEM]
        latest = [] if stays is None else [view.messages[stays]]
        kept = [*latest, *view.messages[tail:]]
        stays_tokens = sum(message.tokens for message in (*view.messages[: view.head_end], *system, *kept))
        digest = self._digest(folded, self._cap(room, stays_tokens), room)
        new = [*system, digest, *_acknowledged(kept, room), *latest]
        shorter = view.splicing(view.head_end, tail, new)
        return shorter if shorter.tokens < view.tokens else view

    def _cap(self, room: Room, stays_tokens: int) -> int:
        """Return how long the digest may be: what is left is better filled with it than not."""
        left = int((room.target - stays_tokens) * self.fill_ratio)
        return self.max_tokens or max(left, int(room.target * _LEAST_OF_TARGET))

    def _digest(self, folded: list[Message], cap: int, room: Room) -> Message:
        found = facts(folded)
        size = sum(message.tokens for message in folded if message.role is not Role.SYSTEM)
        cap = min(cap, int(size * _MOST_OF_FOLDED))
        allowed = cap
        for _ in range(_TRIES):
            thin = notes.thinned(found, allowed, room.keep.user_text_tokens, room.count)
            digest = made(Role.USER, thin.text(), room.count)
            if digest.tokens <= cap:
                break
            allowed = int(allowed * 0.9)
        return digest


def _is_news(message: Message) -> bool:
    """Return whether a message says what no digest says yet."""
    if message.role is Role.SYSTEM or marks.is_acknowledgement(message.text):
        return False
    return not (message.role is Role.USER and marks.is_digest(message.text))


def _acknowledged(kept: list[Message], room: Room) -> Iterator[Message]:
    first = next((message for message in kept if message.role is not Role.SYSTEM), None)
    if first is not None and first.role is Role.USER:
        yield made(Role.ASSISTANT, marks.ACKNOWLEDGEMENT, room.count)
