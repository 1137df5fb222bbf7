"""The Messages dialect: what goes out unchanged, what an edit changes, and what stays valid."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.conversation import Conversation, Count, Role, made
from gateway.core.errors import InvalidRequest
from gateway.core.json import Malformed
from gateway.wire.anthropic_messages import AnthropicMessages
from gateway.wire.anthropic_slices import is_compacted

WIRE = AnthropicMessages()
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}


def words(text: str) -> int:
    return len(text.split())


def request(messages: list[Any], **more: Any) -> bytes:
    return json.dumps({"model": "claude", "max_tokens": 9, "messages": messages, **more}).encode()


def view_of(body: bytes, count: Count = words) -> Conversation:
    slices = WIRE.read(body).messages
    return Conversation(tuple(WIRE.message(raw, count, i) for i, raw in enumerate(slices)))


def use(id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "run", "input": {"a": 1}}


def result(id: str, text: str = "done") -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": text}


ROUND: list[Any] = [
    {"role": "user", "content": "go"},
    {"role": "assistant", "content": [THOUGHT, use("a"), use("b")]},
    {"role": "user", "content": [result("a"), result("b"), {"type": "text", "text": "and now?"}]},
]


def sent(body: bytes, view: Conversation) -> list[Any]:
    items: list[Any] = json.loads(WIRE.write(WIRE.read(body), view))["messages"]
    return items


def test_unchanged_body_is_the_same_bytes() -> None:
    """What no step has changed leaves byte for byte as it came, spaces and all."""
    body = json.dumps({"messages": ROUND, "system": "S"}, indent=1).encode()

    assert WIRE.write(WIRE.read(body), view_of(body)) == body


def test_each_result_is_a_message_of_its_own() -> None:
    """The results of a round and what the user says behind them are told apart."""
    roles = [message.role for message in view_of(request(ROUND)).messages]

    assert roles == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.TOOL, Role.USER]


def test_results_go_out_in_one_message() -> None:
    """An edited result stands with the others in one user message, first in it."""
    body = request(ROUND)
    view = view_of(body)
    after = view.replacing({2: view.messages[2].with_text(0, "cut", words)})

    assert sent(body, after) == [*ROUND[:2], {"role": "user", "content": [result("a", "cut"), *parts()[1:]]}]


def parts() -> list[Any]:
    content: list[Any] = ROUND[2]["content"]
    return content


def test_untouched_item_keeps_its_bytes() -> None:
    """An item of which nothing was edited goes out as the client wrote it."""
    item = b'{ "content": [%s , %s], "role":"user" }' % tuple(json.dumps(r).encode() for r in parts()[:2])
    first = [json.dumps(message).encode() for message in ROUND[:2]]
    body = b'{"messages":[%s]}' % b",".join([*first, item])
    view = view_of(body)
    after = view.replacing({0: view.messages[0].with_text(0, "start", words)})

    assert item in WIRE.write(WIRE.read(body), after)


def test_lost_result_takes_its_call_along() -> None:
    """A call whose result is gone goes, and the thinking stays as it was."""
    body = request(ROUND)
    after = WIRE.repair(view_of(body).without([3]), words)

    assert sent(body, after)[1]["content"] == [THOUGHT, use("a")]
    assert WIRE.problems(after) == []


def test_thinking_alone_is_no_message() -> None:
    """A message that has lost all its calls goes, if all it has left is thinking."""
    after = WIRE.repair(view_of(request(ROUND)).without([2, 3]), words)

    assert [message.role for message in after.messages] == [Role.USER, Role.USER]


def test_lost_cache_mark_is_put_at_the_end() -> None:
    """Where a rewrite took the last mark from the messages, the newest block gets one."""
    mark = {"cache_control": {"type": "ephemeral"}}
    first = {"role": "user", "content": [{"type": "text", "text": "go", **mark}]}
    body = request([first, {"role": "assistant", "content": "ok"}, {"role": "user", "content": "on"}])

    items = sent(body, view_of(body).without([0, 1]))

    assert items == [{"role": "user", "content": [{"type": "text", "text": "on", **mark}]}]


def test_never_more_marks_than_the_vendor_takes() -> None:
    """Of too many marks the oldest in the messages go; the client's new ones stay."""
    block = {"type": "text", "text": "go", "cache_control": {"type": "ephemeral"}}
    body = request([{"role": "user", "content": "x"}], system=[block, block])
    marked = WIRE.message(json.dumps({"role": "user", "content": [block]}).encode(), words)

    written = WIRE.write(WIRE.read(body), Conversation((marked,) * 3))

    assert [b"cache_control" in json.dumps(m).encode() for m in json.loads(written)["messages"]] == [
        False,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("tokens", "cap", "budget"), [(5000, 5000, 4000), (3000, 3000, 2999), (100, 1025, 1024)]
)
def test_thinking_fits_into_a_lowered_cap(tokens: int, cap: int, budget: int) -> None:
    """The budget stays below the cap, and neither falls below what the vendor takes."""
    body = request([], thinking={"type": "enabled", "budget_tokens": 4000}, max_tokens=9000)

    after = json.loads(WIRE.clamp(body, WIRE.read(body).output, tokens))

    assert (after["max_tokens"], after["thinking"]["budget_tokens"]) == (cap, budget)


