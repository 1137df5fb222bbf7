"""Reports about what messages hold (`content.json`): it is counted without fear and sent as it came."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents import slices
from forwarded import Messages, faults
from reported import Body, Stage, body_of, call, encoded, reported, staged

OLD: Messages = [{"role": "user", "content": "old " * 900}, {"role": "assistant", "content": "Noted."}]
"""A turn that is too long for the windows here."""

SEEN: Messages = [{"role": "assistant", "content": "I see."}, {"role": "user", "content": "Go on."}]

RESULT: Messages = [
    {"role": "user", "content": "Read it."},
    {"role": "assistant", "content": None, "tool_calls": [call("old", "read")]},
    {"role": "tool", "tool_call_id": "old", "content": "old " * 4000},
    {"role": "assistant", "content": "Read."},
]
"""The same, with all of its length in a result that can be put away."""

STUBS = "extends: mechanical\nwindow: 4000\nsteps: [{use: offload, min_tokens: 20, keep_last: 0}]\n"


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One gateway for all tests here."""
    folder = tmp_path_factory.mktemp("content")
    with staged(folder, (200, 1000, 2000, 8000, 20000), {"wstubs": STUBS}) as stage:
        yield stage
        assert "failed" not in stage.gateway.log


def behind(old: Messages, body: bytes) -> bytes:
    """Return a body with these messages in front of its own, and every other byte as it was."""
    found = re.search(rb'"messages": ?\[', body)
    assert found is not None
    return body[: found.end()] + json.dumps(old).encode()[1:-1] + b"," + body[found.end() :]


def passes(stage: Stage, body: bytes) -> None:
    """Assert that a body goes out as it came and, behind what has to go, keeps all that need not."""
    got = stage.send(body, window=8000)
    assert (got.status, got.header("x-haversack-action"), stage.sent.body) == (200, "none", body)

    theirs = slices(body)
    for old, window, kept in ((RESULT, "stubs", len(theirs)), (OLD, 1000, 1)):
        got = stage.send(behind(old, body), window=window)
        assert (got.status, got.header("x-haversack-action")) == (200, "compacted")
        assert slices(stage.sent.body)[-kept:] == theirs[-kept:]
        start, end = body.index(b'"messages"'), len(body.rpartition(b"]")[2])
        assert stage.sent.body[:start] == body[:start]
        assert stage.sent.body[-end:] == body[-end:]


@pytest.mark.parametrize("blank", ["", " ", "\n"])
@pytest.mark.parametrize("window", [200, 1000])
def test_no_text_is_empty(stage: Stage, window: int, blank: str) -> None:
    """The gateway writes no blank text; a blank part that the client sent stays where nothing is done."""
    sent = body_of("con-01-empty-text-blocks")
    sent["messages"][0]["content"][0]["text"] *= 4
    sent["messages"][0]["content"][1]["text"] = blank
    sent["messages"][-1]["content"] = [{"type": "text", "text": "q"}, {"type": "text", "text": blank}]
    forwarded = stage.rewritten(sent, window=window)
    assert faults(sent["messages"], forwarded) == []
    assert forwarded[-1] == sent["messages"][-1]


@pytest.mark.parametrize("id", ["con-02-null-content-counting", "con-04-odd-argument-types"])
def test_odd_messages_pass(stage: Stage, id: str) -> None:
    """Null, missing and oddly typed values are counted and sent on as they came."""
    passes(stage, encoded(body_of(id)))


