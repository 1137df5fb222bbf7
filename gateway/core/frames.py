"""What a client writes round the words of its user, anew each time: the hour, what is open, reminders.

It says how things were at that moment. What is told of a message later would say it in place of what the user
said, and its exact values would pass for the user's.
"""

from __future__ import annotations

import re

_NAMES = (
    "current_datetime",  # Copilot's command, before
    "system_reminder",  # the same, behind
    "system_notification",
    "environment_details",  # Cline, Roo Code and Kilo Code, behind
    "info-msg",  # goose, before
    "system-reminder",  # Claude Code, on both sides
)
"""A row is added for a frame of the moment only: what a client adds once, such as rules, is not one."""

_STANDING = re.compile(r"claudeMd|CLAUDE\.md|AGENTS\.md|\bhook\b")
"""What makes a reminder of Claude Code one that holds for longer: what the user wrote for every session."""

_REQUEST = "userRequest"
"""In VS Code, Copilot puts what the user said last, behind what is open and its own reminders."""

_MOST = 8
"""Frames of a message that are looked for."""


def unframed(text: str) -> str:
    """Return what a user said, without such frames before and behind it.

    >>> unframed("<current_datetime>2026-11-28T23:24:53Z</current_datetime>\\n\\nWhat do they do?")
    'What do they do?'
    """
    inner = text.strip()
    if not inner.startswith("<") and not inner.endswith(">"):
        return text
    if (request := _inside(inner, _REQUEST)) is not None:
        return request
    for _ in range(_MOST):
        less = _less_one(inner)
        if less is inner:
            break
        inner = less
    return text if len(inner) == len(text.strip()) else inner


def is_frame(text: str) -> bool:
    """Return whether a message is nothing but such frames: goose sends one by itself."""
    return text.startswith("<") and not unframed(text)


def _inside(text: str, name: str) -> str | None:
    opening, closing = f"<{name}>", f"</{name}>"
    start = text.find(opening) if text.endswith(closing) else -1
    return text[start + len(opening) : -len(closing)].strip() if start >= 0 else None


def _less_one(text: str) -> str:
    """Return a text without the frame that it begins or ends with; the very same if there is none."""
    for name in _NAMES:
        opening, closing = f"<{name}>", f"</{name}>"
        stop = text.find(closing) + len(closing) if text.startswith(opening) else 0
        if stop >= len(closing) and _is_of_the_moment(name, text[:stop]):
            return text[stop:].lstrip()
        start = text.rfind(opening) if text.endswith(closing) else -1
        if start >= 0 and _is_of_the_moment(name, text[start:]):
            return text[:start].rstrip()
    return text


def _is_of_the_moment(name: str, frame: str) -> bool:
    return name != "system-reminder" or _STANDING.search(frame) is None