def test_error_has_the_vendors_envelope() -> None:
    """An error reads as one of the vendor's."""
    told = json.loads(WIRE.error(InvalidRequest("no")))

    assert told == {"type": "error", "error": {"type": "invalid_request_error", "message": "no"}}


def test_body_without_messages_is_none_of_this_dialect() -> None:
    """Such a body is refused by the reader, and so passes as it is."""
    with pytest.raises(Malformed):
        WIRE.read(b'{"model": "claude"}')


SUMMARY = {"role": "assistant", "content": [{"type": "compaction", "content": "so far"}]}


@pytest.mark.parametrize(
    "body",
    [
        request([SUMMARY, {"role": "user", "content": "on"}], tools=[{}]),
        request(ROUND, tools=[{}], compaction={"type": "summary"}),
    ],
)
def test_what_the_vendor_compacts_is_left_to_it(body: bytes) -> None:
    """All before its block is not read by the model, and whoever asks for one wants all of it summarised."""
    read = WIRE.read(body)

    assert (read.messages, read.extras) == ((), ())
    assert WIRE.write(read, Conversation(())) == body


def test_what_only_speaks_of_compaction_is_compacted() -> None:
    """A word in a text, or in the input of a call, stands for nothing."""
    call = {**use("a"), "input": {"type": "compaction"}}
    spoken = [{"role": "user", "content": '"compaction"'}, {"role": "assistant", "content": [call]}]

    assert len(WIRE.read(request([*spoken, *ROUND[2:]], compaction=None)).messages) == 5


def test_list_that_cannot_be_read_speaks_of_no_compaction() -> None:
    """What looks like a block in a broken message is none."""
    assert not is_compacted(b'{"content": ["compaction"}')
    assert not is_compacted(b'["compaction"]')


def test_gateway_writes_texts_and_no_results() -> None:
    """What it makes reads back as what it said; a result comes from a tool alone."""
    for role in (Role.USER, Role.ASSISTANT):
        back = WIRE.message(WIRE.compose(made(role, "so far", words)), words)
        assert (back.role, back.text) == (role, "so far")

    with pytest.raises(ValueError, match="comes from a tool"):
        WIRE.compose(made(Role.TOOL, "done", words))


def test_every_answer_says_what_was_spent() -> None:
    """So nothing is asked for, and no event is extra."""
    body = request(ROUND, stream=True)

    assert WIRE.ask_usage(body) == body
    assert WIRE.read(body).wants_usage
    assert WIRE.usage(b'{"usage":{"input_tokens":3,"output_tokens":1}}') is not None
    assert WIRE.is_delta(b'{"type":"content_block_delta"}')
    assert not WIRE.is_usage_only(b'{"type":"message_delta","usage":{}}')
