"""How large a request may be, when steps are due on it, and how far they go: small pure functions."""

from __future__ import annotations

import sys

from gateway.core.budget import Budget, Correction, reserve
from gateway.core.frozen import replace
from gateway.core.rescue import LEAST_OUTPUT, Shrink, progressed
from gateway.engine.counting import Counted
from gateway.engine.crowd import messages_on, turns_on
from gateway.engine.replay import size_on
from gateway.engine.subject import Action, Asked, Plan, Subject
from gateway.engine.window import Window
from gateway.policy.levels import Level
from gateway.policy.schema import Policy, Step
from gateway.store.base import Checkpoint
from gateway.wire.base import OutputCap


def steps_due(
    subject: Subject, tokens: int, messages: int, base: Checkpoint | None = None
) -> tuple[Step, ...]:
    """Return the steps of the policy that run on messages of this size, in our count, on top of *base*.

    Over the trigger, those that name no size of their own; and at any size those whose own `when` is reached.
    """
    policy, turns = subject.policy, _turns(subject, base)
    over = _is_over(policy.trigger, subject, tokens, messages, turns)
    if not policy.has_sizes_of_steps:
        return policy.steps if over else ()
    # A policy's numbers are true tokens.
    true_tokens = int(tokens * subject.correction)
    budget = int(subject.budget.tokens * subject.correction) if subject.budget is not None else sys.maxsize
    return tuple(
        step
        for step in policy.steps
        if (over if step.when is None else step.when.is_reached(true_tokens, messages, turns, budget))
    )


def due(subject: Subject, plan: Plan) -> tuple[Step, ...]:
    """Return the steps of the policy that run on what a plan would send."""
    return steps_due(subject, plan.tokens - subject.counted.extras_tokens, plan.messages, plan.base)


def due_on(subject: Subject, base: Checkpoint | None) -> tuple[Step, ...]:
    """Return the steps of the policy that run on a request whose beginning is replaced by what is frozen."""
    return steps_due(subject, size_on(subject, base), messages_on(subject, base), base)


def fits_of(subject: Subject) -> int:
    """Return the tokens of messages that the window allows, as far as it is known."""
    return subject.budget.tokens if subject.budget is not None else sys.maxsize


def is_past(
    level: Level, subject: Subject, tokens: int, messages: int, base: Checkpoint | None = None
) -> bool:
    """Return whether messages of this size, in our count, on top of *base*, are past a level."""
    return _is_over(level, subject, tokens, messages, _turns(subject, base))


def _turns(subject: Subject, base: Checkpoint | None) -> int:
    """Return how many turns there are; not counted if the policy does not ask."""
    return turns_on(subject, base) if subject.policy.counts_turns else 0


def _is_over(level: Level, subject: Subject, tokens: int, messages: int, turns: int) -> bool:
    return (
        tokens >= tokens_at(level, subject, sys.maxsize)
        or (level.messages is not None and messages >= level.messages)
        or (level.turns is not None and turns >= level.turns)
    )


def tokens_at(level: Level, subject: Subject, otherwise: int) -> int:
    """Return the tokens of messages, in our count, that a level means; a ratio needs a known window."""
    if subject.budget is not None:
        at = subject.budget.at(level.ratio, level.tokens)
        return otherwise if at is None else at
    return otherwise if level.tokens is None else int(level.tokens / subject.correction)


def aim_of(subject: Subject, fits: int) -> int:
    """Return the tokens of messages to come down to, where *fits* are the most.

    If the target is no less than what the upstream takes, the policy is wrong about the window. It then is a
    share of what fits: each of the next requests would be refused again.
    """
    aim, ratio = tokens_at(subject.policy.target, subject, fits), subject.policy.target.ratio
    return int(fits * ratio) if subject.budget is not None and ratio is not None and aim >= fits else aim


