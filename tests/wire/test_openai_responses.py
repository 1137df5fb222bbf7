"""The lens over a Responses body: what it reads, and that it changes nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gateway.core.conversation import Conversation, Message, Role, made
from gateway.core.errors import UpstreamUnreachable, WindowExceeded
from gateway.core.json import Malformed
from gateway.core.prefix import digest
from gateway.wire.base import OutputCap, Request, Usage
from gateway.wire.openai_responses import OpenAIResponses

WIRE = OpenAIResponses()
BODIES = sorted((Path(__file__).parent / "openai_responses").glob("*.json"))


def words(text: str) -> int:
    return len(text.split())


def view(request: Request) -> Conversation:
    return Conversation(
        tuple(WIRE.message(raw, words, origin) for origin, raw in enumerate(request.messages))
    )


def read(**members: Any) -> Request:
    return WIRE.read(json.dumps({"model": "m", **members}).encode())


def test_request_is_taken_apart_into_slices() -> None:
    """What compaction needs of a body is found, each part as the bytes the client sent."""
    body = (
        b'{ "model":"gpt-5", "stream" : true, "max_output_tokens":5, "store":false,'
        b'"instructions":"Be brief.",'
        b'"input" : [ {"role":"user","content":"hi"} , {"type":"reasoning"} , {"type":"function_call"} ] ,'
        b'"tools":[ {"type":"namespace"} ], "text":{"format":{"type":"text"}}, "x":1e400}'
    )

    request = WIRE.read(body)

    assert (request.model, request.stream, request.wants_usage) == ("gpt-5", True, True)
    assert request.messages == (
        b'{"role":"user","content":"hi"}',
        b'[{"type":"reasoning"},{"type":"function_call"}]',
    )
    assert body[request.start : request.stop].startswith(b"[ {")
    assert request.extras == (b'"Be brief."', b'[ {"type":"namespace"} ]', b'{"format":{"type":"text"}}')
    assert request.output == OutputCap("max_output_tokens", 5)
    assert not request.ambiguous


@pytest.mark.parametrize("path", BODIES, ids=lambda path: path.stem)
def test_items_are_laid_flat_as_they_came(path: Path) -> None:
    """A message added to a recorded list leaves every item before it as the client wrote it."""
    body = path.read_bytes()
    request = WIRE.read(body)
    before = view(request)
    longer = Conversation((*before.messages, made(Role.USER, "more", words)))

    after = json.loads(WIRE.write(request, longer))

    whole = json.loads(body)
    assert after == {**whole, "input": [*whole["input"], {"role": "user", "content": "more"}]}
    assert {message.role for message in before.messages} >= {Role.USER, Role.ASSISTANT}


@pytest.mark.parametrize("path", BODIES, ids=lambda path: path.stem)
def test_recorded_lists_are_valid(path: Path) -> None:
    """What real clients send has nothing to repair, a list that was cut off included."""
    before = view(WIRE.read(path.read_bytes()))
    assert WIRE.problems(before) == []
    assert WIRE.repair(before, words) is before


def test_string_input_stays_a_string() -> None:
    """A text that is shortened is still a text; with something beside it, it becomes an item."""
    request = read(input="a b c")
    before = view(request)
    assert WIRE.write(request, before) == request.body
    shorter = before.replacing({0: before.messages[0].with_text(0, "a", words)})
    assert json.loads(WIRE.write(request, shorter))["input"] == "a"

    more = Conversation(
        (made(Role.USER, "so far", words), made(Role.ASSISTANT, "Yes.", words), *before.messages)
    )
    assert json.loads(WIRE.write(request, more))["input"] == [
        {"role": "user", "content": "so far"},
        {"role": "assistant", "content": "Yes."},
        {"role": "user", "content": "a b c"},
    ]


def test_slices_that_are_replayed_are_laid_flat() -> None:
    """What a checkpoint kept goes out as items, too, without being read again."""
    items = [{"role": "user", "content": "a"}, {"type": "reasoning"}, {"type": "function_call"}]
    request = read(input=items)
    assert json.loads(request.with_messages(request.messages))["input"] == items
    assert json.loads(request.with_messages(iter([b'"so far"'])))["input"] == "so far"


def test_what_the_gateway_makes_is_read_back_as_what_it_is() -> None:
    """A message of the gateway that is replayed from a checkpoint has its role and text again."""
    for role in (Role.SYSTEM, Role.USER, Role.ASSISTANT):
        back = WIRE.message(WIRE.compose(made(role, "so far", words)), words)
        assert (back.role, back.text) == (role, "so far")
    with pytest.raises(ValueError, match="makes none"):
        WIRE.compose(Message(Role.TOOL, (), 0))


@pytest.mark.parametrize(
    "members",
    [
        {"input": "hi", "previous_response_id": "resp_1"},
        {"input": [{"role": "user", "content": "hi"}], "conversation": {"id": "conv_1"}},
        {"previous_response_id": "resp_1"},
        {"prompt": {"id": "pmpt_1"}},
        {"input": None, "conversation": "conv_1"},
        {"input": [{"role": "user", "content": "hi"}, {"type": "compaction_trigger"}]},
        {"input": ["hi"]},
    ],
)
def test_request_that_is_not_ours_has_nothing_to_compact(members: dict[str, Any]) -> None:
    """What goes on with something at the upstream, or asks for compaction, goes out as it came."""
    request = read(**members, instructions="Be brief.", tools=[])
    assert (request.messages, request.extras, request.model) == ((), (), "m")
    assert WIRE.write(request, view(request)) == request.body


def test_depth_is_no_obstacle() -> None:
    """Members that are nested deeper than anybody reads are as good as absent; such a list is left alone."""
    deep = b"[" * 100_000 + b"]" * 100_000
    assert WIRE.read(b'{"model":%s,"input":"hi"}' % deep).model == ""
    assert WIRE.read(b'{"model":"m","input":[{"type":1,"x":%s}]}' % deep).messages == ()


def test_null_ids_are_none() -> None:
    """Clients that write every field they do not set are compacted like all others."""
    request = read(
        input="hi", previous_response_id=None, conversation=None, tools=None, max_output_tokens=None
    )
    assert (request.messages, request.extras, request.output) == ((b'"hi"',), (), None)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'{"model":"m"}',
        b'{"input":{}}',
        b'{"input":7}',
        b'{"input":[1,}',
        b'{"messages":[]}',
    ],
)
def test_what_is_no_such_request_is_refused(body: bytes) -> None:
    """A body of another shape is not this format's."""
    with pytest.raises(Malformed):
        WIRE.read(body)


