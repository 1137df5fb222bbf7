"""The lens over a Chat Completions body: what it reads, and that it changes nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gateway.core.conversation import Conversation, Role, made
from gateway.core.errors import GatewayError, UpstreamUnreachable, WindowExceeded
from gateway.core.json import Malformed
from gateway.wire.base import OutputCap, Request
from gateway.wire.openai_chat import OpenAIChat

CHAT = OpenAIChat()
BODIES = sorted((Path(__file__).parent / "openai_chat").glob("*.json"))


def words(text: str) -> int:
    return len(text.split())


def view(request: Request) -> Conversation:
    return Conversation(
        tuple(CHAT.message(raw, words, origin) for origin, raw in enumerate(request.messages))
    )


def test_request_is_taken_apart_into_slices() -> None:
    """What compaction needs of a body is found, each part as the bytes the client sent."""
    body = (
        b'{ "model":"gpt-4o", "stream" : true, "n":2, "max_tokens":5,'
        b'\n "stream_options":{"include_usage":true}, "tools":[ {"a":1.0} ],'
        b' "response_format":{"type":"text"}, "functions":null,'
        b' "messages" : [ {"role":"user","content":"hi"} , {"role":"assistant"} ] , "x":1e400}'
    )

    request = CHAT.read(body)

    assert (request.model, request.stream, request.wants_usage) == ("gpt-4o", True, True)
    assert request.messages == (b'{"role":"user","content":"hi"}', b'{"role":"assistant"}')
    assert body[request.start : request.stop].startswith(b"[ {")
    assert body[: request.start].endswith(b'"messages" : ')
    assert request.extras == (b'[ {"a":1.0} ]', b'{"type":"text"}')
    assert request.output == OutputCap("max_tokens", 5)
    assert not request.ambiguous


@pytest.mark.parametrize(
    ("members", "cap"),
    [
        (b"", None),
        (b',"max_tokens":7', OutputCap("max_tokens", 7)),
        (b',"max_tokens":7,"max_completion_tokens":9', OutputCap("max_completion_tokens", 9)),
        (b',"max_tokens":7,"max_completion_tokens":null', OutputCap("max_tokens", 7)),
        (b',"max_tokens":-1', None),
        (b',"max_tokens":true', None),
        (b',"max_tokens":"7"', None),
    ],
)
def test_output_cap_is_the_field_that_the_vendor_reads(members: bytes, cap: OutputCap | None) -> None:
    """`max_completion_tokens` comes before the older `max_tokens`; what is no positive integer is no cap."""
    assert CHAT.read(b'{"messages":[]%s}' % members).output == cap


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b'{"model":"m"}',
        b'{"model":"m","messages":null}',
        b'{"messages":"hi"}',
        b'{"messages":{"a":1}}',
        b'{"messages":[1,]}',
        b'{"messages":[',
    ],
)
def test_what_is_no_chat_request_is_said_to_be_malformed(body: bytes) -> None:
    """A body without a message array is not taken for a chat request, so it is forwarded as it came."""
    with pytest.raises(Malformed):
        CHAT.read(body)


def test_odd_values_beside_the_messages_are_no_error() -> None:
    """Fields of a wrong type are the upstream's to refuse; for compaction they say nothing."""
    request = CHAT.read(b'{"model":7,"stream":1,"n":0,"stream_options":[],"messages":[]}')

    assert (request.model, request.stream, request.wants_usage) == ("", False, False)
    assert request.messages == ()


def test_a_value_nested_too_deeply_is_passed_over() -> None:
    """A body that no reader decodes whole is still taken apart; what is too deep in it says nothing."""
    deep = b"[" * 100_000 + b"]" * 100_000

    assert CHAT.read(b'{"model":%s,"messages":[{"x":%s}]}' % (deep, deep)).model == ""


@pytest.mark.parametrize("key", ["model", "messages", "MODEL", "me\u017f\u017fages"])
def test_a_key_that_matters_given_twice_is_ambiguous(key: str) -> None:
    """Two models or two message lists: the upstream may read the other one, so nobody rewrites the body.

    To some, as those written in Go, names that differ in case alone are the same.
    """
    values = {"model": b'"a"', "messages": b"[]"}
    names = ("model", "messages", key)
    twice = b",".join(b'"%s":%s' % (name.encode(), values[name.casefold()]) for name in names)

    assert CHAT.read(b"{%s}" % twice).ambiguous


@pytest.mark.parametrize("path", BODIES, ids=lambda path: path.stem)
def test_untouched_body_of_a_real_client_leaves_as_it_came(path: Path) -> None:
    """Recorded bodies of real clients go through the view and come out as the same bytes."""
    body = path.read_bytes()
    request = CHAT.read(body)

    assert CHAT.write(request, view(request)) == body
    assert CHAT.problems(view(request)) == []
    assert CHAT.repair(view(request), words).messages == view(request).messages


