"""Fold everything between the head and the tail into one short message. No model is asked.

The digest is one user message, fenced and labelled as background, directly after the head. Where a user
message follows it, the assistant acknowledges it in one line, so that the roles alternate as strict
templates want it. If the latest user message lies in what is folded (an agent that works for hundreds of
rounds on one request), it stays as it came, after the digest. An earlier digest is read and carried on, so
digests never nest and never grow beyond their cap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from gateway.core.conversation import Conversation, Message, Role, made
from gateway.strategies import notes
from gateway.strategies.base import Room, Strategy, newest, round_start
from gateway.strategies.contested import with_marks
from gateway.strategies.facts import facts
from gateway.strategies.fold import fold, is_news, question, turns
from gateway.strategies.gist import bare, is_in, is_lasting, pieces
from gateway.strategies.place import is_digest

_MOST_OF_FOLDED = 0.8
"""A digest that takes a larger share of what it replaces is not worth what it loses."""

_LEAST_OF_TARGET = 0.1
"""What a digest may take even where nothing is left: without it everything folded would be lost."""

_MOST_OF_LEFT = 0.9
"""What a digest may take of what is left where there is much that users said."""

_FRAME_TOKENS = 60

_TRIES = 4


@dataclass(frozen=True, kw_only=True)
class Digest(Strategy):
    """User texts verbatim, calls in one line each, decisions: one message for all that is old."""

    max_tokens: int = 0
    """Cap of the digest; 0: `fill_ratio` decides."""
    fill_ratio: float = 0.5
    """Share of what the target leaves beside the tail; more where users said much. Rounds get the rest."""
    fold: Literal["tail", "half"] = "tail"
    """`tail`: what is before the tail; `half`: the older half of the turns that are over, until it fits."""
    max_turns: int = 0
    """With `half`: with more turns than this, half goes even if the tokens fit; 0: only tokens count."""
    keep_turns: int = 0
    """So many of the newest turns stay, the active one included, and all others go; 0: as `fold` says."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        yield from self.negative("max_tokens")
        if not 0 < self.fill_ratio <= 1:
            yield f"fill_ratio must be above 0 and at most 1, got {self.fill_ratio}"
        yield from self.negative("max_turns", "keep_turns")
        if self.max_turns and self.fold != "half":
            yield "max_turns needs `fold: half`"

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with its older part in a digest; *view* if that is not shorter."""
        after = self._applied(with_marks(view, room), room)
        return after if after.tokens < view.tokens else view

    def _applied(self, view: Conversation, room: Room) -> Conversation:
        if self.keep_turns:
            kept = turns(view)[-self.keep_turns :]
            is_over = view.tokens > room.target and kept
            return self._folded(view, kept[0].start, room) if is_over else view
        if self.fold == "half":
            return self._by_halves(view, room)
        start, cap = self._start(view, room)
        return fold(view, start, lambda folded: self._digest(folded, cap, room), room.count)

    def _by_halves(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation less the older half of its turns, and again, as long as it is too much."""
        starts = [turn.start for turn in turns(view)]
        active = sum(start <= newest(view) for start in starts) - 1
        number, after = 0, view
        while number < active:
            is_many = 0 < self.max_turns < len(starts) - number
            if not is_many and after.tokens <= room.target:
                break
            number += max((active - number) // 2, 1)
            after = self._folded(view, starts[number], room)
        return after

    def _folded(self, view: Conversation, start: int, room: Room) -> Conversation:
        """Return the conversation with all before a turn in a digest."""
        start = min(start, newest(view))
        cap = self._most(view, start, self._left(view, start, room), room)
        return fold(view, start, lambda folded: self._digest(folded, cap, room), room.count)

    def _start(self, view: Conversation, room: Room) -> tuple[int, int]:
        """Return where the kept part begins, and how long the digest may be.

        What the target leaves beside the tail is parted between the digest and the rounds before the tail,
        which say more as they are.
        """
        start = room.tail(view)
        left = self._left(view, start, room)
        if self._is_done(view, start, left):
            return view.head_end, 0
        cap = self._most(view, start, left, room)
        spare = left - cap if self.max_tokens == 0 else int(left * (1 - self.fill_ratio))
        while start > view.head_end:
            earlier = round_start(view, start - 1)
            spare -= sum(message.tokens for message in view.messages[earlier:start])
            if spare < 0:
                break
            start = earlier
        return _without_orphans(view, room.paired(view, start)), cap

    def _left(self, view: Conversation, start: int, room: Room) -> int:
        """Return what the target leaves beside the tail, from *start* on, and what stays before it."""
        system = sum(message.tokens for message in view.messages[:start] if message.role is Role.SYSTEM)
        tail = sum(message.tokens for message in view.messages[start:])
        asked = question(view, start, room.count)
        tail += asked.tokens if asked is not None else 0
        return room.target - system - _tokens_before(view, start) - tail

    def _is_done(self, view: Conversation, start: int, left: int) -> bool:
        """Return whether an earlier digest and the rounds behind it are what this step would leave.

        They fit, and the rounds take no more than what is theirs in any case: what is said in them cannot be
        a reason to fold them after all.
        """
        messages = [view.messages[index] for index in range(view.head_end, start) if index != view.last_user]
        digests = sum(message.tokens for message in messages if is_digest(message))
        if not digests:
            return False
        rounds = sum(message.tokens for message in messages if is_news(message))
        return digests + rounds <= left and rounds <= left * (1 - self.fill_ratio)

    def _most(self, view: Conversation, start: int, left: int, room: Room) -> int:
        """Return what a digest of all before *start* may take, where so much is left beside the rest."""
        left += room.spare
        return self.max_tokens or max(self._cap(view, start, left, room), int(room.target * _LEAST_OF_TARGET))

    def _cap(self, view: Conversation, start: int, left: int, room: Room) -> int:
        """Return the share of a digest; more than `fill_ratio` where what users said would not fit else."""
        least, most = int(left * self.fill_ratio), int(left * _MOST_OF_LEFT)
        told = _summary_tokens(view.messages[view.head_end : start], room)
        needed = _needed(_said(view, start, room), told, least + 1, room)
        if needed > least:
            # Only where there is not room for all of it, it matters what of it lasts.
            lasting = (sentence for sentence in _said(view, start, room) if is_lasting(bare(sentence)))
            needed = _needed(lasting, told, most, room)
        return max(least, min(max(needed, _FRAME_TOKENS), most))

    def _digest(self, folded: Sequence[Message], cap: int, room: Room) -> Message:
        found = facts(folded)
        size = sum(message.tokens for message in folded if message.role is not Role.SYSTEM)
        told = _summary_tokens(folded, room)
        cap = min(cap, told + int((size - told) * _MOST_OF_FOLDED))
        allowed, count = cap, cache(room.count)
        for _ in range(_TRIES):
            thin = notes.thinned(found, allowed, room.keep.user_text_tokens, count, room.carried)
            digest = made(Role.USER, thin.text(), room.count)
            if digest.tokens <= cap:
                break
            allowed = int(allowed * 0.9)
        return digest


def _said(view: Conversation, stop: int, room: Room) -> Iterator[str]:
    """Yield the sentences of users before *stop* that the ledger does not say."""
    for text in _user_texts(view, stop):
        yield from (sentence for sentence in pieces(text) if not is_in(sentence, room.carried))


def _needed(sentences: Iterable[str], told: int, enough: int, room: Room) -> int:
    """Return what a digest needs for sentences and a summary of *told*; from *enough* on none is added."""
    said, needed = 0, told + _FRAME_TOKENS if told else 0
    for sentence in sentences:
        if needed >= enough:
            break
        said += room.count(sentence) + 1
        needed = int(said / notes.SHARE_OF_USER) + told + _FRAME_TOKENS
    return needed


def _user_texts(view: Conversation, stop: int) -> Iterator[str]:
    """Yield what users said before *stop*, also what only an earlier digest says of it."""
    for message in view.messages[view.head_end : stop]:
        if message.role is not Role.USER:
            continue
        if is_digest(message):
            yield from notes.read(message.text).entries.get(notes.Section.USER, ())
        else:
            yield message.text


def _summary_tokens(messages: Iterable[Message], room: Room) -> int:
    """Return what the summary takes that an earlier digest holds."""
    digests = (notes.read(message.text) for message in messages if is_digest(message))
    return sum(room.count(text) for found in digests for text in found.entries.get(notes.Section.SUMMARY, ()))


def _without_orphans(view: Conversation, start: int) -> int:
    """Return the start of what is kept behind results whose calls are not there: nobody can take them."""
    while start < len(view.messages) and view.messages[start].role is Role.TOOL:
        start += 1
    return start


def _tokens_before(view: Conversation, start: int) -> int:
    """Return what the latest user message takes, if it stands before the kept part."""
    index = view.last_user
    return view.messages[index].tokens if index is not None and index < start else 0
