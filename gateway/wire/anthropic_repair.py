"""Repair and validate the structure of a Messages list: the last step of every rewrite.

Calls and results are paired as in Chat Completions: the results stand directly behind the message with the
calls (`anthropic_slices` writes them first into the one user message that follows). What this dialect asks
for beside that:

- Texts say something, in results too, and a message is more than thinking. Judged only where an edit may have
  been the cause; what the client sent is the upstream's to judge.
- The list does not end in an answer with white space behind it: the model would go on from there.
- The vendor joins answers that stand together, and wants thinking first in them; so nothing that was written
  or changed here stands before an answer that thinks, nor an acknowledgement before any.
- Thinking belongs to what stood before it. Models with "preserved thinking" refuse a block, and all behind
  it, once anything before it has changed; that of finished turns may be left out, oldest first and without a
  gap. So behind a change it goes, whole. In the turn that is still open it stays, byte for byte: other models
  want it back between a call and its result, and take it whatever stood before.
  (platform.claude.com: extended thinking, preserved thinking.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from gateway.core import json
from gateway.core.conversation import Block, Conversation, Count, Kind, Message, Role, made
from gateway.wire import openai_repair
from gateway.wire.anthropic_message import keeping_calls, read_message
from gateway.wire.anthropic_programs import severed
from gateway.wire.members import settled

_WORDS = openai_repair.Words(
    empty="messages: at least one message is required",
    stray="messages.{index}: unexpected `tool_use_id` found in `tool_result` blocks. Each `tool_result` "
    "block must have a corresponding `tool_use` block in the previous message.",
    doubled="messages.{index}: `tool_use` ids must be unique",
    unanswered="messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: "
    "{ids}",
    opening="messages: first message must use the user role",
)


def repair(view: Conversation, count: Count) -> Conversation:
    """Return a list that the vendor's rules accept; *view* itself if it is one."""
    return settled(view, lambda view: _mended(view, count))


def _mended(view: Conversation, count: Count) -> Conversation:
    view = _to_user(view, openai_repair.repair(_without_severed(view, count), count, keeping_calls))
    for mend in (_without_stale_thinking, _without_foregoing, _without_blanks, _without_trailing_space):
        view = mend(view, count)
    return view


def problems(view: Conversation) -> list[str]:
    """Return what the vendor would refuse about the list, in its words.

    Only what the gateway could have broken: roles and fields it does not know are the upstream's to judge.
    """
    return [
        *openai_repair.problems(view, _WORDS),
        *(f"messages.{index}: `tool_use_id` or `caller` of nothing" for index in _severed(view)),
        *(f"messages.{index}: Invalid `signature` in `thinking` block" for index in _stale(view)),
        *(f"messages.{index}: must start with a thinking block" for index in _foregoing(view)),
        *(f"messages.{index}: text content blocks must be non-empty" for index in _blank(view)),
        *("final assistant content cannot end with trailing whitespace" for _ in _trailing(view)),
    ]


def _changed_from(view: Conversation) -> int:
    """Return from which index on the list is not as it came; its length, if it is."""
    return next((i for i, message in enumerate(view.messages) if message.origin != i), len(view.messages))


def _severed(view: Conversation) -> dict[int, bytes | None]:
    """Return what goes on with a server's call that is not there any more, less that."""
    return severed([message.raw for message in view.messages], _changed_from(view))


def _without_severed(view: Conversation, count: Count) -> Conversation:
    found = _severed(view).items()
    return _changed(view, {index: read_message(raw, count) if raw else None for index, raw in found})


def _to_user(before: Conversation, view: Conversation) -> Conversation:
    """Return the list without answers that it ends with only now: the model would go on from them."""
    if not before.messages or before.messages[-1].role is Role.ASSISTANT:
        return view
    end = len(view.messages)
    while end and view.messages[end - 1].role is Role.ASSISTANT:
        end -= 1
    return view.without(range(end, len(view.messages)))


