"""Reports about how large a request is taken to be (`sizes.json`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from answers import json_answer
from forwarded import Messages, faults
from reported import Body, Stage, body_of, call, encoded, reported, staged

FULL = "extends: mechanical\nwindow: 32000\nreserve_output: 5000\n"


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One gateway for all tests here."""
    with staged(tmp_path_factory.mktemp("sizes"), (1000, 4000, 6000, 8000), {"wfull": FULL}) as stage:
        yield stage
        assert "failed-open" not in stage.gateway.log


def tokens(stage: Stage, body: Body) -> int:
    """Return how large the gateway takes a request to be."""
    told = stage.send(body, window=8000).header("x-haversack-tokens")
    return int(told.partition("before=")[2].partition(";")[0])


def test_schemas_count(stage: Stage) -> None:
    """Tools and the schema of the answer fill the window, too: the trigger is reached because of them."""
    sent = body_of("tok-01-tools-and-schema-uncounted")
    stage.rewritten(sent, window=4000)
    alone = {"model": "m", "messages": sent["messages"]}
    assert stage.send(alone, window=4000).header("x-haversack-action") == "none"


EXTRAS = ("tools", "functions", "response_format")


@pytest.mark.parametrize("member", EXTRAS)
def test_each_schema_counts(stage: Stage, member: str) -> None:
    """Whichever member brings schemas along, the request is larger by what they say."""
    sent = body_of("tok-01-tools-and-schema-uncounted")
    if member == "functions":
        sent["functions"] = [sent["tools"][0]["function"]]
    bare = {"model": "m", "messages": sent["messages"]}
    grown = tokens(stage, {**bare, member: sent[member]}) - tokens(stage, bare)
    assert grown > (250 if member == "response_format" else 1700)


