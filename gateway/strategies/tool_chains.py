"""Fold a finished run of rounds into one: its last round stays, and its result tells what all of them did.

The note stands where a result stood, so every role stays in its place: whatever a strict template wants to
alternate goes on doing so, now and when the run grows, and calls keep their reasoning beside them. What
tools said keeps the standing of tools; in the assistant's own words it would be believed, and imitated.

A later note takes an earlier one over, so notes never nest.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gateway.core.conversation import Block, Conversation, Kind, Message, Offload, Span
from gateway.strategies import chains, facts, marks
from gateway.strategies.base import Room, Strategy
from gateway.strategies.chains import Chain, Entry
from gateway.strategies.results import is_named, with_texts
from gateway.strategies.shorten import Cap, Counted, shorten

_FRAME_TOKENS = 120
"""What a note takes that says nothing."""


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

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        for name in ("min_tokens", "text_chars"):
            if getattr(self, name) < 0:
                yield f"{name} must not be negative, got {getattr(self, name)}"
        if self.min_messages < 4:
            yield f"min_messages must be at least 4, two rounds, got {self.min_messages}"
        if self.max_tokens < 100:
            yield f"max_tokens must be at least 100, got {self.max_tokens}"

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with its oldest runs folded, until the target is met."""
        excess = view.tokens - room.target
        changes: dict[int, Message] = {}
        gone: list[int] = []
        offloads: list[Offload] = []
        for run in _runs(view, room.tail(view), self.deny):
            if excess <= 0:
                break
            if not self._is_worth(view, run):
                continue
            fold = self._least(view, run, excess, room)
            if fold.saved > 0:
                changes.update(fold.changes)
                gone += fold.gone
                offloads += fold.offloads
                excess -= fold.saved
        return view.replacing(changes, offloads).without(gone)

    def _is_worth(self, view: Conversation, run: Sequence[Span]) -> bool:
        messages = view.messages[run[0].start : run[-1].stop]
        if len(messages) < self.min_messages or sum(message.tokens for message in messages) < self.min_tokens:
            return sum(_note(view, span) is not None for span in run) > 1
        return len(run) > 1

    def _least(self, view: Conversation, run: Sequence[Span], excess: int, room: Room) -> _Fold:
        """Return the fold of as many of the oldest rounds as free the excess; of all of them, if that fails.

        What stays of a last round is known only then. To leave the rest to the next time would move the
        boundary at every turn.
        """
        read = self._needed(view, run, excess, room)
        fold = self._fold(view, run[: len(read)], read, room)
        if fold.saved < excess and len(read) < len(run):
            whole = self._fold(view, run, [self._read(view, span) for span in run], room)
            fold = whole if whole.saved > 0 else fold
        return fold

    def _needed(self, view: Conversation, run: Sequence[Span], excess: int, room: Room) -> list[Chain]:
        """Return what as many of the oldest rounds come to as free the excess; of all of them, if none do."""
        found: list[Chain] = []
        freed = -_FRAME_TOKENS
        for span in run:
            chain = self._read(view, span)
            found.append(chain)
            freed += sum(message.tokens for message in view.messages[span.start : span.stop])
            freed -= sum(room.count(entry.line()) for entry in chain.entries)
            oldest = run[: len(found)]
            stays = view.messages[span.start].tokens
            if freed - stays >= excess and self._is_worth(view, oldest) and _ends(view, oldest):
                break
        return found

    def _fold(self, view: Conversation, run: Sequence[Span], read: Sequence[Chain], room: Room) -> _Fold:
        found = [*read[:-1], self._read(view, run[-1], said=False)]
        offloads = []
        if room.archive:
            text = "\n".join(line for span in run for line in _transcript(view, span))
            offloads = [Offload(marks.content_id(text), text, "tool_chains")]
            found.append(Chain(originals=(offloads[0].id,)))
        note = chains.thinned(chains.joined(found), self.max_tokens, room.count).text()
        changes = _carrying(view, run[-1], Counted(note, room.count(note)), room)
        before = sum(message.tokens for message in view.messages[run[0].start : run[-1].stop])
        after = sum(changes.get(index, view.messages[index]).tokens for index in run[-1])
        return _Fold(changes, range(run[0].start, run[-1].start), offloads, before - after)

    def _read(self, view: Conversation, span: Span, said: bool = True) -> Chain:
        """Return what a round comes to; one with a note, what the note says."""
        note = _note(view, span)
        chain = Chain(tuple(_calls(view, span))) if note is None else chains.read(note)
        text = view.messages[span.start].text if said else ""
        if len(text) > self.text_chars:
            text = text[: self.text_chars].rstrip() + "…" if self.text_chars else ""
        if not text.strip():
            return chain
        # What was said stood before the call of this round, which is the last one in a note.
        place = 0 if note is None else max(0, len(chain.entries) - 1)
        entries = *chain.entries[:place], chains.said(text), *chain.entries[place:]
        return replace(chain, entries=entries)


