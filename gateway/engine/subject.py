"""One request as the compactor sees it, and what it decides to send: values and small pure functions."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from gateway.core.budget import Budget, reserve
from gateway.core.conversation import Conversation, Count, Message
from gateway.core.rescue import LEAST_OUTPUT, Shrink, progressed
from gateway.engine.counting import Counted
from gateway.engine.lineage import Place
from gateway.engine.pipeline import Report
from gateway.engine.windows import Window
from gateway.policy.schema import Level, Policy, Step
from gateway.store.base import Checkpoint
from gateway.wire.base import OutputCap, Request, WireFormat


class Action(StrEnum):
    """What was done to a request: the value of the `x-haversack-action` header."""

    NONE = "none"
    FROZEN = "frozen"
    """An earlier compaction of its prefix was replayed."""
    COMPACTED = "compacted"
    CLAMPED = "clamped"
    """It asks for less output than the client did, for the upstream counts that into the window."""
    RESCUED = "rescued"
    """The upstream refused it as too large, and a smaller form was accepted."""
    BYPASS = "bypass"
    FAILED_OPEN = "failed-open"
    """Something of ours failed, and it went out as it came."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request and whom it is for."""

    wire: WireFormat
    request: Request
    upstream: str
    """The base URL of the upstream: what is learned about its models is kept under it."""
    model: str
    count: Count
    salt: int = 0
    """Tells the vocabulary of *count* from others, for what is remembered per message."""
    summarize: Callable[[Subject, Checkpoint | None], Awaitable[None]] | None = None
    """Has a summary written on top of a checkpoint, and waits for it; None: nobody waits."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One request, and everything that decides about it."""

    asked: Asked
    place: Place
    policy: Policy
    counted: Counted
    window: Window
    budget: Budget | None
    """None while nobody knows the window: then nothing is compacted before the upstream asks for it."""
    correction: float
    """True tokens per token of ours."""

    @property
    def wire(self) -> WireFormat:
        """The format of the request."""
        return self.asked.wire

    @property
    def count(self) -> Count:
        """How tokens of its model are counted."""
        return self.asked.count

    @property
    def request(self) -> Request:
        """The request, taken apart."""
        return self.asked.request

    @property
    def turns(self) -> int:
        """How many turns the client's list has; not counted if the policy does not ask."""
        asked = self.policy.trigger.turns is not None or any(
            (when.turns, when.min_turns, when.max_turns) != (None, None, None)
            for when in (step.when for step in self.policy.steps)
            if when is not None
        )
        return self.counted.turns if asked else 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be sent."""

    body: bytes
    action: Action
    tokens_before: int
    """Of the request as it came: our own count, uncorrected."""
    tokens: int
    """Of what is sent."""
    tokens_frozen: int
    """Of the request with its frozen prefix replayed and nothing else done: what was saved before."""
    messages: int
    reports: tuple[Report, ...] = ()
    checkpoint: Checkpoint | None = None
    """To be committed when the upstream has accepted it."""
    base: Checkpoint | None = None
    """The one it stands on."""
    view: Conversation | None = None
    output: int | None = None
    """The output it asks for after a clamp; None: as the client asked."""

    @property
    def steps(self) -> tuple[str, ...]:
        """Names of the steps and rungs that changed something, each once."""
        return tuple(dict.fromkeys(report.step for report in self.reports if report.outcome == "changed"))

    @property
    def is_rewritten(self) -> bool:
        """Whether the message list is not the client's own."""
        return self.view is not None or self.base is not None


def steps_due(subject: Subject, tokens: int, messages: int) -> tuple[Step, ...]:
    """Return the steps of the policy that run on messages of this size, in our count.

    Over the trigger, those that name no size of their own; and at any size those whose own `when` is reached.
    """
    policy, turns = subject.policy, subject.turns
    over = _is_over(policy.trigger, subject, tokens, messages, turns)
    own = [step for step in policy.steps if step.when is not None]
    if not own:
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
    return steps_due(subject, plan.tokens - subject.counted.extras_tokens, plan.messages)


def is_past(level: Level, subject: Subject, tokens: int, messages: int) -> bool:
    """Return whether messages of this size, in our count, are past a level."""
    return _is_over(level, subject, tokens, messages, subject.turns)


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


def kept_free(
    window: int, given: int | None, output: OutputCap | None, counted: Counted, factor: float
) -> int:
    """Return how many tokens of a window are kept for the answer: as *given* by the policy, or as asked."""
    if output is None:
        return reserve(window, given, fixed=int(counted.untouchable * factor))
    fixed = int(counted.fixed(int(window / factor)) * factor)
    return reserve(window, given, output.tokens, fixed, share=4 if output.is_required else 2)


def budget_of(asked: Asked, policy: Policy, counted: Counted, window: Window, factor: float) -> Budget | None:
    """Return what a request may fill of its model's window; None if nobody knows that."""
    if window.tokens is None:
        return None
    kept = kept_free(window.tokens, policy.reserve_output, asked.request.output, counted, factor)
    return Budget(window.tokens, kept, counted.extras_tokens, factor)


def most_of(subject: Subject) -> int:
    """Return the tokens of messages above which the upstream is sure to refuse the request.

    That is more than the budget where nobody asked for the output that is kept free: to cut the newest
    content for its sake would be worse than a short answer.
    """
    if subject.budget is None:
        return sys.maxsize
    output, window = subject.request.output, subject.budget.window
    asked = kept_free(window, None, output, subject.counted, subject.correction) if output is not None else 0
    return replace(subject.budget, reserve=asked).tokens


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


def as_it_came(subject: Subject, action: Action = Action.NONE) -> Plan:
    """Return the plan that changes nothing."""
    tokens = subject.counted.tokens
    return Plan(subject.request.body, action, tokens, tokens, tokens, len(subject.request.messages))


def size_on(subject: Subject, base: Checkpoint | None) -> int:
    """Return the tokens of the messages, in our count, once the beginning is replaced by what is frozen."""
    if base is None:
        return subject.counted.message_tokens
    return base.tokens + sum(fact.tokens for fact in subject.counted.facts[base.length :])


def replayed(subject: Subject, checkpoint: Checkpoint) -> Plan:
    counted, slices = subject.counted, subject.request.messages
    tail = slices[checkpoint.length :]
    frozen = (slices[item] if isinstance(item, int) else item for item in checkpoint.items)
    tokens = size_on(subject, checkpoint) + counted.extras_tokens
    return Plan(
        subject.request.with_messages((*frozen, *tail)),
        Action.FROZEN,
        counted.tokens,
        tokens,
        tokens,
        len(checkpoint.items) + len(tail),
        base=checkpoint,
    )


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


def view_of(subject: Subject, base: Checkpoint | None) -> Conversation:
    """Return the view of the request, its frozen prefix replaced. This is what decodes messages."""
    slices, wire, count, read = subject.request.messages, subject.wire, subject.count, subject.counted.read
    items = base.items if base is not None else ()
    start = base.length if base is not None else 0

    def message(index: int) -> Message:
        return read.get(index) or wire.message(slices[index], count, index)

    frozen = [message(item) if isinstance(item, int) else wire.message(item, count) for item in items]
    return Conversation((*frozen, *map(message, range(start, len(slices)))))
