"""One message of a Chat Completions list, as the view sees it.

What a message holds is decided here once: which of its strings are blocks that a step may edit, which are
only counted and carried along, and what the chat template spends on names and ids. A message that does
not look like this dialect (no object, an unknown role) is *opaque*: role SYSTEM, so no step touches it,
and nothing in it editable. It goes upstream as it came, which is the best that can be done for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gateway.core import json
from gateway.core.conversation import FRAME_TOKENS, Block, Count, Kind, Message, Role, Whole
from gateway.core.frozen import replace
from gateway.core.images import describe, image_tokens
from gateway.wire import media, reasoning
from gateway.wire.members import opaque, read_with

_ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}

_CALL_TOKENS = 4
"""What a template adds around one call, beside its name, id and arguments."""


def read_message(raw: bytes, count: Count, origin: int | None = None) -> Message:
    """Return the message in *raw* as the view sees it; whatever it cannot read is opaque."""
    return read_with(_read, raw, count, origin)


def _read(value: Any, raw: bytes, count: Count, origin: int | None) -> Message:
    role = _role(value)
    if role is None:
        return opaque(raw, media.json_tokens(value, count), origin)
    blocks = tuple(_blocks(value, role, count))
    tokens = FRAME_TOKENS + _label_tokens(value, blocks, count) + sum(block.tokens for block in blocks)
    return Message(role, blocks, tokens, raw, origin)


def calls(message: Message) -> list[Block]:
    """Return the calls of a message, in order."""
    return [block for block in message.blocks if block.kind is Kind.TOOL_CALL]


def answers(message: Message) -> str:
    """Return the id of the call that a tool message answers; empty if it names none."""
    return message.blocks[0].call_id if message.blocks else ""


def keeping_calls(message: Message, kept: frozenset[int], count: Count) -> Message | None:
    """Return the message with only the calls at these positions; None if nothing would be left of it."""
    value = json.decode(message.raw)
    entries = value.get("tool_calls")
    listed = len(entries) if isinstance(entries, list) else 0
    raw = _keep_entries(message.raw, kept) if listed else message.raw
    if isinstance(value.get("function_call"), dict) and listed not in kept:
        raw = json.without_member(raw, "function_call")
    if not kept and not _says_something(value):
        return None
    return read_message(raw, count)


def _keep_entries(raw: bytes, kept: frozenset[int]) -> bytes:
    member = next(m for m in reversed(json.members(raw)) if m.key == "tool_calls")
    entries = json.elements(raw[member.start : member.stop])
    left = [entry for position, entry in enumerate(entries) if position in kept]
    if not left:
        return json.without_member(raw, "tool_calls")
    return json.replace(raw, ("tool_calls",), b"[" + b",".join(left) + b"]")


def _says_something(value: dict[str, Any]) -> bool:
    """Return whether an assistant message is valid without calls; reasoning alone is not (API reference)."""
    content = value.get("content")
    spoken = content.strip() if isinstance(content, str) else content
    return bool(spoken or value.get("refusal") or value.get("audio"))


def _role(value: Any) -> Role | None:
    name = value.get("role") if isinstance(value, dict) else None
    return _ROLES.get(name) if isinstance(name, str) else None


def _label_tokens(value: dict[str, Any], blocks: tuple[Block, ...], count: Count) -> int:
    """Return what is spent on the name of the speaker and the names and ids of calls."""
    spoken = sum(count(_text(value.get(key))) for key in ("name", "tool_call_id"))
    called = [block for block in blocks if block.kind is Kind.TOOL_CALL]
    return spoken + sum(_CALL_TOKENS + count(call.name) + count(call.call_id) for call in called)


def _blocks(value: dict[str, Any], role: Role, count: Count) -> Iterator[Block]:
    if role is Role.TOOL:
        yield from _result(value, count)
        return
    yield from _content(value.get("content"), Kind.TEXT, count)
    if role is Role.ASSISTANT:
        yield from _carried(value, count)
        yield from _calls(value, count)


def _result(value: dict[str, Any], count: Count) -> Iterator[Block]:
    """Yield the blocks of a result, at least one: it must be paired with its call even if it is empty."""
    name = _text(value.get("name"))
    call_id = f"function:{name}" if value["role"] == "function" else _id(value.get("tool_call_id"))
    content = value.get("content")
    if isinstance(content, str):
        yield Block(Kind.TOOL_RESULT, content, count(content), ("content",), call_id, name)
        return
    blocks = tuple(_content(content, Kind.TOOL_RESULT, count))
    for block in blocks or (Block(Kind.TOOL_RESULT, "", 0),):
        yield replace(block, call_id=call_id, name=name)


def _content(content: Any, kind: Kind, count: Count) -> Iterator[Block]:
    if isinstance(content, str):
        yield Block(kind, content, count(content), ("content",))
    elif isinstance(content, list):
        for position, part in enumerate(content):
            yield _part(part, ("content", position), kind, count)
    elif content is not None:
        yield Block(Kind.OTHER, "", media.json_tokens(content, count))


def _part(part: Any, path: json.Path, kind: Kind, count: Count) -> Block:
    if isinstance(part, str):
        return Block(kind, part, count(part), path)
    if not isinstance(part, dict):
        return Block(Kind.OTHER, "", media.json_tokens(part, count))
    if part.get("type") == "text" and isinstance(part.get("text"), str):
        return Block(kind, part["text"], count(part["text"]), (*path, "text"))
    if part.get("type") == "image_url":
        return _image(part.get("image_url"), path)
    if kind is Kind.TEXT and part.get("type") in reasoning.PARTS:
        return reasoning.in_part(part, path, count)
    measure: _Measure = _MEASURES.get(_text(part.get("type")), media.json_tokens)
    return Block(Kind.OTHER, "", measure(part, count))


def _carried(value: dict[str, Any], count: Count) -> Iterator[Block]:
    """Yield what an assistant message carries beside its content: refusal, audio, pictures, reasoning."""
    if value.get("refusal"):
        yield Block(Kind.OTHER, "", media.json_tokens(value["refusal"], count))
    if value.get("audio"):
        yield Block(Kind.OTHER, "", media.REFERENCE_TOKENS)
    # What models draw comes so from OpenRouter and LiteLLM, and goes back so; no text can stand in its place.
    drawn = value.get("images")
    for part in drawn if isinstance(drawn, list) else ():
        yield replace(_image(part.get("image_url") if isinstance(part, dict) else part, ()), whole=None)
    yield from reasoning.in_fields(value, count)


def _calls(value: dict[str, Any], count: Count) -> Iterator[Block]:
    entries = value.get("tool_calls")
    is_signed = reasoning.are_calls_signed(value)
    for position, entry in enumerate(entries if isinstance(entries, list) else ()):
        call = _call(entry, ("tool_calls", position), count)
        yield replace(call, path=None) if is_signed else call
    legacy = value.get("function_call")
    if isinstance(legacy, dict):
        call_id = f"function:{_text(legacy.get('name'))}"
        yield _arguments(legacy, "arguments", ("function_call",), count, call_id)


def _call(entry: Any, path: json.Path, count: Count) -> Block:
    """Return one entry of `tool_calls`; one that is no call stays a call without id, so positions agree."""
    if not isinstance(entry, dict):
        return Block(Kind.TOOL_CALL, "", media.json_tokens(entry, count))
    call_id = _id(entry.get("id"))
    for member, key in (("function", "arguments"), ("custom", "input")):
        if isinstance(entry.get(member), dict):
            return _arguments(entry[member], key, (*path, member), count, call_id)
    return Block(Kind.TOOL_CALL, "", media.json_tokens(entry, count), None, call_id)


def _arguments(called: dict[str, Any], key: str, path: json.Path, count: Count, call_id: str) -> Block:
    """Return a call whose arguments stand under *key*; clients also send null or an object there."""
    value, name = called.get(key, ""), _text(called.get("name"))
    if isinstance(value, str):
        return Block(
            Kind.TOOL_CALL, value, count(value), (*path, key) if key in called else None, call_id, name
        )
    text = json.encode(value).decode()
    return Block(Kind.TOOL_CALL, text, count(text), None, call_id, name)


def _image(image: Any, path: json.Path) -> Block:
    given = image if isinstance(image, dict) else {"url": image}
    url = _text(given.get("url"))
    tokens = image_tokens(url, _text(given.get("detail")) or "auto")
    return Block(Kind.IMAGE, "", tokens, whole=Whole((path,), "text", describe(url)))


def _audio_tokens(part: dict[str, Any], count: Count) -> int:
    audio = part.get("input_audio")
    if not isinstance(audio, dict):
        return media.json_tokens(part, count)
    return media.audio_tokens(_text(audio.get("data")), _text(audio.get("format")))


def _file_tokens(part: dict[str, Any], count: Count) -> int:
    file = part.get("file")
    return media.file_tokens(_text(file.get("file_data")) if isinstance(file, dict) else "")


def _refusal_tokens(part: dict[str, Any], count: Count) -> int:
    return count(_text(part.get("refusal")))


_Measure = Callable[[Any, Count], int]

_MEASURES: dict[str, _Measure] = {
    "input_audio": _audio_tokens,
    "file": _file_tokens,
    "refusal": _refusal_tokens,
}
"""How the part types that are only carried along are counted; any other type by its JSON."""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _id(value: Any) -> str:
    """Return an id as text; some clients send numbers."""
    return str(value) if isinstance(value, str | int) else ""
