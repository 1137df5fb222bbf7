"""Drop whole turns, oldest first; then whole rounds of the active turn.

The boundary moves rarely and far: half of what is there goes at once, so that the requests after it share
their prefix. A first user message that stays is followed by a one-line note of the assistant, because the
turn kept next begins with a user message and strict templates want the roles to alternate; the note says
how many messages are gone. Where no first user message stays there is no place for a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gateway.core.conversation import FRAME_TOKENS, Conversation, Message, Role, Span, made
from gateway.core.frozen import replace
from gateway.strategies import marks, notes
from gateway.strategies.base import Room, Strategy, newest
from gateway.strategies.notes import Section
from gateway.strategies.place import is_digest


@dataclass(frozen=True, kw_only=True)
class TrimTurns(Strategy):
    """The oldest half of the complete turns goes, again and again, until it fits."""

    max_turns: int = 0
    """With more turns than this, turns go even if the tokens fit; 0: only tokens count."""
    to: int = 0
    """Keep this many of the newest turns, all others go at once, and no more than that; 0: halves go."""
    rounds: bool = True
    """Whether, when only the active turn is left, the oldest half of its seen rounds goes too."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        yield from self.negative("max_turns", "to")
        if self.max_turns and self.to > self.max_turns:
            yield f"to ({self.to}) is larger than max_turns ({self.max_turns}), which is never met"

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation less its oldest turns and, if need be, rounds."""
        room = _beside_digest(view, room)
        view = _with_room_for_summary(view, room)
        pinned = _pinned(view, room)
        while self._is_over(view, room, pinned):
            shorter = self._shorter(view, room, pinned)
            if shorter.tokens >= view.tokens:
                break
            view = shorter
        return view

    def _is_over(self, view: Conversation, room: Room, pinned: bool) -> bool:
        turns = len(view.turns) - _spent(view, pinned) - sum(_is_ledger(view, t) for t in view.turns[1:])
        too_many = self.max_turns and turns > self.max_turns
        return bool(too_many) or view.tokens > room.target

    def _shorter(self, view: Conversation, room: Room, pinned: bool) -> Conversation:
        first = _spent(view, pinned)
        complete = _active(view) - first
        going = max(0, complete + 1 - self.to) if self.to else -(-complete // 2)
        if going > 0:
            return _without_turns(view, first + going, room, pinned)
        if self.rounds and not self.to and view.tokens > room.target:
            return view.without(_older_half(view))
        return view


def _beside_digest(view: Conversation, room: Room) -> Room:
    """Return the room with what a digest may take beyond the target, as there are too many messages.

    It stands in the place of others already: where it goes too, all that users said goes with it.
    """
    if not room.spare or not view.turns:
        return room
    first = view.messages[view.turns[0].start]
    more = min(room.spare, first.tokens) if is_digest(first) else 0
    return replace(room, target=room.target + more, spare=room.spare - more)


def _active(view: Conversation) -> int:
    """Return the index of the turn with which begins what stays: what no call has seen, all of it.

    Clients send several user messages in a row: files, then the question about them.
    """
    return max((n for n, turn in enumerate(view.turns) if turn.start <= newest(view)), default=0)


def _pinned(view: Conversation, room: Room) -> bool:
    """Return whether the first user message stays: kept by the policy, or a digest, and there is room for it.

    It goes only where everything else that must stay would fit without it, but not with it.
    """
    if len(view.turns) < 2:
        return False
    first = view.messages[view.turns[0].start]
    if not room.keep.first_user and not is_digest(first):
        return False
    least = _least(view)
    return not least <= room.target < least + first.tokens


def _least(view: Conversation) -> int:
    """Return what must stay in any case."""
    start = view.turns[_active(view)].start
    kept = [view.messages[start], *view.messages[max(start + 1, newest(view)) :], *_system(view, 0, start)]
    return sum(message.tokens for message in kept)


def _with_room_for_summary(view: Conversation, room: Room) -> Conversation:
    """Return the conversation with as much of its summary as can stay beside what must.

    The ledger and what users said are put back where a digest goes; what a model wrote stands nowhere else.
    Of what is left it has half: the rest is for what users said, word for word.
    """
    if len(view.turns) < 2 or view.tokens <= room.target:
        return view
    at = view.turns[0].start
    left = room.target - _least(view)
    if not 0 < left < view.messages[at].tokens or not is_digest(view.messages[at]):
        return view
    allowed = left - made(Role.ASSISTANT, marks.gap(len(view.messages)), room.count).tokens - FRAME_TOKENS
    found = notes.read(view.messages[at].text)
    told = (notes.beginning(text, left // 2, room.count) for text in found.entries.get(Section.SUMMARY, ()))
    found = replace(found, entries={**found.entries, Section.SUMMARY: list(filter(None, told))})
    thin = notes.thinned(found, allowed, room.keep.user_text_tokens, room.count, room.carried)
    digest = made(Role.USER, thin.text(), room.count)
    fits = bool(thin.entries.get(Section.SUMMARY)) and digest.tokens <= left
    return view.replacing({at: digest}) if fits else view


def _spent(view: Conversation, pinned: bool) -> int:
    """Return how many of the oldest turns have nothing more to give: the first, if only its pin is left."""
    return int(pinned and len(view.turns) > 1 and _is_bare(view, view.turns[0]))


def _is_bare(view: Conversation, turn: Span) -> bool:
    """Return whether nobody answered in a turn."""
    rest = (view.messages[index] for index in range(turn.start + 1, turn.stop))
    return all(marks.is_acknowledgement(m.text) or m.role is Role.SYSTEM for m in rest)


def _is_ledger(view: Conversation, turn: Span) -> bool:
    """Return whether a turn is a digest behind a first message that stayed: nobody's turn."""
    return is_digest(view.messages[turn.start]) and _is_bare(view, turn)


def _without_turns(view: Conversation, turn: int, room: Room, pinned: bool) -> Conversation:
    """Return the conversation in which *turn* is the oldest, but for a pinned first user message."""
    stop = view.turns[turn].start
    old = [i for i in range(view.head_end, stop) if view.messages[i].role is not Role.SYSTEM]
    if not pinned:
        return view.without(old)
    pin = view.turns[0].start
    gone = sum(_size(view.messages[i]) for i in old if i != pin)
    note = made(Role.ASSISTANT, marks.gap(gone), room.count)
    return view.splicing(pin + 1, stop, [note, *_system(view, pin + 1, stop)]).without(
        i for i in old if i < pin
    )


def _size(message: Message) -> int:
    """Return how many messages of the client a message stands for."""
    if message.text == marks.ACKNOWLEDGEMENT or is_digest(message):
        return 0
    gap = marks.gap_size(message.text)
    return 1 if gap is None else gap


def _system(view: Conversation, start: int, stop: int) -> Iterator[Message]:
    return (message for message in view.messages[start:stop] if message.role is Role.SYSTEM)


def _older_half(view: Conversation) -> Iterable[int]:
    """Return the indices of the older half of what the active turn has done, as far as it was seen."""
    start = view.head_end if view.last_user is None else view.last_user + 1
    units = list(_units(view, start, newest(view)))
    return [index for unit in units[: -(-len(units) // 2)] for index in unit]


def _units(view: Conversation, start: int, stop: int) -> Iterator[Span]:
    """Yield rounds and single messages; head messages in between are no units."""
    rounds = {span.start: span for span in view.rounds}
    while start < stop:
        unit = rounds.get(start, Span(start, start + 1))
        if view.messages[start].role is not Role.SYSTEM:
            yield unit
        start = unit.stop
