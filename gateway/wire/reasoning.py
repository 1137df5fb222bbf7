"""Where vendors of the Chat Completions dialect put reasoning, and what they want to see of it again.

- DeepSeek (thinking mode): `reasoning_content`. Of a message with calls it must come back in every later
  request, also in later turns (400 "must be passed back"); of any other message it is ignored.
- Kimi (K2 and later): the same, with 400 "reasoning_content is missing in assistant tool call message".
- OpenRouter: `reasoning`, and `reasoning_details` of the types reasoning.text, .summary and .encrypted, with
  signatures; the blocks of a message go back as they came, all or none. It asks DeepSeek and Kimi in turn.
- Anthropic behind LiteLLM: `thinking_blocks`, or parts of the types thinking and redacted_thinking. They must
  come back unchanged while the turn goes on; those of earlier turns may be left out, oldest first and
  without a gap. Models with "preserved thinking" refuse a block once anything before it was changed, unless
  the request asks for it to be dropped (`thinking.block_binding.prefix_mismatch_behavior`).
- Mistral (Magistral): parts of the type thinking, without a signature.
- Gemini: a signature on a call, of parallel ones on the first; calls and signature go back as they came
  (`extra_content`; LiteLLM has `provider_specific_fields` or the call's id, OpenRouter a detail of its id).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gateway.core import json
from gateway.core.conversation import Block, Count, Kind, Whole
from gateway.wire import media

_FIELDS = ("reasoning_content", "reasoning", "reasoning_details", "thinking_blocks")
"""One that sends several says the same in each, so the largest counts."""

PARTS = ("thinking", "redacted_thinking", "reasoning")
"""Types of parts that are reasoning."""

_SIGNED = ("reasoning.encrypted", "redacted_thinking")
"""Types that hold nothing but what only the vendor can read."""

_SIGNATURES = ("signature", "encrypted_content")

_ON_CALLS = ("thought_signature", "thoughtSignature")
_IN_CALLS = ("extra_content", "google", "provider_specific_fields", "function")
"""Members of a call in which a signature may stand, at any depth."""
_IN_ID = "__thought__"


def in_fields(value: dict[str, Any], count: Count) -> Iterator[Block]:
    """Yield the reasoning that an assistant message carries beside its content, as one block."""
    present = [key for key in _FIELDS if value.get(key)]
    if present:
        tokens = max(media.json_tokens(value[key], count) for key in present)
        places: tuple[json.Path, ...] = tuple((key,) for key in present)
        signed = any(is_signed(value[key]) for key in present)
        yield Block(Kind.REASONING, "", tokens, whole=Whole(places, is_signed=signed))


def in_part(part: dict[str, Any], path: json.Path, count: Count) -> Block:
    """Return a part of the content that is reasoning."""
    whole = Whole((path,), is_signed=is_signed(part))
    return Block(Kind.REASONING, "", media.json_tokens(part, count), whole=whole)


def is_signed(value: Any) -> bool:
    """Return whether reasoning bears the mark of its vendor, who refuses it if it was changed.

    >>> is_signed([{"type": "reasoning.text", "text": "hm", "signature": "c2ln"}]), is_signed("hm")
    (True, False)
    """
    if isinstance(value, list):
        return any(map(is_signed, value))
    if not isinstance(value, dict):
        return False
    return value.get("type") in _SIGNED or any(value.get(key) for key in _SIGNATURES)


def is_signed_call(call: Any) -> bool:
    """Return whether a call itself bears a mark of its vendor.

    >>> is_signed_call({"id": "a", "extra_content": {"google": {"thought_signature": "c2ln"}}})
    True
    """
    if not isinstance(call, dict):
        return False
    if any(call.get(key) for key in _ON_CALLS) or _IN_ID in str(call.get("id")):
        return True
    return any(is_signed_call(call.get(key)) for key in _IN_CALLS)


def are_calls_signed(message: dict[str, Any]) -> bool:
    """Return whether the calls of an assistant message are taken back only as they came."""
    calls, details = message.get("tool_calls"), message.get("reasoning_details")
    if not isinstance(calls, list):
        return False
    details = details if isinstance(details, list) else []
    signed = [detail["id"] for detail in details if is_signed(detail) and detail.get("id")]
    return any(is_signed_call(call) or (signed and _id(call) in signed) for call in calls)


def _id(call: Any) -> Any:
    return call.get("id") if isinstance(call, dict) else None
