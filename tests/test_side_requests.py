"""What agents ask beside their conversation, under the same session: it neither changes nor is changed by it.

On real sockets. The conversation was compacted once; what the upstream receives of it afterwards is compared
item by item as bytes.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from answers import json_answer
from known import POLICY, Known, talk
from running import Running
from upstream import ScriptedUpstream

SUMMARY = "Provide a detailed but concise summary of our conversation above. Focus on what comes next."
SESSION = {"x-session-id": "ses_1", "x-session-affinity": "ses_1"}
TITLE = [
    {"role": "system", "content": "You are a title generator. You output ONLY a thread title."},
    {"role": "user", "content": "Generate a title for this conversation:\n"},
    talk(1)[0],
]

_NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Known]:
    """One gateway for all tests here."""
    policies = tmp_path_factory.mktemp("side")
    (policies / "known.yaml").write_text(POLICY)
    with ScriptedUpstream() as upstream:
        flags = ["--policies", str(policies), "--policy", "known", "--anthropic-upstream", upstream.origin]
        with Running(upstream.url, tmp_path_factory.mktemp("store") / "data", *flags) as gateway:
            yield Known(gateway, upstream)
            assert '"error"' not in gateway.log


@pytest.fixture
def app(shared: Known) -> Known:
    """An application with a key of its own, whose conversation has been compacted."""
    shared.upstream.window = None
    app = Known(shared.gateway, shared.upstream, key=f"side-{next(_NUMBERS)}")
    assert app.send(talk(20), **SESSION).action == "compacted"
    shared.upstream.requests[:-1] = []
    return app


def asked(app: Known, path: str, body: dict[str, Any]) -> httpx.Response:
    """Ask something else, under the same key and session."""
    headers = {"authorization": f"Bearer {app.key}", **SESSION}
    return httpx.post(app.gateway.origin + path, json=body, headers=headers, timeout=60)


BESIDE: dict[str, tuple[str, dict[str, Any]]] = {
    "title": ("/v1/chat/completions", {"messages": TITLE, "max_tokens": 80}),
    "probe": ("/v1/chat/completions", {"messages": [{"role": "user", "content": "test"}], "max_tokens": 1}),
    "summary": (
        "/v1/chat/completions",
        {
            "messages": [
                *talk(20),
                {"role": "assistant", "content": "a"},
                {"role": "user", "content": SUMMARY},
            ]
        },
    ),
    "count_tokens": ("/v1/messages/count_tokens?beta=true", {"messages": talk(20)}),
    "embeddings": ("/v1/embeddings", {"input": "test"}),
    "prompt": ("/v1/completions", {"prompt": "test " * 9000}),
}


@pytest.mark.parametrize("name", BESIDE)
def test_side_request_goes_as_it_came_and_changes_nothing(name: str, app: Known) -> None:
    """Whatever is asked in between: its bytes go out, and the conversation goes on as it was decided."""
    decided = app.last
    path, members = BESIDE[name]

    answer = asked(app, path, {"model": "gpt-test", **members})

    assert answer.status_code == 200
    seen = app.upstream.requests[-1]
    assert seen.target == path
    assert seen.json == {"model": "gpt-test", **members}
    app.send(talk(20), **SESSION)
    assert app.last == decided
    app.grow(talk(20), **SESSION)
    assert app.last[: len(decided)] == decided


def test_summary_that_is_refused_changes_nothing_either(app: Known) -> None:
    """It is asked of less; what was left out of it stays in the conversation."""
    decided = app.last
    app.upstream.window = 4000
    path, members = BESIDE["summary"]

    answer = asked(app, path, {"model": "gpt-test", **members})

    assert answer.headers["x-haversack-action"] == "rescued"
    refused, taken = app.upstream.chats[-2:]
    assert refused.messages == members["messages"]
    assert taken.messages[-1] == members["messages"][-1]
    app.send(talk(20), **SESSION)
    assert app.last == decided


def test_refusal_of_a_prompt_is_the_upstreams_own(app: Known) -> None:
    """A prompt without messages is never rewritten: its client reads what the vendor says of its length."""
    told = json.dumps(
        {"error": {"message": "This model's maximum context length is 4097 tokens", "code": None}}
    )
    app.upstream.queue(json_answer(told, status=400))

    answer = asked(app, "/v1/completions", {"model": "gpt-test", "prompt": "test " * 9000})

    assert (answer.status_code, answer.text) == (400, told)
