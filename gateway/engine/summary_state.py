"""How far the summary of a conversation is, told before anything is sent: pure, so it may run in a thread.

What only a running gateway knows, what is being written and who is left alone, `engine.background` adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gateway.engine.prepared import summarizing
from gateway.engine.subject import Plan, Subject
from gateway.engine.wanted import Written, is_near, serves, wanted
from gateway.policy.schema import Mode
from gateway.store.base import Checkpoint, Prepared
from gateway.strategies.marks import DIGEST_START
from gateway.strategies.notes import Section
from gateway.strategies.piece import unwritten
from gateway.strategies.summarize import Summarize


class State(StrEnum):
    """How far it is; the values stand in the report of a dry run."""

    USED = "used"
    """What is sent has it in it."""
    READY = "ready"
    """It is written, and takes its place when the boundary moves the next time."""
    WRITING = "writing"
    """It is being written, or waits for its turn."""
    WANTED = "wanted"
    """It would be asked for: after the answer, or before it where the policy lets requests wait."""
    PAUSED = "paused"
    """It would be asked for, but who could write it is left alone for a while."""
    MISSING = "missing"
    """Its step was due, and there was none: the steps behind did the work."""
    NONE = "none"
    """There is no need of one yet."""


@dataclass(frozen=True, slots=True)
class Texts:
    """How many texts steps ask a model for, where they are about to run."""

    ready: int = 0
    writing: int = 0
    wanted: int = 0
    """They would be asked for, as far as anybody may be asked."""


def state(
    subject: Subject, plan: Plan, found: Prepared | None = None, written: Written = unwritten
) -> State | None:
    """Return how far the summary is, *found* being the longest that is ready; None: no step uses any.

    *written* tells the steps before it what else is ready.
    """
    if summarizing(subject.policy.steps) is None or subject.policy.mode is Mode.OFF:
        return None
    base = plan.standing if subject.policy.summarizer.mode == "background" else plan.base
    reach = base.length if base is not None else 0
    if found is not None and serves(subject, base, found):
        return State.READY
    if is_near(subject, plan) and wanted(subject, base, found, written) is not None:
        return State.WANTED
    if found is not None and found.length > reach:
        return State.READY
    if has_summary(plan.standing):
        return State.USED
    return State.MISSING if _was_due(subject, plan) else State.NONE


def has_summary(base: Checkpoint | None) -> bool:
    """Return whether what is frozen of a list has a summary in it."""
    made = [item for item in base.items if isinstance(item, bytes)] if base is not None else []
    return any(_START in item and _TITLE in item for item in made)


_START, _TITLE = DIGEST_START.encode(), f"## {Section.SUMMARY}".encode()


def _was_due(subject: Subject, plan: Plan) -> bool:
    uses = {step.use for step in subject.policy.steps if isinstance(step.strategy, Summarize)}
    return any(report.step in uses for report in plan.reports)