def test_key_that_is_there_twice_makes_a_request_ambiguous() -> None:
    """Readers differ about which of the two counts."""
    assert WIRE.read(b'{"model":"a","model":"b","input":"hi"}').ambiguous
    assert WIRE.read(b'{"model":7,"input":["x"],"input":[]}').ambiguous
    assert WIRE.read(b'{"model":"a","Input":"hi","input":"ho"}').ambiguous


def test_only_the_input_changes() -> None:
    """Truncation, context management, storage and whatever else a client sets stay as they are."""
    body = (
        b'{"truncation": "auto", "context_management":[{"type":"compaction","compact_threshold":1.0e5}],'
        b' "input": [{"role":"user","content":"a"}, {"role":"user","content":"b"}],"store" :false }'
    )
    request = WIRE.read(body)
    assert WIRE.write(request, view(request).without([0])) == body.replace(
        b'{"role":"user","content":"a"}, ', b""
    )


def test_output_is_clamped_in_the_field_of_the_dialect() -> None:
    """A smaller answer is asked for in place, or at the end."""
    assert (
        WIRE.clamp(b'{"max_output_tokens": 900,"input":""}', None, 7)
        == b'{"max_output_tokens": 7,"input":""}'
    )
    assert WIRE.clamp(b'{"input":""}', None, 7) == b'{"input":"","max_output_tokens":7}'


def test_usage_is_never_asked_for() -> None:
    """Every answer says what was spent, so no body and no stream is changed for it."""
    assert WIRE.ask_usage(b'{"stream":true}') == b'{"stream":true}'
    assert not WIRE.is_usage_only(b'{"usage":{}}')
    assert WIRE.usage(b'{"usage":{"input_tokens":3,"output_tokens":1}}') == Usage(3, 1)
    assert WIRE.is_delta(b'{"type":"response.output_text.delta"}')


def test_errors_are_in_the_envelope_of_the_vendor() -> None:
    """SDKs find message, type and code where the vendor puts them."""
    told = json.loads(WIRE.error(WindowExceeded("too long")))["error"]
    assert (told["message"], told["type"], told["code"]) == (
        "too long",
        "invalid_request_error",
        "context_length_exceeded",
    )
    assert json.loads(WIRE.error(UpstreamUnreachable("gone")))["error"]["type"] == "server_error"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([{"role": "user", "content": "hi"}], "hi"),
        (
            [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}],
            [{"role": "user", "content": "hi"}],
        ),
        (
            [
                {
                    "type": "function_call",
                    "id": "fc_1",
                    "call_id": "c",
                    "arguments": "{}",
                    "status": "completed",
                }
            ],
            [{"type": "function_call", "call_id": "c", "arguments": "{ }"}],
        ),
    ],
)
def test_conversation_is_recognised_in_another_spelling(one: Any, other: Any) -> None:
    """What clients vary between turns makes no other message of a slice."""
    first, second = (read(input=items).messages for items in (one, other))
    assert [digest(raw) for raw in first] == [digest(raw) for raw in second]