def enough_of(subject: Subject, base: Checkpoint | None) -> int:
    """Return the tokens of messages at which light steps have done enough; 0: there is no such size.

    They then have freed the excess over the trigger with a margin, and come to where the next compaction is
    not near: every move of the boundary costs the provider's cache.
    """
    margin = subject.policy.light_margin
    trigger = tokens_at(subject.policy.trigger, subject, 0)
    prepare = tokens_at(subject.policy.prepare, subject, 0)
    tokens = size_on(subject, base)
    if not margin or not trigger or tokens < trigger:
        return 0
    return max(min(prepare, int(tokens - margin * (tokens - trigger))), 0)


def until_trigger(subject: Subject, tokens: int, more: int = 0) -> tuple[int, int]:
    """Return by how much messages will have grown when they are compacted, and what is enough then.

    That is where the trigger is, and *more* behind it; enough for light steps, of what is there now.
    """
    growth = max(tokens_at(subject.policy.trigger, subject, tokens) - tokens, 0) + more
    prepare = tokens_at(subject.policy.prepare, subject, 0) if subject.policy.light_margin else 0
    return growth, max(prepare - growth, 0)


def kept_free(
    window: int, given: int | None, output: OutputCap | None, counted: Counted, factor: float
) -> int:
    """Return how many tokens of a window are kept for the answer: as *given* by the policy, or as asked."""
    if output is None:
        return reserve(window, given, fixed=int(counted.untouchable * factor))
    fixed = int(counted.fixed(int(window / factor)) * factor)
    return reserve(window, given, output.tokens, fixed, share=4 if output.is_required else 2)


def budget_of(asked: Asked, policy: Policy, counted: Counted, window: Window, factor: float) -> Budget | None:
    """Return what a request may fill of its model's window, as far as a policy uses it; None: unknown."""
    known = [tokens for tokens in (window.tokens, policy.window_max) if tokens is not None]
    if not known:
        return None
    used, given = min(known), policy.reserve_output
    if given is not None and policy.reserve_ratio is not None:
        given = min(given, int(used * policy.reserve_ratio))
    kept = kept_free(used, given, asked.request.output, counted, factor)
    return Budget(used, kept, counted.extras_tokens, factor)


def factor_of(policy: Policy, known: Correction) -> float:
    """Return what our count is multiplied by for a budget: by the policy's margin, till usage has told."""
    return known.factor if known.calibrated else max(known.factor, policy.margin)


def most_of(subject: Subject) -> int:
    """Return the tokens of messages above which the upstream is sure to refuse the request.

    That is more than the budget where nobody asked for the output that is kept free: to cut the newest
    content for its sake would be worse than a short answer.
    """
    if subject.budget is None:
        return sys.maxsize
    # What a policy does not use of a window is no reason for a refusal.
    output, window = subject.request.output, subject.window.tokens or subject.budget.window
    asked = kept_free(window, None, output, subject.counted, subject.correction) if output is not None else 0
    return replace(subject.budget, window=window, reserve=asked, factor=subject.correction).tokens


ROOM_FOR_ERROR = 0.05
"""Share of a prompt by which our count of it may be short."""


def clamped(subject: Subject, plan: Plan) -> Plan:
    """Return the plan asking for no more output than the window leaves, if that is of any use."""
    output, window = subject.request.output, subject.window.tokens
    if output is None or window is None:
        return plan
    left = window - int(plan.tokens * subject.correction * (1 + ROOM_FOR_ERROR))
    if not LEAST_OUTPUT <= left < output.tokens:
        return plan
    action = Action.CLAMPED if plan.action is Action.NONE else plan.action
    return replace(plan, action=action, output=left)


def is_progress(refused: Plan, plan: Plan, move: Shrink) -> bool:
    """Return whether a plan is worth sending after *refused* was not accepted: no retry without progress."""
    if move.size_bytes is not None:
        return progressed(len(refused.body), len(plan.body))
    if move.messages is not None:
        return plan.messages < refused.messages
    return progressed(refused.tokens, plan.tokens)


def share_of(subject: Subject, plan: Plan, move: Shrink) -> float:
    """Return the share of the bytes of a plan's messages that the move leaves; 1 or more: it is met."""
    bound = move.size_bytes or move.also_bytes
    fixed = len(subject.request.body) - (subject.request.stop - subject.request.start)
    return (bound - fixed) / max(len(plan.body) - fixed, 1) if bound else 1.0