ODD: dict[str, Any] = {
    "number": 7,
    "flag": True,
    "list": [{"k": 1}],
    "nested": {"k": {"k": [None]}},
    "no object": "not json",
    "broken": '{"a": ',
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_odd_values_anywhere(stage: Stage, odd: Any) -> None:
    """Whatever stands where arguments or content should, nothing fails, and it is sent on as it came."""
    sent = body_of("con-04-odd-argument-types")
    sent["messages"][1]["tool_calls"][0]["function"]["arguments"] = odd
    sent["messages"][2]["content"] = odd
    passes(stage, encoded(sent))


def tokens_before(stage: Stage, body: Body, window: int) -> int:
    """Return how large the gateway takes a request to be."""
    told = stage.send(body, window=window).header("x-haversack-tokens")
    return int(told.partition("before=")[2].partition(";")[0])


def test_odd_arguments_are_counted(stage: Stage) -> None:
    """Arguments that are an object count as the JSON that they are."""
    sent = body_of("con-04-odd-argument-types")
    small = tokens_before(stage, sent, 8000)
    sent["messages"][1]["tool_calls"][1]["function"]["arguments"] = {"k": "word " * 500}
    assert 450 < tokens_before(stage, sent, 8000) - small < 600


PAYLOAD = "iVBORw0K" * 200_000
URL = f"data:image/png;base64,{PAYLOAD}"

PARTS: dict[str, dict[str, Any]] = {
    "image": {"type": "image_url", "image_url": {"url": URL}},
    "bare": {"type": "image_url", "image_url": URL},
    "jpeg": {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{PAYLOAD}", "detail": "low"}},
    "future": {"type": "picture", "picture": {"data": PAYLOAD}},
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
@pytest.mark.parametrize("role", ["user", "tool"])
def test_picture_is_no_text(stage: Stage, role: str, part: dict[str, Any]) -> None:
    """A picture of a megabyte costs what a picture costs, wherever it stands: nothing is compacted."""
    sent = body_of("con-06-base64-image-as-text")
    assert sent["messages"][0]["content"][1] == PARTS["image"]
    sent["messages"][0]["content"][1] = part
    if role == "tool":
        content = sent["messages"][0]["content"]
        result = {"role": "tool", "tool_call_id": "i", "content": content}
        calling = {"role": "assistant", "content": None, "tool_calls": [call("i")]}
        sent["messages"] = [{"role": "user", "content": "Look."}, calling, result]
    got = stage.send(sent, window=8000)
    assert (got.header("x-haversack-action"), stage.sent.body) == ("none", encoded(sent))
    assert tokens_before(stage, sent, 8000) < 2500


CODED = {
    "url": "data:image/png;base64," + "q9Zx" * 10_000,
    "bare": "q9Zx" * 10_000,
    "hex": "9f86d081884c7d65" * 2_500,
}


@pytest.mark.parametrize("text", CODED.values(), ids=CODED)
@pytest.mark.parametrize("seen", [False, True], ids=["new", "seen"])
def test_coded_bytes_in_a_text(stage: Stage, seen: bool, text: str) -> None:
    """Coded bytes that a tool returned as text are counted as what they cost, and are what goes."""
    sent = body_of("con-08-base64-inside-text")
    assert sent["messages"][2]["content"] == CODED["url"]
    sent["messages"][2]["content"] = text
    sent["messages"] += SEEN if seen else []
    assert tokens_before(stage, sent, 20000) > 20_000
    forwarded = stage.rewritten(sent, window=20000)
    assert forwarded[2]["tool_call_id"] == "b1"
    assert len(forwarded[2]["content"]) < 30_000


def test_newest_result_is_spared(stage: Stage) -> None:
    """The result that the model has just asked for is cut only after the old one, and says what to read."""
    sent = body_of("con-11-newest-result-shrunk")
    newest = sent["messages"][-1]
    spared = []
    for size in range(1400, 150, -50):
        forwarded = stage.plan(sent, size)
        said = json.dumps(forwarded)
        if forwarded[-1] == newest:
            spared.append(size)
        else:
            assert "old old old" not in said
            assert re.search(r"left out; all of it: GET /haversack/originals/sha256-", said)
    assert min(spared) <= 650


MARKS = {
    "stub": "use: offload, min_chars: 20, min_tokens: 0, keep_last: 0",
    "notice": "use: tool_results, max_chars: 100, max_tokens: 0, keep_last: 0",
}


@pytest.mark.parametrize("step", MARKS.values(), ids=MARKS)
def test_marks_are_left_alone(step: str, tmp_path: Path) -> None:
    """What was shortened once is not shortened again, turn for turn, and goes on telling the true size."""
    text = reported("con-12-marker-compacted-again")["tool_content"]
    messages: Messages = [
        {"role": "user", "content": "read"},
        {"role": "assistant", "content": None, "tool_calls": [call("m")]},
        {"role": "tool", "tool_call_id": "m", "content": text},
    ]
    policy = f"extends: mechanical\nwindow: 400\nsteps: [{{{step}, when: {{always: true}}}}]\n"
    with staged(tmp_path, policies={"wmarks": policy}) as stage:
        for turn in range(4):
            messages = [*messages, *SEEN]
            stage.send({"model": "m", "messages": messages}, window="marks")
            assert turn == 0 or stage.sent.messages == messages
            messages = stage.sent.messages
    result = messages[2]["content"]
    assert len(result) < len(text)
    assert result.count("[haversack") == 1
    assert "600 characters" in result


@pytest.mark.parametrize("size", [60, 100, 300])
@pytest.mark.parametrize("policy", ["default", "wstubs"])
def test_compacted_twice_is_compacted_once(stage: Stage, policy: str, size: int) -> None:
    """A client that keeps what went out, and sends it as its own, has it sent on as it is."""
    sent = {"model": "m", "messages": [*RESULT, *RESULT, *OLD, *SEEN[1:]]}
    once = stage.plan(sent, size, policy)
    assert once != sent["messages"]
    assert stage.plan({"model": "m", "messages": once}, size, policy) == once


def test_unknown_fields_stay(stage: Stage) -> None:
    """Names, refusals, audio, reasoning and fields of the future leave as they came, in their order."""
    passes(stage, encoded(body_of("con-13-unknown-message-fields")))
    assert (stage.sent.json["seed"], stage.sent.json["x_vendor"]) == (7, {"a": 1})


@pytest.mark.parametrize(
    "id",
    [
        "con-17-lone-surrogate",
        "con-18-nul-characters",
        "con-21-number-precision",
        "con-22-key-order-and-escapes",
    ],
)
def test_odd_bytes_stay(stage: Stage, id: str) -> None:
    """Half an emoji, NUL, long numbers, escapes and blanks are the client's: not one byte is another."""
    body = reported(id)["raw_body"].encode()
    passes(stage, body)
    first = stage.sent.body
    stage.send(behind(OLD, body), window=1000)
    assert stage.sent.body == first  # the same request under another key is the same bytes


TEXTS = {
    "half": "bad \\ud83d tail ",
    "other half": "bad \\ude00 tail ",
    "wrong order": "bad \\ude00\\ud83d tail ",
    "nul": "a\\u0000b ",
    "literal": "literal \\\\u0000 and \\\\ud83d ",
    "whole": "fine \\ud83d\\ude00 ",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_odd_texts_are_kept(stage: Stage, text: str) -> None:
    """A result with such text is put away like any other, and can be read again whole."""
    sent = reported("con-17-lone-surrogate")["raw_body"].replace("bad \\ud83d tail", text * 2000)
    seen = json.dumps(SEEN)[1:-1]
    body = sent[:-2] + "," + seen + "]}"
    got = stage.send(body.encode(), window="stubs", key="odd")
    assert got.header("x-haversack-action") == "compacted"
    found = re.search(r"GET (\S+)\]", stage.sent.messages[2]["content"])
    assert found is not None
    kept = stage.call("GET", found[1], key="odd")
    assert kept.status == 200
    assert kept.body.decode("utf-8", "surrogatepass") == json.loads(f'"{text * 2000}"')


NAMES = ("<|endoftext|>", "<|im_start|>", "<|fim_prefix|>", "<|start|>assistant<|channel|>")


@pytest.mark.parametrize("model", ["gpt-4o", "gpt-4", "m"])
def test_special_tokens_are_text(stage: Stage, model: str) -> None:
    """Names of special tokens are counted and sent like any text, in a result and arguments, too."""
    sent = {**body_of("con-19-special-token-text"), "model": model}
    assert tokens_before(stage, sent, 8000) > 10
    sent["messages"] += [
        {"role": "assistant", "content": None, "tool_calls": [call("s", arguments=json.dumps(NAMES))]},
        {"role": "tool", "tool_call_id": "s", "content": " ".join(NAMES)},
    ]
    passes(stage, encoded(sent))


RUNS = {"a": "a" * 300_000, "blank": " " * 300_000, "han": "的" * 60_000, "code": "x=y;" * 75_000}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_runs_without_a_blank(stage: Stage, run: str) -> None:
    """However long a run is, and of what, the request is counted, compacted and answered."""
    sent = body_of("con-20-quadratic-tokenising")
    assert [message["content"] for message in sent["messages"]] == [RUNS["a"], RUNS["han"]]
    sent["messages"] = [{"role": "user", "content": run}, *SEEN]
    forwarded = stage.rewritten(sent, window=2000)
    assert forwarded[-1] == SEEN[-1]
