"""Repair and validate the structure of a Responses input: the last step of every rewrite.

Only taking away, never inventing, as for every format. A result answers the call of its id wherever that
stands before it, for this API does not ask for them to be neighbours; a call that nothing answers is refused,
unless it ends the list: then the client asks for its continuation. Reasoning needs the item that follows it,
and an item that came with reasoning needs that, or else must not bear the name by which the vendor knows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gateway.core.conversation import Block, Conversation, Count, Kind, Message, Role
from gateway.wire.members import is_emptied, settled
from gateway.wire.responses_items import calls, keeping_calls, unbound, without_last_reasoning


def repair(view: Conversation, count: Count) -> Conversation:
    """Return a list that the vendor's rules accept; *view* itself if it is one."""
    return settled(view, lambda view: _mended(view, count))


def _mended(view: Conversation, count: Count) -> Conversation:
    for mend in (_without_empty, _paired, _without_lone_reasoning, _unbound):
        view = mend(view, count)
    return view


def problems(view: Conversation) -> list[str]:
    """Return what the vendor would refuse about the list, in its words.

    Only what the gateway could have broken: roles and fields it does not know are the upstream's to judge.
    """
    if not view.messages:
        return ['One of "input" or "previous_response_id" must be provided.']
    pairs = _pairs(view)
    unanswered = (block.call_id for block in _unanswered(view, pairs))
    return [
        *(f"No tool output found for function call {call_id}." for call_id in unanswered),
        *(f"input[{index}]: no tool call found for function call output" for index in _strays(view, pairs)),
        *(f"input[{index}]: reasoning without its required following item" for index in _lone(view)),
    ]


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Who belongs together."""

    calls: dict[int, frozenset[int]]
    """Positions of the calls that are answered, by the index of their message."""
    results: frozenset[int]
    """Indices of the messages that answer them."""


def _pairs(view: Conversation) -> _Pairs:
    """Return the pairs: a result belongs to the latest call of its id that none has answered.

    Calls that are only referred to have no id here, and are taken for answered; any result behind them may be
    theirs.
    """
    waiting: dict[str, list[tuple[int, int]]] = {}
    answered: dict[int, set[int]] = {}
    results: set[int] = set()
    has_unnamed = False
    for index, message in enumerate(view.messages):
        if message.role is Role.ASSISTANT:
            asked = calls(message)
            for position, call in enumerate(asked):
                waiting.setdefault(call.call_id, []).append((index, position))
            unnamed = {position for position, call in enumerate(asked) if not call.call_id}
            answered[index], has_unnamed = unnamed, bool(unnamed)
        elif message.role is Role.TOOL and (open_calls := waiting.get(_answers(message))):
            row, position = open_calls.pop()
            answered[row].add(position)
            results.add(index)
        elif message.role is Role.TOOL and has_unnamed:
            results.add(index)
    pairs = {index: frozenset(positions) for index, positions in answered.items()}
    return _Pairs(pairs, frozenset(results))


def _answers(message: Message) -> str:
    return message.blocks[0].call_id if message.blocks else ""


def _unanswered(view: Conversation, pairs: _Pairs) -> Iterator[Block]:
    """Yield the calls that a result is missing for."""
    for index, message in enumerate(view.messages[:-1]):
        if message.role is Role.ASSISTANT:
            kept = pairs.calls.get(index, frozenset())
            yield from (call for position, call in enumerate(calls(message)) if position not in kept)


def _strays(view: Conversation, pairs: _Pairs) -> Iterator[int]:
    """Yield the indices of results that answer no call."""
    for index, message in enumerate(view.messages):
        if message.role is Role.TOOL and index not in pairs.results:
            yield index


def _paired(view: Conversation, count: Count) -> Conversation:
    """Take away results without a call and calls without a result."""
    pairs = _pairs(view)
    changes: dict[int, Message | None] = dict.fromkeys(_strays(view, pairs))
    for index, message in enumerate(view.messages[:-1]):
        kept = pairs.calls.get(index, frozenset())
        if message.role is Role.ASSISTANT and len(kept) < len(calls(message)):
            changes[index] = keeping_calls(message, kept, count)
    return _changed(view, changes)


def _changed(view: Conversation, changes: Mapping[int, Message | None]) -> Conversation:
    edited = {index: message for index, message in changes.items() if message is not None}
    return view.replacing(edited).without(index for index in changes if index not in edited)


def _lone(view: Conversation) -> Iterator[int]:
    """Yield the indices of rows that end in reasoning, though something else than their item follows.

    At the end of the list a client that was cut off takes up its own reasoning again (codex does). An item of
    a kind that is not known here may be what the reasoning led to.
    """
    for index, message in enumerate(view.messages[:-1]):
        if message.role is Role.ASSISTANT and message.blocks and message.blocks[-1].kind is Kind.REASONING:
            behind = view.messages[index + 1]
            if not (behind.role is Role.SYSTEM and behind.blocks and behind.blocks[0].kind is Kind.OTHER):
                yield index


def _without_lone_reasoning(view: Conversation, count: Count) -> Conversation:
    return _changed(
        view, {index: without_last_reasoning(view.messages[index], count) for index in _lone(view)}
    )


def _without_empty(view: Conversation, count: Count) -> Conversation:
    """Drop messages that edits have emptied; what the client sent empty stays."""
    return view.without(index for index, message in enumerate(view.messages) if is_emptied(message))


def _unbound(view: Conversation, count: Count) -> Conversation:
    """Take their names from items that lost what stood before them: their reasoning may have been there.

    What the client put between the items of one answer parts them into rows, and frees none of its reasoning.
    """
    changes: dict[int, Message] = {}
    before = -1, -1
    is_behind_changed = False
    for index, message in enumerate(view.messages):
        if message.origin is not None:
            is_cut = message.origin - before[1] > index - before[0]
            if (is_cut or is_behind_changed) and message.role is Role.ASSISTANT:
                changes[index] = unbound(message)
            before = index, message.origin
        if message.role is not Role.SYSTEM:
            is_behind_changed = message.role is Role.ASSISTANT and message.origin is None
    return view.replacing({i: after for i, after in changes.items() if after is not view.messages[i]})
