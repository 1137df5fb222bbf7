"""The parts of an item of the Responses API that say something: content, and what tools answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gateway.core import json
from gateway.core.conversation import Block, Count, Kind, Whole
from gateway.core.frozen import replace
from gateway.core.images import describe, image_tokens
from gateway.wire import media

_TEXTS = ("input_text", "output_text", "text")

_STREAMS = ("stdout", "stderr")
"""What a command of the shell tool said, in each element of its output."""


def content_blocks(content: Any, path: json.Path, kind: Kind, count: Count) -> Iterator[Block]:
    """Yield the blocks of a content that stands at *path*; its texts are of this *kind*."""
    if isinstance(content, str):
        yield Block(kind, content, count(content), path)
    elif isinstance(content, list):
        for position, part in enumerate(content):
            yield from _part(part, (*path, position), kind, count)
    elif content is not None:
        yield Block(Kind.OTHER, "", media.json_tokens(content, count))


def result_blocks(item: dict[str, Any], call_id: str, count: Count) -> Iterator[Block]:
    """Yield the blocks of a result, at least one: it must be paired with its call even if it is empty."""
    name, output = text_of(item.get("name")), item.get("output")
    if isinstance(output, str | list):
        blocks = tuple(content_blocks(output, ("output",), Kind.TOOL_RESULT, count))
    elif isinstance(output, dict) and output.get("type") == "computer_screenshot":
        # A call of this tool must be answered by a picture, so none can stand in its place.
        blocks = (Block(Kind.IMAGE, "", image_tokens(text_of(output.get("image_url")))),)
    else:
        blocks = (Block(Kind.TOOL_RESULT, "", media.json_tokens(item, count)),)
    for block in blocks or (Block(Kind.TOOL_RESULT, "", 0),):
        yield replace(block, call_id=call_id, name=name)


def _part(part: Any, path: json.Path, kind: Kind, count: Count) -> Iterator[Block]:
    if not isinstance(part, dict):
        yield Block(Kind.OTHER, "", media.json_tokens(part, count))
        return
    name, text = part.get("type"), part.get("text")
    if name in _TEXTS and isinstance(text, str):
        # Annotations say where in the text they belong, so that text stays.
        yield Block(kind, text, count(text), None if part.get("annotations") else (*path, "text"))
    elif name == "input_image":
        yield _image(part, path)
    elif kind is Kind.TOOL_RESULT and any(isinstance(part.get(key), str) for key in _STREAMS):
        for key in _STREAMS:
            if isinstance(said := part.get(key), str):
                yield Block(kind, said, count(said), (*path, key))
    else:
        yield Block(Kind.OTHER, "", _other_tokens(part, count))


def _image(part: dict[str, Any], path: json.Path) -> Block:
    url = text_of(part.get("image_url"))
    tokens = image_tokens(url, text_of(part.get("detail")) or "auto")
    return Block(Kind.IMAGE, "", tokens, whole=Whole((path,), "input_text", describe(url)))


def _other_tokens(part: dict[str, Any], count: Count) -> int:
    match part:
        case {"type": "input_file"}:
            return media.file_tokens(text_of(part.get("file_data")))
        case {"type": "input_audio", "input_audio": {"data": str(data), "format": str(encoding)}}:
            return media.audio_tokens(data, encoding)
        case {"type": "refusal", "refusal": str(refusal)}:
            return count(refusal)
    return media.json_tokens(part, count)


def text_of(value: Any) -> str:
    """Return the value if it is a string, or else an empty one."""
    return value if isinstance(value, str) else ""
