"""One slice of a Messages list, as the view sees it.

A slice is a message, or one result of one (`anthropic_slices`). What does not look like this dialect is
*opaque*: role SYSTEM, so no step touches it, and nothing in it editable. What servers called and got back
stands in the model's own message, and is carried along as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gateway.core import json
from gateway.core.conversation import FRAME_TOKENS, Block, Count, Kind, Message, Role, Whole
from gateway.core.frozen import replace
from gateway.core.images import describe, image_tokens
from gateway.wire import media
from gateway.wire.anthropic_slices import is_result
from gateway.wire.members import opaque, read_with

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}

_THOUGHTS = ("thinking", "redacted_thinking")

_CALL_TOKENS = 4
"""What a template adds around one call, beside its name and input."""


def read_message(raw: bytes, count: Count, origin: int | None = None) -> Message:
    """Return the message in *raw* as the view sees it; whatever it cannot read is opaque."""
    return read_with(_read, raw, count, origin)


def _read(value: Any, raw: bytes, count: Count, origin: int | None) -> Message:
    role = _ROLES.get(_text(value.get("role"))) if isinstance(value, dict) else None
    if role is None:
        return opaque(raw, media.json_tokens(value, count), origin)
    content = value.get("content")
    if role is Role.USER and isinstance(content, list) and any(map(is_result, content)):
        if len(content) > 1:
            return opaque(raw, media.json_tokens(value, count), origin)
        role, blocks = Role.TOOL, tuple(_result(content[0], count))
    else:
        blocks = tuple(_content(content, ("content",), Kind.TEXT, role, count))
    framing = sum(_CALL_TOKENS + count(block.name) for block in blocks if block.kind is Kind.TOOL_CALL)
    tokens = FRAME_TOKENS + framing + sum(block.tokens for block in blocks)
    return Message(role, blocks, tokens, raw, origin)


def _result(block: dict[str, Any], count: Count) -> Iterator[Block]:
    """Yield the blocks of a result, at least one: it must be paired with its call even if it is empty."""
    call_id = _text(block.get("tool_use_id"))
    path = ("content", 0, "content")
    found = tuple(_content(block.get("content"), path, Kind.TOOL_RESULT, Role.TOOL, count))
    for one in found or (Block(Kind.TOOL_RESULT, "", 0),):
        yield replace(one, call_id=call_id)


def _content(content: Any, path: json.Path, kind: Kind, role: Role, count: Count) -> Iterator[Block]:
    if isinstance(content, str):
        yield Block(kind, content, count(content), path)
    elif isinstance(content, list):
        for position, part in enumerate(content):
            yield _part(part, (*path, position), kind, role, count)
    elif content is not None:
        yield Block(Kind.OTHER, "", media.json_tokens(content, count))


def _part(part: Any, path: json.Path, kind: Kind, role: Role, count: Count) -> Block:
    name = _text(part.get("type")) if isinstance(part, dict) else ""
    if name == "text" and isinstance(part.get("text"), str):
        return Block(kind, part["text"], count(part["text"]), (*path, "text"))
    if name == "image":
        return _image(part.get("source"), path)
    if name == "document":
        return Block(Kind.OTHER, "", _document_tokens(part, count))
    if role is Role.ASSISTANT and name in _THOUGHTS:
        return Block(Kind.REASONING, "", media.json_tokens(part, count), whole=Whole((path,), is_signed=True))
    if role is Role.ASSISTANT and name == "tool_use":
        return _call(part, count)
    return Block(Kind.OTHER, "", media.json_tokens(part, count))


def _call(part: dict[str, Any], count: Count) -> Block:
    text = json.encode(part.get("input")).decode()
    call_id, name = _text(part.get("id")), _text(part.get("name"))
    return Block(Kind.TOOL_CALL, text, count(text), None, call_id, name)


def _image(source: Any, path: json.Path) -> Block:
    given = source if isinstance(source, dict) else {}
    data = f"data:{_text(given.get('media_type'))};base64,{_text(given.get('data'))}"
    url = data if given.get("type") == "base64" else _text(given.get("url"))
    return Block(Kind.IMAGE, "", image_tokens(url, "auto"), whole=Whole((path,), "text", describe(url)))


def _document_tokens(part: dict[str, Any], count: Count) -> int:
    source = part.get("source")
    kind = source.get("type") if isinstance(source, dict) else None
    if isinstance(source, dict) and kind == "base64":
        return media.file_tokens(_text(source.get("data")))
    if isinstance(source, dict) and kind in ("text", "content"):
        return media.json_tokens(part, count)
    return media.REFERENCE_TOKENS


def keeping_calls(message: Message, kept: frozenset[int], count: Count) -> Message | None:
    """Return the message with only the calls at these positions; None if nothing would be left of it.

    Thinking that is left alone goes, too: the vendor wants an answer or a call behind it. And all goes if the
    model went on thinking behind a call that goes: its thoughts would stand together as they never did.
    """
    blocks = json.decode(message.raw)["content"]
    raws = json.elements(json.at(message.raw, ("content",)))
    asked = [place for place, block in enumerate(blocks) if _type(block) == "tool_use"]
    gone = {place for position, place in enumerate(asked) if position not in kept}
    left = [place for place in range(len(blocks)) if place not in gone]
    if gone and any(_type(block) in _THOUGHTS for block in blocks[min(gone) :]):
        return None
    if not any(_says_something(blocks[place]) for place in left):
        return None
    content = b"[%s]" % b",".join(raws[place] for place in left)
    return read_message(json.replace(message.raw, ("content",), content), count)


def _says_something(block: Any) -> bool:
    if _type(block) == "text":
        return bool(_text(block.get("text")).strip())
    return _type(block) not in _THOUGHTS


def _type(block: Any) -> str:
    return _text(block.get("type")) if isinstance(block, dict) else ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
