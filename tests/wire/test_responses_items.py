"""A slice of a Responses input is read as one message, whatever clients write in it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.conversation import Block, Kind, Message, Role
from gateway.wire.responses_items import (
    calls,
    keeping_calls,
    read_message,
    unbound,
    without_last_reasoning,
)

THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "A" * 4000}
CALL = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "f", "arguments": '{"a": 1}'}
OTHER_CALL = {**CALL, "id": "fc_2", "call_id": "c2"}
ANSWER = {
    "type": "message",
    "id": "msg_1",
    "status": "completed",
    "role": "assistant",
    "phase": "final_answer",
    "content": [{"type": "output_text", "text": "done now", "annotations": []}],
}
SEARCH = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"query": "q"}}


def words(text: str) -> int:
    return len(text.split())


def message(value: Any) -> Message:
    return read_message(json.dumps(value).encode(), words, 0)


def row(*items: Any) -> Message:
    return message(list(items))


def sent(message: Message | None) -> list[Any]:
    """Return the items of a row as they go out."""
    assert message is not None
    items: list[Any] = json.loads(message.raw)
    return items


def kinds(message: Message) -> list[Kind]:
    return [block.kind for block in message.blocks]


@pytest.mark.parametrize("role", ["system", "developer", "user"])
@pytest.mark.parametrize("kind", [{}, {"type": "message"}, {"type": None}])
def test_type_of_a_message_may_be_left_out(role: str, kind: dict[str, Any]) -> None:
    """Most clients write a message without its type."""
    read = message({**kind, "role": role, "content": "a b"})
    assert read.role == (Role.USER if role == "user" else Role.SYSTEM)
    assert (read.text, read.tokens, read.origin) == ("a b", 6, 0)


def test_string_input_is_a_user_message_that_can_be_edited() -> None:
    """The shortest request there is can be shortened too, and stays a string."""
    read = message("a b c")
    assert (read.role, read.text) == (Role.USER, "a b c")
    assert read.with_text(0, "a", words).raw == b'"a"'


def test_row_is_an_assistant_message() -> None:
    """Reasoning, text, calls and hosted tools in a row are one message with a block each, in order."""
    read = row(THOUGHT, SEARCH, ANSWER, CALL)
    assert read.role is Role.ASSISTANT
    assert kinds(read) == [Kind.REASONING, Kind.OTHER, Kind.TEXT, Kind.TOOL_CALL]
    assert read.blocks[2].path == (2, "content", 0, "text")
    call = read.blocks[3]
    assert (call.call_id, call.name, call.text) == ("c1", "f", '{"a": 1}')
    assert call.path == (3, "arguments")


def test_item_that_says_nothing_has_a_block() -> None:
    """Blocks tell what the last item of a row is, so an empty message has one as well."""
    assert kinds(row(THOUGHT, {**ANSWER, "content": []})) == [Kind.REASONING, Kind.TEXT]


@pytest.mark.parametrize(
    ("item", "name", "text"),
    [
        ({"type": "custom_tool_call", "call_id": "c1", "name": "patch", "input": "x y"}, "patch", "x y"),
        (
            {"type": "shell_call", "call_id": "c1", "action": {"commands": ["ls"]}},
            "shell",
            '{"commands":["ls"]}',
        ),
        ({"type": "computer_call", "call_id": "c1", "id": "cu_1"}, "computer", ""),
        ({"type": "mcp_approval_request", "id": "c1", "name": "go", "arguments": "{}"}, "go", "{}"),
    ],
)
def test_all_that_the_client_answers_is_a_call(item: Any, name: str, text: str) -> None:
    """Custom tools, shells, the computer and approvals are paired like functions."""
    (call,) = calls(row(item))
    assert (call.call_id, call.name, call.text) == ("c1", name, text)
    assert (call.path is not None) == (item["type"] == "custom_tool_call")


def test_reference_is_what_its_id_says() -> None:
    """What only the upstream knows is thought, said, or perhaps called, and costs about as much."""
    ids = ("rs_1", "msg_1", "ws_1", "fc_1", "new_1")
    read = row(*({"type": "item_reference", "id": id} for id in ids), {"id": "msg_2"})
    assert kinds(read) == [
        Kind.REASONING,
        Kind.OTHER,
        Kind.OTHER,
        Kind.TOOL_CALL,
        Kind.TOOL_CALL,
        Kind.OTHER,
    ]
    assert {block.tokens for block in read.blocks} == {300}
    assert [block.call_id for block in calls(read)] == ["", ""]
    assert read.blocks[0].whole is None
    assert message([{"role": "user"}, {"type": "item_reference", "id": "cmp_1"}]).role is Role.SYSTEM


@pytest.mark.parametrize(
    "item",
    [
        SEARCH,
        {"type": "tool_search_call", "call_id": None, "arguments": {}, "execution": "server"},
        {**CALL, "caller": {"type": "program", "caller_id": "p1"}},
        {"type": "function_call_output", "call_id": "c1", "output": "r"},
        "loose",
    ],
)
def test_what_the_client_does_not_answer_is_no_call(item: Any) -> None:
    """Hosted tools, what a program called, and what is no call at all, are carried along in their row."""
    assert kinds(row(item)) == [Kind.OTHER]


@pytest.mark.parametrize(
    "item",
    [
        {"type": "function_call_output", "call_id": "c1", "output": "r"},
        {"type": "custom_tool_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "r"}]},
        {"type": "local_shell_call_output", "id": "c1", "output": "r"},
        {"type": "mcp_approval_response", "approval_request_id": "c1", "approve": True},
    ],
)
def test_result_names_its_call(item: Any) -> None:
    """Every kind of result is a tool message with the id of its call."""
    read = message(item)
    assert (read.role, read.blocks[0].call_id) == (Role.TOOL, "c1")


@pytest.mark.parametrize(
    "value",
    [
        {"type": "hologram", "role": "user", "content": "x"},
        {"type": "additional_tools", "role": "developer", "tools": []},
        {"type": "function_call_output", "output": "nobody asked"},
        {"role": "narrator", "content": "x"},
        {"type": 1, "role": "user"},
        {},
        None,
        7,
        [{"role": "user", "content": "x"}, {"type": "compaction", "encrypted_content": "A" * 4000}],
    ],
)
def test_what_is_not_known_is_opaque(value: Any) -> None:
    """No step touches what nobody knows, nor what was compacted."""
    read = message(value)
    assert (read.role, kinds(read)) == (Role.SYSTEM, [Kind.OTHER])


@pytest.mark.parametrize("raw", [b"", b"{", b"[" * 100_000, b'{"role":"user","content":"\xff"}', b"null"])
def test_reading_never_raises(raw: bytes) -> None:
    """A broken slice, or a very deep one, is read as far as it goes."""
    assert read_message(raw, words).raw == raw


def test_encrypted_reasoning_costs_what_it_holds() -> None:
    """What is encrypted is counted by its length, not as the words or letters of base64."""
    assert 500 < row(THOUGHT).blocks[0].tokens < 700
    assert row({**THOUGHT, "encrypted_content": None}).blocks[0].tokens < 20


def reasoning(read: Message) -> Block:
    return next(block for block in read.blocks if block.kind is Kind.REASONING)


def test_reasoning_leaves_with_the_names_that_tell_of_it() -> None:
    """Without its reasoning an item must not say by its id that it had some; its call id stays."""
    read = row(THOUGHT, ANSWER, CALL)
    after = sent(read.replacing({0: None}, words))
    assert after == [
        {key: value for key, value in ANSWER.items() if key not in ("id", "status")},
        {key: value for key, value in CALL.items() if key != "id"},
    ]


def test_later_reasoning_keeps_its_own() -> None:
    """What follows other reasoning keeps its id when the first reasoning leaves."""
    after = row(THOUGHT, CALL, THOUGHT, OTHER_CALL).replacing({0: None}, words)
    assert sent(after)[1:] == [THOUGHT, OTHER_CALL]


def test_reasoning_of_a_hosted_tool_stays() -> None:
    """An item that cannot do without its id keeps the reasoning before it."""
    assert reasoning(row(THOUGHT, SEARCH, ANSWER)).whole is None


def test_reasoning_leaves_with_the_call_it_led_to() -> None:
    """Of parallel calls the others stay; what was thought before the last that left goes with it."""
    read = row(THOUGHT, CALL, OTHER_CALL)
    assert sent(keeping_calls(read, frozenset({1}), words)) == [THOUGHT, OTHER_CALL]
    assert keeping_calls(read, frozenset(), words) is None
    assert sent(keeping_calls(row(THOUGHT, CALL, ANSWER), frozenset(), words)) == [THOUGHT, ANSWER]
    twice = row(ANSWER, THOUGHT, THOUGHT, CALL, THOUGHT, OTHER_CALL)
    assert sent(keeping_calls(twice, frozenset({1}), words)) == [ANSWER, THOUGHT, OTHER_CALL]


def test_reasoning_at_the_end_can_be_taken_away() -> None:
    """Reasoning that nothing followed leaves alone; a row of nothing else leaves whole."""
    assert sent(without_last_reasoning(row(ANSWER, THOUGHT, THOUGHT), words)) == [ANSWER]
    assert without_last_reasoning(row(THOUGHT), words) is None


def test_first_items_lose_their_names_only() -> None:
    """Up to the first reasoning, or the first item that needs its id, nothing but ids and status leaves."""
    nameless = {key: value for key, value in CALL.items() if key != "id"}
    assert sent(unbound(row(CALL, THOUGHT, OTHER_CALL))) == [nameless, THOUGHT, OTHER_CALL]
    for whole in (row(SEARCH, CALL), row(nameless, THOUGHT), row(THOUGHT, CALL)):
        assert unbound(whole) is whole


def test_call_that_bears_a_signature_is_not_edited() -> None:
    """LiteLLM passes Gemini's on; it goes back with what it has signed."""
    signed = {**CALL, "provider_specific_fields": {"thought_signature": "c2ln"}}

    assert [block.path for block in row(signed, OTHER_CALL).blocks] == [None, (1, "arguments")]
