"""Reports about calls and their results (`pairs.json`): nothing that goes out parts them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

import vendor
from forwarded import Messages, faults
from gateway.core.conversation import Conversation
from gateway.wire.openai_chat import OpenAIChat
from reported import Stage, body_of, call, encoded, reported, staged

WIRE = OpenAIChat()

STUB = re.compile(r"GET (\S+)\]")

STUBS = "extends: mechanical\nwindow: 1000\nsteps: [{use: offload, min_tokens: 20, keep_last: 0}]\n"


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One gateway for all tests here."""
    with staged(tmp_path_factory.mktemp("pairs"), (200, 300, 1000, 1500), {"wstubs": STUBS}) as stage:
        yield stage


def repaired(messages: Messages) -> Messages:
    """Return what repair makes of a list that a cut has left, after making sure that once is enough."""
    raws = [json.dumps(message).encode() for message in messages]
    # The items are no longer where the client had them.
    view = Conversation(tuple(WIRE.message(raw, len, index + 1) for index, raw in enumerate(raws)))
    once = WIRE.repair(view, len)
    assert WIRE.repair(once, len) is once
    assert list(WIRE.problems(once)) == []
    return [json.loads(message.raw) for message in once.messages]


HEADS: tuple[Messages, ...] = (
    [],
    [{"role": "system", "content": "S"}],
    [{"role": "developer", "content": "D"}],
    [{"role": "system", "content": "S"}, {"role": "developer", "content": "D"}],
)


@pytest.mark.parametrize("head", HEADS, ids=lambda head: "-".join(m["role"] for m in head) or "none")
@pytest.mark.parametrize(
    "id",
    [
        "tp-02-orphan-hidden-behind-system",
        "tp-05-parallel-batch-split",
        "tp-15-legacy-function-role",
        "tp-18-starts-with-function-call",
    ],
)
def test_cut_anywhere(id: str, head: Messages) -> None:
    """Wherever a list is cut, and whatever head is put before the rest, what is left is a list again."""
    body = [message for message in body_of(id)["messages"] if message["role"] not in ("system", "developer")]
    for first in range(len(body)):
        left = repaired([*head, *body[first:]])
        assert vendor.problems({"messages": left}) == [] or not left
        assert left[: len(head)] == head
        assert all(message in body for message in left[len(head) :])
        opening = [message["role"] for message in left[len(head) :]][:1]
        assert opening != ["user"] or left[len(head)]["role"] == "user"
        assert all(message["role"] not in ("tool", "function") for message in left[len(head) :][:1])


def test_batch_stays_whole() -> None:
    """Of parallel calls with three results, either all stay or none, wherever the cut falls."""
    messages = body_of("tp-05-parallel-batch-split")["messages"]
    for first in range(len(messages)):
        left = repaired([{"role": "user", "content": "What was before."}, *messages[first:]])
        assert sum(message["role"] == "tool" for message in left) == (3 if first < 2 else 0)
        assert left[-1] == messages[-1]


def test_orphans_behind_orphans() -> None:
    """A repair goes on until nothing is wrong: a lost call, then a call that is only half answered."""
    left = repaired(reported("tp-08-cascading-orphans")["messages_after_cut"])
    said = json.dumps(left)
    assert "z0" not in said
    assert ("z1" in said) == ('"tool_call_id": "z1"' in said)
    assert vendor.problems({"messages": left}) == []


@pytest.mark.parametrize("lost", range(4))
def test_any_lost_result_is_lost_with_its_call(lost: int) -> None:
    """Of a round with four results, the one that is lost takes its call along, and no other."""
    ids = ["a", "b", "c", "d"]
    messages: Messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": None, "tool_calls": [call(id) for id in ids]},
        *({"role": "tool", "tool_call_id": id, "content": id} for id in ids if id != ids[lost]),
        {"role": "user", "content": "on"},
    ]
    left = repaired(messages)
    assert [entry["id"] for entry in left[1]["tool_calls"]] == [id for id in ids if id != ids[lost]]


@pytest.mark.parametrize("window", [200, 300, 1000])
def test_open_round_stays_open(stage: Stage, window: int) -> None:
    """Results that have just come stay behind their call and the request; only their middle may go."""
    sent = body_of("tp-10-open-round-at-tail")
    forwarded = stage.rewritten(sent, window=window)
    assert faults(sent["messages"], forwarded) == []
    assert forwarded[-3:-1] == sent["messages"][-3:-1]
    assert forwarded[-1]["tool_call_id"] == "o1"
    assert forwarded[-1]["content"].startswith("row,")
    if (original := STUB.search(forwarded[-1]["content"])) is not None:
        assert original[1].startswith("/haversack/originals/")


