"""Run the steps of a policy, and the rungs of the emergency ladder, on a view. No IO: it may run in a thread.

Help fails open: a step that raises, lengthens the conversation or empties it is left out, logged and
reported; the view it was given goes on to the next step.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter

from gateway.core.conversation import Conversation
from gateway.core.errors import where
from gateway.policy.schema import Policy, Step, When
from gateway.strategies.base import Room, Strategy
from gateway.strategies.clear import Clear
from gateway.strategies.newest_content import NewestContent
from gateway.strategies.tool_results import ToolResults
from gateway.strategies.trim_turns import TrimTurns

log = logging.getLogger(__name__)

RUNGS: Mapping[str, Strategy] = {
    "tool_results": ToolResults(keep_last=0, max_tokens=200, current_turn_max_tokens=200),
    "trim_turns": TrimTurns(),
    "newest_content": NewestContent(),
    "clear": Clear(),
}
"""The rungs beside `target`: strategies with settings for an emergency."""


@dataclass(frozen=True, slots=True)
class Report:
    """What one step did."""

    step: str
    outcome: str
    """`changed`, `unchanged` (there was nothing to do) or `error`: values of a metric label."""
    tokens_before: int
    tokens_after: int
    elapsed_s: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class Result:
    """A view and how it came about."""

    view: Conversation
    reports: tuple[Report, ...] = ()


def run_steps(view: Conversation, steps: Iterable[Step], room: Room) -> Result:
    """Return the view after the steps, in order.

    One that names no size of its own runs while the view is above `room.target`; one that does runs when it
    says so, and if that is always, does all it can.
    """
    result = Result(view)
    for step in steps:
        when = step.when
        if when is None:
            if result.view.tokens > room.target:
                result = _take(result, step.use, step.strategy, room)
        elif _is_due(when, result.view, room):
            result = _take(result, step.use, step.strategy, replace(room, target=0) if when.always else room)
    return result


def fits_in(tokens: int, messages: int | None = None) -> Callable[[Conversation], bool]:
    """Return what tells whether a view is no longer than that."""
    return lambda view: view.tokens <= tokens and (messages is None or len(view.messages) <= messages)


def climb(
    result: Result, policy: Policy, aim: Room, must: Room, enough: Callable[[Conversation], bool]
) -> Result:
    """Return the view after as many rungs as it takes until *enough* says so, or after all of them.

    The first rung, `target`, goes as far as the policy itself would (*aim*), so that the boundary moves far;
    the others go no further than they must.
    """
    for rung in policy.overflow.rungs:
        if enough(result.view):
            break
        if rung == "target":
            more = run_steps(result.view, policy.steps, aim)
            result = Result(more.view, (*result.reports, *more.reports))
        else:
            result = _take(result, rung, RUNGS[rung], must)
    return result


def _take(result: Result, name: str, strategy: Strategy, room: Room) -> Result:
    before, started = result.view, perf_counter()
    try:
        after = strategy.apply(before, room)
        outcome = _judge(before, after)
    except Exception as exc:
        # A mistake in a step must not cost anybody a request; what it saw is not logged, only where it broke.
        log.error("step failed", extra={"step": name, "at": where(exc)})  # noqa: TRY400 (the message may quote)
        after, outcome = before, "error"
    kept = after if outcome == "changed" else before
    report = Report(name, outcome, before.tokens, kept.tokens, perf_counter() - started)
    return Result(kept, (*result.reports, report))


def _judge(before: Conversation, after: Conversation) -> str:
    if after is before or after.messages == before.messages:
        return "unchanged"
    if after.tokens > before.tokens or not after.messages:
        log.error("step broke its law", extra={"tokens_before": before.tokens, "tokens_after": after.tokens})
        return "error"
    return "changed"


def _is_due(when: When, view: Conversation, room: Room) -> bool:
    tokens, budget = int(view.tokens * room.correction), int(room.budget * room.correction)
    return when.is_reached(tokens, len(view.messages), len(view.turns), budget)
