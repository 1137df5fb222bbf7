"""A real model sums up what is far too long for it: the server's own errors tell how long that may be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest

from gateway.strategies.marks import is_digest
from model.recording import NO_ANSWER, Recording
from model.serving import IS_INSTALLED, MISSING, Server, served
from running import Running
from summarised import PLANTED, conversation
from upstream import ScriptedUpstream

WINDOW = 2048

LARGE = 560_000
"""In which the conversation is past the prepare mark, and with 600 messages more past the trigger."""

MESSAGES = 500

MEGABYTE = "\n".join(f"row {n} was imported" for n in range(50_000)) + "\nFATAL: row 49998 has no vat"

MOST_CALLS = 3 * 16
"""A conversation is parted three times at most, into so many parts at most."""

pytestmark = [pytest.mark.model, pytest.mark.skipif(not IS_INSTALLED, reason=MISSING)]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """The model server."""
    with served(WINDOW) as running:
        yield running


def long_talk(more: int = 0) -> list[dict[str, Any]]:
    """Return 500 messages and *more*, a result of a megabyte among the first."""
    first = conversation(5)
    assert first[3]["role"] == "tool"
    first[3] = {**first[3], "content": MEGABYTE}
    said = [
        {"role": role, "content": f"{role} says thing {n} about the pages. " * 12}
        for n in range((MESSAGES + more - len(first)) // 2)
        for role in ("assistant", "user")
    ]
    return [*first, *said]


def policies(folder: Path, window: int, summarizer: str) -> tuple[str, ...]:
    """Return the flags for a policy with a window, and with steps that are heavy from the start."""
    folder.mkdir()
    (folder / "small.yaml").write_text(
        f"extends: default\nwindow: {window}\nsteps: [{{use: summarize}}, {{use: digest}}]\n"
        f"summarizer: {{max_tokens: 100, {summarizer}}}\n"
    )
    return "--policies", str(folder), "--policy", "small"


def ask(gateway: Running, messages: list[Any]) -> Any:
    """Return the raw answer to a list."""
    with openai.OpenAI(base_url=gateway.url, api_key="k", max_retries=0, timeout=240) as client:
        return client.chat.completions.with_raw_response.create(
            model="gemma", messages=messages, max_tokens=8
        )


def check_calls(wire: Recording, *, are_refused: bool) -> None:
    """Assert that few calls for summaries were made, none twice, and whether the server refused any."""
    bodies = [call.body for call in wire.summaries]
    assert 0 < len(bodies) == len(set(bodies)) <= MOST_CALLS
    statuses = {call.status for call in wire.summaries}
    assert statuses <= {NO_ANSWER, 200, 400}
    assert (400 in statuses) is are_refused


@pytest.mark.parametrize("told", [WINDOW, 4 * WINDOW])
def test_five_hundred_messages_and_a_megabyte_are_answered(server: Server, tmp_path: Path, told: int) -> None:
    """Whether the policy names the server's window or a larger one: few calls, none twice, an answer.

    The client waits for a summary, which the server's own model is asked for. That is weak, so that a digest
    may stand where the summary would.
    """
    flags = policies(tmp_path / "policies", told, "mode: inline, concurrency: 1, timeout_s: 10")
    with Recording(server.port) as wire, Running(wire.url, tmp_path / "data", *flags) as gateway:
        answer = ask(gateway, long_talk())

        assert answer.headers["x-haversack-action"] in ("compacted", "rescued")
        check_calls(wire, are_refused=told > WINDOW)
        texts = [str(message["content"]) for message in json.loads(wire.calls[-1].body)["messages"]]
        assert wire.calls[-1].status == 200
        assert any(map(is_digest, texts))
        assert [text for text in PLANTED if text not in "\n".join(texts)] == []


def test_small_model_beside_a_large_one(server: Server, tmp_path: Path) -> None:
    """A model elsewhere is asked beside the requests, of whose window nobody knows: its errors tell it."""
    with (
        ScriptedUpstream(window=LARGE) as vendor,
        Recording(server.port) as wire,
        Running(
            vendor.url,
            tmp_path / "data",
            *policies(
                tmp_path / "policies",
                LARGE,
                f"concurrency: 2, timeout_s: 20, upstream: '{wire.url}', model: gemma",
            ),
        ) as gateway,
    ):
        ask(gateway, long_talk())
        vendor.wait(lambda: b"haversack_summaries_total{" in gateway.get("/metrics")[1], within_s=120)
        check_calls(wire, are_refused=True)

        answer = ask(gateway, long_talk(600))
        assert answer.headers["x-haversack-action"] == "compacted"
        sent = vendor.chats[-1].body.decode()
        assert [text for text in PLANTED if text not in sent] == []
