"""Requests that are not for the gateway to change, told by what clients really send."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.body import taken_apart
from gateway.web.asides import Aside, aside
from gateway.wire.base import Request

RESPONSES, MESSAGES, CHAT = "openai_responses", "anthropic_messages", "openai_chat"


def request(key: str, items: list[Any], **members: Any) -> Request:
    """Return a body with that list taken apart."""
    body = json.dumps({"model": "m", key: items, **members}).encode()
    members_found, slices = taken_apart(body, key)
    place = next(member for member in members_found if member.key == key)
    return Request(body, "m", False, tuple(slices), place.start, place.stop)


def user(content: Any) -> dict[str, Any]:
    """Return a user message."""
    return {"role": "user", "content": content}


@pytest.mark.parametrize("member", ["previous_response_id", "conversation"])
def test_history_kept_by_the_upstream_is_told(member: str) -> None:
    """Who continues a response or a conversation sends only what is new."""
    assert aside(RESPONSES, [], request("input", [user("x")], **{member: "id_1"})) is Aside.HISTORY
    assert aside(RESPONSES, [], request("input", [user("x")], **{member: {"id": "x"}})) is Aside.HISTORY
    assert aside(RESPONSES, [], request("input", [user("x")], **{member: None})) is None
    assert aside(CHAT, [], request("messages", [user("x")], **{member: "id_1"})) is None


def test_thread_is_told() -> None:
    """A thread's history is kept by the vendor; only its own format has threads."""
    threaded = request("messages", [user("x")], thread={"type": "create"})

    assert aside(MESSAGES, [], threaded) is Aside.THREAD
    assert aside(CHAT, [], threaded) is None


def test_name_inside_a_message_says_nothing() -> None:
    """Only a member of the request itself counts, wherever else the word stands."""
    talk = request(
        "input", [{"previous_response_id": "x", **user("x")}], tools=[{"previous_response_id": "x"}]
    )

    assert aside(RESPONSES, [], talk) is None


def test_codex_compaction_is_told() -> None:
    """Codex says so in a header, and remotely by its last item."""
    plain = request("input", [user("x")])
    said = json.dumps({"request_kind": "compaction"}).encode()

    assert aside(RESPONSES, [(b"x-codex-turn-metadata", said)], plain) is Aside.COMPACTION
    assert aside(RESPONSES, [], request("input", [user("x"), {"type": "compaction_trigger"}])) is (
        Aside.COMPACTION
    )


@pytest.mark.parametrize("said", [b'{"request_kind":"turn"}', b"{}", b"[1]", b"{", b""])
def test_codex_turn_is_no_compaction(said: bytes) -> None:
    """Every other request of Codex carries that header too."""
    assert aside(RESPONSES, [(b"x-codex-turn-metadata", said)], request("input", [user("x")])) is None


def test_copilot_compaction_is_told() -> None:
    """Copilot names what a request is for, also where calls of its own stand behind what it asks."""
    asked = request("messages", [user("x"), {"role": "tool", "tool_call_id": "c", "content": "y"}])

    assert aside(CHAT, [(b"x-interaction-type", b"conversation-compaction")], asked) is Aside.SUMMARY
    assert aside(CHAT, [(b"x-interaction-type", b"conversation-user")], asked) is None


def test_client_that_asks_for_a_summary_is_told() -> None:
    """Others say it by their words alone, behind the history or as the whole input."""
    prompt = "Provide a detailed summary of our conversation above."
    body = json.dumps({"input": prompt}).encode()
    start = body.index(b'"Provide')
    whole = Request(body, "m", False, (body[start:-1],), start, len(body) - 1)

    assert aside(MESSAGES, [], request("messages", [user("x"), user(prompt)])) is Aside.SUMMARY
    assert aside(RESPONSES, [], whole) is Aside.SUMMARY


def test_history_goes_on_without_an_input() -> None:
    """A prompt template or a conversation may be all that a request names."""
    body = b'{"model": "m", "conversation": "conv_1"}'

    assert aside(RESPONSES, [], Request(body, "m", False, (), 0, 0)) is Aside.HISTORY
