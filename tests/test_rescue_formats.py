"""Every recorded error of a Responses or Messages upstream, end to end: as those of Chat Completions are.

The upstream repeats the error until the request fits; the client sees the answer and not a byte of the error.
What is no overflow reaches the client as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from answers import Recorded, json_answer, sse
from clients.model import DIALECTS
from refusing import GOOD, Got, Refusing, ask, scripted
from rescue_records import CLAMPED, RESCUED, Record, records_of_formats
from rescue_requests import in_format, request
from running import Running
from upstream import ScriptedUpstream

RECORDS = records_of_formats()
OVERFLOWS = [record for record in RECORDS if record.action in RESCUED]
CAPS = [record for record in RECORDS if record.action in CLAMPED]
OTHERS = [record for record in RECORDS if record.action not in RESCUED | CLAMPED]
PATHS = {"openai_responses": "/v1/responses", "anthropic_messages": "/v1/messages"}
LISTS = {"openai_responses": "input", "anthropic_messages": "messages"}
CAP_FIELDS = {"openai_responses": "max_output_tokens", "anthropic_messages": "max_tokens"}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ScriptedUpstream, Running]]:
    """One upstream and one gateway for all records."""
    data = tmp_path_factory.mktemp("formats") / "data"
    with (
        ScriptedUpstream() as upstream,
        Running(upstream.url, data, "--anthropic-upstream", upstream.origin) as gateway,
    ):
        yield upstream, gateway


def forms(record: Record) -> list[tuple[str, bool, bool]]:
    """Return the forms in which a record is run: a name, whether streamed, whether compressed."""
    plain = [("stream", True, False)] if record.streaming else [("plain", False, False), ("sse", True, False)]
    return [*plain, ("gzip", record.streaming, True)]


def run(
    stage: tuple[ScriptedUpstream, Running], record: Record, form: tuple[str, bool, bool]
) -> tuple[Got, Refusing, bytes]:
    """Return what the client gets, the upstream that has seen it, and what the client sent."""
    name, stream, compressed = form
    upstream, gateway = stage
    refusing, model = scripted(upstream, record, compressed), f"{record.id}-{name}"
    asked = record.output or (100_000 if record in CAPS else None)
    more = {"max_tokens": asked} if asked else {}
    body = in_format(record.wire, request(model, stream=stream, seed=RECORDS.index(record), **more))
    sent = json.dumps(body, indent=1).encode()
    return ask(gateway.port, sent, PATHS[record.wire], **headers(record.wire, model)), refusing, sent


def headers(wire: str, key: str) -> dict[str, str]:
    """Return the headers of a client of that format."""
    if wire == "anthropic_messages":
        return {"x-api-key": key, "anthropic-version": "2023-06-01", "authorization": ""}
    return {"authorization": f"Bearer {key}"}


@pytest.mark.parametrize("record", OVERFLOWS, ids=lambda record: record.id)
def test_overflow_is_rescued(stage: tuple[ScriptedUpstream, Running], record: Record) -> None:
    """Whatever words an upstream finds for "too long", and in which event, the client gets an answer."""
    for form in forms(record):
        got, refusing, _ = run(stage, record, form)
        first, last = refusing.chats[0], refusing.chats[-1]
        before, after = refusing.dialect.items(first.json), refusing.dialect.items(last.json)

        assert (got.status, got.text) == (200, GOOD), (form, got)
        assert got.header("x-haversack-action") == "rescued"
        assert 2 <= len(refusing.chats) <= 3
        assert refusing.dialect.problems(last.json) == []
        assert after[-1] == before[-1]
        lists = LISTS[record.wire], CAP_FIELDS[record.wire]
        assert beside(last, *lists) == beside(first, *lists)
        rewritten = [chat for chat in refusing.chats if refusing.dialect.items(chat.json) != before]
        assert all(len(chat.body) < len(first.body) for chat in rewritten)


def beside(seen: Recorded, *keys: str) -> dict[str, Any]:
    """Return what a request says beside these members."""
    return {key: value for key, value in seen.json.items() if key not in keys}


@pytest.mark.parametrize("record", CAPS, ids=lambda record: record.id)
def test_output_cap_is_cured_by_clamping(stage: tuple[ScriptedUpstream, Running], record: Record) -> None:
    """A request whose only fault is the output it asks for keeps its messages; only the number changes."""
    for form in forms(record):
        got, refusing, _ = run(stage, record, form)

        assert (got.status, got.text) == (200, GOOD), (form, got)
        first, second = refusing.chats
        field = CAP_FIELDS[record.wire]
        assert second.json[field] < first.json[field]
        asked, clamped = (b'"%s": %d' % (field.encode(), chat.json[field]) for chat in (first, second))
        assert second.body == first.body.replace(asked, clamped)


@pytest.mark.parametrize("record", OTHERS, ids=lambda record: record.id)
def test_what_is_no_overflow_passes_through(stage: tuple[ScriptedUpstream, Running], record: Record) -> None:
    """The same bytes go out, once, and the upstream's answer comes back as it is, compressed or not."""
    for name, stream, compressed in [*forms(record), ("gzip-sse", True, True)]:
        got, refusing, sent = run(stage, record, (name, stream, compressed))

        answer = record.answer(compressed)
        assert [chat.body for chat in refusing.chats] == [sent]
        assert (got.status, got.body) == (record.status, b"".join(map(bytes, answer.chunks)))  # type: ignore[arg-type]
        assert {*answer.headers} <= {(key.lower(), value) for key, value in got.headers}
        assert got.header("x-haversack-action") == "none"


