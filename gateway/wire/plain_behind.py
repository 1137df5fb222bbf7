"""A request as it went out, with one instruction more behind its conversation: for a plain text, no calls.

Head, tools and messages are the same bytes, so that the provider's cached prefix serves. What only shapes the
answer is exchanged or left out. What would answer in a form of its own, or goes on from what its vendor
keeps, is not asked at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from gateway.core import json
from gateway.wire.members import value_of
from gateway.wire.plain_call import THOUGHT_TOKENS, thinks

Members = dict[str, bytes]

_CHAT_CAPS = ("max_tokens", "max_completion_tokens")
# What asks for another kind of answer than one text. A row is added for what changes the prompt, too, so that
# leaving it out would cost the cache.
_FORMS = {
    "openai_chat": ("response_format", "prediction", "audio", "web_search_options"),
    "openai_responses": ("previous_response_id", "conversation", "prompt"),
    "anthropic_messages": ("output_format", "mcp_servers", "container"),
}
# What says how an answer is to come.
_LEFT_OUT = {
    "openai_chat": ("stream_options", "n", "stop", "logprobs", "top_logprobs", "store"),
    "openai_responses": ("stream_options", "background", "max_tool_calls", "top_logprobs"),
    "anthropic_messages": ("stop_sequences",),
}
_LISTS = {"openai_responses": "input"}


def behind(wire_format: str, body: bytes, instruction: str, max_tokens: int) -> bytes | None:
    """Return the body that asks it; None: it cannot be asked so.

    >>> body = b'{"messages":[{"role":"user","content":"Hi"}],"stream":true}'
    >>> behind("openai_chat", body, "Stop.", 9)[:92]
    b'{"messages":[{"role":"user","content":"Hi"},{"role":"user","content":"Stop."}],"stream":fals'
    """
    members = {member.key: body[member.start : member.stop] for member in json.members(body)}
    items = members.get(_LISTS.get(wire_format, "messages"), b"").strip()
    if not items.startswith(b"[") or not json.elements(items):
        return None
    if any(_is_said(members.get(name)) for name in _FORMS[wire_format]) or _is_structured(members):
        return None
    asked = items[:-1].rstrip() + b"," + json.encode(_ITEMS[wire_format](instruction)) + b"]"
    values = {_LISTS.get(wire_format, "messages"): asked, "stream": b"false"}
    values |= _CHANGES[wire_format](members, max_tokens)
    return _edited(body, values, (name for name in _LEFT_OUT[wire_format] if name in members))


def _edited(body: bytes, values: Members, left_out: Iterable[str]) -> bytes:
    for name in left_out:
        body = json.without_member(body, name)
    for name, value in values.items():
        body = json.with_member(body, name, value)
    return body


def _is_said(raw: bytes | None) -> bool:
    return raw is not None and value_of(raw) not in (None, {"type": "text"}, {}, [])


def _is_structured(members: Members) -> bool:
    """Return whether the answer is wanted as JSON: `text` of Responses, `output_config` of Messages."""
    said = (value_of(members.get(name)) for name in ("text", "output_config"))
    return any(isinstance(one, dict) and _is_said(json.encode(one.get("format"))) for one in said)


def _has_tools(members: Members) -> bool:
    return bool(value_of(members.get("tools")) or value_of(members.get("functions")))


def _chat(members: Members, max_tokens: int) -> Members:
    model = value_of(members.get("model"))
    usual = _CHAT_CAPS[isinstance(model, str) and thinks(model)]
    caps = [name for name in _CHAT_CAPS if value_of(members.get(name)) is not None] or [usual]
    choice = "function_call" if _is_said(members.get("functions")) else "tool_choice"
    return {**dict.fromkeys(caps, b"%d" % max_tokens), **({choice: b'"none"'} if _has_tools(members) else {})}


def _responses(members: Members, max_tokens: int) -> Members:
    choice = {"tool_choice": b'"none"'} if _has_tools(members) else {}
    return {"max_output_tokens": b"%d" % max_tokens, "store": b"false", **choice}


def _messages(members: Members, max_tokens: int) -> Members:
    """Return what is exchanged in a Messages request.

    Another `tool_choice` costs the cache of all messages (docs, prompt caching), and so does other thinking.
    So only a choice that forces a call is exchanged, and thoughts get their room beside the answer.
    """
    choice, thinking = (value_of(members.get(name)) for name in ("tool_choice", "thinking"))
    forces = isinstance(choice, dict) and choice.get("type") in ("any", "tool")
    budget = thinking.get("budget_tokens", THOUGHT_TOKENS) if _is_thinking(thinking) else 0
    most = max_tokens + (budget if isinstance(budget, int) else THOUGHT_TOKENS)
    return {"max_tokens": b"%d" % most, **({"tool_choice": b'{"type":"none"}'} if forces else {})}


def _is_thinking(thinking: Any) -> bool:
    return isinstance(thinking, dict) and thinking.get("type") != "disabled"


_CHANGES: dict[str, Callable[[Members, int], Members]] = {
    "openai_chat": _chat,
    "openai_responses": _responses,
    "anthropic_messages": _messages,
}
_ITEMS: dict[str, Callable[[str], dict[str, Any]]] = {
    "openai_chat": lambda text: {"role": "user", "content": text},
    "openai_responses": lambda text: {"role": "user", "content": [{"type": "input_text", "text": text}]},
    "anthropic_messages": lambda text: {"role": "user", "content": [{"type": "text", "text": text}]},
}
