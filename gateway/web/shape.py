"""Which endpoint a body is for, where nothing but the body tells, and why it is for none.

A dry run need not name it, and whoever tries one by hand is told what to mend.

Pure. Chat Completions and Messages share most of their members; what only one of them has decides, and what
could be either is Chat Completions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gateway.core import json

CHAT = "/v1/chat/completions"
RESPONSES = "/v1/responses"
MESSAGES = "/v1/messages"

FORMATS = {CHAT: "openai_chat", RESPONSES: "openai_responses", MESSAGES: "anthropic_messages"}
"""The wire format of an endpoint."""

TITLES = {
    "openai_chat": "Chat Completions",
    "openai_responses": "Responses",
    "anthropic_messages": "Messages",
}
"""What people call a wire format."""

_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}

_MESSAGES_ONLY = frozenset({"system", "stop_sequences", "thinking", "anthropic_version", "anthropic_beta"})

# Types of blocks, and a member of tools, that Chat Completions does not have.
_BLOCKS = re.compile(
    rb'"type"\s*:\s*"(?:tool_use|tool_result|thinking|redacted_thinking)"|"input_schema"\s*:'
)


def endpoint_of(body: bytes, headers: Iterable[tuple[bytes, bytes]] = ()) -> str:
    """Return the path of the endpoint that the body is for. Names of *headers* are in lower case.

    >>> endpoint_of(b'{"input": "hi"}'), endpoint_of(b'{"system": "be kind", "messages": []}')
    ('/v1/responses', '/v1/messages')
    """
    if any(name == b"anthropic-version" for name, _ in headers):
        return MESSAGES
    try:
        names = {member.key for member in json.members(body)}
    except json.Malformed:
        return CHAT
    if "input" in names and "messages" not in names:
        return RESPONSES
    return MESSAGES if names & _MESSAGES_ONLY or _BLOCKS.search(body) else CHAT


def kind(name: str, body: bytes) -> str:
    """Return what a body should have been, as far as it tells: of the wire format *name*, or of any.

    >>> kind("openai_chat", b'{"messages": 1}'), kind("openai_chat", b'{"a": 1}')
    ('Chat Completions request', 'request of any of the three formats')
    """
    try:
        names = {member.key for member in json.members(body)}
    except json.Malformed:
        names = set()
    return (
        f"{TITLES[name]} request" if names & {"messages", "input"} else "request of any of the three formats"
    )


def problem(body: bytes, error: json.Malformed) -> str:
    """Return why a body could not be taken apart, in words for whoever wrote it.

    >>> problem(b'{"messages": "hi"}', json.Malformed("no list"))
    '`messages` must be a list, not a string'
    """
    try:
        value = json.decode(body)
    except json.Malformed as found:
        return f"it is not JSON: {found}"
    if not isinstance(value, dict):
        return f"it must be an object, not {_kind(value)}"
    key = next((name for name in ("messages", "input") if name in value), None)
    if key is None:
        return "there is neither `messages` nor `input`"
    return (
        f"`{key}` must be a list, not {_kind(value[key])}" if not isinstance(value[key], list) else str(error)
    )


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "a number")