TOO_LONG = {
    "openai_responses": "Invalid 'input[{at}].output': string too long. Expected a string with maximum "
    "length {limit}, but got a string with length {size} instead.",
    "anthropic_messages": "messages.{at}.content.0.tool_result.content: String should have at most {limit} "
    "characters",
}


@pytest.mark.parametrize("wire", TOO_LONG)
def test_text_too_long_for_its_field_is_cut(stage: tuple[ScriptedUpstream, Running], wire: str) -> None:
    """The item that the upstream names is cut in its middle; all others stay."""
    upstream, gateway = stage
    talk = request(f"long-{wire}")
    at = next(n for n, one in enumerate(talk["messages"]) if n > 20 and one["role"] == "tool")
    talk["messages"][at]["content"] = "A line of the log.\n" * 9000
    asked = in_format(wire, talk)
    place = next(n for n, one in enumerate(asked[LISTS[wire]]) if len(json.dumps(one)) > 100_000)
    told = TOO_LONG[wire].format(at=place, limit=50_000, size=171_000)
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": told}}

    def script(seen: Recorded) -> Any:
        if len(json.dumps(seen.json[LISTS[wire]][place])) > 60_000:
            return json_answer(error, status=400)
        return DIALECTS[wire].say(seen, GOOD)

    upstream.script = script
    before = len(upstream.requests)
    got = ask(gateway.port, asked, PATHS[wire], **headers(wire, f"long-{wire}"))
    sent = upstream.requests[-1].json[LISTS[wire]]

    assert (got.status, got.text) == (200, GOOD)
    assert len(upstream.requests) == before + 2
    assert [n for n, (a, b) in enumerate(zip(asked[LISTS[wire]], sent, strict=True)) if a != b] == [place]
    assert 40_000 < len(json.dumps(sent[place])) < 60_000


@pytest.mark.parametrize("stream", [False, True])
def test_prompt_that_is_only_to_be_cached_is_answered_with_nothing(
    stage: tuple[ScriptedUpstream, Running], stream: bool
) -> None:
    """`max_tokens: 0` warms the vendor's cache; the empty answer was taken for an overflow."""
    upstream, gateway = stage
    usage = {"input_tokens": 12_000, "output_tokens": 0}
    whole: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "m"}
    whole = {**whole, "stop_reason": "max_tokens", "stop_sequence": None, "usage": usage}
    delta = {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": usage}
    begun = {"type": "message_start", "message": {**whole, "stop_reason": None}}
    events = [
        f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in (begun, delta, {"type": "message_stop"})
    ]
    upstream.script = lambda seen: sse(events) if stream else json_answer(json.dumps(whole))
    asked = in_format("anthropic_messages", request(f"warm-{stream}", max_tokens=0, stream=stream))
    before = len(upstream.requests)
    got = ask(gateway.port, asked, "/v1/messages", **headers("anthropic_messages", f"warm-{stream}"))

    assert (got.status, got.body.decode()) == (200, "".join(events) if stream else json.dumps(whole))
    assert [seen.json for seen in upstream.requests[before:] if seen.body] == [asked]
