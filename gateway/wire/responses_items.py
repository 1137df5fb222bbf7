"""One slice of a Responses input, as the view sees it.

A slice is what `responses_slices` cut: a string (a user message), an array (a row of the model's items, or
all up to a compaction item), or one item. What is none of these, or an item of a type that is not known here,
is *opaque*: role SYSTEM, so no step touches it, and nothing in it editable.

Every item of a row has at least one block, in order: the last block tells what the last item is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gateway.core import json
from gateway.core.conversation import FRAME_TOKENS, Block, Count, Kind, Message, Role, Whole
from gateway.core.frozen import replace
from gateway.wire import media
from gateway.wire.members import opaque, read_with
from gateway.wire.reasoning import is_signed_call
from gateway.wire.responses_content import content_blocks, result_blocks, text_of
from gateway.wire.responses_slices import RESULTS, SUMMARIES, resolved

_ROLES = {"user": Role.USER, "system": Role.SYSTEM, "developer": Role.SYSTEM}

_CALLS = {
    "function_call": ("call_id", "arguments"),
    "custom_tool_call": ("call_id", "input"),
    "computer_call": ("call_id", "action"),
    "local_shell_call": ("call_id", "action"),
    "shell_call": ("call_id", "action"),
    "apply_patch_call": ("call_id", "operation"),
    "tool_search_call": ("call_id", "arguments"),
    "mcp_approval_request": ("id", "arguments"),
}
"""Items that the client answers: the member with their id, and the one that says what is asked."""

_EDITABLE = ("function_call", "custom_tool_call")
"""Calls whose arguments are the client's to word; the others are the vendor's own structures."""

_CALL_TOKENS = 4
"""What a template adds around one call, beside its name and arguments."""

_REFERRED_TOKENS = 300
"""What is with the upstream costs tokens as well; a message or a thought of usual length."""

_FREE = {"message": ("id", "status"), "function_call": ("id",), "custom_tool_call": ("id",)}
"""Items that may follow reasoning, and what of them must go with it. By its id the vendor knows that an item
came with reasoning, and refuses it alone ("was provided without its required 'reasoning' item"). A message
without its id is one that the client wrote, and such a message has no status."""


def read_message(raw: bytes, count: Count, origin: int | None = None) -> Message:
    """Return the message in *raw* as the view sees it; whatever it cannot read is opaque."""
    return read_with(_read, raw, count, origin)


def _read(value: Any, raw: bytes, count: Count, origin: int | None) -> Message:
    if isinstance(value, str):
        block = Block(Kind.TEXT, value, count(value), ())
        return Message(Role.USER, (block,), FRAME_TOKENS + block.tokens, raw, origin)
    if isinstance(value, list):
        return _row(value, raw, count, origin)
    if not isinstance(value, dict):
        return opaque(raw, media.json_tokens(value, count), origin)
    kind, role = type_of(value), _ROLES.get(text_of(value.get("role")))
    if kind == "message" and role is not None:
        blocks = tuple(content_blocks(value.get("content"), ("content",), Kind.TEXT, count))
    elif kind in RESULTS and (call_id := answered(value)):
        role, blocks = Role.TOOL, tuple(result_blocks(value, call_id, count))
    else:
        return opaque(raw, item_tokens(value, count), origin)
    return Message(role, blocks, FRAME_TOKENS + sum(block.tokens for block in blocks), raw, origin)


def _row(items: list[Any], raw: bytes, count: Count, origin: int | None) -> Message:
    if items and type_of(items[-1]) in SUMMARIES:
        return opaque(raw, sum(item_tokens(item, count) for item in items), origin)
    blocks = tuple(block for place in range(len(items)) for block in _said(items, place, count))
    framing = sum(_CALL_TOKENS + count(block.name) for block in blocks if block.kind is Kind.TOOL_CALL)
    return Message(
        Role.ASSISTANT, blocks, FRAME_TOKENS + framing + sum(block.tokens for block in blocks), raw, origin
    )


def _said(items: list[Any], place: int, count: Count) -> Iterator[Block]:
    """Yield the blocks of one item of a row, at least one."""
    item = items[place]
    kind = type_of(item)
    if kind == "reasoning":
        yield Block(Kind.REASONING, "", item_tokens(item, count), whole=_leaving(items, place))
    elif is_call(item):
        yield _call(item, place, count)
    elif kind == "message" and item.get("role") == "assistant":
        found = tuple(content_blocks(item.get("content"), (place, "content"), Kind.TEXT, count))
        yield from found or (Block(Kind.TEXT, "", 0),)
    else:
        yield Block(Kind.OTHER, "", item_tokens(item, count))


def _call(item: dict[str, Any], place: int, count: Count) -> Block:
    kind = type_of(item)
    if kind == "call_reference":
        return Block(Kind.TOOL_CALL, "", _REFERRED_TOKENS, name="item_reference")
    id_key, key = _CALLS[kind]
    value, name = item.get(key), text_of(item.get("name")) or kind.removesuffix("_call")
    text = value if isinstance(value, str) else json.encode(value).decode() if value is not None else ""
    is_editable = kind in _EDITABLE and isinstance(value, str) and not is_signed_call(item)
    path = (place, key) if is_editable else None
    tokens = media.json_tokens(text, count) + count(text_of(item.get("namespace")))
    return Block(Kind.TOOL_CALL, text, tokens, path, text_of(item.get(id_key)), name)


def _leaving(items: list[Any], place: int) -> Whole | None:
    """Return how reasoning leaves its row; None if it must stay for what follows it."""
    places: list[json.Path] = [(place,)]
    for later in range(place + 1, len(items)):
        kind = type_of(items[later])
        if kind == "reasoning":
            break
        if kind not in _FREE:
            return None
        places += ((later, key) for key in _FREE[kind] if key in items[later])
    return Whole(tuple(places), is_signed=True)


def type_of(item: Any) -> str:
    """Return the type of an item, as `resolved` has it; empty for what is no item.

    >>> type_of({"role": "user"}), type_of({"type": "reasoning"}), type_of(1)
    ('message', 'reasoning', '')
    """
    if not isinstance(item, dict):
        return ""
    kind = item.get("type")
    role = item.get("role")
    return resolved(
        kind if isinstance(kind, str) or kind is None else "",
        "" if role is not None else None,
        item.get("id"),
    )


def is_call(item: Any) -> bool:
    """Return whether an item is a call that the client answers: not one of a program, nor a hosted one.

    A reference may be one, which the client knows by an id that does not stand there.
    """
    kind = type_of(item)
    if kind == "call_reference":
        return True
    if kind not in _CALLS or not text_of(item.get(_CALLS[kind][0])):
        return False
    caller = item.get("caller")
    return not (isinstance(caller, dict) and caller.get("type") == "program")


def answered(item: dict[str, Any]) -> str:
    """Return the id of the call that a result answers; empty if it names none."""
    # The reference of the local shell has `id` where its guide has `call_id`.
    keys = (RESULTS[type_of(item)], "id") if item.get("type") == "local_shell_call_output" else ()
    return next(filter(None, (text_of(item.get(key)) for key in keys or (RESULTS[type_of(item)],))), "")


def item_tokens(item: Any, count: Count) -> int:
    """Return the tokens of an item as its JSON, what is encrypted in it by its length."""
    if not isinstance(item, dict):
        return media.json_tokens(item, count)
    if is_reference(item):
        return _REFERRED_TOKENS
    sealed = item.get("encrypted_content")
    if not isinstance(sealed, str):
        return media.json_tokens(item, count)
    rest = {key: value for key, value in item.items() if key not in ("encrypted_content", "id", "status")}
    return media.json_tokens(rest, count) + sealed_tokens(sealed)


def is_reference(item: dict[str, Any]) -> bool:
    """Return whether an item only names one that is with the upstream."""
    return item.get("type") == "item_reference" or (item.get("type") is None and "role" not in item)


def sealed_tokens(sealed: str) -> int:
    """Return about how many tokens are encrypted in a text: what is no padding, four bytes each (as codex).

    >>> sealed_tokens("A" * 4000), sealed_tokens("A")
    (587, 1)
    """
    return max((len(sealed) * 3 // 4 - 650) // 4, 1)


def calls(message: Message) -> list[Block]:
    """Return the calls of a message, in order."""
    return [block for block in message.blocks if block.kind is Kind.TOOL_CALL]


def keeping_calls(message: Message, kept: frozenset[int], count: Count) -> Message | None:
    """Return a row with only the calls at these positions, and no reasoning that only led to another.

    None if nothing would be left of it.
    """
    items = json.decode(message.raw)
    places = [place for place, item in enumerate(items) if is_call(item)]
    gone = {place for position, place in enumerate(places) if position not in kept}
    for place in reversed(range(len(items) - 1)):
        if type_of(items[place]) == "reasoning" and place + 1 in gone:
            behind = [later for later in range(place + 1, len(items)) if later not in gone]
            if not behind or type_of(items[behind[0]]) == "reasoning":
                gone.add(place)
    return _without_items(message, gone, count)


def _without_items(message: Message, gone: set[int], count: Count) -> Message | None:
    """Return a row less the items at these places; None if nothing would be left of it."""
    raws = json.elements(message.raw)
    left = [raw for place, raw in enumerate(raws) if place not in gone]
    return read_message(b"[%s]" % b",".join(left), count) if left else None


def without_last_reasoning(message: Message, count: Count) -> Message | None:
    """Return a row less the reasoning at its end; None if it is nothing else."""
    gone: set[int] = set()
    for place, item in reversed(list(enumerate(json.decode(message.raw)))):
        if type_of(item) != "reasoning":
            break
        gone.add(place)
    return _without_items(message, gone, count)


def unbound(message: Message) -> Message:
    """Return a row whose first items no longer name themselves, so that nobody asks for their reasoning.

    The same message if they bear no such name, or cannot do without it.
    """
    names: dict[json.Path, bytes | None] = {}
    for place, item in enumerate(json.decode(message.raw)):
        if type_of(item) not in _FREE:
            break
        if "id" in item:
            names |= {(place, key): None for key in _FREE[type_of(item)] if key in item}
    return replace(message, raw=json.edit(message.raw, names), origin=None) if names else message
