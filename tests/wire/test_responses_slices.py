"""What belongs together in a Responses input is cut as one slice, and laid flat as it came."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from gateway.wire.responses_slices import cut, flat

USER = {"role": "user", "content": "hi"}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": []}
CALL = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}
RESULT = {"type": "function_call_output", "call_id": "c1", "output": "r"}
ANSWER = {"type": "message", "role": "assistant", "content": []}
SEARCH = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
SUMMARY = {"type": "compaction", "id": "cmp_1", "encrypted_content": "e"}
UNKNOWN = {"type": "hologram", "id": "h"}


def raw(item: Any) -> bytes:
    return json.dumps(item).encode()


def shape(*items: Any) -> list[int] | None:
    """Return how many items each slice has, 0 for one that is no row."""
    slices = cut([raw(item) for item in items])
    if slices is None:
        return None
    values = [json.loads(one) for one in slices]
    return [len(value) if isinstance(value, list) else 0 for value in values]


def test_what_the_model_did_in_one_go_is_one_slice() -> None:
    """Reasoning, hosted tools, messages and calls in a row are one message; a result is one of its own."""
    assert shape(USER, THOUGHT, SEARCH, ANSWER, CALL, CALL, RESULT, RESULT, ANSWER) == [0, 5, 0, 0, 1]


def test_all_up_to_the_last_compaction_is_one_slice() -> None:
    """What a compaction item stands for is nobody's to touch, however often it was compacted."""
    assert shape(USER, SUMMARY, USER, CALL, RESULT, SUMMARY, USER, CALL) == [6, 0, 1]


def test_a_program_is_one_slice_with_what_it_called() -> None:
    """The calls of a program and their results stay with it, to its output or to the end of the list."""
    program = {"type": "program", "id": "p", "call_id": "p1", "code": "", "fingerprint": ""}
    done = {"type": "program_output", "id": "o", "call_id": "p1", "result": "", "status": "completed"}
    assert shape(USER, program, CALL, RESULT, done, ANSWER, USER) == [0, 5, 0]
    assert shape(USER, program, CALL, RESULT) == [0, 3]


def test_reasoning_keeps_what_follows_it() -> None:
    """An item of a type that nobody knows belongs to the reasoning before it, and stands alone elsewhere."""
    assert shape(USER, THOUGHT, UNKNOWN, UNKNOWN, USER) == [0, 2, 0, 0]
    assert shape(USER, UNKNOWN, THOUGHT, USER) == [0, 0, 1, 0]


def test_reference_belongs_to_the_row_of_what_it_stands_for() -> None:
    """Thoughts, texts and calls that the upstream has stored are the model's, with a type or without."""
    thought, text = {"type": "item_reference", "id": "rs_1"}, {"id": "msg_1"}
    assert shape(USER, thought, CALL, RESULT, thought, text, USER) == [0, 2, 0, 2, 0]
    assert shape(USER, thought, UNKNOWN, {"type": "item_reference", "id": "sh_1"}, RESULT) == [0, 3, 0]
    assert shape(USER, {"type": "item_reference", "id": "cmp_1"}, USER) == [2, 0]


@pytest.mark.parametrize(
    "item",
    [
        {"type": "compaction_trigger"},
        "hi",
        ["hi"],
        None,
    ],
)
def test_list_that_is_not_ours_is_left_alone(item: Any) -> None:
    """A request to compact, and what is no item at all, make a list that nobody touches."""
    assert shape(USER, item) is None


def test_odd_labels_are_no_obstacle() -> None:
    """A type that is no text, half an emoji and twice the same key are cut as single items."""
    odd = [b'{"type":1}', b'{"role":"user","content":"\\ud83d"}', b'{"role":"x","role":"user","n":NaN}']
    assert cut(odd) == tuple(odd)


def test_flat_is_what_was_cut() -> None:
    """The slices of a list, laid flat, are the items of the list, byte for byte."""
    items = [raw(item) for item in (SUMMARY, USER, THOUGHT, CALL, RESULT, UNKNOWN, ANSWER)]
    slices = cut(items)
    assert slices is not None
    assert b",".join(flat(slices)) == b",".join(items)


def test_nothing_is_laid_flat_as_nothing() -> None:
    """A row that lost all its items leaves no trace, and a text becomes an item."""
    assert list(flat([b"[]", b"null", b'"hi"'])) == [b'{"role":"user","content":"hi"}']


def test_a_tool_list_of_a_developer_is_not_a_message() -> None:
    """Some items have a role beside a type of their own."""
    assert shape(USER, {"type": "additional_tools", "role": "assistant", "tools": []}, ANSWER) == [0, 0, 1]


@pytest.mark.parametrize("write", [json.dumps, lambda item: json.dumps(item, separators=(",", ":"))])
def test_type_is_found_wherever_it_stands(write: Callable[[Any], str]) -> None:
    """Clients write the members of an item in any order, with or without spaces."""
    items: list[dict[str, Any]] = [
        USER,
        THOUGHT,
        SEARCH,
        CALL,
        RESULT,
        ANSWER,
        {"type": "compaction", "id": "c"},
        ANSWER,
    ]
    turned = [dict(reversed(item.items())) for item in items]
    for written in (items, turned):
        slices = cut([write(item).encode() for item in written])
        assert slices is not None
        assert [json.loads(one) for one in slices] == [written[:7], written[7:]]
