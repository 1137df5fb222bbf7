"""Slices of a Responses input are the same exactly if they mean the same: rows of items, and plain texts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.prefix import digest

CALL = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": '{"a": 1}'}
THOUGHT = {"type": "reasoning", "summary": [], "encrypted_content": "e"}
ANSWER = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "x"}]}
SAID = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]}


def of(value: Any) -> str:
    """Return the digest of a slice, readable in a failed test."""
    return digest(json.dumps(value).encode()).hex()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x", SAID),
        ("x", {"role": "user", "content": "x"}),
        (SAID, {"role": "user", "content": "x"}),
        ([ANSWER], [{"role": "assistant", "content": "x"}]),
        (
            [
                {**THOUGHT, "id": "rs_1", "content": None},
                {**ANSWER, "id": "msg_1", "status": "completed"},
                {**CALL, "id": "fc_1", "status": "completed"},
            ],
            [THOUGHT, ANSWER, {**CALL, "arguments": '{"a":1}'}],
        ),
    ],
)
def test_what_clients_vary_makes_no_difference(one: Any, other: Any) -> None:
    """A text or an item, a type left out, ids and status dropped between turns: it is the same slice."""
    assert of(one) == of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x", "y"),
        ("x", ["x"]),
        ("x", {"role": "assistant", "content": "x"}),
        ([CALL], CALL),
        ([THOUGHT, ANSWER], [ANSWER]),
        ([THOUGHT, ANSWER], [ANSWER, THOUGHT]),
        ([CALL], [{**CALL, "call_id": "c2"}]),
        ([CALL], [{**CALL, "namespace": "n"}]),
        ([THOUGHT], [{**THOUGHT, "encrypted_content": "f"}]),
        ([{"type": "web_search_call", "id": "ws_1"}], [{"type": "web_search_call", "id": "ws_2"}]),
        ([{**ANSWER, "phase": "commentary"}], [{**ANSWER, "phase": "final_answer"}]),
        ({**SAID, "type": "note"}, SAID),
    ],
)
def test_what_means_something_else_is_something_else(one: Any, other: Any) -> None:
    """Order, namespaces, phases, what is encrypted and ids that name something tell slices apart."""
    assert of(one) != of(other)