def old(body: Messages) -> Messages:
    """Return a conversation behind an old turn that is too long for the windows here."""
    return [{"role": "user", "content": "old " * 900}, {"role": "assistant", "content": "Noted."}, *body]


def test_interrupted_call(stage: Stage) -> None:
    """A call that the user broke off passes as it is; a list that is rewritten keeps what was answered.

    Nothing is made up: no result says that the call succeeded, or anything else about it.
    """
    sent = body_of("tp-11-dangling-call-from-client")
    stage.send(sent)
    assert stage.sent.body == encoded(sent)

    forwarded = stage.rewritten({**sent, "messages": old(sent["messages"])}, window=1000)
    assert forwarded[-3]["tool_calls"] == [call("d1", "sh")]
    assert forwarded[-2:] == sent["messages"][-2:]
    assert "d2" not in json.dumps(forwarded)


def test_two_calls_with_one_id(stage: Stage) -> None:
    """Of calls and results with one id, a rewritten list keeps one of each: the call that completed."""
    sent = body_of("tp-12-duplicate-id-in-one-message")
    stage.send(sent)
    assert stage.sent.body == encoded(sent)

    forwarded = stage.rewritten({**sent, "messages": old(sent["messages"])}, window=1000)
    (kept,) = forwarded[-3]["tool_calls"]
    assert (kept["function"]["name"], forwarded[-2]["content"]) == ("todo", "ok")


ENDS = {
    "second": ["Tool execution aborted.", "ok"],
    "canceled": ["[The user canceled this call]", "ok"],
    "empty": ["", "ok"],
    "first": ["ok", "Error: aborted"],
    "third": ["Interrupted by the user", "error: timed out", "ok"],
}


