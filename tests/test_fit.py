"""Requests that removing old messages cannot help: a header says what was cut, or there is one clear error.

Every case runs where the window is learned from the upstream's refusal, and where a policy knows it before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from refusing import GOOD, Got, ask
from rescue_requests import conversation, request, tools
from running import Running
from upstream import ScriptedUpstream

WINDOW = 8000
ATTEMPTS = 3
MEGABYTE = 1_000_000


@pytest.fixture(scope="module", params=["learned", "known"])
def stage(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[ScriptedUpstream, Running]]:
    """A model with a window of 8000 tokens, which the gateway has to learn, or its policy names."""
    folder = tmp_path_factory.mktemp("fit")
    (folder / "known.yaml").write_text(f'extends: mechanical\nwindows: {{"*": {WINDOW}}}\n')
    flags = ("--policies", str(folder), "--policy", "known") if request.param == "known" else ()
    with (
        ScriptedUpstream(WINDOW) as upstream,
        Running(upstream.url, folder / "data", *flags) as gateway,
    ):
        yield upstream, gateway


def log(size: int) -> str:
    """Return the output of a tool, with one line that matters at its end."""
    line = "2026-01-01T00:00:00Z worker-7 INFO handled request 4711 in 12 ms, cache hit, region eu-west\n"
    return line * (size // len(line)) + "ERROR: disk full on /dev/sda1\n"


def rounds(result: str, arguments: str = '{"path": "a.log"}') -> list[dict[str, Any]]:
    """Return a call that the model has just made, and what came of it."""
    call = {"id": "call_new", "type": "function", "function": {"name": "read_file", "arguments": arguments}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_new", "content": result},
    ]


def run(stage: tuple[ScriptedUpstream, Running], name: str, body: dict[str, Any]) -> Got:
    """Return what the client gets, after looking at what the upstream saw on the way."""
    upstream, gateway = stage
    before = len(upstream.chats)
    got = ask(gateway.port, body, authorization=f"Bearer {name}")
    seen = upstream.chats[before:]

    assert len(seen) <= ATTEMPTS
    assert all(chat.problems == [] for chat in seen)
    sizes = [chat.tokens.total for chat in seen]
    assert sizes == sorted(set(sizes), reverse=True)
    assert all(len(chat.body) <= len(json.dumps(body)) for chat in seen)
    return got


def steps(got: Got) -> list[str]:
    """Return what the gateway says it did."""
    return got.header("x-haversack-steps").split(",")


def test_newest_result_of_a_megabyte(stage: tuple[ScriptedUpstream, Running]) -> None:
    """The newest result keeps its beginning and its end, and the request stands as it was."""
    body = request("big-result")
    body["messages"] += rounds(log(MEGABYTE))
    got = run(stage, "big-result", body)

    assert (got.status, got.text) == (200, GOOD)
    assert "newest_content" in steps(got)
    sent = stage[0].chats[-1].messages
    assert sent[0] == body["messages"][0]
    assert sent[-2] == body["messages"][-2]
    assert sent[-1]["content"].startswith("2026-01-01T00:00:00Z worker-7")
    assert "ERROR: disk full" in sent[-1]["content"]
    assert stage[0].chats[-1].tokens.prompt > 0.3 * WINDOW


@pytest.mark.parametrize("stream", [False, True])
def test_user_message_of_a_megabyte(stage: tuple[ScriptedUpstream, Running], stream: bool) -> None:
    """A single message larger than the window keeps its beginning and its end."""
    text = "Summarise this log.\n" + log(MEGABYTE) + "What went wrong?"
    body = {"model": "big-user", "stream": stream, "messages": [{"role": "user", "content": text}]}
    got = run(stage, f"big-user-{stream}", body)

    assert (got.status, got.text) == (200, GOOD)
    assert steps(got) == ["newest_content"]
    content = stage[0].chats[-1].messages[0]["content"]
    assert content.startswith("Summarise this log.")
    assert content.endswith("What went wrong?")


def test_user_message_in_parts(stage: tuple[ScriptedUpstream, Running]) -> None:
    """Text in a list of parts is cut like any other; an image beside it stays."""
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    parts = [{"type": "text", "text": log(300_000)}, image, {"type": "text", "text": "What is this?"}]
    body = {"model": "big-parts", "messages": [*conversation(3), {"role": "user", "content": parts}]}
    got = run(stage, "big-parts", body)

    assert (got.status, got.text) == (200, GOOD)
    assert "newest_content" in steps(got)
    assert stage[0].chats[-1].messages[-1]["content"][1:] == parts[1:]


def test_arguments_of_the_newest_call(stage: tuple[ScriptedUpstream, Running]) -> None:
    """A file that the model has just written with a call is cut inside its arguments, which stay JSON."""
    arguments = json.dumps({"path": "a.py", "content": log(400_000)})
    body = request("big-call")
    body["messages"] += rounds("written", arguments)
    got = run(stage, "big-call", body)

    assert (got.status, got.text) == (200, GOOD)
    assert "newest_content" in steps(got)
    call = stage[0].chats[-1].messages[-2]["tool_calls"][0]
    assert json.loads(call["function"]["arguments"])["path"] == "a.py"


def test_several_results_of_the_newest_round(stage: tuple[ScriptedUpstream, Running]) -> None:
    """Parallel results share what room there is; each call keeps its result."""
    ids = [f"call_{number}" for number in range(4)]
    calls = [{"id": id, "type": "function", "function": {"name": "search", "arguments": "{}"}} for id in ids]
    results = [{"role": "tool", "tool_call_id": id, "content": log(200_000)} for id in ids]
    body = request("parallel")
    body["messages"] += [{"role": "assistant", "content": None, "tool_calls": calls}, *results]
    got = run(stage, "parallel", body)

    assert (got.status, got.text) == (200, GOOD)
    assert "newest_content" in steps(got)
    sent = stage[0].chats[-1].messages[-4:]
    assert [message["tool_call_id"] for message in sent] == ids
    assert all("ERROR: disk full" in message["content"] for message in sent)


def unfit(name: str) -> dict[str, Any]:
    """Return a request whose head or tools are larger than the window."""
    body = request(f"unfit-{name}")
    if name == "system":
        body["messages"][0]["content"] = "Never do this. " * 4000
    elif name == "tools":
        huge = tools()[0]
        huge["function"]["description"] = "Reads a file of the project. " * 3000
        body["tools"] = [huge, *body["tools"]]
    else:
        body["messages"][1:1] = [{"role": "developer", "content": "Always do that. " * 4000}]
    return body


@pytest.mark.parametrize("name", ["system", "tools", "developer"])
@pytest.mark.parametrize("stream", [False, True])
def test_head_larger_than_the_window(
    stage: tuple[ScriptedUpstream, Running], name: str, stream: bool
) -> None:
    """What may not be removed does not fit: one clear error, as the vendor would give it, with numbers."""
    body = {**unfit(name), "stream": stream}
    got = run(stage, f"{name}-{stream}", body)

    error = json.loads(got.body)["error"]
    assert (got.status, error["code"], error["type"]) == (
        400,
        "context_length_exceeded",
        "invalid_request_error",
    )
    assert got.header("content-type") == "application/json"
    assert f"maximum context length is {WINDOW} tokens" in error["message"]


def test_output_larger_than_the_window(stage: tuple[ScriptedUpstream, Running]) -> None:
    """A long conversation that asks for more output than the window has fits all the same."""
    body = request("big-output", max_tokens=100_000)
    got = run(stage, "big-output", body)

    assert (got.status, got.text) == (200, GOOD)
    assert stage[0].chats[-1].tokens.total <= WINDOW


def test_pathological_text_takes_bounded_time(stage: tuple[ScriptedUpstream, Running]) -> None:
    """A megabyte without a space, and one of emoji, are cut like prose."""
    for name, text in (("run", "A" * MEGABYTE), ("emoji", "\N{GRINNING FACE}" * (MEGABYTE // 8))):
        body = request(name)
        body["messages"] += rounds(text)
        got = run(stage, name, body)

        assert (got.status, got.text) == (200, GOOD), name
        assert "newest_content" in steps(got)
