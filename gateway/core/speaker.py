"""Who said a user message, where several people or agents share one conversation.

Chat Completions has a name on messages for that. What is told of such a message without it would be said of
somebody else, or of all of them.
"""

from __future__ import annotations

import re

from gateway.core import json
from gateway.core.conversation import Message, Role

_NAME = re.compile(r"[\w][\w .@-]{0,63}")


def speaker(message: Message) -> str:
    """Return the name on a user message; empty: there is none, or none that can be told in a line."""
    if message.role is not Role.USER or b'"name"' not in message.raw:
        return ""
    try:
        value = json.decode(message.raw)
    except (json.Malformed, RecursionError):
        return ""
    name = value.get("name") if isinstance(value, dict) else None
    return name if isinstance(name, str) and _NAME.fullmatch(name) else ""


def attributed(text: str, name: str) -> str:
    """Return a text with who said it before it, unless it says so itself.

    >>> attributed("Use tabs.", "alice"), attributed("Alice: use tabs.", "alice"), attributed("Use tabs.", "")
    ('alice: Use tabs.', 'Alice: use tabs.', 'Use tabs.')
    """
    return f"{name}: {text}" if name and not is_by(text, name) else text


def is_by(text: str, name: str) -> bool:
    """Return whether a text has that name before it."""
    return text.lower().startswith(f"{name.lower()}: ")


def named_first(text: str) -> str:
    """Return what may be the name before a text; empty: there is none.

    >>> named_first("alice: Use tabs."), named_first("Use tabs.")
    ('alice', '')
    """
    name, colon, _ = text[:80].partition(": ")
    return name if colon and _NAME.fullmatch(name) else ""