@pytest.mark.parametrize("results", ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("called", [1, 2, 3])
def test_of_two_results_the_one_that_ended_stays(called: int, results: list[str]) -> None:
    """Whichever of the results under one id is that of a call that came to an end, it stays with its call."""
    messages: Messages = [
        {"role": "user", "content": "go"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [call("same", f"f{number}") for number in range(called)],
        },
        *({"role": "tool", "tool_call_id": "same", "content": text} for text in results),
        {"role": "user", "content": "on"},
    ]
    left = repaired(messages)
    assert [message["content"] for message in left if message["role"] == "tool"] == ["ok"]
    place = min(results.index("ok"), called - 1)
    assert [entry["function"]["name"] for entry in left[1]["tool_calls"]] == [f"f{place}"]


def originals(stage: Stage, forwarded: Messages, key: str) -> list[str]:
    """Return what stands behind the stubs of the results."""
    paths = [STUB.search(message["content"]) for message in forwarded if message["role"] == "tool"]
    return [stage.call("GET", path[1], key=key).body.decode() for path in paths if path]


def test_ids_used_again(stage: Stage) -> None:
    """Where each turn counts its calls from zero, each stub leads to the result of its own turn."""
    sent = body_of("tp-13-ids-reused-across-turns")
    # The newest results are spared, so an answer makes them old.
    messages = [
        *sent["messages"],
        {"role": "assistant", "content": "Equal."},
        {"role": "user", "content": "?"},
    ]
    forwarded = stage.rewritten({**sent, "messages": messages}, window="stubs", key="again")
    assert [m["tool_calls"] for m in forwarded if m.get("tool_calls")] == [
        m["tool_calls"] for m in messages if m.get("tool_calls")
    ]
    assert originals(stage, forwarded, "again") == ["first " * 800, "second " * 800]


@pytest.mark.parametrize("written", ['id": ""', 'id": null', 'ident": 1'], ids=["empty", "null", "none"])
def test_calls_without_ids(stage: Stage, written: str) -> None:
    """Where a client has lost its ids, two results are two originals, and stand where they stood."""
    sent = json.loads(json.dumps(body_of("tp-14-missing-tool-call-id")).replace('id": ""', written))
    messages = [*sent["messages"], {"role": "assistant", "content": "Hm."}, {"role": "user", "content": "?"}]
    got = stage.send({**sent, "messages": messages}, window="stubs", key="lost")
    assert got.header("x-haversack-action") == "compacted"
    forwarded = stage.sent.messages
    assert [m["role"] for m in forwarded] == [m["role"] for m in messages]
    assert originals(stage, forwarded, "lost") == ["AAA" * 900, "BBB" * 900]


@pytest.mark.parametrize("window", [200, 300])
def test_function_messages(stage: Stage, window: int) -> None:
    """The old function messages are shortened like any result, with their name, behind their call."""
    sent = body_of("tp-15-legacy-function-role")
    forwarded = stage.rewritten(sent, window=window)
    assert faults(sent["messages"], forwarded) == []
    assert forwarded[1] == sent["messages"][1]
    assert (forwarded[2]["role"], forwarded[2]["name"]) == ("function", "w")
    assert len(forwarded[2]["content"]) < 1000


@pytest.mark.parametrize("policy", ["default", "mechanical", "wstubs"])
def test_list_begins_with_the_user(stage: Stage, policy: str) -> None:
    """Behind the head a list begins with the user, whatever was taken away, and however many rounds."""
    sent = body_of("tp-18-starts-with-function-call")["messages"]
    rounds = [
        message
        for number in range(12)
        for message in (
            {"role": "assistant", "content": None, "tool_calls": [call(f"r{number}")]},
            {"role": "tool", "tool_call_id": f"r{number}", "content": "value " * 40},
        )
    ]
    messages = [*sent[:-1], *rounds]
    for size in range(40, 700, 60):
        forwarded = stage.plan({"model": "gemini-x", "messages": messages}, size, policy)
        assert [message["role"] for message in forwarded[:2]] == ["system", "user"], size


@pytest.mark.parametrize("id", ["tp-19-responses-reasoning-adjacency", "ses-10-previous-response-id"])
def test_responses_pass_whole(stage: Stage, id: str) -> None:
    """A request of the Responses format goes out byte for byte: nothing in it is parted or trimmed."""
    body = encoded(reported(id)["request"]["body"])
    got = stage.call("POST", "/v1/responses", body, headers={"x-haversack-policy": "w200"})
    assert (got.status, stage.sent.target, stage.sent.body) == (404, "/v1/responses", body)


def in_messages(messages: Messages) -> Messages:
    """Return a list of Chat Completions as clients of Anthropic's Messages write it."""
    found: Messages = []
    for message in messages:
        if message["role"] == "tool":
            block = {
                "type": "tool_result",
                "tool_use_id": message["tool_call_id"],
                "content": message["content"],
            }
            if found[-1]["role"] == "user":
                found[-1]["content"].append(block)
            else:
                found.append({"role": "user", "content": [block]})
            continue
        uses = [
            {"type": "tool_use", "id": one["id"], "name": one["function"]["name"], "input": {}}
            for one in message.get("tool_calls", ())
        ]
        found.append({"role": message["role"], "content": uses or message["content"]})
    return found


@pytest.mark.parametrize("policy", ["w1000", "wstubs", "default"])
def test_results_stand_in_one_user_message(stage: Stage, policy: str) -> None:
    """In Anthropic's format all results of a round stand at the head of the message behind its calls."""
    round_ = in_messages(reported("tp-07-anthropic-results-in-one-user-turn")["messages_in"])
    rounds: Messages = []
    for number in range(9):
        told = re.sub('"(t[12])"', rf'"\1-{number}"', json.dumps(round_).replace('"x"', f'"{"x " * 60}"'))
        rounds += [*json.loads(told), {"role": "assistant", "content": f"Round {number} is done."}]
    body = encoded({"model": "claude-x", "max_tokens": 10, "messages": [*rounds, *round_]})
    for size in range(100, 1500, 140):
        path = f"/haversack/compact?policy={policy}&target_tokens={size}&path=/v1/messages"
        got = stage.call("POST", path, body)
        assert got.status == 200, got.body
        forwarded = json.loads(got.body)["request"]["messages"]
        for calling, answering in pairwise([*forwarded, {"role": "user", "content": []}]):
            ids = [block["id"] for block in blocks(calling) if block["type"] == "tool_use"]
            first = blocks(answering)[: len(ids)]
            assert [block.get("tool_use_id") for block in first] == ids, size
        assert all(one["role"] != other["role"] for one, other in pairwise(forwarded))
        assert forwarded[-2:] == round_[-2:]


def blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the blocks of a message of Anthropic's."""
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
