"""Cut the input of a Responses request into messages, and lay messages flat again.

The dialect has no assistant message with calls in it: what a model did in one go is a row of items
(reasoning, a message, calls, hosted tools). The view wants one message for it, so such a row is one slice, a
JSON array of its items; what the client says and what tools answer is one slice an item. A string input is a
slice too.

Only the type and the role of an item are looked at here. What a program of the model called, and what it got
back, cannot be told apart from its own run, and is one slice with it. All up to the last compaction item is
one slice as well: it belongs to whoever compacted, and nobody touches it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from gateway.core import json

SUMMARIES = frozenset({"compaction", "compaction_summary", "context_compaction"})
"""Items that stand for all that was before them (the first is OpenAI's, the others are codex's names)."""

RESULTS = {
    "function_call_output": "call_id",
    "custom_tool_call_output": "call_id",
    "computer_call_output": "call_id",
    "local_shell_call_output": "call_id",
    "shell_call_output": "call_id",
    "apply_patch_call_output": "call_id",
    "tool_search_output": "call_id",
    "mcp_approval_response": "approval_request_id",
}
"""Items that answer a call, and the member that names it."""

SAID = frozenset({"mcp_list_tools", "mcp_approval_request", "mcp_call", "hosted_reference", "call_reference"})
"""Items of the model beside its messages, its reasoning, and those whose type ends in `_call`."""

REFERRED = {
    "rs": "reasoning",
    "cmp": "compaction",
    **dict.fromkeys(("msg", "ws", "fs", "ci", "ig", "mcp", "mcpl"), "hosted_reference"),
}
"""What a reference stands for, by the beginning of its id; any other may be a call, whose id is not known."""

_SPACE = b" \t\n\r"


_OWN, _SAID, _THOUGHT, _UNKNOWN = "own", "said", "thought", "unknown"
_PROGRAM, _PROGRAM_END, _SUMMARY, _HELD = "program", "program end", "summary", "held"

_SIDES = {
    **dict.fromkeys(RESULTS, _OWN),
    **dict.fromkeys(SAID, _SAID),
    "function_call": _SAID,
    "custom_tool_call": _SAID,
    "reasoning": _THOUGHT,
    "program": _PROGRAM,
    "program_output": _PROGRAM_END,
    **dict.fromkeys(SUMMARIES, _SUMMARY),
    # It asks the upstream to compact all there is, so nobody touches it.
    "compaction_trigger": _HELD,
}


def _beginning(sides: Sequence[str]) -> re.Pattern[bytes]:
    """Return how most items begin: with their type, and messages with their role. A group for each side."""
    named = (b"|".join(kind.encode() for kind, side in _SIDES.items() if side is one) for one in sides)
    types = b"|".join(b"(%s)" % names for names in named)
    role = rb'"role": ?"(?:(assistant)|\w+())"'
    return re.compile(
        rb'\{(?:"type": ?"(?:(?:%s)"|message", ?%s)|%s(?=, ?"content": ?["\[]))' % (types, role, role)
    )


_GROUPS = tuple(dict.fromkeys(_SIDES.values()))
_BEGUN = _beginning(_GROUPS).match
_TOLD = ("", *_GROUPS, *(_SAID, _OWN) * 2)
"""The side that each group of it tells. Any other item is decoded."""


class _Label(msgspec.Struct):
    type: str | None = None
    role: str | None = None
    id: Any = None


_LABEL = msgspec.json.Decoder(_Label)


def cut(items: Sequence[bytes]) -> tuple[bytes, ...] | None:
    """Return the slices of these items; None if the list is not to be touched, whatever its size.

    >>> cut([b'{"role":"user"}', b'{"type":"reasoning"}', b'{"type":"function_call"}'])
    (b'{"role":"user"}', b'[{"type":"reasoning"},{"type":"function_call"}]')
    """
    sides = [
        _TOLD[start.lastindex or 0] if start else _decoded_side(item)
        for item, start in zip(items, map(_BEGUN, items), strict=True)
    ]
    present = set(sides)
    if _HELD in present:
        return None
    if _PROGRAM in present:
        sides = list(_with_programs(sides))
    start = len(sides) - sides[::-1].index(_SUMMARY) if _SUMMARY in present else 0
    slices = [_array(items[:start])] if start else []
    row: list[bytes] = []
    before = ""
    for item, side in zip(items[start:], sides[start:], strict=True):
        # Reasoning needs the item that follows it, whatever it is.
        if side is _SAID or side is _THOUGHT or (side is _UNKNOWN and before is _THOUGHT):
            row.append(item)
        else:
            if row:
                slices.append(_array(row))
                row = []
            slices.append(item)
        before = side
    return (*slices, _array(row)) if row else tuple(slices)


def resolved(kind: str | None, role: str | None, id: Any) -> str:
    """Return the type of an item, and of a reference the type of what it stands for, as far as its id tells.

    Vercel's SDK sends references for all texts and thoughts that the upstream has stored. The type of a
    reference may be left out.

    >>> resolved("item_reference", None, "rs_1"), resolved(None, None, "msg_1"), resolved(None, "user", None)
    ('reasoning', 'hosted_reference', 'message')
    """
    if kind != "item_reference" and (kind is not None or role is not None or not isinstance(id, str)):
        return kind if kind is not None else "message" if role is not None else ""
    prefix = id.partition("_")[0] if isinstance(id, str) else ""
    return REFERRED.get(prefix, "call_reference")


def flat(slices: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the items of these slices as they stand in the input.

    >>> list(flat([b'"hi"', b'[{"type":"reasoning"}]', b"null"]))
    [b'{"role":"user","content":"hi"}', b'{"type":"reasoning"}']
    """
    for raw in slices:
        if raw.startswith(b'"'):
            yield b'{"role":"user","content":%s}' % raw
        elif not raw.startswith(b"["):
            # An edit that leaves nothing of an array writes null.
            if raw != b"null":
                yield raw
        elif items := raw[1:-1].strip(_SPACE):
            yield items


def _with_programs(sides: Iterable[str]) -> Iterator[str]:
    """Yield the sides, with all that stands between a program and its output as said by the model."""
    inside = False
    for side in sides:
        inside = inside or side is _PROGRAM
        yield _SAID if inside and side is not _SUMMARY else side
        inside = inside and side is not _PROGRAM_END


def _decoded_side(item: bytes) -> str:
    label = _label(item)
    if label is None:
        return _HELD
    return _side_of(resolved(label.type, label.role, label.id), label.role)


def _side_of(kind: str, role: str | None) -> str:
    if kind in ("", "message"):
        return _SAID if role == "assistant" else _OWN
    return _SIDES.get(kind) or (_SAID if kind.endswith("_call") else _UNKNOWN)


def _label(item: bytes) -> _Label | None:
    """Return the type and the role of an item; None if it is no object."""
    try:
        return _LABEL.decode(item)
    except (ValueError, RecursionError):
        pass
    try:
        value = json.decode(item)
    except (json.Malformed, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    kind, role = value.get("type"), value.get("role")
    return _Label(kind if isinstance(kind, str) else "?", role if isinstance(role, str) else None)


def _array(items: Sequence[bytes]) -> bytes:
    return b"[%s]" % b",".join(items)
