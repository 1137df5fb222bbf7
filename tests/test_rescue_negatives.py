"""Errors that are no overflow, and upstreams that refuse what the gateway makes: never worse than without.

Without the gateway a client would see the upstream's answer to its own bytes: that status, those headers,
those bytes. With it, it sees the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import vendor
from answers import Answer, Header, Recorded, json_answer, text_answer
from refusing import GOOD, Got, ask, scripted
from rescue_records import PASSED, Record, records
from rescue_requests import request
from running import Running
from upstream import Script, ScriptedUpstream

NEGATIVES = [record for record in records() if record.action in PASSED]
# About one message: passed through where the request has no such message.
ITEMS = [record for record in records() if record.action in ("trim_item", "drop_messages_by_count")]
TOO_LONG = json.dumps(vendor.overflow(8192, vendor.Count(15_000, 200, 0)), indent=1).encode()
HEADERS: tuple[Header, ...] = (
    ("content-type", "application/json"),
    ("x-request-id", "req_1"),
    ("set-cookie", "a=1"),
    ("set-cookie", "b=2"),
    ("x-ratelimit-remaining-tokens", "0"),
)
ACTION = "x-haversack-action"
TEMPLATES = [
    "Conversation roles must alternate user/assistant/user/assistant/... at row 19, column 27:",
    "\n------------\nWhile executing CallExpression at line 9, column 2 in source:\n...\nError: Jinja "
    "Exception: Only user and assistant roles are supported!",
    "Failed to parse messages: Unsupported content part type; messages = []",
]
REFUSAL = json_answer(vendor.error("Invalid value in messages[2].", param="messages[2]"), status=400)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ScriptedUpstream, Running]]:
    """One upstream and one gateway for all tests here."""
    with (
        ScriptedUpstream() as upstream,
        Running(upstream.url, tmp_path_factory.mktemp("negatives") / "data") as gateway,
    ):
        yield upstream, gateway


def own_headers(got: Got) -> list[tuple[str, str]]:
    """Return what came from the upstream: all headers but the gateway's own and the framing."""
    ours = ("x-haversack-", "content-length", "transfer-encoding", "date", "server")
    return [(key.lower(), value) for key, value in got.headers if not key.lower().startswith(ours)]


@pytest.mark.parametrize("record", [*NEGATIVES, *ITEMS], ids=lambda record: record.id)
def test_what_is_no_overflow_passes_through(stage: tuple[ScriptedUpstream, Running], record: Record) -> None:
    """The same bytes go out, once, and the upstream's answer comes back as it is, compressed or not."""
    upstream, gateway = stage
    for stream, compressed in ((False, False), (True, False), (False, True), (True, True)):
        refusing = scripted(upstream, record, compressed)
        sent = json.dumps(request(f"{record.id}-{stream}-{compressed}", stream=stream), indent=2).encode()
        got = ask(gateway.port, sent)

        answer = record.answer(compressed)
        assert [chat.body for chat in refusing.chats] == [sent]
        assert (got.status, got.body) == (record.status, b"".join(map(bytes, answer.chunks)))  # type: ignore[arg-type]
        assert own_headers(got) == [(key.lower(), value) for key, value in answer.headers]
        assert got.header("x-haversack-action") == "none"


def only_as_it_came(own: bytes) -> Script:
    """Return an upstream that says "too long" to these bytes, and "malformed" to all others."""
    return lambda seen: Answer(400, HEADERS, (TOO_LONG,)) if seen.body == own else _other(seen)


def _other(seen: Recorded) -> Answer:
    return REFUSAL if "/chat/completions" in seen.target else Answer(404)