@dataclass(frozen=True, slots=True)
class _Fold:
    """What becomes of a run: how the messages of its last round change; the others go."""

    changes: dict[int, Message]
    gone: range
    offloads: list[Offload]
    saved: int


def _runs(view: Conversation, stop: int, deny: Sequence[str]) -> Iterator[list[Span]]:
    """Yield the runs of consecutive rounds before *stop*, oldest first; each can end in a note."""
    run: list[Span] = []
    for span in view.rounds:
        if run and (span.start != run[-1].stop or span.stop > stop):
            yield from _ended(view, run)
            run = []
        if span.stop > stop:
            return
        if _is_finished(view, span, deny):
            run.append(span)
        else:
            yield from _ended(view, run)
            run = []
    yield from _ended(view, run)


def _ends(view: Conversation, run: Sequence[Span]) -> bool:
    """Return whether the last round of a run has a place for a note at its end."""
    return bool(_places(view.messages[run[-1].stop - 1]))


def _ended(view: Conversation, run: list[Span]) -> Iterator[list[Span]]:
    while run and not _ends(view, run):
        run = run[:-1]
    if run:
        yield run


def _is_finished(view: Conversation, span: Span, deny: Sequence[str]) -> bool:
    calls = [block for block in view.messages[span.start].blocks if block.kind is Kind.TOOL_CALL]
    return len(span) > len(calls) and all(is_named(block.name, (), deny) for block in calls)


def _places(message: Message) -> list[int]:
    """Return the positions of the blocks of a message in which a note can stand."""
    return [
        position
        for position, block in enumerate(message.blocks)
        if block.kind is Kind.TOOL_RESULT and block.path is not None and block.text
    ]


def _note(view: Conversation, span: Span) -> str | None:
    """Return the note of a round: it stands in its last result."""
    texts = [view.messages[i].blocks[position].text for i in span for position in _places(view.messages[i])]
    return texts[-1] if texts and marks.is_chain(texts[-1]) else None


def _calls(view: Conversation, span: Span) -> Iterator[Entry]:
    """Yield the calls of a round, each with its outcome."""
    waiting: dict[str, deque[str]] = {}
    for index in range(span.start + 1, span.stop):
        for call_id, text in _results(view.messages[index]).items():
            waiting.setdefault(call_id, deque()).append(text)
    for block in view.messages[span.start].blocks:
        if block.kind is Kind.TOOL_CALL:
            texts = waiting.get(block.call_id)
            outcome = facts.outcome(texts.popleft(), block.text) if texts else "no result"
            changes = facts.is_change(block.name, block.text)
            yield chains.call(facts.signature(block.name, block.text), outcome, changes)


def _results(message: Message) -> dict[str, str]:
    texts: dict[str, str] = {}
    for block in message.blocks:
        if block.kind is Kind.TOOL_RESULT:
            texts[block.call_id] = "\n".join(filter(None, (texts.get(block.call_id), block.text)))
    return texts


def _carrying(view: Conversation, span: Span, note: Counted, room: Room) -> dict[int, Message]:
    """Return the messages of the last round with the note in its last result, and no more in the others."""
    places = [(index, position) for index in span for position in _places(view.messages[index])]
    changes: dict[int, Message] = {}
    for index, position in places:
        message = changes.get(index, view.messages[index])
        block = message.blocks[position]
        text = note
        if (index, position) != places[-1]:
            text = _nothing(block, room)
        changes[index] = with_texts(message, {position: text})
    return changes


def _nothing(block: Block, room: Room) -> Counted:
    """Return the notice alone, or the text if that is shorter."""
    text = Counted(block.text, block.tokens)
    return text if marks.stub_id(block.text) else shorten(text, Cap(0), room.count)


def _transcript(view: Conversation, span: Span) -> Iterator[str]:
    """Yield the calls and results of a round as they were, to be put away."""
    for index in span:
        for block in view.messages[index].blocks:
            if block.kind is Kind.TOOL_CALL:
                yield f"{block.name}({block.text})"
            elif block.text:
                yield block.text
