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

SAID = frozenset({"reasoning", "program", "mcp_list_tools", "mcp_approval_request", "mcp_call"})
"""Items of the model beside those whose type ends in `_call`, and its messages."""

_HELD = frozenset({"item_reference", "compaction_trigger"})
"""Items that make the whole request one that nobody touches: what they stand for is with the upstream, or
they ask it to compact."""

_SPACE = b" \t\n\r"


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
    labels = [_label(item) for item in items]
    if any(label is None or _is_held(label) for label in labels):
        return None
    kinds = [(label.type or "", label.role or "") for label in labels if label]
    start = max((index + 1 for index, (kind, _) in enumerate(kinds) if kind in SUMMARIES), default=0)
    head = [_array(items[:start])] if start else []
    return (*head, *_slices(items[start:], kinds[start:]))


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


def is_said(kind: str, role: str) -> bool:
    """Return whether an item of this type is the model's.

    >>> is_said("web_search_call", ""), is_said("", "assistant"), is_said("additional_tools", "developer")
    (True, True, False)
    """
    if kind in ("", "message"):
        return role == "assistant"
    return kind in SAID or kind.endswith("_call")


def _slices(items: Sequence[bytes], kinds: Sequence[tuple[str, str]]) -> Iterator[bytes]:
    row: list[bytes] = []
    in_program, before = False, ""
    for item, (kind, role) in zip(items, kinds, strict=True):
        # Reasoning needs the item that follows it, whatever it is.
        if in_program or is_said(kind, role) or (before == "reasoning" and _is_unknown(kind)):
            row.append(item)
        else:
            if row:
                yield _array(row)
                row = []
            yield item
        in_program = kind == "program" or (in_program and kind != "program_output")
        before = kind if row else ""
    if row:
        yield _array(row)


def _is_unknown(kind: str) -> bool:
    return kind not in ("", "message") and kind not in RESULTS


def _is_held(label: _Label) -> bool:
    """Return whether an item is a reference (its type may be left out) or asks for a compaction."""
    return label.type in _HELD or (label.type is None and label.role is None and label.id is not None)


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
