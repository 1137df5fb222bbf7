"""What a compaction removes, as a dry run tells of it: each original with the message that it is, or is from.

Places are those of the client's own list. A content that was put together from several messages, as what a
run of calls said, has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gateway.core import json
from gateway.core.conversation import Kind, Message
from gateway.engine.finish import removed, removed_before
from gateway.engine.subject import Plan, Subject
from gateway.store.base import Original
from gateway.wire.base import Request


def told(subject: Subject, plan: Plan) -> list[dict[str, Any]]:
    """Return what would be stored before the plan is sent."""
    if plan.view is None:
        return []
    kept = {message.origin for message in plan.view.messages}
    gone = [index for index in range(len(subject.request.messages)) if index not in kept]
    return _told(subject, list(removed(subject, plan.base, plan.view, 0.0)), gone)


def told_before(subject: Subject, plan: Plan) -> list[dict[str, Any]]:
    """Return the messages that an earlier compaction of the conversation replaced."""
    return _told(subject, list(removed_before(subject, plan.base)), ())


def places(request: Request) -> list[int]:
    """Return for each message where it stands in the client's list, whose items may be several messages."""
    stops = {item.start: item.stop for item in request.joined}
    found: list[int] = []
    place = 0
    while len(found) < len(request.messages):
        stop = stops.get(len(found), len(found) + 1)
        found += [place] * (stop - len(found))
        place += 1
    return found


def _told(subject: Subject, originals: Sequence[Original], gone: Sequence[int]) -> list[dict[str, Any]]:
    # Originals of messages are the very slices of the request: equal ones are told apart.
    at = {id(raw): index for index, raw in enumerate(subject.request.messages)}
    contents = [one.content for one in originals if one.kind != "message"]
    sources = _sources(subject, contents, gone) if contents else {}
    where = places(subject.request)
    entries = []
    for one in originals:
        index = at.get(id(one.content)) if one.kind == "message" else _next(sources, one.content)
        role = subject.counted.facts[index].role if index is not None else None
        place = where[index] if index is not None else None
        entry = {"id": one.id, "kind": one.kind, "name": one.name, "size": len(one.content)}
        entries.append(entry | {"role": role, "position": place})
    return entries


def _sources(subject: Subject, contents: Iterable[bytes], gone: Iterable[int]) -> dict[bytes, list[int]]:
    """Return which of the messages that are gone hold a content, by that, in order."""
    found: dict[bytes, list[int]] = {content: [] for content in contents}
    for index in gone:
        message = subject.wire.message(subject.request.messages[index], len, index)
        for text in _texts(message):
            if (indices := found.get(text.encode("utf-8", "surrogatepass"))) is not None:
                indices.append(index)
    return found


def _next(sources: Mapping[bytes, list[int]], content: bytes) -> int | None:
    """Return where a content stands; of several places the next one, as long as there are more."""
    indices = sources[content]
    if not indices:
        return None
    return indices.pop(0) if len(indices) > 1 else indices[0]


def _texts(message: Message) -> Iterator[str]:
    """Yield what strategies put away of a message: its texts, strings of its arguments, its images."""
    for block in message.blocks:
        if block.kind is Kind.TOOL_CALL:
            yield from _strings(block.text)
        elif block.kind is Kind.IMAGE and block.whole is not None:
            yield from (
                json.at(message.raw, place).decode("utf-8", "replace") for place in block.whole.places
            )
        yield block.text


def _strings(arguments: str) -> Iterator[str]:
    try:
        values = [json.decode(arguments.encode("utf-8", "surrogatepass"))]
    except json.Malformed:
        return
    while values:
        value = values.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            values += value.values()
        elif isinstance(value, list):
            values += value
