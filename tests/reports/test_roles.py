"""Reports about who speaks in which order (`roles.json`), at strict upstreams among others."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

import vendor
from forwarded import Messages, faults
from reported import Body, Stage, body_of, call, reported, staged


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One gateway for all tests here, whose upstream refuses what breaks the order."""
    with staged(tmp_path_factory.mktemp("roles"), (200, 400)) as stage:
        stage.upstream.script, stage.upstream.alternating = stage.upstream.vendor, True
        yield stage


def alternating(messages: Messages) -> bool:
    """Return whether a strict template takes the list, which skips results and messages with calls."""
    seen = [m for m in messages if m["role"] != "tool" and not m.get("tool_calls")]
    return vendor.problems({"messages": seen}, alternating=True) == []


def grown(messages: Messages, turns: int) -> Messages:
    """Return the list with so many turns more, the last of them not answered."""
    more = [
        {"role": role, "content": f"{role} {turn} " + "word " * 20}
        for turn in range(turns)
        for role in ("assistant", "user")
    ]
    return [*messages, *more]


@pytest.mark.parametrize("turns", [0, 1, 4, 9])
@pytest.mark.parametrize("in_parts", [False, True], ids=["text", "parts"])
def test_user_and_assistant_take_turns(stage: Stage, in_parts: bool, turns: int) -> None:
    """A template that wants user and assistant in turns takes what goes out; the question is as it was."""
    sent = body_of("role-01-consecutive-user")
    messages = grown(sent["messages"], turns)
    if in_parts:
        messages[-1] = {"role": "user", "content": [{"type": "text", "text": "latest?"}]}
    forwarded = stage.rewritten({**sent, "messages": messages}, window=200)
    assert forwarded[-1] == messages[-1]
    assert alternating(forwarded)


@pytest.mark.parametrize("rounds", [1, 2, 6])
def test_templates_that_skip_calls(stage: Stage, rounds: int) -> None:
    """Seen without its calls and results, what goes out alternates as far as the client's list did."""
    found = reported("role-02-alternation-ignoring-tool-turns")
    system, task, *_ = found["head"]
    turn: Messages = [
        message
        for number in range(rounds)
        for message in (
            {"role": "assistant", "content": None, "tool_calls": [call(f"h{number}")]},
            {"role": "tool", "tool_call_id": f"h{number}", "content": "value " * 40},
        )
    ]
    sent = [system, task, *turn, {"role": "assistant", "content": "Done."}, *found["tail"]]
    for size in (20, 40, 60, 100, 200):
        forwarded = stage.plan({"model": "mistral", "messages": sent}, size)
        assert alternating(forwarded), size
        assert forwarded[-1] == sent[-1]


def test_no_question_behind_a_result(stage: Stage) -> None:
    """A list that ends with a result gets nothing of the gateway's behind it; no edge is new."""
    found = reported("role-03-user-right-after-tool")["summariser_input_history"]
    asked: Messages = [{"role": "user", "content": "before " * 300}, {"role": "assistant", "content": "Yes."}]
    for sent in (found, [*asked, *found], [*asked, *found, {"role": "user", "content": "Stop."}]):
        for size in (10, 30, 60, 200):
            forwarded = stage.plan({"model": "m", "messages": sent}, size)
            assert faults(sent, forwarded) == []


def test_head_survives_every_turn(stage: Stage) -> None:
    """A developer message is the first of every list, word for word, compacted or replayed."""
    first, second = reported("role-05-system-lost")["sequence"]
    assert stage.rewritten({"model": "m", **first}, window=200, key="k5")[0] == first["messages"][0]
    got = stage.send({"model": "m", **second}, window=200, key="k5")
    assert got.header("x-haversack-action") == "frozen"
    assert stage.sent.messages[0] == first["messages"][0]
    assert [m["role"] for m in stage.sent.messages].count("developer") == 1


def test_head_is_there_once(stage: Stage) -> None:
    """Compacted again and again, a conversation has one system message: that of the request itself."""
    messages = reported("role-06-system-duplicated")["messages"]
    actions = []
    for turns in range(24):
        sent = grown(messages, turns)
        # A client may say it otherwise from one request to the next; the newest counts.
        sent[0] = {"role": "system", "content": "You are X." if turns < 12 else "You are Y."}
        got = stage.send({"model": "m", "messages": sent}, window=400, key="k6")
        actions.append(got.header("x-haversack-action"))
        assert [m for m in stage.sent.messages if m["role"] == "system"] == sent[:1]
    assert actions.count("compacted") >= 3


CALLED: Messages = [
    {"role": "assistant", "content": None, "tool_calls": [call("t")]},
    {"role": "tool", "tool_call_id": "t", "content": "v " * 300},
]


@pytest.mark.parametrize("rounds", [[], CALLED], ids=["talk", "tools"])
def test_prefill_is_continued(stage: Stage, rounds: Messages) -> None:
    """An answer that the client has begun stays the last message, alone, and so do the fields about it."""
    sent = body_of("role-09-intended-prefill")
    *before, request, prefill = sent["messages"]
    sent["messages"] = [*before, request, *rounds, prefill]
    stage.upstream.alternating = False
    forwarded = stage.rewritten(sent, window=200)
    stage.upstream.alternating = True
    assert forwarded[-1] == prefill
    assert forwarded[-2]["role"] in ("user", "tool")
    body = stage.sent.json
    assert (body["continue_final_message"], body["add_generation_prompt"]) == (True, False)


@pytest.mark.parametrize("head", ["developer", "system", "both"])
def test_roles_keep_their_names(stage: Stage, head: str) -> None:
    """A developer message stays one: none is renamed, none is added beside it, none is compacted."""
    sent: Body = body_of("role-10-developer-role-kept")
    names = ["system", "developer"] if head == "both" else [head]
    heads = [{"role": name, "content": f"{name}: " + "rule " * 20} for name in names]
    sent["messages"] = [*heads, *sent["messages"][1:]]
    stage.upstream.alternating = False
    forwarded = stage.rewritten(sent, window=200)
    stage.upstream.alternating = True
    assert [m for m in forwarded if m["role"] in ("system", "developer")] == heads


def test_developer_message_between_turns(stage: Stage) -> None:
    """A rule that the client puts in mid-conversation outlives the turns around it."""
    sent = body_of("role-10-developer-role-kept")
    rule = {"role": "developer", "content": "From now on answer in French."}
    messages = [*grown(sent["messages"], 2), {"role": "assistant", "content": "a"}, rule, *grown([], 4)[1:]]
    for size in (40, 80, 160):
        forwarded = stage.plan({"model": "m", "messages": messages}, size)
        assert rule in forwarded, json.dumps(forwarded)