@pytest.mark.parametrize("stream", [False, True])
def test_refused_form_of_a_rescue_gives_the_first_answer(
    stage: tuple[ScriptedUpstream, Running], stream: bool
) -> None:
    """An upstream that takes no rewritten list: the client sees the answer to its own, after two attempts.

    Now, and with every later request of the conversation, when the rewritten form goes out first.
    """
    upstream, gateway = stage
    asked = request(f"form-{stream}", stream=stream)
    for turn in range(3):
        sent = json.dumps(asked).encode()
        upstream.script = only_as_it_came(sent)
        before = len(upstream.chats)
        got = ask(gateway.port, sent, authorization=f"Bearer form-{stream}")

        assert (got.status, got.body) == (400, TOO_LONG)
        assert own_headers(got) == list(HEADERS)
        bodies = [chat.body for chat in upstream.chats[before:]]
        assert len(bodies) == 2
        assert sent in bodies
        more = [{"role": "assistant", "content": "Yes."}, {"role": "user", "content": f"Go on, {turn}."}]
        asked["messages"] += more


def test_refused_form_of_an_error_inside_a_stream(stage: tuple[ScriptedUpstream, Running]) -> None:
    """An overflow that came as events comes back as the same events, to the last byte."""
    upstream, gateway = stage
    event = b'data: {"error":{"message":"Context size has been exceeded.","type":"server_error"}}\n\n'
    pieces = (b": hello\n\n", event, 0.05, b"data: [DONE]\n\n")
    sent = json.dumps(request("form-events", stream=True)).encode()
    answer = Answer(200, (("content-type", "text/event-stream"),), pieces, "chunked")
    upstream.script = lambda seen: answer if seen.body == sent else _other(seen)
    before = len(upstream.chats)
    got = ask(gateway.port, sent)

    assert (got.status, got.body) == (200, b": hello\n\n" + event + b"data: [DONE]\n\n")
    assert len(upstream.chats) == before + 2


def frozen(stage: tuple[ScriptedUpstream, Running], model: str) -> dict[str, Any]:
    """Return a request whose conversation has been rescued before, so that its frozen form goes out first."""
    upstream, gateway = stage
    asked = request(model)
    upstream.window, upstream.script = 8000, upstream.vendor
    assert ask(gateway.port, asked, authorization=f"Bearer {model}").status == 200
    more = [{"role": "assistant", "content": GOOD}, {"role": "user", "content": "Go on."}]
    return {**asked, "messages": [*asked["messages"], *more]}


def test_refused_form_of_a_frozen_prefix_sends_the_own_bytes(
    stage: tuple[ScriptedUpstream, Running],
) -> None:
    """A frozen list that is suddenly refused is replaced by the client's own, and never used again."""
    upstream, gateway = stage
    asked = frozen(stage, "thawed")
    sent = json.dumps(asked).encode()
    upstream.script = lambda seen: text_answer(seen, "Own.") if seen.body == sent else _other(seen)
    before = len(upstream.chats)
    got = ask(gateway.port, sent, authorization="Bearer thawed")

    assert (got.status, got.text) == (200, "Own.")
    assert got.header("x-haversack-action") == "failed-open"
    assert [chat.body == sent for chat in upstream.chats[before:]] == [False, True]


def taking(own: bytes) -> Script:
    """Return an upstream that answers these bytes, and says "malformed" to all others."""
    return lambda seen: text_answer(seen, GOOD) if seen.body == own else _other(seen)


def test_conversation_whose_compaction_is_refused_goes_out_as_it_came_for_a_while(tmp_path: Path) -> None:
    """One turn costs a second attempt, and those behind it none."""
    (tmp_path / "w.yaml").write_text("extends: mechanical\nwindow: 16000\n")
    flags = "--policies", str(tmp_path), "--policy", "w"
    asked = request("unmoved")
    sent: list[int] = []
    with ScriptedUpstream() as upstream, Running(upstream.url, tmp_path / "data", *flags) as gateway:
        for turn in range(3):
            own = json.dumps(asked).encode()
            upstream.script = taking(own)
            before = len(upstream.chats)
            assert ask(gateway.port, own).status == 200
            sent.append(len(upstream.chats) - before)
            more = [{"role": "assistant", "content": GOOD}, {"role": "user", "content": f"Go on, {turn}."}]
            asked["messages"] += more

    assert sent == [2, 1, 1]


