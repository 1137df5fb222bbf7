"""Reasoning is found wherever a vendor puts it, and leaves its message without a trace."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.conversation import Kind
from gateway.wire.openai_message import read_message

TEXT = {"type": "text", "text": "two"}
SIGNED = {"type": "reasoning.text", "text": "hm", "signature": "c2ln", "format": "anthropic-claude-v1"}


def words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize(
    ("fields", "signed"),
    [
        ({"reasoning_content": "hm hm"}, False),
        ({"reasoning": "hm hm", "reasoning_content": "hm hm"}, False),
        ({"reasoning": "hm", "reasoning_details": [{"type": "reasoning.text", "text": "hm"}]}, False),
        ({"reasoning": "hm", "reasoning_details": [SIGNED]}, True),
        ({"reasoning_details": [{"type": "reasoning.encrypted", "data": "ZGF0YQ=="}]}, True),
        ({"thinking_blocks": [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}]}, True),
        ({"thinking_blocks": [{"type": "redacted_thinking", "data": "ZGF0YQ=="}]}, True),
    ],
)
def test_reasoning_in_fields_leaves_whole(fields: dict[str, Any], signed: bool) -> None:
    """All fields that say it go together, and whether a vendor can tell is known."""
    plain = {"role": "assistant", "content": "two"}
    message = read_message(json.dumps({**plain, **fields}).encode(), words)

    text, reasoning = message.blocks
    assert (text.kind, reasoning.kind) == (Kind.TEXT, Kind.REASONING)
    assert reasoning.whole is not None
    assert reasoning.whole.is_signed is signed
    after = message.replacing({1: None}, words)
    assert json.loads(after.raw) == plain
    assert after.tokens == read_message(after.raw, words).tokens < message.tokens


@pytest.mark.parametrize(
    ("part", "signed"),
    [
        ({"type": "thinking", "thinking": "hm", "signature": "c2ln"}, True),
        ({"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, False),
        ({"type": "redacted_thinking", "data": "ZGF0YQ=="}, True),
        ({"type": "reasoning", "text": "hm"}, False),
    ],
)
def test_reasoning_in_parts_leaves_whole(part: dict[str, Any], signed: bool) -> None:
    """Thinking that stands among the parts of the content is reasoning, too."""
    message = read_message(json.dumps({"role": "assistant", "content": [part, TEXT]}).encode(), words)

    reasoning = message.blocks[0]
    assert reasoning.kind is Kind.REASONING
    assert reasoning.whole is not None
    assert reasoning.whole.is_signed is signed
    assert json.loads(message.replacing({0: None}, words).raw)["content"] == [TEXT]


def test_empty_fields_are_no_reasoning() -> None:
    """A client that sends the field empty has nothing to lose."""
    message = read_message(
        b'{"role":"assistant","content":"x","reasoning":null,"reasoning_content":""}', words
    )

    assert [block.kind for block in message.blocks] == [Kind.TEXT]
