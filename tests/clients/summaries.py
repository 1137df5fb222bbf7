"""What the scripted model writes when the gateway has it sum up a conversation: the exact values in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from clients.dialects import Json, compact
from gateway.core.summary.form import TASK
from gateway.core.summary.identifiers import identifiers

MOST = 60
"""Values named; a summary that names more is longer than what it is about."""

CHARS = 200
"""Of what is shown, told word for word."""

_FENCE = re.compile(r"<(\w+(?:-\w+)?)-([0-9a-f]{10})>\n(.*?)\n</\1-\2>", re.DOTALL)
_TITLE = re.compile(r"^## (.+?)(?: \(.*)?$", re.MULTILINE)


def is_asked(body: Json) -> bool:
    """Return whether a request is the gateway's own: its summariser's, not the client's."""
    return TASK in compact(body)


def summary(body: Json) -> str:
    """Return notes under the headings that are asked for, with the values that stand in the fences."""
    asked = "\n".join(_texts(body))
    shown = [match[3] for match in _FENCE.finditer(asked)]
    values = [one.text for text in shown for one in identifiers(text)]
    headings = dict.fromkeys(match[1] for match in _TITLE.finditer(_FENCE.sub("", asked))) or {
        "Progress": None
    }
    told = " ".join(" ".join(shown).split())[:CHARS]
    named = ", ".join(list(dict.fromkeys(values))[-MOST:]) or "none"
    lines = [line for heading in headings for line in (f"## {heading}", "- none")]
    if not lines:  # of a piece: it has none
        return f"It begins so: {told}. It names {named}."
    return "\n".join([lines[0], f"- It begins so: {told}", *lines[2:-1], f"- {named}"])


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
