"""Which endpoint a body is for, where nothing but the body tells: a dry run need not name it.

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