def test_edit_of_one_message_keeps_every_other_byte() -> None:
    """Number formats, escapes, key order, spaces and unknown fields survive around an edited message."""
    body = (
        b'{"stream": false,\n "seed":12345678901234567890123, "p":1.10, "p":-0.0,'
        b' "messages":[ {"content":"caf\\u00e9 \\ud83d", "role":"user", "x":1E5} ,'
        b' {"role":"tool","content":"long"}], "z":[ ]}'
    )
    request = CHAT.read(body)
    conversation = view(request)
    edited = conversation.replacing({1: conversation.messages[1].with_text(0, "cut", words)})

    assert CHAT.write(request, edited) == (
        b'{"stream": false,\n "seed":12345678901234567890123, "p":1.10, "p":-0.0, "messages":['
        b'{"content":"caf\\u00e9 \\ud83d", "role":"user", "x":1E5},{"role":"tool","content":"cut"}], "z":[ ]}'
    )


def test_unknown_fields_of_messages_survive_an_edit_elsewhere() -> None:
    """Names, refusals, audio references, reasoning and future fields are not lost on the way (con-13)."""
    raws = [
        b'{"role":"user","name":"ann","content":"hi"}',
        b'{"role":"assistant","content":null,"refusal":"no"}',
        b'{"role":"assistant","audio":{"id":"au_1"}}',
        b'{"role":"assistant","content":"k","reasoning_details":[{"type":"t","data":"d"}],"prefix":true}',
        b'{"role":"user","content":"q"}',
    ]
    body = b'{"model":"m","seed":7,"x_vendor":{"a":1},"messages":[%s]}' % b",".join(raws)
    request = CHAT.read(body)
    conversation = view(request)
    edited = conversation.replacing({4: conversation.messages[4].with_text(0, "r", words)})

    written = CHAT.write(request, CHAT.repair(edited, words))

    assert written == body.replace(b'"content":"q"', b'"content":"r"')


def test_messages_of_the_gateway_are_written_in_their_place() -> None:
    """A digest and its acknowledgement stand in the list as plain text messages."""
    request = CHAT.read(b'{"messages":[{"role":"system","content":"S"},{"role":"user","content":"q"}],"n":1}')
    conversation = view(request).splicing(
        1, 1, [made(Role.USER, 'back"ground', words), made(Role.ASSISTANT, "é", words)]
    )

    assert json.loads(CHAT.write(request, conversation)) == {
        "messages": [
            {"role": "system", "content": "S"},
            {"role": "user", "content": 'back"ground'},
            {"role": "assistant", "content": "é"},
            {"role": "user", "content": "q"},
        ],
        "n": 1,
    }


def test_the_gateway_makes_up_no_results() -> None:
    """A result that no tool produced cannot be written."""
    with pytest.raises(ValueError, match="tool"):
        CHAT.compose(made(Role.TOOL, "done", words))


@pytest.mark.parametrize(
    ("error", "kind"),
    [(WindowExceeded("9 > 8"), "invalid_request_error"), (UpstreamUnreachable("away"), "server_error")],
)
def test_errors_look_like_the_vendors(error: GatewayError, kind: str) -> None:
    """A client finds message, type, param and code where its SDK looks for them."""
    assert json.loads(CHAT.error(error)) == {
        "error": {"message": error.message, "type": kind, "param": None, "code": error.code}
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'{"messages":[]}', b'{"messages":[],"max_tokens":50}'),
        (b'{"max_tokens": 900 ,"messages":[]}', b'{"max_tokens": 50 ,"messages":[]}'),
        (b'{"max_completion_tokens":900,"messages":[]}', b'{"max_completion_tokens":50,"messages":[]}'),
        (
            b'{"max_completion_tokens":null,"messages":[]}',
            b'{"max_completion_tokens":null,"messages":[],"max_tokens":50}',
        ),
        (
            b'{"max_completion_tokens":900,"max_tokens":800,"messages":[]}',
            b'{"max_completion_tokens":50,"max_tokens":50,"messages":[]}',
        ),
        (b'{"max_tokens":-1,"messages":[]}', b'{"max_tokens":50,"messages":[]}'),
    ],
)
def test_clamping_uses_the_fields_of_the_client(before: bytes, after: bytes) -> None:
    """A reasoning model that refuses `max_tokens` is not sent it because its client asked for too much."""
    assert CHAT.clamp(before, CHAT.read(before).output, 50) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'{"stream":true}', b'{"stream":true,"stream_options":{"include_usage":true}}'),
        (
            b'{"stream":true,"stream_options":null}',
            b'{"stream":true,"stream_options":{"include_usage":true}}',
        ),
        (
            b'{"stream":true,"stream_options":{"x": 1.0}}',
            b'{"stream":true,"stream_options":{"x": 1.0,"include_usage":true}}',
        ),
        (b'{"stream":true,"stream_options":{"include_usage":false}}', None),
        (b'{"stream":false}', None),
        (b'{"model":"m"}', None),
    ],
)
def test_usage_is_asked_for_only_where_it_is_ours_to_ask(before: bytes, after: bytes | None) -> None:
    """A client's own choice is kept, and nothing is asked where nothing streams (sse-07)."""
    assert CHAT.ask_usage(before) == (after or before)
