"""Shorten old tool results to their beginning and their end.

The beginning of a result says what it is and the end says how it came out; the middle is what an agent
rereads least, but for what went wrong in it, which the notice quotes. What no successful call has seen stays
whole: a model that gets a cut version of what it has just asked for asks again, for ever.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from gateway.core.conversation import Block, Conversation, Message, Offload
from gateway.core.level import level
from gateway.strategies import marks
from gateway.strategies.base import Room, Strategy
from gateway.strategies.held import held
from gateway.strategies.results import Result, is_named, results, with_texts
from gateway.strategies.shorten import Cap, Counted, shorten

_LEAST_OF_BLOCK = 40
"""Tokens of each block, where a result that is cut to the least has several: a notice takes half of that."""


@dataclass(frozen=True, kw_only=True)
class ToolResults(Strategy):
    """Old tool results keep their beginning and their end."""

    light = True

    max_tokens: int = 2000
    """Results of earlier turns longer than this are shortened to it; 0: no such cap."""
    least_tokens: int = 0
    """Where it misses the target, results of earlier turns get this short, if that is enough; 0: never."""
    max_chars: int = 0
    """The same in characters; with both, the stricter counts."""
    current_turn_max_tokens: int = 4000
    """Cap for those results of the current turn that the model has seen; 0: they are not touched."""
    current_turn_max_chars: int = 0
    """The same in characters."""
    keep_last: int = 3
    """So many of the newest results stay whole."""
    lines: int = 0
    """At most this many lines stay at each end; 0: as many as the cap allows."""
    head_share: float = 0.6
    """Share of what stays that is taken from the beginning; 1: nothing of the end stays."""
    original: bool = False
    """Whether the notice of what was left out names the id under which all of it can be had."""
    allow: tuple[str, ...] = ()
    """Globs of tool names; if any are given, only results of these tools are shortened."""
    deny: tuple[str, ...] = ()
    """Globs of tool names whose results are never shortened."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        caps = ("max_tokens", "max_chars", "current_turn_max_tokens", "current_turn_max_chars")
        yield from self.negative(*caps, "least_tokens", "keep_last", "lines")
        if not any(getattr(self, name) for name in caps):
            yield "without any cap nothing is ever shortened; set max_tokens"
        if self.least_tokens and self.least_tokens >= self.max_tokens:
            most = (
                f"be below max_tokens ({self.max_tokens})" if self.max_tokens else "have max_tokens above it"
            )
            yield f"least_tokens must {most}, got {self.least_tokens}"
        yield from self.beyond_whole("head_share")

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with its oldest long results shortened, until the target is met."""
        excess = view.tokens - room.target
        if excess <= 0:
            return view
        old = self._old(view)
        is_least = self._is_least(view, old, room)
        changes: dict[int, Message] = {}
        offloads: list[Offload] = []
        for result in old:
            if excess <= 0:
                break
            message = changes.get(result.index, view.messages[result.index])
            cap = self._cap(view, result, is_least)
            shorter = self._shortened(message, result, cap, room)
            if shorter is not message:
                changes[result.index] = shorter
                offloads += self._put_away(message, shorter, result)
                excess -= message.tokens - shorter.tokens
        return view.replacing(changes, offloads)

    def _old(self, view: Conversation) -> list[Result]:
        found = list(results(view))
        older = found[: max(0, len(found) - self.keep_last)]
        return [r for r in older if r.index < view.unseen and is_named(r.name, self.allow, self.deny)]

    def _is_least(self, view: Conversation, old: Sequence[Result], room: Room) -> bool:
        """Return whether results of earlier turns get as short as they may.

        That is only where more would not meet the target, and heavier steps stay out for it: where they
        follow in any case, what they leave may as well say more.
        """
        if not 0 < self.least_tokens < self.max_tokens:
            return False
        earlier = [r for r in old if not (_is_current(view, r.index) or _is_put_away(view, r))]
        others = view.tokens - sum(result.tokens for result in earlier)
        if others + sum(min(result.tokens, self.max_tokens) for result in earlier) <= room.target:
            return False
        least = others + sum(min(result.tokens, self._most(result, is_least=True)) for result in earlier)
        return least <= max(room.enough, room.target)

    def _most(self, result: Result, is_least: bool) -> int:
        """Return to how many tokens a result of an earlier turn is shortened."""
        if not is_least:
            return self.max_tokens
        blocks = len(result.blocks)
        return min(max(self.least_tokens, _LEAST_OF_BLOCK * blocks if blocks > 1 else 0), self.max_tokens)

    def _cap(self, view: Conversation, result: Result, is_least: bool) -> Cap:
        current = _is_current(view, result.index)
        tokens = self.current_turn_max_tokens if current else self._most(result, is_least)
        chars = self.current_turn_max_chars if current else self.max_chars
        return Cap(tokens or None, chars or None, self.lines, self.head_share)

    def _shortened(self, message: Message, result: Result, cap: Cap, room: Room) -> Message:
        blocks = {position: message.blocks[position] for position in result.blocks}
        if _holds(cap, blocks.values()):
            return message
        if cap.tokens is not None:
            cap = Cap(
                level([b.tokens for b in blocks.values()], cap.tokens), cap.chars, cap.lines, cap.head_share
            )
        if cap.chars is not None:
            chars = level([len(b.text) for b in blocks.values()], cap.chars)
            cap = Cap(cap.tokens, chars, cap.lines, cap.head_share)
        texts = {
            position: self._cut(message, block, cap, room)
            for position, block in blocks.items()
            if not _stays(block.text)
        }
        return with_texts(message, texts)

    def _cut(self, message: Message, block: Block, cap: Cap, room: Room) -> Counted:
        whole = Counted(block.text, block.tokens)
        if cap.holds(whole):
            return whole
        original = self._id(block, room)
        key = message.role, block.text, cap, original
        if (known := room.memo.get(key)) is None:
            told = held(message, block.text, room)
            known = room.memo[key] = shorten(whole, cap, room.count, original, told)
        return known

    def _id(self, block: Block, room: Room) -> str:
        """Return the id under which a whole text can be had; empty if it cannot, or is not here whole."""
        can_be_had = self.original and room.archive and not marks.is_marked(block.text)
        return marks.content_id(block.text) if can_be_had else ""

    def _put_away(self, before: Message, after: Message, result: Result) -> Iterator[Offload]:
        """Yield what is to be stored, as a notice names it."""
        for position in result.blocks if self.original else ():
            text = before.blocks[position].text
            if (id := marks.content_id(text)) in after.blocks[position].text:
                yield Offload(id, text, result.name)


def _is_put_away(view: Conversation, result: Result) -> bool:
    """Return whether a result is nothing but stubs, which stay as they are."""
    blocks = view.messages[result.index].blocks
    return all(_stays(blocks[position].text) for position in result.blocks)


def _stays(text: str) -> bool:
    return marks.stub_id(text) is not None or marks.is_chain(text)


def _is_current(view: Conversation, index: int) -> bool:
    return view.last_user is None or index > view.last_user


def _holds(cap: Cap, blocks: Collection[Block]) -> bool:
    """Return whether all blocks of a result are within a cap: of most that were shortened once, they are."""
    is_short = cap.tokens is None or sum([block.tokens for block in blocks]) <= cap.tokens
    return is_short and (cap.chars is None or sum([len(block.text) for block in blocks]) <= cap.chars)