def filled(sizes: dict[str, int]) -> Body:
    """Return a request whose parts have these sizes."""
    turns: Messages = [
        {"role": role, "content": "word " * 490} for _ in range(sizes["history"] // 1000) for role in TURN
    ]
    function = {"name": "t", "description": "long " * sizes["tools"], "parameters": {"type": "object"}}
    head = {"role": "system", "content": "rule " * sizes["system"]}
    messages = [head, *turns, {"role": "user", "content": "q"}]
    return {"model": "m", "tools": [{"type": "function", "function": function}], "messages": messages}


TURN = ("user", "assistant")


def test_what_stays_leaves_room_for_tools(stage: Stage) -> None:
    """Head, tools, output and what is kept fit the window together."""
    found = reported("tok-02-retained-budget-ignores-tools")
    forwarded = stage.rewritten(filled(found["sizes"]), window="full")
    reserve = found["config"]["max_output"] + found["config"]["safety"]
    assert stage.sent.tokens.prompt + reserve <= found["config"]["context_window"]
    assert forwarded[-1] == {"role": "user", "content": "q"}


@pytest.mark.parametrize("part", ["tools", "system"])
def test_what_cannot_be_removed_is_too_large(stage: Stage, part: str) -> None:
    """Where tools or head alone fill the window, the client is told at once; nothing is tried in a loop."""
    sizes = {**reported("tok-02-retained-budget-ignores-tools")["sizes"], part: 40_000}
    before = len(stage.upstream.requests)
    stage.upstream.script, stage.upstream.window = stage.upstream.vendor, 32_000
    got = stage.send(filled(sizes), window="full")
    stage.upstream.script, stage.upstream.window = (lambda _: json_answer({"choices": []})), None
    assert (got.status, json.loads(got.body)["error"]["code"]) == (400, "context_length_exceeded")
    assert len(stage.upstream.requests) - before <= 1


LONG = "lorem " * 7000

CALLS: dict[str, dict[str, Any]] = {
    "arguments": {"tool_calls": [call("k1", "save", json.dumps({"b": LONG}))]},
    "object": {"tool_calls": [call("k1", "save", {"b": LONG})]},
    "name": {"tool_calls": [call("k1", LONG)]},
    "custom": {"tool_calls": [{"id": "k1", "type": "custom", "custom": {"name": "save", "input": LONG}}]},
    "legacy": {"function_call": {"name": "save", "arguments": json.dumps({"b": LONG})}},
    "reasoning": {"reasoning_content": LONG, "tool_calls": [call("k1")]},
    "refusal": {"refusal": LONG},
}


@pytest.mark.parametrize("said", CALLS.values(), ids=CALLS)
def test_all_that_is_said_counts(stage: Stage, said: dict[str, Any]) -> None:
    """A message without content has the size of its calls, thoughts or refusal: nothing is overlooked."""
    sent = body_of("tok-03-tool-call-arguments-uncounted")
    assert tokens(stage, sent) > 6500
    sent["messages"][1:3] = [{"role": "assistant", "content": None, **said}]
    sent["messages"].insert(1, {"role": "assistant", "content": "Yes."})
    assert tokens(stage, sent) > 6500


@pytest.mark.parametrize("window", [4000, 6000])
def test_long_arguments_start_a_compaction(stage: Stage, window: int) -> None:
    """A call with long arguments is brought to size before it is refused, and its arguments stay JSON."""
    sent = body_of("tok-03-tool-call-arguments-uncounted")
    forwarded = stage.rewritten(sent, window=window)
    assert faults(sent["messages"], forwarded) == []
    assert stage.sent.tokens.prompt <= window


def test_window_is_learned_not_guessed(stage: Stage) -> None:
    """A model that nobody knows gets its requests whole until it says how long its window is."""
    found = reported("tok-06-unknown-window")
    sent = found["request"]["body"]
    refused, _ = found["upstream"]
    stage.upstream.queue(json_answer(refused["body"], status=400))
    before = len(stage.upstream.chats)
    got = stage.send(sent)
    first, second = stage.upstream.chats[before:]
    assert (got.status, got.header("x-haversack-action")) == (200, "rescued")
    assert first.body == encoded(sent)
    assert second.tokens.prompt < 32_768

    # Another conversation, and one of the size that was named wrongly as the window in the report.
    for words in (40_000, 60_012):
        other = {**sent, "messages": [{"role": "user", "content": "v " * words}, *sent["messages"][1:]]}
        assert stage.send(other).header("x-haversack-action") == "compacted"
        assert stage.sent.tokens.prompt < 32_768
    small = {**sent, "messages": [{"role": "user", "content": "v " * 15_000}, *sent["messages"][1:]]}
    assert stage.send(small).header("x-haversack-action") == "none"
    assert b"haversack_unknown_windows_total" in stage.gateway.get("/metrics")[1]


@pytest.mark.parametrize("stream", [False, True])
def test_list_of_any_length_fits(stage: Stage, stream: bool) -> None:
    """A client that never trims is answered for ever; usage is the upstream's, headers tell both sizes."""
    found = reported("tok-07-usage-deflation")
    stage.upstream.script, stage.upstream.window = stage.upstream.vendor, found["config"]["context_window"]
    asked: Body = {"stream": True, "stream_options": {"include_usage": True}} if stream else {}
    messages: Messages = []
    for turn in range(found["sequence_turns"]):
        messages += [{"role": "user", "content": f"{turn} " + "word " * found["each_turn_adds_tokens"]}]
        got = stage.send({"model": "m", **asked, "messages": messages}, window=1000, key=f"k{stream}")
        assert got.status == 200
        assert f'"prompt_tokens":{stage.sent.tokens.prompt}' in got.body.decode().replace(" ", "")
        messages += [{"role": "assistant", "content": "All right."}]
    told = got.header("x-haversack-tokens")
    before, after = (int(part.partition("=")[2]) for part in told.split(";"))
    assert before > 12_000
    assert after < 1000
    stage.upstream.window = None
