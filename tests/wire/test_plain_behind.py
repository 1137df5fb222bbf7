"""One instruction behind a conversation: its bytes stay, and nothing of how the client wants its answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.wire import WIRE_FORMATS
from gateway.wire.plain_behind import behind

TOOLS = b'[ {"type": "function", "name": "go", "function": {"name": "go"}} ]'
ITEMS = b'[ {"role":"user", "content":"H\\u0069", "cache_control": {"type": "ephemeral"}} ]'
LISTS = {"openai_chat": b"messages", "openai_responses": b"input", "anthropic_messages": b"messages"}


def request(wire: str, **members: Any) -> bytes:
    """Return a request with tools and these members."""
    head = b'{"model": "m", "tools": %s, "%s": %s' % (TOOLS, LISTS[wire], ITEMS)
    return (
        head
        + b"".join(b', "%s": %s' % (k.encode(), json.dumps(v).encode()) for k, v in members.items())
        + b"}"
    )


def asked(wire: str, **members: Any) -> dict[str, Any]:
    """Return what goes out."""
    body = behind(wire, request(wire, **members), "Stop here.", 500)
    assert body is not None
    value: dict[str, Any] = json.loads(body)
    return value


@pytest.mark.parametrize("wire", WIRE_FORMATS)
def test_tools_and_messages_are_the_same_bytes(wire: str) -> None:
    """With their cache marks, spaces and escapes; the instruction is one message more."""
    body = behind(wire, request(wire, temperature=0.2, stream=True), "Stop here.", 500)

    assert body is not None
    prefix = request(wire).rpartition(b" ]")[0]
    assert body.startswith(prefix + b",{")
    value = json.loads(body)
    assert "Stop here." in json.dumps(value[LISTS[wire].decode()][-1])
    assert value[LISTS[wire].decode()][-1]["role"] == "user"
    assert (value["stream"], value["temperature"]) == (False, 0.2)


def test_chat_calls_nothing_and_answers_once() -> None:
    """The answer is bounded in the client's own field, or in the one that its model knows."""
    said = asked("openai_chat", n=3, stop=["x"], stream_options={}, store=True, max_completion_tokens=9)

    assert not {"n", "stop", "stream_options", "store", "max_tokens"} & set(said)
    assert (said["tool_choice"], said["max_completion_tokens"]) == ("none", 500)
    assert asked("openai_chat")["max_tokens"] == 500
    assert asked("openai_chat", model="o3")["max_completion_tokens"] == 500


def test_chat_without_tools_has_no_choice_of_one() -> None:
    """Vendors refuse a choice where there is nothing to choose; functions of old have their own word."""
    plain = b'{"messages": [{"role": "user", "content": "Hi"}]}'
    old = b'{"messages": [{"role": "user", "content": "Hi"}], "functions": [{"name": "go"}]}'

    assert b"tool_choice" not in (behind("openai_chat", plain, "Stop.", 9) or b"")
    assert b'"function_call":"none"' in (behind("openai_chat", old, "Stop.", 9) or b"")


def test_responses_leaves_nothing_with_the_vendor() -> None:
    """It is no response that anybody goes on from."""
    said = asked("openai_responses", store=True, background=True, text={"verbosity": "low"})

    assert (said["store"], said["tool_choice"], said["max_output_tokens"]) == (False, "none", 500)
    assert "background" not in said


def test_messages_keeps_what_its_cache_hangs_on() -> None:
    """Another choice of tools would cost the cached messages; one that forces a call has to go."""
    assert "tool_choice" not in asked("anthropic_messages", max_tokens=9)
    assert asked("anthropic_messages", tool_choice={"type": "auto"})["tool_choice"] == {"type": "auto"}
    for forced in ({"type": "any"}, {"type": "tool", "name": "go"}):
        assert asked("anthropic_messages", tool_choice=forced)["tool_choice"] == {"type": "none"}


@pytest.mark.parametrize(
    ("thinking", "most"),
    [
        (None, 500),
        ({"type": "disabled"}, 500),
        ({"type": "enabled", "budget_tokens": 4000}, 4500),
        ({"type": "adaptive"}, 2548),
    ],
)
def test_thoughts_have_room_beside_the_answer(thinking: Any, most: int) -> None:
    """The vendor wants more than the budget of thoughts."""
    assert asked("anthropic_messages", thinking=thinking, max_tokens=64000)["max_tokens"] == most


@pytest.mark.parametrize(
    ("wire", "members"),
    [
        ("openai_chat", {"response_format": {"type": "json_object"}}),
        ("openai_chat", {"audio": {"voice": "x"}}),
        ("openai_responses", {"previous_response_id": "resp_1"}),
        ("openai_responses", {"text": {"format": {"type": "json_schema"}}}),
        ("anthropic_messages", {"output_format": {"type": "json_schema"}}),
        ("anthropic_messages", {"output_config": {"format": {"type": "json_schema"}}}),
        ("anthropic_messages", {"mcp_servers": [{"url": "http://x"}]}),
    ],
)
def test_what_would_answer_otherwise_is_not_asked(wire: str, members: dict[str, Any]) -> None:
    """Notes in a schema are none, and what the vendor keeps is not in the body."""
    assert behind(wire, request(wire, **members), "Stop.", 9) is None


def test_usual_forms_are_asked() -> None:
    """Null and text say nothing of the form."""
    assert asked("openai_chat", response_format={"type": "text"}, audio=None)
    assert asked("anthropic_messages", output_config={"effort": "low"})
    assert asked("openai_responses", previous_response_id=None, text={"format": {"type": "text"}})


@pytest.mark.parametrize("body", [b'{"input": "Hi"}', b'{"input": []}', b"{}"])
def test_nothing_to_stand_behind_is_not_asked(body: bytes) -> None:
    """A text in place of a list, or no list."""
    assert behind("openai_responses", body, "Stop.", 9) is None
