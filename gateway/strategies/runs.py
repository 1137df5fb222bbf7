"""Runs of rounds: where they are, what they come to, and how one is folded into the last of its rounds.

The note stands where a result stood, so every role stays in its place: whatever a strict template wants to
alternate goes on doing so, now and when the run grows, and calls keep their reasoning beside them. What
tools said keeps the standing of tools; in the assistant's own words it would be believed, and imitated.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from gateway.core.conversation import Block, Conversation, Kind, Message, Offload, Span
from gateway.core.frozen import replace
from gateway.strategies import chains, facts, marks
from gateway.strategies.base import Room
from gateway.strategies.chains import Chain, Entry
from gateway.strategies.results import is_named, with_texts
from gateway.strategies.shorten import Cap, Counted, shorten

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Run:
    """Rounds with nothing between them, the last of which has a place for a note."""

    spans: tuple[Span, ...]
    is_over: bool
    """Whether something else follows, so that no round will join it."""


@dataclass(frozen=True, slots=True)
class Fold:
    """What becomes of a run or a turn: how messages of it change, and which of the others go."""

    changes: dict[int, Message]
    gone: Sequence[int]
    offloads: list[Offload]
    saved: int
    """Tokens."""


def folded(
    view: Conversation, room: Room, parts: Iterable[T], fold: Callable[[T, int], Fold | None]
) -> Conversation:
    """Return the conversation with parts of it folded, in their order, until there is no more than fits.

    *fold* is told how many tokens are too many; where messages are too many, all that can be had.
    """
    excess = view.tokens - room.target
    changes: dict[int, Message] = {}
    gone: list[int] = []
    offloads: list[Offload] = []
    for part in parts:
        are_too_many = 0 < room.messages < len(view.messages) - len(gone)
        if excess <= 0 and not are_too_many:
            break
        found = fold(part, sys.maxsize if are_too_many else excess)
        if found is not None and found.saved > 0:
            changes.update(found.changes)
            gone += found.gone
            offloads += found.offloads
            excess -= found.saved
    return view.replacing(changes, offloads).without(gone)


def runs(
    view: Conversation, start: int, stop: int, deny: Sequence[str], border: int | None = None
) -> Iterator[Run]:
    """Yield the runs of consecutive finished rounds between two indices, oldest first.

    A round that calls a tool named in *deny* is in none, and ends one. No run goes over *border*.
    """
    run: list[Span] = []
    for span in view.rounds:
        if span.start < start:
            continue
        may_join = _may_join(view, span, deny)
        if run and span.start == border:
            yield from _ended(view, run, True)
            run = []
        if run and (span.start != run[-1].stop or span.stop > stop):
            yield from _ended(view, run, span.start != run[-1].stop or not may_join)
            run = []
        if span.stop > stop:
            return
        if may_join and _is_finished(view, span):
            run.append(span)
        else:
            yield from _ended(view, run, not may_join)
            run = []
    yield from _ended(view, run, bool(run) and run[-1].stop < len(view.messages))


def _ended(view: Conversation, run: list[Span], is_over: bool) -> Iterator[Run]:
    while run and not ends(view, run):
        run = run[:-1]
    if run:
        yield Run(tuple(run), is_over)


def ends(view: Conversation, run: Sequence[Span]) -> bool:
    """Return whether the last round of a run has a place for a note at its end."""
    return bool(_places(view.messages[run[-1].stop - 1]))


def _may_join(view: Conversation, span: Span, deny: Sequence[str]) -> bool:
    return all(is_named(block.name, (), deny) for block in _called(view, span))


def _is_finished(view: Conversation, span: Span) -> bool:
    return len(span) > len(_called(view, span))


def _called(view: Conversation, span: Span) -> list[Block]:
    return [block for block in view.messages[span.start].blocks if block.kind is Kind.TOOL_CALL]


def messages_of(view: Conversation, spans: Sequence[Span]) -> tuple[Message, ...]:
    """Return the messages of consecutive rounds."""
    return view.messages[spans[0].start : spans[-1].stop]


def tokens_of(view: Conversation, spans: Sequence[Span]) -> int:
    """Return the tokens of consecutive rounds."""
    return sum(message.tokens for message in messages_of(view, spans))


def note_of(view: Conversation, span: Span) -> str | None:
    """Return the note of a round: it stands in its last result.

    One that a tool imitates is read, too, with a tool's standing. Where it came from does not tell: a client
    that goes on with the list of a dry run sends our own notes as results, and only a secret would part them.
    """
    texts = [view.messages[i].blocks[position].text for i in span for position in _places(view.messages[i])]
    return texts[-1] if texts and marks.is_chain(texts[-1]) else None


def read(view: Conversation, span: Span, text_chars: int) -> Chain:
    """Return what a round comes to; one with a note, what the note says.

    Of the text beside its calls *text_chars* are told; 0: it is not told.
    """
    note = note_of(view, span)
    chain = Chain(tuple(_calls(view, span))) if note is None else chains.read(note)
    text = view.messages[span.start].text if text_chars else ""
    if len(text) > text_chars:
        text = text[:text_chars].rstrip() + "…"
    if not text.strip():
        return chain
    # What was said stood before the call of this round, which is the last one in a note.
    place = 0 if note is None else max(0, len(chain.entries) - 1)
    entries = *chain.entries[:place], chains.said(text), *chain.entries[place:]
    return replace(chain, entries=entries)


def fold(
    view: Conversation, spans: Sequence[Span], found: Iterable[Chain], max_tokens: int, name: str, room: Room
) -> Fold:
    """Return what becomes of rounds that come to these chains: one round, with a note of so many tokens.

    What a model told is not counted in that. *name* says which step put away what the note is about.
    """
    parts, offloads = list(found), []
    if room.archive:
        text = transcript(messages_of(view, spans))
        offloads = [Offload(marks.content_id(text), text, name)]
        parts.append(Chain(originals=(offloads[0].id,)))
    chain = chains.joined(parts)
    told = sum(room.count(entry.line()) for entry in chain.entries if entry.is_told)
    note = chains.thinned(chain, max_tokens + told, room.count).text()
    changes = _carrying(view, spans[-1], Counted(note, room.count(note)), room)
    after = sum(changes.get(index, view.messages[index]).tokens for index in spans[-1])
    gone = range(spans[0].start, spans[-1].start)
    return Fold(changes, gone, offloads, tokens_of(view, spans) - after)


def _places(message: Message) -> list[int]:
    """Return the positions of the blocks of a message in which a note can stand."""
    return [
        position
        for position, block in enumerate(message.blocks)
        if block.kind is Kind.TOOL_RESULT and block.path is not None and block.text
    ]


def _calls(view: Conversation, span: Span) -> Iterator[Entry]:
    """Yield the calls of a round, each with its outcome."""
    waiting: dict[str, deque[tuple[str, bool]]] = {}
    for index in range(span.start + 1, span.stop):
        is_marked = facts.is_failed(view.messages[index])
        for call_id, text in _results(view.messages[index]).items():
            waiting.setdefault(call_id, deque()).append((text, is_marked))
    for block in _called(view, span):
        results = waiting.get(block.call_id)
        outcome = "no result"
        if results:
            text, is_marked = results.popleft()
            outcome = facts.outcome(text, block.text, is_marked)
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


def transcript(messages: Iterable[Message]) -> str:
    """Return calls, results and texts as they were, to be put away."""
    lines = (
        f"{block.name}({block.text})" if block.kind is Kind.TOOL_CALL else block.text
        for message in messages
        for block in message.blocks
    )
    return "\n".join(filter(None, lines))
