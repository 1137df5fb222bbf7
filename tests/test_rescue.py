"""Every recorded overflow of a Chat Completions upstream, end to end: the client gets its answer.

One gateway and one upstream for all of them; each record has models of its own, so that nothing that was
learned from one reaches another, but for the test where it is meant to.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from refusing import GOOD, Got, Refusing, ask, scripted
from rescue_records import CLAMPED, RESCUED, Record, records
from rescue_requests import request
from running import Running
from upstream import ScriptedUpstream

OVERFLOWS = [record for record in records() if record.action in RESCUED]
CAPS = [record for record in records() if record.action in CLAMPED]
ATTEMPTS = 3
WITH_A_WINDOW = ("dashscope-finish-length-over",)
"""Records that mean an overflow only to somebody who knows the window."""


def windows_policy(directory: Path) -> Path:
    """Write a policy that knows the windows which records speak of; return its directory."""
    directory.mkdir()
    known = {f"{record.id}-*": record.window for record in records() if record.id in WITH_A_WINDOW}
    (directory / "known.yaml").write_text(f"extends: default\nwindows: {json.dumps(known)}\n")
    return directory


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ScriptedUpstream, Running]]:
    """One upstream and one gateway for all records."""
    folder = tmp_path_factory.mktemp("rescue")
    policies = str(windows_policy(folder / "policies"))
    with (
        ScriptedUpstream() as upstream,
        Running(upstream.url, folder / "data", "--policies", policies, "--policy", "known") as gateway,
    ):
        yield upstream, gateway


def forms(record: Record) -> list[tuple[str, bool, bool]]:
    """Return the forms in which a record is run: a name, whether streamed, whether compressed."""
    plain = [("stream", True, False)] if record.streaming else [("plain", False, False), ("sse", True, False)]
    return [*plain, ("gzip", record.streaming, True)]


def body(record: Record, model: str, stream: bool) -> dict[str, Any]:
    """Return the request that a record answers: with the output that it says was asked for."""
    asked = record.output or (100_000 if record.action in CLAMPED else None)
    more = {"max_tokens": asked} if asked else {}
    return request(model, stream=stream, seed=records().index(record), **more)


def run(
    stage: tuple[ScriptedUpstream, Running], record: Record, stream: bool, compressed: bool, model: str
) -> tuple[Got, Refusing]:
    """Return what the client gets, and the upstream that has seen it."""
    upstream, gateway = stage
    refusing = scripted(upstream, record, compressed)
    key = f"Bearer {model}"
    return ask(gateway.port, body(record, model, stream), authorization=key), refusing


@pytest.mark.parametrize("record", OVERFLOWS, ids=lambda record: record.id)
def test_overflow_is_rescued(stage: tuple[ScriptedUpstream, Running], record: Record) -> None:
    """Whatever words an upstream finds for "too long", plain or compressed, the client gets an answer."""
    for name, stream, compressed in forms(record):
        got, refusing = run(stage, record, stream, compressed, f"{record.id}-{name}")

        assert (got.status, got.text) == (200, GOOD), (name, got)
        assert got.header("x-haversack-action") == "rescued"
        assert 2 <= len(refusing.chats) <= ATTEMPTS
        first, last = refusing.chats[0], refusing.chats[-1]
        assert last.problems == []
        assert last.messages[0] == first.messages[0]
        assert last.messages[-1] == first.messages[-1]
        assert last.json["tools"] == first.json["tools"]
        sizes = [len(chat.body) for chat in refusing.chats if chat.json["messages"] != first.messages]
        assert all(size < len(first.body) for size in sizes)


@pytest.mark.parametrize("record", CAPS, ids=lambda record: record.id)
def test_output_cap_is_cured_by_clamping(stage: tuple[ScriptedUpstream, Running], record: Record) -> None:
    """A request whose only fault is the output it asks for keeps its messages; only the number changes."""
    for name, stream, compressed in forms(record):
        got, refusing = run(stage, record, stream, compressed, f"{record.id}-{name}")

        assert (got.status, got.text) == (200, GOOD), (name, got)
        first, second = refusing.chats
        asked, clamped = (b'"max_tokens": %d' % chat.json["max_tokens"] for chat in (first, second))
        assert second.json["max_tokens"] < first.json["max_tokens"]
        assert second.body == first.body.replace(asked, clamped)


@pytest.mark.parametrize("record", CAPS, ids=lambda record: record.id)
def test_output_cap_is_set_where_the_client_names_none(
    stage: tuple[ScriptedUpstream, Running], record: Record
) -> None:
    """A server's own default that is too large is replaced, as far as the error tells by what."""
    refusing = scripted(stage[0], record)
    got = ask(stage[1].port, request(f"{record.id}-default"))

    if record.output_limit is None and record.limit is None:
        assert (got.status, got.body, len(refusing.chats)) == (record.status, record.body, 1)
    else:
        assert (got.status, got.text) == (200, GOOD)
        assert refusing.chats[1].messages == refusing.chats[0].messages


def test_what_one_error_taught_does_no_harm_to_the_next(stage: tuple[ScriptedUpstream, Running]) -> None:
    """One model behind which the upstream changes with every request is rescued from all its errors."""
    upstream, gateway = stage
    for record in OVERFLOWS:
        if record.numbers == "silent" or "silent" in record.id:
            continue  # what was compacted before it was sent is no longer suspicious
        upstream.script = upstream.vendor
        upstream.queue(record.answer())
        got = ask(gateway.port, body(record, "shared-model", record.streaming))

        assert (got.status, got.text) == (200, GOOD), (record.id, got)


def test_text_too_long_for_its_field_is_cut(stage: tuple[ScriptedUpstream, Running]) -> None:
    """A message longer than the upstream takes in one string is cut in its middle; all others stay."""
    record = next(record for record in records() if record.id == "openai-string-above-max-length-1mb")
    asked = request("long-string")
    asked["messages"][3]["content"] = "A line of the log.\n" * 110_000
    upstream, gateway = stage
    upstream.script = lambda seen: (
        record.answer()
        if seen.json and len(seen.json["messages"][3]["content"]) > 1_048_576
        else upstream.vendor(seen)
    )
    got = ask(gateway.port, asked)

    assert (got.status, got.text) == (200, GOOD)
    sent = upstream.chats[-1].messages
    assert [*sent[:3], *sent[4:]] == [*asked["messages"][:3], *asked["messages"][4:]]
    assert 900_000 < len(sent[3]["content"]) <= 1_048_576


def test_list_of_too_many_messages_is_shortened(stage: tuple[ScriptedUpstream, Running]) -> None:
    """A list with more messages than the upstream takes loses its oldest, though every token would fit."""
    record = next(record for record in records() if record.id == "openai-messages-array-too-long")
    asked = request("many-messages")
    more = [{"role": role, "content": f"{n}"} for n in range(1150) for role in ("user", "assistant")]
    asked["messages"][1:1] = more
    upstream, gateway = stage
    upstream.script = lambda seen: (
        record.answer() if seen.json and len(seen.json["messages"]) > 2048 else upstream.vendor(seen)
    )
    got = ask(gateway.port, asked)

    assert (got.status, got.text) == (200, GOOD)
    assert upstream.chats[-1].problems == []
    assert upstream.chats[-1].messages[-1] == asked["messages"][-1]
