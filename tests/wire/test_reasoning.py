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


SEAL = {"thought_signature": "c2ln"}
SEALED = {"type": "reasoning.encrypted", "data": "c2ln", "id": "a", "format": "google-gemini-v1"}


def asked(*calls: Any, **fields: Any) -> list[bool]:
    """Return which calls of a message can be edited."""
    raw = json.dumps({"role": "assistant", "content": None, "tool_calls": list(calls), **fields}).encode()
    found = read_message(raw, words).blocks
    return [block.path is not None for block in found if block.kind is Kind.TOOL_CALL]


def call(id: str = "a", function: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    told = {"name": "f", "arguments": "{}", **(function or {})}
    return {"id": id, "type": "function", "function": told, **fields}


@pytest.mark.parametrize(
    "signed",
    [
        call(extra_content={"google": SEAL}),
        call(provider_specific_fields=SEAL),
        call(function={"provider_specific_fields": SEAL}),
        call(thoughtSignature="c2ln"),
        call(id="call_1__thought__c2ln"),
    ],
)
def test_signed_call_is_not_edited(signed: dict[str, Any]) -> None:
    """Seen: the arguments of a call with Gemini's signature were cut; it wants back what it has signed.

    Of parallel calls only the first is signed, for all of them.
    """
    assert asked(signed, call("b")) == [False, False]


def test_call_that_reasoning_names_is_not_edited() -> None:
    """OpenRouter has the signature of a call beside the calls, by the call's id."""
    assert asked(call("a"), reasoning_details=[SEALED]) == [False]
    assert asked(call("b"), "no call", reasoning_details=[SEALED, "hm"]) == [True, False]


def test_call_without_a_signature_is_edited() -> None:
    """What stands beside a call is no signature by itself."""
    plain = call(extra_content={"google": {"thought_signature": ""}}, provider_specific_fields=None)

    assert asked(plain, call("b")) == [True, True]
