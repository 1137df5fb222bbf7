"""What every strategy is: its settings as fields, and one verb.

A strategy is a frozen dataclass. Its fields are the keys a policy may set, its defaults are the documented
defaults, and its instance is the parsed step. It reads a conversation and returns another; it awaits
nothing. Two laws hold for every strategy and every conversation, and tests check them: it never makes a
conversation longer, and it never parts a call from its result.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from gateway.core.conversation import Conversation, Count, Message, Role
from gateway.core.frozen import replace
from gateway.core.ledger.entry import Entry
from gateway.core.ledger.find import find
from gateway.strategies.piece import Piece, unwritten
from gateway.strategies.place import is_digest
from gateway.strategies.shorten import Counted


@dataclass(frozen=True, kw_only=True)
class Keep:
    """What steps may not touch, beside the head. The `keep` section of a policy."""

    first_user: bool = True
    """The first user message, which states the task, stays where a step allows it."""
    recent_ratio: float = 0.15
    """Share of the budget that the newest messages may take as the tail."""
    recent_tokens_min: int = 0
    """And at least so many tokens, whatever the share; 0: the share alone counts."""
    recent_tokens_max: int = 0
    """And at most so many; 0: the share alone counts."""
    pairs: bool = False
    """Whether an answer only stays as it is where the user message before it does."""
    recent_turns: int = 2
    """The tail holds at most this many turns, the active one included; 0: any number."""
    user_text_tokens: int = 8000
    """How much user text a digest or summary carries verbatim."""
    ledger_ratio: float = 0.6
    """Share of the target that the ledger may take: rules, values, decisions and open tasks of what went."""
    place: Literal["message", "first_user"] = "message"
    """Where a digest, summary or ledger stands: `message`, one of its own; `first_user`: before the text of \
the first user message that is kept, if that is not the latest one."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a model wrote about the beginning of a conversation."""

    length: int
    """How many of the client's messages it is about."""
    text: str


@dataclass(frozen=True, slots=True)
class Room:
    """How much a step must save, and what it has to work with."""

    target: int
    """Tokens of messages to come down to, counted as `Message.tokens` counts.

    A step that goes through the conversation oldest first stops here, so a step that must do all it can
    whatever the size (`when: always`) is given 0.
    """
    budget: int
    """Tokens of messages that the window allows, in the same count."""
    count: Count
    keep: Keep = Keep()
    correction: float = 1.0
    """True tokens per token of this count: what a policy's own numbers are in."""
    archive: bool = True
    """Whether what is removed can be stored: if not, nothing may promise that it can be had again."""
    find: Callable[[Message], tuple[Entry, ...]] = find
    """Finds what of a message is the ledger's."""
    carried: frozenset[str] = frozenset()
    """Sentences of what is compacted that the ledger says, white space made plain."""
    spare: int = 0
    """What a text in the place of others may take beyond the target: they are too many, not too much."""
    messages: int = 0
    """The number of messages to come down to, whatever their size; 0: it does not matter."""
    enough: int = 0
    """Tokens of messages at which only `light` steps go on; 0: there is no such size."""
    summary: Summary | None = None
    """What is ready to be put in the place of what it is about."""
    written: Callable[[Piece], str | None] = unwritten
    """Returns what a model wrote of a piece; None: there is nothing, and a step does without."""
    memo: dict[Hashable, Counted] = field(default_factory=dict, compare=False, repr=False)
    """Texts that were cut already: with more room kept free, steps run again. Copies of a room share it."""

    def crowded(self, view: Conversation) -> Room:
        """Return the room for a view with too many messages: what the newest of them take.

        So a step that takes away what is old, to come down to a size, comes down to a number.
        """
        if not 0 < self.messages < len(view.messages):
            return self
        newest = view.messages[max(len(view.messages) - self.messages, view.head_end) :]
        left = sum(message.tokens for message in (*view.messages[: view.head_end], *newest))
        return replace(self, target=max(min(self.target, left), 1), spare=max(self.target - left, 0))

    def tail(self, view: Conversation) -> int:
        """Return the index from which on messages are the tail.

        Always in it: what no successful call has seen, and the last round. Then whole rounds, backwards,
        while they stay within the share of the budget and the number of turns. It never begins in a round.
        """
        allowed = self._recent
        first = max(self._first_turn(view), view.head_end)
        start = newest(view)
        spent = sum(message.tokens for message in view.messages[start:])
        while start > first:
            earlier = round_start(view, start - 1)
            spent += sum(message.tokens for message in view.messages[earlier:start])
            if spent > allowed or earlier < first or 0 < self.messages < len(view.messages) - earlier:
                break
            start = earlier
        return self.paired(view, max(start, view.head_end))

    @property
    def _recent(self) -> int:
        """The tokens that the tail may take, in our count; the policy's own numbers are true tokens."""
        keep, share = self.keep, int(self.keep.recent_ratio * self.budget)
        least = int(keep.recent_tokens_min / self.correction)
        most = int(keep.recent_tokens_max / self.correction) if keep.recent_tokens_max else self.budget
        return min(max(share, least), most, self.budget)

    def paired(self, view: Conversation, start: int) -> int:
        """Return where what stays begins, so that no answer loses the user message before it."""
        last = newest(view)
        while self.keep.pairs and view.head_end < start < last and _is_answered(view, start):
            start = next(
                (at for at in range(start + 1, last) if view.messages[at].role is not Role.TOOL), last
            )
        return start

    def _first_turn(self, view: Conversation) -> int:
        if 0 < self.keep.recent_turns <= len(view.turns):
            return view.turns[-self.keep.recent_turns].start
        return 0


