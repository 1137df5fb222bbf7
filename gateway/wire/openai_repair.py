"""Repair and validate the structure of a Chat Completions list: the last step of every rewrite.

Only taking away, never inventing: a made-up result would tell the model something that did not happen.
What the client itself sent out of order goes too, because a list that is rewritten must be valid and the
upstream would have refused it anyway; a list that is not rewritten is never repaired.

Calls and results are paired within their round and nowhere else: the results stand directly behind the
message with the calls. Ids may be used again in later rounds, and where a client lost them (they are
empty), calls and results of the round are paired in order. A round without any result at the very end is
open: the client asks for its continuation, and it stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from gateway.core.conversation import Conversation, Count, Kind, Message, Role, Span
from gateway.wire.members import is_emptied, settled
from gateway.wire.openai_message import answers, calls, keeping_calls

Keeping = Callable[[Message, frozenset[int], Count], Message | None]
"""Returns a message with only the calls at these positions; None if nothing would be left of it."""


def repair(view: Conversation, count: Count, keeping: Keeping = keeping_calls) -> Conversation:
    """Return a list that the vendor's rules accept; *view* itself if it is one."""
    return settled(view, lambda view: _repair_rounds(_without_opening(_without_empty(view)), count, keeping))


@dataclass(frozen=True, slots=True)
class Words:
    """How a vendor says what is wrong; `{index}` is that of the message in the list."""

    empty: str = "[] is too short - 'messages'"
    stray: str = (
        "messages[{index}]: messages with role 'tool' must be a response to a preceding message with "
        "'tool_calls'"
    )
    doubled: str = "messages[{index}]: duplicate value for 'tool_call_id'"
    unanswered: str = (
        "messages[{index}]: an assistant message with 'tool_calls' must be followed by tool messages "
        "responding to each 'tool_call_id': no response to {ids}"
    )
    opening: str = ""
    """That no user message comes first; empty: the vendor does not mind."""


def problems(view: Conversation, words: Words = Words()) -> list[str]:
    """Return what the vendor would refuse about the list, in its words.

    Only what the gateway could have broken: roles and fields it does not know are the upstream's to judge.
    """
    if not view.messages:
        return [words.empty]
    is_opening_wrong = bool(words.opening) and next(_opening(view), None) is not None
    return [
        *([words.opening] if is_opening_wrong else []),
        *(words.stray.format(index=index) for index in _strays(view)),
        *(problem for span in view.rounds for problem in _round_problems(view, span, words)),
    ]


class _Pairs(msgspec.Struct, frozen=True):
    """Who belongs together in one round."""

    calls: frozenset[int]
    """Positions of the calls that are answered, each once."""
    results: frozenset[int]
    """Indices of the messages that answer them."""


_BROKEN_OFF = re.compile(
    r"\W*(?:(?:the )?(?:tool|call|user|run|task|execution|operation|request)\W+(?:\w+ )?){0,3}"
    r"(?:abort|cancel|interrupt|error|fail|timed? ?out|reject|denied|unknown tool|no such tool)",
    re.IGNORECASE,
)
"""How a result begins that stands for none. Only asked where two results claim one call."""


def _pair(view: Conversation, span: Span) -> _Pairs:
    offered = _positions(view.messages[span.start])
    found: dict[str, list[tuple[int, int]]] = {}
    for index in range(span.start + 1, span.stop):
        call_id = answers(view.messages[index])
        positions, pairs = offered.get(call_id, []), found.setdefault(call_id, [])
        if len(pairs) < len(positions):
            pairs.append((positions[len(pairs)], index))
        elif positions and call_id:
            pairs.append((positions[-1], index))
    kept = [pair for call_id, pairs in found.items() for pair in (_best(view, pairs) if call_id else pairs)]
    return _Pairs(frozenset(position for position, _ in kept), frozenset(index for _, index in kept))


