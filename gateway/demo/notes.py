"""What the demonstration's model writes when it is asked to sum a conversation up.

It reads what it is shown and copies what matters of it, under the headings that it is asked for: no more
than a small model does, and without a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gateway.core.summary.form import TASK

_ASKED = "Use these headings as they are"
"""Begins the instruction; what stands before it is the conversation, and notes on what was before."""

_AGAIN = "You were asked this before"
_HEADING = re.compile(r"(?m)^## ([^(\n]{1,80}?)(?: \(.*)?$")
_MISSED = re.compile(r"(?m)^  - (.{1,200})$")

# What is copied, and under which heading. Where none is asked for, all of it stands one below the other.
_TASK = re.compile(r"Task \d{1,4}: [^\n]{1,200}")
_DECISION = re.compile(r"Decision \d{1,4}: [^.\n]{1,200}\.")
_RUN = re.compile(r"\b\d{1,4} passed in [\d.]{1,8}s")
_FILE = re.compile(r"\bsrc/\w{1,40}\.py\b")
_MOST = 24


def is_asked_for(content: str) -> bool:
    """Return whether a system message asks for notes, and not for an agent's next step."""
    return TASK in content


def notes(prompt: str) -> str:
    """Return notes on the conversation in a prompt, under the headings that it asks for."""
    before, _, rejected = prompt.partition(_AGAIN)
    shown, _, asked = before.partition(_ASKED)
    said = _said(shown, _MISSED.findall(rejected.rpartition("</rejected-")[2]))
    headings = list(dict.fromkeys(_HEADING.findall(asked)))
    if not headings:
        return "\n".join(line for lines in said.values() for line in lines)
    return "\n\n".join("\n".join([f"## {heading}", *(said.get(heading) or ["none"])]) for heading in headings)


def _said(shown: str, missed: Iterable[str]) -> dict[str, list[str]]:
    """Return what there is to say, by heading; *missed* is what it is told that it left out."""
    tasks, files, runs = (_newest(form.findall(shown)) for form in (_TASK, _FILE, _RUN))
    facts = [("Files", files), ("Test runs", runs), ("Also", [*missed])]
    return {
        "Goal": [f"- {task}" for task in tasks[-1:]],
        "Progress": [f"- Before: {task}" for task in tasks[:-1]],
        "Key Decisions": [f"- {decision}" for decision in _newest(_DECISION.findall(shown))],
        "Critical Context": [f"- {name}: {', '.join(values)}." for name, values in facts if values],
    }


def _newest(texts: Iterable[str]) -> list[str]:
    """Return the last texts, each once."""
    return list(dict.fromkeys(reversed(list(texts))))[:_MOST][::-1]
