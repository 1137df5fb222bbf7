"""What a client writes round the words of its user, anew with each message: the time, what is open.

It says how things were at that moment. In what is told of a message later it would take the place of what
the user said, with its exact values.
"""

from __future__ import annotations

_NAMES = (
    "current_datetime",  # Copilot CLI, before
    "environment_details",  # Cline and Roo Code, behind
)
"""A row is added for a frame of the moment only: what a client adds once, such as rules, is not one."""


def unframed(text: str) -> str:
    """Return what a user said, without such a frame before or behind it; as it is where nothing is left.

    >>> unframed("<current_datetime>2026-11-28T23:24:53Z</current_datetime>\\n\\nWhat do they do?")
    'What do they do?'
    """
    inner = text.strip()
    for name in _NAMES:
        opening, closing = f"<{name}>", f"</{name}>"
        if inner.startswith(opening) and (stop := inner.find(closing)) >= 0:
            inner = inner[stop + len(closing) :].lstrip()
        if inner.endswith(closing) and (start := inner.rfind(opening)) >= 0:
            inner = inner[:start].rstrip()
    return inner if inner and len(inner) < len(text.strip()) else text
