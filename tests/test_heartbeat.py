"""Clients that wait for a summary are told to wait, if the policy says so; official SDKs pass over it.

Through the whole gateway, in every wire format. The summariser answers when a test lets it.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import anthropic
import openai
import pytest

from answers import JSON, Answer, Recorded, json_answer
from clients.model import DIALECTS
from gateway.core.summary.form import TASK
from gateway.engine.heartbeat import COMMENT
from gateway.policy.tenants import key_hash
from river import SUMMARY
from running import Running
from upstream import ScriptedUpstream

POLICY = """
window: 2000
reserve_output: 400
steps: [{use: summarize}, {use: digest}]
summarizer: {mode: inline, heartbeat_s: 0.1, timeout_s: 30, sections: [], retries: 0, max_parts: 1}
"""
KEY = "hvs_acme"
ANSWER = "All right."
WIRES = tuple(DIALECTS)
LEFT = 'haversack_requests_total{action="none",endpoint="openai_chat",policy="waiting",status="499"'


@dataclass
class Vendor:
    """Answers clients at once, and the summariser when it is let go."""

    go: threading.Event = field(default_factory=threading.Event)
    refuses: bool = False
    """Clients, not the summariser."""
    breaks: bool = False
    """The summariser, not clients."""

    def __call__(self, request: Recorded) -> Answer:
        """Return the answer to any request."""
        dialect = next(one for one in DIALECTS.values() if request.target.endswith(one.path))
        if TASK.encode() in request.body:
            if self.breaks:
                return json_answer({"error": {"message": "no"}}, status=500)
            (body,) = dialect.say(request, SUMMARY).chunks
            return Answer(200, (JSON,), self._when_let_go(body), "chunked")
        return dialect.refuse(request.json, "Not so.") if self.refuses else dialect.say(request, ANSWER)

    def _when_let_go(self, body: bytes | float) -> Iterator[bytes | float]:
        while not self.go.is_set():
            yield 0.01
        yield body


@dataclass
class Stage:
    """A gateway before that vendor."""

    upstream: ScriptedUpstream
    gateway: Running
    vendor: Vendor

    def asked(self, name: str) -> tuple[list[Recorded], list[Recorded]]:
        """Return the calls for a summary of a conversation, and the requests of it that were passed on."""
        about = [request for request in self.upstream.requests if f"Tell me, {name}," in str(request.json)]
        calls = [request for request in about if TASK.encode() in request.body]
        return calls, [request for request in about if request not in calls]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One gateway for all tests here; each has a conversation of its own."""
    folder = tmp_path_factory.mktemp("heartbeat")
    tenants = folder / "policies" / "tenants"
    tenants.mkdir(parents=True)
    (folder / "policies" / "waiting.yaml").write_text(POLICY)
    (tenants / "acme.yaml").write_text(f"keys: [{key_hash(KEY)}]\npolicy: waiting\n")
    vendor = Vendor()
    with ScriptedUpstream() as upstream:
        upstream.script = vendor
        flags = ("--policies", str(folder / "policies"), "--anthropic-upstream", upstream.origin)
        with Running(upstream.url, folder / "data", *flags) as gateway:
            yield Stage(upstream, gateway, vendor)


@pytest.fixture
def stage(shared: Stage) -> Iterator[Stage]:
    """The gateway, with a summariser that waits to be let go."""
    vendor = shared.vendor
    vendor.go, vendor.refuses, vendor.breaks = threading.Event(), False, False
    yield shared
    shared.vendor.go.set()


def talk(name: str) -> list[Any]:
    """Return a conversation over the trigger."""
    messages = []
    for _ in range(12):
        asking = f"Tell me, {name}, about the river once more, " + "and so on " * 20
        messages.append({"role": "user", "content": asking})
        messages.append({"role": "assistant", "content": "It flows between its banks, " + "and on " * 15})
    return messages[:-1]


@contextlib.contextmanager
def opened(stage: Stage, wire: str, name: str) -> Iterator[Any]:
    """Open a stream with the vendor's own SDK: the head of the answer is there."""
    about: dict[str, Any] = {"api_key": "k", "max_retries": 0, "default_headers": {"x-haversack-key": KEY}}
    if wire == "anthropic_messages":
        with anthropic.Anthropic(base_url=stage.gateway.origin, **about) as claude:
            asking: dict[str, Any] = {"model": "claude-test", "max_tokens": 100, "messages": talk(name)}
            with claude.messages.create(**asking, stream=True) as stream:
                yield stream
        return
    with openai.OpenAI(base_url=stage.gateway.url, **about) as client:
        if wire == "openai_responses":
            with client.responses.create(model="gpt-test", input=talk(name), stream=True) as events:
                yield events
        else:
            chat = client.chat.completions
            with chat.create(model="gpt-test", messages=talk(name), stream=True) as chunks:
                yield chunks


def text(stream: Any) -> str:
    """Return what a stream says, in any of the dialects."""
    said = []
    for event in stream:
        if getattr(event, "choices", None):
            said.append(event.choices[0].delta.content or "")
        elif event.type == "response.output_text.delta":
            said.append(event.delta)
        elif event.type == "content_block_delta":
            said.append(event.delta.text)
    return "".join(said)