@pytest.mark.parametrize("status", [401, 402, 403, 404, 408, 409, 429, 500, 502, 503, 529])
def test_other_refusals_of_a_rewritten_list_pass_through(
    stage: tuple[ScriptedUpstream, Running], status: int
) -> None:
    """Keys, money, rate and trouble are not about the form: the client decides what to do, at once."""
    upstream, gateway = stage
    asked = frozen(stage, f"other-{status}")
    body = b'{"error": {"message": "Not now.", "type": "x", "code": null}}'
    answer = Answer(status, (*HEADERS, ("retry-after", "7")), (body,))
    upstream.script = lambda seen: answer if "/chat/completions" in seen.target else Answer(404)
    before = len(upstream.chats)
    got = ask(gateway.port, asked, authorization=f"Bearer other-{status}")

    assert (got.status, got.body) == (status, body)
    assert own_headers(got) == [*HEADERS, ("retry-after", "7")]
    assert len(upstream.chats) == before + 1


@pytest.mark.parametrize("sentence", TEMPLATES)
def test_template_that_refuses_a_rewritten_list_gets_the_own_bytes(
    stage: tuple[ScriptedUpstream, Running], sentence: str
) -> None:
    """A chat template's refusal came with status 500 and was passed on: it is about the form all the same."""
    upstream, gateway = stage
    asked = frozen(stage, f"template-{TEMPLATES.index(sentence)}")
    sent = json.dumps(asked).encode()
    refusal = json_answer({"error": {"code": 500, "message": sentence, "type": "server_error"}}, status=500)
    upstream.script = lambda seen: text_answer(seen, "Own.") if seen.body == sent else refusal
    before = len(upstream.chats)
    got = ask(gateway.port, sent, authorization=f"Bearer {asked['model']}")

    assert (got.status, got.text) == (200, "Own.")
    assert got.header("x-haversack-action") == "failed-open"
    assert [chat.body == sent for chat in upstream.chats[before:]] == [False, True]


@pytest.mark.parametrize("stream", [False, True])
def test_refusal_that_quotes_the_user_is_passed_on(
    stage: tuple[ScriptedUpstream, Running], stream: bool
) -> None:
    """A question about an overflow was taken for one, asked three times, and taught everybody a window."""
    upstream, gateway = stage
    question = "Why does it say: this model's maximum context length is 2048 tokens, you sent 2600 tokens?"
    asked = request("quoting", stream=stream)
    asked["messages"][-1]["content"] = question
    told = f"Conversation roles must alternate user/assistant; got user: {question}"
    upstream.script = lambda seen: json_answer(vendor.error(told), status=400)
    before = len(upstream.chats)
    got = ask(gateway.port, asked, authorization="Bearer mallory")

    assert (got.status, json.loads(got.body)["error"]["message"]) == (400, told)
    assert len(upstream.chats) == before + 1

    upstream.script = upstream.vendor
    upstream.window = 128_000
    assert ask(gateway.port, request("quoting"), authorization="Bearer alice").header(ACTION) == "none"


def test_upstream_without_stream_options_is_asked_without(stage: tuple[ScriptedUpstream, Running]) -> None:
    """A server that does not know the field that we added is asked without it, and that is remembered."""
    upstream, gateway = stage
    upstream.window = 8000

    def script(seen: Recorded) -> Answer:
        if seen.json and "stream_options" in seen.json:
            return json_answer(vendor.error("Unrecognized request argument: stream_options"), status=400)
        return upstream.vendor(seen)

    upstream.script = script
    asked = request("no-stream-options", stream=True)
    counts = []
    for _ in range(2):
        before = len(upstream.chats)
        got = ask(gateway.port, asked, authorization="Bearer no-stream-options")
        assert (got.status, got.text) == (200, GOOD)
        counts.append(len(upstream.chats) - before)
        asked["messages"] += [{"role": "assistant", "content": GOOD}, {"role": "user", "content": "Go on."}]

    assert counts == [3, 1]
