"""Shorten what was done in the turn that goes on: large contents one by one, or all of it to a share.

An agent may work for a long time on one request. What no successful call has seen stays whole, and so does
the request; calls keep their names and arguments, and each its result.

Contents become what a model wrote of them beforehand, or keep their beginning and their end. All of it
becomes one round, whose result tells what every call was and came to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gateway.core.conversation import Block, Conversation, Kind, Message, Offload, Role, Span
from gateway.strategies import marks, runs
from gateway.strategies.base import Room, Strategy, newest
from gateway.strategies.chains import Chain
from gateway.strategies.piece import Piece
from gateway.strategies.results import Result, is_named, results, with_texts
from gateway.strategies.runs import Fold, Run
from gateway.strategies.shorten import Cap, Counted, shorten
from gateway.strategies.told import chain_of, parted, told

_TEXT_CHARS = 500
"""How much is told by rules of each text that stood beside calls."""

_LEAST_TOKENS = 100
"""What stays of a piece of work, or of one result, however small its share is."""

_IN_BRIEF = "in brief by a model"


@dataclass(frozen=True, kw_only=True)
class CurrentTurn(Strategy):
    """Large contents of the current turn are shortened one by one, or all that was done in it at once."""

    min_tokens: int = 1500
    """Contents larger than this are shortened; 0: not measured in tokens."""
    min_chars: int = 0
    """The same in characters; with both, either is enough. 0: not measured in characters."""
    max_tokens: int = 500
    """What stays of one of them."""
    head_share: float = 0.6
    """Share of what stays that is taken from its beginning, where no model wrote it."""
    whole: bool = False
    """Whether all finished rounds become one, instead of large contents one by one."""
    target_ratio: float = 0.3
    """With `whole`, the share of their size that these rounds may take after that."""
    deny: tuple[str, ...] = ()
    """Globs of tool names whose results stay as they are."""
    model: bool = False
    """Whether what a model wrote of a content, or of the rounds, takes their place, where it did."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        yield from self.negative("min_tokens", "min_chars")
        if not self.whole and not self.min_tokens and not self.min_chars:
            yield "without min_tokens or min_chars nothing is ever shortened"
        if self.max_tokens < 50:
            yield f"max_tokens must be at least 50, got {self.max_tokens}"
        yield from self.beyond_whole("head_share")
        if not 0 < self.target_ratio < 1:
            yield f"target_ratio must be between 0 and 1, got {self.target_ratio}"

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with its current turn shortened, oldest first, until the target is met."""
        return self._compacted(view, room) if self.whole else self._shortened(view, room)

    def _shortened(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with large contents of the current turn shortened, one by one."""
        excess = view.tokens - room.target
        changes: dict[int, Message] = {}
        offloads: list[Offload] = []
        for found in self._contents(view):
            for position in found.blocks:
                if excess <= 0:
                    break
                message = changes.get(found.index, view.messages[found.index])
                text = self._shorter(view, found, position, room)
                if text is not None:
                    changes[found.index] = with_texts(message, {position: text})
                    excess -= message.tokens - changes[found.index].tokens
                    offloads += _put_away(view.messages[found.index].blocks[position], found.name, text)
        return view.replacing(changes, offloads)

    def _contents(self, view: Conversation) -> list[Result]:
        """Return results and the assistant's texts that were seen by a call, oldest first."""
        found = [r for r in results(view) if is_named(r.name, (), self.deny)]
        for index, message in enumerate(view.messages):
            if message.role is Role.ASSISTANT:
                texts = [
                    n for n, block in enumerate(message.blocks) if block.kind is Kind.TEXT and block.path
                ]
                found.append(Result(index, tuple(texts), "", 0))
        mine = (one for one in found if _start(view) <= one.index < view.unseen)
        return sorted(mine, key=lambda one: one.index)

    def _shorter(self, view: Conversation, found: Result, position: int, room: Room) -> Counted | None:
        """Return a content in brief; None if it is small, in brief already, or cannot be told in less."""
        message = view.messages[found.index]
        block = message.blocks[position]
        if not self._is_large(block) or _is_brief(block.text):
            return None
        if self.model:
            ask = view.messages[view.last_user].text if view.last_user is not None else ""
            text = told(room, Piece("content", (message,), self.max_tokens, position, ask))
            brief = _brief(block, found.name, text, room)
            if text and brief.tokens < block.tokens:
                return brief
        whole = Counted(block.text, block.tokens)
        cap = Cap(self.max_tokens, head_share=self.head_share)
        shorter = shorten(whole, cap, room.count, _original(block, room))
        return None if shorter is whole else shorter

    def _is_large(self, block: Block) -> bool:
        by_tokens = self.min_tokens and block.tokens > self.min_tokens
        return bool(by_tokens or (self.min_chars and len(block.text) > self.min_chars))

    def _compacted(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with each run of the current turn in one round."""
        found = runs.runs(view, _start(view), newest(view), self.deny)
        return runs.folded(view, room, found, lambda run, _: self._folded(view, run, room))

    def _folded(self, view: Conversation, run: Run, room: Room) -> Fold:
        return self._fold(view, run, room) if len(run.spans) > 1 else self._cut(view, run.spans[0], room)

    def _fold(self, view: Conversation, run: Run, room: Room) -> Fold:
        """Return a run as one round within its share; what it came to is told by a model where it did.

        How much is to be freed decides nothing about what a model is asked of.
        """
        chains = list(self._chains(view, run, room))
        written = sum(room.count(one.line()) for chain in chains for one in chain.entries if one.is_told)
        last = run.spans[-1]
        stays = runs.tokens_of(view, [last]) - sum(
            block.tokens for index in last for block in view.messages[index].blocks if _is_result(block)
        )
        allowed = max(self._share(view, run.spans) - written - stays, _LEAST_TOKENS)
        return runs.fold(view, run.spans, chains, allowed, "current_turn", room)

    def _chains(self, view: Conversation, run: Run, room: Room) -> Iterator[Chain]:
        """Yield what the rounds of a run come to; the text beside the last call is not told, for it stays."""
        rest = run.spans
        for group in parted(view, run) if self.model else ():
            chain = chain_of(view, group, "work", self._share(view, group), room)
            yield from [chain] if chain else self._read(view, run, group)
            rest = rest[len(group) :]
        yield from self._read(view, run, rest)

    def _read(self, view: Conversation, run: Run, spans: Sequence[Span]) -> Iterator[Chain]:
        return (runs.read(view, span, 0 if span == run.spans[-1] else _TEXT_CHARS) for span in spans)

    def _share(self, view: Conversation, spans: Sequence[Span]) -> int:
        """Return what rounds may take, a note among them too: else a long turn would grow and grow."""
        return max(int(runs.tokens_of(view, spans) * self.target_ratio), _LEAST_TOKENS)

    def _cut(self, view: Conversation, span: Span, room: Room) -> Fold:
        """Return a round that stands alone with its results cut to their share."""
        changes: dict[int, Message] = {}
        offloads: list[Offload] = []
        for index, position, block in _results(view, span):
            cap = Cap(max(int(block.tokens * self.target_ratio), _LEAST_TOKENS), head_share=self.head_share)
            whole = Counted(block.text, block.tokens)
            text = shorten(whole, cap, room.count, _original(block, room))
            if text is not whole:
                changes[index] = with_texts(changes.get(index, view.messages[index]), {position: text})
                offloads += _put_away(block, "", text)
        saved = sum(view.messages[index].tokens - message.tokens for index, message in changes.items())
        return Fold(changes, range(0), offloads, saved)


def _start(view: Conversation) -> int:
    """Return where what was done in the current turn begins."""
    return view.head_end if view.last_user is None else view.last_user + 1


def _is_result(block: Block) -> bool:
    return block.kind is Kind.TOOL_RESULT and block.path is not None


def _results(view: Conversation, span: Span) -> Iterator[tuple[int, int, Block]]:
    """Yield the results of a round that nothing was left out of yet, each with its message and place."""
    for index in span:
        for position, block in enumerate(view.messages[index].blocks):
            if _is_result(block) and not marks.is_marked(block.text) and not _is_brief(block.text):
                yield index, position, block


def _is_brief(text: str) -> bool:
    """Return whether a text stands for another already."""
    first = text[:1000].partition("\n")[0]
    is_told = first.startswith("[haversack: ") and first.endswith(f"{_IN_BRIEF}]")
    return is_told or bool(marks.stub_id(text)) or marks.is_chain(text)


def _brief(block: Block, name: str, text: str, room: Room) -> Counted:
    """Return what a model wrote of a content, with what it stands for and how to get that."""
    source = f"{name}, " if name else ""
    what = f"{source}{block.tokens} tokens, {len(block.text)} characters, {_IN_BRIEF}"
    brief = f"{marks.stand_in(what, _original(block, room))}\n{text}"
    return Counted(brief, room.count(brief))


def _original(block: Block, room: Room) -> str:
    """Return the id under which the whole text can be had; empty if it cannot, or is not here whole."""
    return marks.content_id(block.text) if room.archive and not marks.is_marked(block.text) else ""


def _put_away(block: Block, name: str, shorter: Counted) -> list[Offload]:
    """Return what is to be stored of a content whose text now is another."""
    id = marks.content_id(block.text)
    return [Offload(id, block.text, name)] if id in shorter.text else []
