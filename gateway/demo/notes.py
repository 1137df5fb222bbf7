"""What the demonstration's model writes when it is asked to sum a conversation up."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gateway.core.summary.form import TASK

_HEADING = re.compile(r"(?m)^## ([^(\n]{1,80}?)(?: \(.*)?$")
_NAMED = re.compile(r"src/\w{1,40}\.py|\b[A-Z]{2,8}-\d{1,8}\b|\b\d{5,12}\b")
_MISSED = re.compile(r"(?m)^  - (.{1,200})$")
_DECISION = re.compile(r"Decision \d{1,4}: [^.\n]{1,200}\.")
_MOST = 80


def is_asked_for(content: str) -> bool:
    """Return whether a system message asks for notes, and not for an agent's next step."""
    return TASK in content


def notes(prompt: str) -> str:
    """Return notes on the conversation in a prompt, under the headings that it asks for."""
    headings = list(dict.fromkeys(_HEADING.findall(prompt)))
    decisions = _newest(_DECISION.findall(prompt))
    # Asked a second time, it is told what it left out.
    named = _newest([*_NAMED.findall(prompt), *_MISSED.findall(prompt.rpartition("asked this before")[2])])
    said = [
        "- Steps of the same kind, one module after the other; each is done and its tests pass.",
        *(f"- {decision}" for decision in decisions),
        f"- Touched: {', '.join(named)}.",
    ]
    parts = [f"## {heading}\nnone" for heading in headings[1:]]
    return "\n\n".join(["\n".join([f"## {headings[0]}", *said]) if headings else "\n".join(said), *parts])


def _newest(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))[-_MOST:]
