"""The canonical form of Messages: what its clients vary from turn to turn, and what they never do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.prefix import digest

MARK = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
TEXT = {"type": "text", "text": "x"}
RESULT = {"type": "tool_result", "tool_use_id": "t", "content": "x"}
USE = {"type": "tool_use", "id": "t", "name": "run", "input": {"a": 1, "cache_control": {"b": 2}}}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}


def of(role: str, *content: Any) -> str:
    return digest(json.dumps({"role": role, "content": list(content)}).encode()).hex()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (RESULT, {**RESULT, "content": [TEXT]}),
        (RESULT, {**RESULT, **MARK}),
        (RESULT, {**RESULT, "content": [{**TEXT, **MARK}]}),
        ({**RESULT, "content": [TEXT, TEXT]}, {**RESULT, "content": [TEXT, {**TEXT, **MARK}]}),
        (USE, {**USE, **MARK, "input": {"cache_control": {"b": 2}, "a": 1}}),
        (TEXT, {**TEXT, **MARK, "citations": None}),
    ],
)
def test_what_clients_vary_makes_no_difference(one: Any, other: Any) -> None:
    """Claude Code moves its marks with every request, and writes one text as a string or as a block."""
    assert of("user", one) == of("user", other)


def test_piece_of_an_item_is_the_same_as_the_item() -> None:
    """A result alone in its message is cut from it in one request and not in the next."""
    raw = json.dumps({"role": "user", "content": [RESULT]}).encode()

    assert digest(b" " + raw) == digest(raw)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (RESULT, {**RESULT, "tool_use_id": "u"}),
        (RESULT, {**RESULT, "is_error": True}),
        (RESULT, TEXT),
        (USE, {**USE, "input": {"a": 1}}),
        (USE, {**USE, "id": "u"}),
        (THOUGHT, {**THOUGHT, "signature": "c2lm"}),
        (THOUGHT, {**THOUGHT, "thinking": "hm hm"}),
        ({"type": "redacted_thinking", "data": "a"}, {"type": "redacted_thinking", "data": "b"}),
        ({"type": "document", "source": {"data": "a"}}, {"type": "document", "source": {"data": "b"}}),
    ],
)
def test_what_means_something_else_is_something_else(one: Any, other: Any) -> None:
    """Ids, signatures and inputs are never left out, not even what is named like a mark inside an input."""
    assert of("user", one) != of("user", other)
