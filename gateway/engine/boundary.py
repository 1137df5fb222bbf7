"""When the boundary of what is frozen moves: rarely and far, for every move costs the provider's cache."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from gateway.core.conversation import Conversation
from gateway.engine.crowd import has_grown, is_crowded, messages_on
from gateway.engine.latest import is_answerable
from gateway.engine.replay import size_on
from gateway.engine.sizes import aim_of, due, most_of, tokens_at
from gateway.engine.subject import Plan, Subject
from gateway.policy.schema import Step
from gateway.store.base import Checkpoint

LEAST_MOVE = 0.05
"""Share of the budget by which a conversation must have grown before its boundary moves again."""

LEAST_ROOM = 0.08
"""Share of the window that is left to the trigger, or the next request or two are over it again."""

CRAMPED_MOVE = 0.5
"""The same where it could not be brought near the target: share of what was left of the window. The rest is
for the answer."""


def moving(subject: Subject, base: Checkpoint | None, plan: Plan) -> tuple[Step, ...]:
    """Return the steps that are due on what a plan would send, if they are to move the boundary of *base*.

    A policy whose steps cannot reach its target would move it at every turn, and the provider's cache would
    never be read. What fits can wait; what names a size of its own knows best.
    """
    steps = due(subject, plan)
    if not steps or base is None or subject.budget is None or any(step.when is not None for step in steps):
        return steps
    if is_crowded(subject, plan.messages) and has_grown(subject, base, plan.messages):
        return steps
    if (base.window, base.policy) != (subject.window.tokens, subject.policy.fingerprint):
        return steps
    tokens, before = plan.tokens - subject.counted.extras_tokens, base.whole_tokens
    far, fits = LEAST_MOVE * subject.budget.tokens, subject.budget.tokens
    trigger = tokens_at(subject.policy.trigger, subject, sys.maxsize)
    is_tight = trigger - before < LEAST_ROOM * subject.budget.window / subject.budget.factor
    if is_tight or before * 2 > trigger + aim_of(subject, trigger):
        # An agent's instructions in a small window: every turn would be over the trigger, and the budget too.
        fits = most_of(subject)
        far = max(far, CRAMPED_MOVE * (fits - before))
    return steps if tokens - before >= far or tokens > fits else ()


def worth_moving(
    subject: Subject, base: Checkpoint | None, steps: Sequence[Step]
) -> Callable[[Conversation], bool]:
    """Return what tells whether a new view frees enough to give up the beginning that a provider has cached.

    Steps that find little now will find more in the next turns: what is newest may not be left out yet. What
    the upstream is not sure to refuse can wait for them, as long as half of what is kept free for the answer
    is left to it. What names a size of its own knows best.
    """
    if subject.budget is None or any(step.when is not None for step in steps):
        return lambda _: True
    if is_crowded(subject, number := messages_on(subject, base)):
        return lambda view: len(view.messages) < number
    tokens, least = size_on(subject, base), max(patience(subject, base, steps), 1)
    return lambda view: tokens - view.tokens >= least


def patience(subject: Subject, base: Checkpoint | None, steps: Sequence[Step]) -> float:
    """Return by how many tokens a conversation grows before what freed too little is tried again.

    None, where the answer needs the room or a step names a size of its own.
    """
    if subject.budget is None or any(step.when is not None for step in steps):
        return 0
    can_wait = 2 * size_on(subject, base) <= subject.budget.tokens + most_of(subject)
    return LEAST_MOVE * subject.budget.tokens if can_wait else 0


def usable_by(subject: Subject) -> Callable[[Checkpoint], bool]:
    """Return what tells a decision that serves here: one for a far smaller window has given up too much.

    So has one that leaves out what the model is asked now.
    """
    window = subject.window.tokens or 0
    return lambda checkpoint: checkpoint.window * 2 >= window and is_answerable(subject, checkpoint)
