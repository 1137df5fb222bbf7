"""Look for what was planted in a request as it is forwarded.

A planted row survives if its text stands there as it was said, or if all its probes stand within one line of
a message or of a summary, or one entry of the gateway's digest. What the digest says under a heading of the
ledger is presented as current, and so, if not as the user's own, is what its summary says; all its other
sections are history, where old statements may stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gateway.core.conversation import Count
from gateway.strategies import marks
from gateway.strategies.notes import Section
from quality.sessions import Planted

VALUES = "Values"

LEDGER = frozenset(
    ("Prohibitions", "Limits", "Rules", "Preferences", "Goals", "Open tasks", "Decisions", VALUES)
)
"""Headings under which the digest says what holds now."""

# Words of the gateway that tell that something no longer holds.
_OVER = re.compile(
    r"\b(?:replaced|superseded|withdrawn|revoked|lifted|cancelled|formerly|previously|outdated|obsolete"
    r"|no longer)\b"
    r"|取代|替换|代替|作废|撤销|取消|不再|原为|此前|已完成|已改",
    re.IGNORECASE,
)


def stands(probe: str, text: str) -> bool:
    """Return whether a string stands in a text, not as a part of a longer word or number.

    >>> stands("40 rows", "at most 40 rows"), stands("40 rows", "at most 140 rows")
    (True, False)
    """
    at = text.find(probe)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(probe) : at + len(probe) + 1]
        if not (_joins(before, probe[0]) or _joins(probe[-1], after)):
            return True
        at = text.find(probe, at + 1)
    return False


def _joins(left: str, right: str) -> bool:
    return bool(left and right) and all(c.isascii() and c.isalnum() for c in (left, right))


def all_stand(probes: Iterable[str], text: str) -> bool:
    """Return whether each of the strings stands in the text."""
    return all(stands(probe, text) for probe in probes)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a digest."""

    section: str
    text: str

    @property
    def is_current(self) -> bool:
        """Whether it is presented as what holds now."""
        return self.section in LEDGER

    @property
    def is_summary(self) -> bool:
        """Whether it is a line of what a model wrote."""
        return self.section == Section.SUMMARY

    @property
    def is_reported(self) -> bool:
        """Whether it is a value, labelled as what a tool or the assistant said: no instruction."""
        return self.section == VALUES and self.text.startswith(("[tool", "[assistant"))


@dataclass(frozen=True)
class Forwarded:
    """A message list as it goes out."""

    messages: Sequence[dict[str, Any]]
    texts: list[str] = field(init=False)
    """The text of each message, call arguments included."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "texts", [_text(message) for message in self.messages])

    @cached_property
    def entries(self) -> list[Entry]:
        """The entries of every digest in it."""
        digests = (text for text in self.texts if marks.is_digest(text))
        return [entry for text in digests for entry in _entries(text)]

    @property
    def has_summary(self) -> bool:
        """Whether a digest in it has a summary."""
        return any(entry.is_summary for entry in self.entries)

    @cached_property
    def _units(self) -> list[list[str]]:
        return [
            [entry.text for entry in _entries(text)] if marks.is_digest(text) else text.split("\n")
            for text in self.texts
        ]

    def holds(self, planted: Planted) -> bool:
        """Return whether it survives."""
        for index, text in enumerate(self.texts):
            if all(probe in text for probe in planted.probe) and (
                planted.text in text or any(all_stand(planted.probe, unit) for unit in self._units[index])
            ):
                return True
        return False

    def presented(self, probes: Sequence[str]) -> list[Entry]:
        """Return the entries that say it as what holds now."""
        return [entry for entry in self.entries if entry.is_current and all_stand(probes, entry.text)]

    def told(self, probes: Sequence[str]) -> list[Entry]:
        """Return the lines of a summary that say it."""
        return [entry for entry in self.entries if entry.is_summary and all_stand(probes, entry.text)]

    def remembers(self, probes: Sequence[str]) -> bool:
        """Return whether any entry of a digest says it."""
        return any(all_stand(probes, entry.text) for entry in self.entries)

    def ledger_tokens(self, count: Count) -> int:
        """Return what the sections of the ledger take."""
        return sum(count(f"- {entry.text}\n") for entry in self.entries if entry.is_current)


def is_stale(forwarded: Forwarded, planted: Planted) -> bool:
    """Return whether a replaced value is presented as current, or stands there with the new one missing."""
    if not planted.stale:
        return False
    for entry in forwarded.presented(planted.stale):
        if not (_OVER.search(entry.text) or all_stand(planted.probe, entry.text)):
            return True
    return forwarded.remembers(planted.stale) and not forwarded.holds(planted)


def misleads(forwarded: Forwarded, planted: Planted) -> bool:
    """Return whether the summary says a replaced value, or a decoy, as if it held."""
    lines = forwarded.told(planted.probe if planted.row.is_decoy else planted.stale)
    is_new = not planted.row.is_decoy
    return any(
        not (_OVER.search(line.text) or (is_new and all_stand(planted.probe, line.text))) for line in lines
    )


def is_carried(forwarded: Forwarded, planted: Planted) -> bool:
    """Return whether a decoy is presented as current.

    A withdrawn rule may stand there if that is said, and what a tool wrote as a value with its source.
    """
    return bool(_carrying(forwarded, planted))


def is_rule(forwarded: Forwarded, planted: Planted) -> bool:
    """Return whether a decoy is presented as more than a value: as a rule, a limit, a task, a decision."""
    return any(entry.section != VALUES for entry in _carrying(forwarded, planted))


def _carrying(forwarded: Forwarded, planted: Planted) -> list[Entry]:
    may_be_over = planted.row.type == "revoked"
    return [
        entry
        for entry in forwarded.presented(planted.probe)
        if not (entry.is_reported or (may_be_over and _OVER.search(entry.text)))
    ]


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    parts = [content] if isinstance(content, str) else [part.get("text", "") for part in content]
    parts += [call["function"]["arguments"] for call in message.get("tool_calls") or ()]
    return "\n".join(parts)


def _entries(digest: str) -> Iterator[Entry]:
    section, lines = "", list[str]()
    for line in [*digest.split("\n"), marks.DIGEST_END]:
        if line.startswith("  ") and lines:
            lines.append(line.strip())
            continue
        yield from _parted(section, lines)
        lines = [line[2:]] if line.startswith("- ") else []
        if line.startswith("## "):
            section = line[3:].strip()


def _parted(section: str, lines: Sequence[str]) -> Iterator[Entry]:
    """Yield an entry; of a summary, which is one entry, each line."""
    if section == Section.SUMMARY:
        yield from (Entry(section, line.removeprefix("- ")) for line in lines)
    elif lines:
        yield Entry(section, "\n".join(lines))
