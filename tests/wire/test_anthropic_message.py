"""What one slice of a Messages list holds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.conversation import Kind, Message, Role
from gateway.wire.anthropic_message import keeping_calls, read_message


def words(text: str) -> int:
    return len(text.split())


def read(role: str, content: Any) -> Message:
    return read_message(json.dumps({"role": role, "content": content}).encode(), words)


def test_blocks_are_of_their_kinds() -> None:
    """Texts, calls, thoughts and what servers did are told apart, in order."""
    blocks: list[Any] = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "I look"},
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
        {"type": "tool_use", "id": "t", "name": "run", "input": {"a": 1}},
    ]
    message = read("assistant", blocks)

    assert [b.kind for b in message.blocks] == [Kind.REASONING, Kind.TEXT, Kind.OTHER, Kind.TOOL_CALL]
    assert (message.blocks[3].call_id, message.blocks[3].text) == ("t", '{"a":1}')


@pytest.mark.parametrize("content", ["ok", [{"type": "text", "text": "ok"}]])
def test_result_can_be_edited(content: Any) -> None:
    """A string or a text block of a result makes way for a shorter one; its mark stays on the block."""
    block = {"type": "tool_result", "tool_use_id": "t", "content": content, "cache_control": {}}
    message = read("user", [block])

    edited = json.loads(message.with_text(0, "cut", words).raw)["content"][0]

    assert message.role is Role.TOOL
    assert "cut" in json.dumps(edited["content"])
    assert edited["cache_control"] == {}


def test_empty_result_still_names_its_call() -> None:
    """It must be paired, even if it says nothing."""
    assert read("user", [{"type": "tool_result", "tool_use_id": "t"}]).blocks[0].call_id == "t"


@pytest.mark.parametrize(
    "source",
    [{"type": "base64", "media_type": "image/png", "data": "AAAA"}, {"type": "url", "url": "http://x"}],
)
def test_image_can_make_way_for_a_text(source: Any) -> None:
    """Wherever it comes from, it leaves as one piece."""
    message = read("user", [{"type": "image", "source": source}])

    after = json.loads(message.replacing({0: "a picture"}, words).raw)

    assert after["content"] == [{"type": "text", "text": "a picture"}]


@pytest.mark.parametrize(
    "source", [{"type": "base64", "data": "A" * 400}, {"type": "text", "data": "a b"}, {"type": "file"}, None]
)
def test_document_is_counted(source: Any) -> None:
    """It is carried along and costs tokens, however it is given."""
    (block,) = read("user", [{"type": "document", "source": source}]).blocks

    assert (block.kind, block.tokens > 0) == (Kind.OTHER, True)


@pytest.mark.parametrize("raw", [b"1", b"{", b'{"role":"robot"}', b'{"role":"user","content":[1,[]]}'])
def test_what_is_strange_is_read_without_a_word(raw: bytes) -> None:
    """Nothing that a client sends makes the reader raise."""
    assert read_message(raw, words).raw == raw


def test_system_message_inside_the_list_is_head() -> None:
    """Claude Code sends such; no step touches it."""
    assert read("system", "env").role is Role.SYSTEM


def test_kept_call_keeps_its_thinking() -> None:
    """Only the other call leaves the message."""
    blocks: list[Any] = [{"type": "thinking"}, *({"type": "tool_use", "id": id} for id in "ab")]

    kept = keeping_calls(read("assistant", blocks), frozenset({1}), words)

    assert kept is not None
    assert json.loads(kept.raw)["content"] == [blocks[0], blocks[2]]


def test_message_that_thinks_behind_a_lost_call_goes_whole() -> None:
    """Its thoughts would stand together as they never did, and the vendor refuses that."""
    blocks: list[Any] = [{"type": "thinking"}, {"type": "tool_use", "id": "a"}]

    kept = keeping_calls(read("assistant", [*blocks, blocks[0], blocks[1]]), frozenset({1}), words)

    assert kept is None
