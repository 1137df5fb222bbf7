"""The results of tool calls in a conversation, oldest first, each with the name of its tool.

A result may be spread over several text blocks of its message, and clients reuse call ids from turn to
turn, so a result is paired with the call of its own round only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

import msgspec

from gateway.core.conversation import Block, Conversation, Kind, Message, Role, Span
from gateway.strategies.shorten import Counted


class Result(msgspec.Struct, frozen=True):
    """What one call came to."""

    index: int
    """Of its message."""
    blocks: tuple[int, ...]
    """Those of its blocks whose text can be edited."""
    name: str
    """Of the tool; empty if no call tells it."""
    tokens: int
    """Of these blocks."""
    call_id: str = ""


def results(view: Conversation) -> Iterator[Result]:
    """Yield the results, oldest first."""
    names: Mapping[str, str] = {}
    for index, message in enumerate(view.messages):
        if message.role is Role.TOOL:
            yield from _of_message(index, message, names)
        else:
            names = {b.call_id: b.name for b in message.blocks if b.kind is Kind.TOOL_CALL}


def answered(view: Conversation, span: Span) -> Iterator[tuple[Block, Result]]:
    """Yield the calls of a round with their results; where ids are empty or there twice, in order."""
    waiting: dict[str, deque[Block]] = {}
    for block in view.messages[span.start].blocks:
        if block.kind is Kind.TOOL_CALL:
            waiting.setdefault(block.call_id, deque()).append(block)
    for index in range(span.start + 1, span.stop):
        for result in _of_message(index, view.messages[index], {}):
            if calls := waiting.get(result.call_id):
                yield calls.popleft(), result


def _of_message(index: int, message: Message, names: Mapping[str, str]) -> Iterator[Result]:
    if len(message.blocks) == 1 and (block := message.blocks[0]).kind is Kind.TOOL_RESULT:
        places = (0,) if block.path is not None and block.text else ()
        name = block.name or names.get(block.call_id, "")
        yield Result(index, places, name, block.tokens if places else 0, block.call_id)
        return
    grouped: dict[str, list[int]] = {}
    for position, block in enumerate(message.blocks):
        if block.kind is Kind.TOOL_RESULT:
            grouped.setdefault(block.call_id, []).append(position)
    for call_id, positions in grouped.items():
        blocks = tuple(p for p in positions if message.blocks[p].path is not None and message.blocks[p].text)
        name = message.blocks[positions[0]].name or names.get(call_id, "")
        yield Result(index, blocks, name, sum(message.blocks[p].tokens for p in blocks), call_id)


def is_named(name: str, allow: Sequence[str], deny: Sequence[str]) -> bool:
    """Return whether a tool may be touched: it matches *allow*, if there is any, and nothing in *deny*.

    >>> is_named("read_file", ("read_*",), ("*secret*",))
    True
    """
    allowed = not allow or any(fnmatchcase(name, glob) for glob in allow)
    return allowed and not any(fnmatchcase(name, glob) for glob in deny)


def with_texts(message: Message, texts: Mapping[int, Counted]) -> Message:
    """Return the message with the texts of these blocks replaced; the same message if they say the same."""
    for position, text in texts.items():
        message = message.with_text(position, text.text, text.known)
    return message