def _stale(view: Conversation) -> Iterator[int]:
    """Yield the indices of messages of finished turns that think behind something that has changed."""
    changed = _changed_from(view)
    for index in range(changed, _open_start(view)):
        if any(block.kind is Kind.REASONING for block in view.messages[index].blocks):
            yield index


def _open_start(view: Conversation) -> int:
    """Return where the open turn begins: what a user says behind results, in their message, begins none."""
    for turn in reversed(view.turns):
        if turn.start == 0 or view.messages[turn.start - 1].role is not Role.TOOL:
            return turn.start
    return 0


def _without_stale_thinking(view: Conversation, count: Count) -> Conversation:
    return _changed(view, {index: _thoughtless(view.messages[index], count) for index in _stale(view)})


def _thoughtless(message: Message, count: Count) -> Message | None:
    """Return the message without its thinking; None if it says nothing else."""
    if not _says_something(message):
        return None
    thoughts = (index for index, block in enumerate(message.blocks) if block.kind is Kind.REASONING)
    return message.replacing(dict.fromkeys(thoughts), count)


def _foregoing(view: Conversation) -> Iterator[int]:
    """Yield the indices of answers made or changed here that stand before one that is joined to them."""
    spoken = [i for i, message in enumerate(view.messages) if message.role is not Role.SYSTEM]
    for index, behind in pairwise(spoken):
        before, after = view.messages[index], view.messages[behind]
        if {before.role, after.role} != {Role.ASSISTANT} or before.origin is not None or _asks(before):
            continue
        if not before.raw or any(block.kind is Kind.REASONING for block in after.blocks):
            yield index


def _asks(message: Message) -> bool:
    return any(block.kind is Kind.TOOL_CALL for block in message.blocks)


def _without_foregoing(view: Conversation, count: Count) -> Conversation:
    return view.without(_foregoing(view))


def _says_something(message: Message) -> bool:
    return any(block.kind is not Kind.REASONING and not _is_blank(block) for block in message.blocks)


def _is_blank(block: Block) -> bool:
    """Return whether a block is a text that says nothing; a whole content may be empty, in a result."""
    return block.path is not None and block.path[-1] == "text" and not block.text.strip()


def _blank(view: Conversation) -> Iterator[int]:
    """Yield the indices of edited messages that hold a text that says nothing, or nothing but thinking."""
    for index, message in enumerate(view.messages):
        if message.origin is None and any(map(_is_blank, message.blocks)):
            yield index


def _without_blanks(view: Conversation, count: Count) -> Conversation:
    return _changed(view, {index: _without_blank(view.messages[index], count) for index in _blank(view)})


def _without_blank(message: Message, count: Count) -> Message | None:
    """Return the message without the texts that say nothing; None if that is all there is to it."""
    if _says_something(message):
        parts = (block.path[:-1] for block in message.blocks if block.path is not None and _is_blank(block))
        return read_message(json.edit(message.raw, dict.fromkeys(parts)), count)
    if message.role is Role.TOOL and message.blocks[0].path is not None:
        content = message.blocks[0].path[:-2]
        return read_message(json.replace(message.raw, content, b'""'), count)
    return None


def _trailing(view: Conversation) -> Iterator[int]:
    """Yield the index of the last message, if it is an edited answer that ends in white space."""
    last = view.messages[-1] if view.messages else None
    if last is None or last.role is not Role.ASSISTANT or last.origin is not None or not last.blocks:
        return
    block = last.blocks[-1]
    if block.kind is Kind.TEXT and block.text != block.text.rstrip():
        yield len(view.messages) - 1


def _without_trailing_space(view: Conversation, count: Count) -> Conversation:
    return view.replacing({index: _stripped(view.messages[index], count) for index in _trailing(view)})


def _stripped(message: Message, count: Count) -> Message:
    text = message.blocks[-1].text.rstrip()
    if not message.raw:
        return made(message.role, text, count)
    return message.with_text(len(message.blocks) - 1, text, count)


def _changed(view: Conversation, changes: Mapping[int, Message | None]) -> Conversation:
    edited = {index: message for index, message in changes.items() if message is not None}
    return view.replacing(edited).without(index for index in changes if index not in edited)