def _is_answered(view: Conversation, index: int) -> bool:
    """Return whether a message answers the user message just before it, which does not stay by itself.

    A digest asks nothing, and the latest request stays wherever it is.
    """
    before, message = view.messages[index - 1], view.messages[index]
    asks = before.role is Role.USER and index - 1 != view.last_user and not is_digest(before)
    return asks and message.role is Role.ASSISTANT


def newest(view: Conversation) -> int:
    """Return the index from which on messages are the newest: not seen by a call, or the last round."""
    return round_start(view, min(view.unseen, len(view.messages) - 1))


def round_start(view: Conversation, index: int) -> int:
    """Return where the round that holds message *index* begins; *index* itself if it is in none."""
    while index > 0 and view.messages[index].role is Role.TOOL:
        index -= 1
    return max(index, 0)


def requests(view: Conversation, keep: Keep) -> frozenset[int]:
    """Return the indices of the user messages that ask: the latest, and the first where it is kept."""
    found = (view.turns[0].start if keep.first_user and view.turns else None, view.last_user)
    return frozenset(index for index in found if index is not None)


class Strategy:
    """The base of all strategies."""

    light: ClassVar[bool] = False
    """Whether it only touches what tools were told and said, images and reasoning: no words are lost."""

    @property
    def asks(self) -> bool:
        """Whether it asks for texts of pieces (`Room.written`), so that they are to be written for it."""
        return bool(getattr(self, "model", False))

    @property
    def uses_model(self) -> bool:
        """Whether it uses anything that a model writes."""
        return self.asks

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings, in words for the author of the policy."""
        return iter(())

    def negative(self, *names: str) -> Iterator[str]:
        """Yield those of these settings that are below 0, as problems."""
        for name in names:
            if (value := getattr(self, name)) < 0:
                yield f"{name} must not be negative, got {value}"

    def beyond_whole(self, *names: str) -> Iterator[str]:
        """Yield those of these settings that are no share, from 0 to 1, as problems."""
        for name in names:
            if not 0 <= (value := getattr(self, name)) <= 1:
                yield f"{name} must be between 0 and 1, got {value}"

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return a conversation that is no longer than *view*; *view* itself if there is nothing to do."""
        raise NotImplementedError
