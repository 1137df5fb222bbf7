"""What became of a summary that was asked for, and what it took: numbers and words of ours, no content."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from gateway.core.summary.verdict import Verdict
from gateway.logs import shown
from gateway.wire.base import Usage


class Outcome(StrEnum):
    """How a job ended; the values are metric labels."""

    WRITTEN = "written"
    NOTHING = "nothing"
    """The model found nothing worth recording."""
    FAILED = "failed"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"
    """Nobody was asked, since all who could be are left alone for a while."""


class Trouble(StrEnum):
    """Why a call brought nothing that can be used; the values are metric labels."""

    OVERFLOW = "overflow"
    """Too long for the summariser."""
    BUSY = "busy"
    """429, or 503 and 529 with a time: left alone for so long."""
    DENIED = "denied"
    """Key, money, permission, no such model."""
    REFUSED = "refused"
    """No form of the request is accepted."""
    UNREACHABLE = "unreachable"
    """Trouble on their side, or on the way."""
    CONTENT = "content"
    """What the conversation says is not taken: so it is left alone, and no model is."""


CANCELLED = "cancelled"
"""What came of a call that was broken off: by the end of its job, or of its time."""


@dataclass(slots=True)
class Record:
    """One job."""

    tenant: str
    policy: str
    outcome: Outcome = Outcome.FAILED
    reason: str = ""
    """Of a failure: a `Trouble`, a `Reason` of the gate, a `Nobody`, timeout or error; of one skipped: why
    models are left alone; of what was written: repaired, fallback or reused (`reuse_prefix`), if it was."""
    seconds: float = 0.0
    parts: int = 0
    """Into which the conversation was cut, the last time."""
    calls: Counter[str] = field(default_factory=Counter)
    """By what came of them: ok, cancelled, or a `Trouble`."""
    findings: Counter[str] = field(default_factory=Counter)
    """Reasons of the gate, also those that were put right and those that were let pass."""
    usages: list[tuple[str, Usage]] = field(default_factory=list)
    """What each call says was spent, with its model."""

    session: str = ""
    """Of the conversation, as its requests are logged."""
    form: str = "summary"
    """What was to be written: a summary, or the form of a piece."""
    model: str = ""
    """The last one that was asked, or is left alone."""
    trouble: str = ""
    """What went wrong last, if nothing has gone well since: a `Trouble`, or a `Reason` of the gate."""

    def called(self, outcome: str, trouble: str = "") -> None:
        """Count a call that is over."""
        self.calls[outcome] += 1
        if outcome != CANCELLED:
            self.trouble = trouble

    def judged(self, verdict: Verdict) -> None:
        """Count what the gate found."""
        if verdict.faults:
            self.trouble = verdict.faults[0].reason
        self.findings.update(str(found.reason) for found in (*verdict.faults, *verdict.advice))

    @property
    def told(self) -> dict[str, object]:
        """What the log says of it; what the cache had is part of the input, and told where there is some."""
        cached = sum(usage.cached_tokens or 0 for _, usage in self.usages)
        return {
            "tenant": self.tenant,
            "policy": self.policy,
            "session": self.session,
            "form": self.form,
            "model": shown(self.model),
            "outcome": str(self.outcome),
            "reason": str(self.reason),
            "seconds": round(self.seconds, 3),
            "parts": self.parts,
            "calls": self.calls.total(),
            "input_tokens": sum(usage.input_tokens for _, usage in self.usages),
            "output_tokens": sum(usage.output_tokens for _, usage in self.usages),
            **({"tokens_cached": cached} if cached else {}),
        }