@pytest.mark.parametrize(("wire", "name"), [*zip(WIRES, ("Ann", "Bea", "Cleo"), strict=True)])
def test_sdk_reads_the_answer_behind_the_comments(stage: Stage, wire: str, name: str) -> None:
    """The stream is open before the summary is there; then the answer comes, to a request that has it."""
    with opened(stage, wire, name) as stream:
        assert stage.asked(name)[1] == []
        stage.vendor.go.set()
        assert text(stream) == ANSWER

    calls, (request,) = stage.asked(name)
    assert len(calls) == 1
    assert SUMMARY in str(request.json)
    assert request.header("accept-encoding") == "identity"


@pytest.mark.parametrize(("wire", "name"), [*zip(WIRES, ("Alf", "Bob", "Carl"), strict=True)])
def test_sdk_raises_what_the_upstream_refuses(stage: Stage, wire: str, name: str) -> None:
    """The status is out, so the refusal comes as an event of the vendor's own kind, with its words."""
    stage.vendor.refuses = True
    with opened(stage, wire, name) as stream:
        stage.vendor.go.set()
        with pytest.raises((openai.APIError, anthropic.APIError), match=r"Not so\."):
            text(stream)


@contextlib.contextmanager
def posted(stage: Stage, name: str, *, stream: bool) -> Iterator[http.client.HTTPConnection]:
    """Send a request; the answer comes on the connection."""
    connection = http.client.HTTPConnection("127.0.0.1", stage.gateway.port, timeout=30)
    headers = {"authorization": "Bearer k", "x-haversack-key": KEY}
    body = json.dumps({"model": "gpt-test", "messages": talk(name), "stream": stream})
    connection.request("POST", "/v1/chat/completions", body, headers)
    try:
        yield connection
    finally:
        connection.close()


def test_client_that_leaves_has_the_summary_next_time(stage: Stage) -> None:
    """It is told what is known by then; nothing is sent on for it, and what it waited for is not lost."""
    with posted(stage, "Cid", stream=True) as connection, connection.getresponse() as response:
        assert response.read(len(COMMENT)) == COMMENT
        assert response.headers["content-type"] == "text/event-stream"
        assert response.headers["x-haversack-policy"] == "waiting"
        assert response.headers["x-haversack-session"]
        assert response.headers["x-haversack-action"] is None
    stage.upstream.wait(lambda: LEFT in stage.gateway.get("/metrics")[1].decode())
    stage.vendor.go.set()

    with posted(stage, "Cid", stream=False) as connection, connection.getresponse() as again:
        assert (again.status, again.headers["x-haversack-action"]) == (200, "compacted")
    calls, (request,) = stage.asked("Cid")
    assert len(calls) == 1
    assert SUMMARY in str(request.json)


def test_client_that_leaves_without_a_stream_has_it_next_time_too(stage: Stage) -> None:
    """Its leaving is no failure of the summary, and costs no second call."""
    with posted(stage, "Fay", stream=False):
        stage.upstream.wait(lambda: stage.asked("Fay")[0])
    before = ended(stage)
    stage.vendor.go.set()
    stage.upstream.wait(lambda: ended(stage) != before)

    with posted(stage, "Fay", stream=False) as connection, connection.getresponse() as again:
        assert again.headers["x-haversack-action"] == "compacted"
    calls, (request,) = stage.asked("Fay")
    assert len(calls) == 1
    assert SUMMARY in str(request.json)
    assert 'outcome="cancelled"' not in "".join(ended(stage))


def ended(stage: Stage) -> list[str]:
    """Return what the metrics say of how summaries ended."""
    shown = stage.gateway.get("/metrics")[1].decode()
    return [line for line in shown.splitlines() if line.startswith("haversack_summaries_total{")]


def test_request_without_a_stream_gets_no_sign_of_life(stage: Stage) -> None:
    """Its status is not given away: it waits for the summary, and has the headers that say what was done."""
    with posted(stage, "Dan", stream=False) as connection:
        stage.upstream.wait(lambda: stage.asked("Dan")[0])
        stage.vendor.go.set()
        with connection.getresponse() as response:
            assert response.headers["content-type"] == "application/json"
            assert response.headers["x-haversack-action"] == "compacted"
            assert ANSWER in response.read().decode()


def test_summaries_are_counted_against_the_tenant(stage: Stage) -> None:
    """Who pays sees what they take: how many, how long, how many calls and tokens; what is waited for too."""
    stage.vendor.go.set()
    with posted(stage, "Eve", stream=False) as connection, connection.getresponse() as response:
        assert response.status == 200
    shown = stage.gateway.get("/metrics")[1].decode()

    who = 'policy="waiting",tenant="acme"'
    for line in (
        'haversack_summaries_total{outcome="written",policy="waiting",reason="none",tenant="acme"}',
        f'haversack_summarizer_calls_total{{outcome="ok",{who}}}',
        f'haversack_summarizer_seconds_count{{outcome="written",{who}}}',
        f'haversack_summarizer_tokens_total{{kind="input",{who}}}',
        f'haversack_summarizer_tokens_total{{kind="output",{who}}}',
    ):
        assert line in shown


def test_failure_of_a_summary_is_counted_and_seen_by_nobody(stage: Stage) -> None:
    """The digest does it at once; against the tenant is counted why."""
    stage.vendor.breaks = True
    with posted(stage, "Gus", stream=False) as connection, connection.getresponse() as response:
        assert (response.status, response.headers["x-haversack-steps"]) == (200, "digest")

    who = 'policy="waiting",reason="unreachable",tenant="acme"'
    assert any(
        line.startswith(f'haversack_summaries_total{{outcome="failed",{who}}}') for line in ended(stage)
    )
