"""Fold a finished run of rounds into one: its last round stays, and its result tells what all of them did.

By rules, or, where a model was asked beforehand, in its words. A later note takes an earlier one over, so
notes never nest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gateway.core.conversation import Conversation, Span
from gateway.strategies import runs
from gateway.strategies.base import Room, Strategy
from gateway.strategies.chains import Chain
from gateway.strategies.reach import reach
from gateway.strategies.runs import Fold, Run
from gateway.strategies.told import chain_of, parted

_FRAME_TOKENS = 120
"""What a note takes that says nothing."""

Told = Mapping[tuple[Span, ...], Chain | None]
"""Pieces of a run, each with what a model wrote of it."""


@dataclass(frozen=True, kw_only=True)
class ToolChains(Strategy):
    """A finished run of rounds becomes one round whose result tells all of them in brief."""

    min_messages: int = 6
    """Runs of fewer messages, calls and results together, stay as they are."""
    min_tokens: int = 2000
    """Runs of fewer tokens stay as they are."""
    max_tokens: int = 2000
    """Cap of a note; over it, the oldest calls that only looked at something go first."""
    text_chars: int = 500
    """How much stays of each text that the assistant wrote beside its calls."""
    deny: tuple[str, ...] = ()
    """Globs of tool names; a round that calls one of them is never folded, and ends a run."""
    model: bool = False
    """Whether a note is what a model wrote of the run, where it did; `max_tokens` for each of its texts."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        yield from self.negative("min_tokens", "text_chars")
        if self.min_messages < 4:
            yield f"min_messages must be at least 4, two rounds, got {self.min_messages}"
        if self.max_tokens < 100:
            yield f"max_tokens must be at least 100, got {self.max_tokens}"

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with its oldest runs folded, until the target is met."""
        # Over it, a note would tell of more than the summary that is about to take its place.
        border = reach(view, room.summary.length) if room.summary is not None else None
        found = runs.runs(view, 0, room.tail(view), self.deny, border)
        return runs.folded(view, room, found, lambda run, excess: self._folded(view, run, excess, room))

    def _is_worth(self, view: Conversation, run: Sequence[Span]) -> bool:
        if len(run) < 2:
            return False
        messages = runs.messages_of(view, run)
        if len(messages) >= self.min_messages and runs.tokens_of(view, run) >= self.min_tokens:
            return True
        return sum(runs.note_of(view, span) is not None for span in run) > 1

    def _folded(self, view: Conversation, run: Run, excess: int, room: Room) -> Fold | None:
        if not self._is_worth(view, run.spans):
            return None
        return self._told(view, run, excess, room) if self.model else self._least(view, run, excess, room)

    def _told(self, view: Conversation, run: Run, excess: int, room: Room) -> Fold:
        """Return the fold of what a model could be asked of; of the whole run, where that frees too little.

        How much is to be freed decides nothing about what it is asked of.
        """
        told = {group: self._written(view, group, room) for group in parted(view, run)}
        settled = run.spans[: sum(map(len, told))]
        if len(settled) == len(run.spans) or not settled or not self._is_worth(view, settled):
            return self._fold(view, run.spans, self._chains(view, run.spans, told), room)
        first = self._fold(view, settled, self._chains(view, settled, told), room)
        if first.saved >= excess:
            return first
        whole = self._fold(view, run.spans, self._chains(view, run.spans, told), room)
        return whole if whole.saved > first.saved else first

    def _written(self, view: Conversation, group: tuple[Span, ...], room: Room) -> Chain | None:
        return chain_of(view, group, "calls", self.max_tokens, room)

    def _chains(self, view: Conversation, spans: Sequence[Span], told: Told) -> list[Chain]:
        """Return what rounds come to, by a model or by rules.

        What was said beside the call of the last one is not told: it stays.
        """
        said_by = {span: (group, chain) for group, chain in told.items() if chain for span in group}
        found: list[Chain] = []
        for span in spans:
            group, chain = said_by.get(span, ((span,), None))
            if chain is None:
                found.append(runs.read(view, span, 0 if span == spans[-1] else self.text_chars))
            elif span == group[0]:
                found.append(chain)
        return found

    def _least(self, view: Conversation, run: Run, excess: int, room: Room) -> Fold:
        """Return the fold of as many of the oldest rounds as free the excess; of all of them, if that fails.

        What stays of a last round is known only then. To leave the rest to the next time would move the
        boundary at every turn.
        """
        read = self._needed(view, run.spans, excess, room)
        oldest = run.spans[: len(read)]
        fold = self._fold(view, oldest, [*read[:-1], runs.read(view, oldest[-1], 0)], room)
        if fold.saved < excess and len(read) < len(run.spans):
            whole = self._fold(view, run.spans, self._chains(view, run.spans, {}), room)
            fold = whole if whole.saved > 0 else fold
        return fold

    def _needed(self, view: Conversation, run: Sequence[Span], excess: int, room: Room) -> list[Chain]:
        """Return what as many of the oldest rounds come to as free the excess; of all of them, if none do."""
        found: list[Chain] = []
        freed = -_FRAME_TOKENS
        for span in run:
            chain = runs.read(view, span, self.text_chars)
            found.append(chain)
            freed += runs.tokens_of(view, [span])
            freed -= sum(room.count(entry.line()) for entry in chain.entries)
            oldest = run[: len(found)]
            stays = view.messages[span.start].tokens
            if freed - stays >= excess and self._is_worth(view, oldest) and runs.ends(view, oldest):
                break
        return found

    def _fold(self, view: Conversation, spans: Sequence[Span], found: Sequence[Chain], room: Room) -> Fold:
        return runs.fold(view, spans, found, self.max_tokens, "tool_chains", room)
