"""System messages inside the list of a Messages request, put where the vendor takes them.

Such a message must stand directly behind what a user says and be the last or have an answer behind it, and
there is one at a place (platform.claude.com: mid-conversation system messages). No step touches it; but what
stood around it may be gone, or something new stand there. So it waits for the end of what the user says, or
goes back to where that was; and those that come to one place become one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from gateway.core import json
from gateway.wire.members import content_of

# Inside a text their quotes would be escaped.
_SYSTEM = b'"system"'
_SERVED = b'"server_tool_use"'
"""A system message may stand behind an answer that ends with this, too."""


class _Label(msgspec.Struct):
    role: str = ""


_LABEL = msgspec.json.Decoder(_Label)
_TOLD = re.compile(rb' ?\{"role": ?"(\w+)"')
"""How nearly all messages begin, and pieces of them; any other is decoded."""


def placed(items: Sequence[bytes], came: Sequence[bytes]) -> list[bytes]:
    """Return the items with their system messages where the vendor takes them.

    Where those of the list that *came* are elsewhere, its upstream does not ask for it, and nothing is moved.

    >>> placed([b'{"role":"system"}', b'{"role":"user"}', b'{"role":"assistant"}'], [])
    [b'{"role":"user"}', b'{"role":"system"}', b'{"role":"assistant"}']
    """
    # Few lists have one, so all is first looked through for the word.
    if not any(map(_is_system, [item for item in items if _SYSTEM in item])):
        return list(items)
    return _placed(items) if _placed(came) == list(came) else list(items)


def _is_system(item: bytes) -> bool:
    told = _TOLD.match(item)
    return told[1] == b"system" if told is not None else _SYSTEM in item and role_of(item) == "system"


def _placed(items: Sequence[bytes]) -> list[bytes]:
    found: list[bytes] = []
    behind_user = -1
    waiting: list[bytes] = []
    for item in items:
        role = role_of(item)
        if role == "system" and not _follows_server(found):
            waiting.append(item)
            continue
        if role == "assistant" and waiting and behind_user >= 0:
            _put(found, behind_user, waiting)
            waiting = []
        found.append(item)
        if role == "user":
            behind_user = len(found)
    if waiting:
        _put(found, behind_user if behind_user >= 0 else len(found), waiting)
    return found


def _put(found: list[bytes], place: int, waiting: list[bytes]) -> None:
    """Put system messages at a place, as one with that which may stand there already."""
    before = found[place : place + 1]
    if before and role_of(before[0]) == "system":
        found[place : place + 1] = _one([*before, *waiting])
    else:
        found[place:place] = _one(waiting)


def _follows_server(found: Sequence[bytes]) -> bool:
    """Return whether the list so far is an answer that ends with what a server was asked."""
    if not found or _SERVED not in found[-1] or role_of(found[-1]) != "assistant":
        return False
    content = content_of(found[-1])
    last = content[-1] if isinstance(content, list) and content else None
    return isinstance(last, dict) and last.get("type") == "server_tool_use"


def role_of(item: bytes) -> str:
    """Return the role of a message, or of a piece of one; empty if it has none."""
    told = _TOLD.match(item)
    if told is not None:
        return told[1].decode()
    try:
        return _LABEL.decode(item).role
    except (ValueError, RecursionError):
        pass
    try:
        value = json.decode(item)
    except (json.Malformed, RecursionError):
        return ""
    role = value.get("role") if isinstance(value, dict) else ""
    return role if isinstance(role, str) else ""


def _one(messages: Sequence[bytes]) -> list[bytes]:
    """Return these system messages as one, with what the last of them says beside its content."""
    if len(messages) < 2:
        return list(messages)
    try:
        blocks = [block for message in messages for block in _blocks(message)]
        return [json.replace(messages[-1], ("content",), b"[%s]" % b",".join(blocks))]
    except (json.Malformed, KeyError):
        return list(messages)


def _blocks(message: bytes) -> Iterator[bytes]:
    content = json.at(message, ("content",))
    if content.startswith(b'"'):
        yield b'{"type":"text","text":%s}' % content
    else:
        yield from json.elements(content)