def _best(view: Conversation, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the one pair of an id that stays: the first that came to an end, or else the first.

    A run that is broken off and taken up again leaves two calls, or two results, under one id.
    """
    if len(pairs) < 2:
        return pairs
    ended = (pair for pair in pairs if not _is_broken_off(view.messages[pair[1]]))
    return [next(ended, pairs[0])]


def _is_broken_off(message: Message) -> bool:
    text = "".join(block.text for block in message.blocks if block.kind is Kind.TOOL_RESULT)
    return not text.strip() or _BROKEN_OFF.match(text) is not None


def _positions(message: Message) -> dict[str, list[int]]:
    """Return the positions of the calls of each id, in order."""
    found: dict[str, list[int]] = {}
    for position, call in enumerate(calls(message)):
        found.setdefault(call.call_id, []).append(position)
    return found


def _repair_rounds(view: Conversation, count: Count, keeping: Keeping) -> Conversation:
    """Take away results without a call, calls without a result, and all but one of either for an id."""
    changes: dict[int, Message] = {}
    gone = set(_strays(view))
    for span in view.rounds:
        pairs = _pair(view, span)
        gone.update(index for index in range(span.start + 1, span.stop) if index not in pairs.results)
        message = view.messages[span.start]
        kept = _kept_calls(view, span, pairs)
        if len(kept) == len(calls(message)):
            continue
        edited = keeping(message, kept, count)
        if edited is None:
            gone.add(span.start)
        else:
            changes[span.start] = edited
    return view.replacing(changes).without(gone)


def _kept_calls(view: Conversation, span: Span, pairs: _Pairs) -> frozenset[int]:
    if pairs.calls or span.stop < len(view.messages):
        return pairs.calls
    offered = _positions(view.messages[span.start])
    return frozenset(p for call_id, places in offered.items() for p in (places[:1] if call_id else places))


def _strays(view: Conversation) -> Iterator[int]:
    """Yield the indices of results that follow no call."""
    inside = {index for span in view.rounds for index in span}
    for index, message in enumerate(view.messages):
        if message.role is Role.TOOL and index not in inside:
            yield index


def _without_empty(view: Conversation) -> Conversation:
    """Drop messages that edits have emptied; what the client sent empty stays (some upstreams want it)."""
    return view.without(index for index, message in enumerate(view.messages) if is_emptied(message))


def _without_opening(view: Conversation) -> Conversation:
    """Drop what stands before the first user message, if a cut made the list begin that way.

    Strict chat templates want a user message first. A client's own greeting stays: it is still in the
    place that the client gave it. Without a user message there is nothing to begin with, and all stays.
    """
    return view.without(_opening(view))


def _opening(view: Conversation) -> Iterator[int]:
    """Yield the indices of what a cut has left before the first user message."""
    first_user = view.turns[0].start if view.turns else view.head_end
    if first_user == view.head_end or _opens_as_sent(view):
        return
    for index in range(view.head_end, first_user):
        if view.messages[index].role is not Role.SYSTEM:
            yield index


def _opens_as_sent(view: Conversation) -> bool:
    """Return whether nothing was taken away before the first message that is as the client sent it."""
    for index in range(view.head_end, len(view.messages)):
        origin = view.messages[index].origin
        if origin is not None:
            return origin == index
    return False


def _round_problems(view: Conversation, span: Span, words: Words) -> Iterator[str]:
    pairs = _pair(view, span)
    ids = [call.call_id for call in calls(view.messages[span.start])]
    if len(set(filter(None, ids))) < len(list(filter(None, ids))):
        yield words.doubled.format(index=span.start)
    missing = [ids[position] for position in range(len(ids)) if position not in pairs.calls]
    if missing and (len(span) > 1 or span.stop < len(view.messages)):
        yield words.unanswered.format(index=span.start, ids=", ".join(missing))
    for index in range(span.start + 1, span.stop):
        if index not in pairs.results:
            yield words.stray.format(index=index)
