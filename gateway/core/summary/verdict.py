"""What the gate says of a summary: whether it may be used, and if not, why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """What is wrong with a summary; the values are metric labels."""

    EMPTY = "empty"
    """Nothing, or "nothing to record" where there is something."""
    TRUNCATED = "truncated"
    """Ended by a limit, or in the middle of a sentence."""
    TOOL_CALL = "tool_call"
    """A call instead of a text."""
    ERROR_TEXT = "error_text"
    """The words of an error, or a refusal, instead of a summary."""
    ANSWERS = "answers"
    """Goes on with the conversation instead of summarising it."""
    ECHO = "echo"
    """Repeats its instructions, or the conversation as it was shown."""
    MISSING_SECTIONS = "missing_sections"
    MISSING_IDENTIFIERS = "missing_identifiers"
    """Too few of the exact values that users named or that were decided."""
    MISSING_LEDGER = "missing_ledger"
    """Rules or limits that are not in it."""
    MISSING_ASK = "missing_ask"
    """Nothing of the latest request is in it."""
    INVENTED_IDENTIFIERS = "invented_identifiers"
    """Exact values that stand nowhere in its source."""
    OUTDATED = "outdated"
    """Gives a value that was replaced, and not the one that holds."""
    NOT_SMALLER = "not_smaller"
    SECRET = "secret"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong."""

    reason: Reason
    details: tuple[str, ...] = ()
    """What exactly, for the summariser to put right. It is content: never for labels or logs."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about a summary."""

    text: str
    """The summary without what stood around it."""
    faults: tuple[Finding, ...] = ()
    """For each of these it must not be used as it is."""
    advice: tuple[Finding, ...] = ()
    """Worth a metric, no reason to refuse it."""
    is_nothing: bool = False
    """The summariser found nothing worth recording, and rightly so: there is no summary, and no failure."""

    @property
    def is_usable(self) -> bool:
        """Whether the text may stand for the conversation."""
        return not self.faults and not self.is_nothing

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why it must not be used."""
        return reasons(self.faults)


def reasons(findings: Iterable[Finding]) -> tuple[Reason, ...]:
    """Return the reasons of some findings, each once, in the order of `Reason`."""
    found = {finding.reason for finding in findings}
    return tuple(reason for reason in Reason if reason in found)
