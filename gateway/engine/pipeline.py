"""Run the steps of a policy, and the rungs of the emergency ladder, on a view. No IO: it may run in a thread.

Around all of them the ledger is carried: no step knows of it. Help fails open: a step that raises, lengthens
the conversation or empties it is left out, logged and reported; the view it was given goes on to the next
step. Without its ledger a compaction goes on, too.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from gateway.core.conversation import Conversation, Message
from gateway.core.errors import where
from gateway.core.frozen import replace
from gateway.engine.rungs import RUNGS
from gateway.policy.levels import When
from gateway.policy.schema import Policy, Step
from gateway.strategies.base import Room, Strategy
from gateway.strategies.carried import is_cramped, put_down, unsaid
from gateway.strategies.carry import Kept, Lifted, lift, lift_lost, reserve, reserve_for
from gateway.strategies.fold import turns
from gateway.strategies.place import has_digest

log = logging.getLogger(__name__)

_LIGHT_RUNS = 3
"""So often light steps are tried, each time with as much room kept for the ledger as the last try needed."""


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

    One that names no size of its own runs while the view is above `room.target`; if it is not light, only if
    the light ones before it were not enough, or there are too many messages, which those do not change. One
    that does runs when it says so, and if that is always, does all it can.
    """
    return going_on(Result(view), steps, room)


def going_on(result: Result, steps: Iterable[Step], room: Room) -> Result:
    """Return a result after more steps."""
    due = _Due(room)
    for step in steps:
        if (aim := due.aim(step, result.view)) is not None:
            result = _take(result, step.use, step.strategy, aim)
    return result


def light_steps(view: Conversation, steps: Sequence[Step], room: Room) -> tuple[Result, Sequence[Step]]:
    """Return the view after the light steps before the first other one that has to be taken; and the rest."""
    result, due = Result(view), _Due(room)
    for number, step in enumerate(steps):
        if (aim := due.aim(step, result.view)) is None:
            continue
        if not step.strategy.light:
            return result, steps[number:]
        result = _take(result, step.use, step.strategy, aim)
    return result, ()


class _Due:
    """Tells which steps are to be taken, as a view gets shorter."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._is_heavy = False

    def aim(self, step: Step, view: Conversation) -> Room | None:
        """Return the room for a step on a view; None: it is not to be taken."""
        room, when = self._room, step.when
        if when is not None:
            return (replace(room, target=0) if when.always else room) if is_due(when, view, room) else None
        if step.strategy.light:
            return room if view.tokens > room.target else None
        aim = room.crowded(view)
        # Asked at the first one only: if something heavy has to be done, it is done down to the target.
        self._is_heavy = self._is_heavy or view.tokens > room.enough or aim.target < room.target
        return aim if self._is_heavy and view.tokens > aim.target else None


def with_ledger(
    view: Conversation,
    room: Room,
    most: int,
    work: Callable[[Conversation, Kept], Result],
    light: Callable[[Conversation, Kept], Result | None] = lambda view, kept: None,
) -> Result:
    """Return what *work* makes of a view, with the ledger of what it took away.

    *work* is given the view less the ledger that it carries, and what to keep free for the new one;
    *most* is what the messages may take at last. *light* does the same with light steps only; None: that is
    not enough. Where it is, no more is kept free than what they took needs, and if that is nothing, nobody's
    words are read.
    """
    try:
        found = None if has_digest(view) else _lightly(view, room, most, work, light)
        if found is not None:
            return found
        lifted = lift(view, room)
        found = _lightly(view, room, most, work, light, lifted)
        if found is not None:
            return found
        kept = reserve(lifted, room)
        kept = replace(kept, tokens=min(kept.tokens, max(most - 1, 0)))
    except Exception as exc:
        log.error("ledger failed", extra={"at": where(exc)})  # noqa: TRY400 (the message may quote)
        return work(view, Kept())
    result = work(lifted.view, kept)
    if result.view.messages == lifted.view.messages:
        return Result(view, result.reports)
    try:
        found = _with_more(lifted, result, room, most, kept, work)
    except Exception as exc:
        log.error("ledger failed", extra={"at": where(exc)})  # noqa: TRY400 (the message may quote)
        return work(view, Kept())
    # Where it has no place, what it would say has to stay among the words of the users.
    return found if found.view.tokens < view.tokens else work(view, Kept())


def _lightly(
    view: Conversation,
    room: Room,
    most: int,
    work: Callable[[Conversation, Kept], Result],
    light: Callable[[Conversation, Kept], Result | None],
    lifted: Lifted | None = None,
) -> Result | None:
    """Return what light steps make of a view, with the ledger of what they took; None: they do not do.

    *lifted* is all that it says; without, only what they took is read. Where they find nothing to do, all
    stays as it is: no room is kept free for what nobody takes.
    """
    bare = view if lifted is None else lifted.view
    # Where nothing was carried, nothing has to be kept free before it is known what goes.
    kept = Kept() if lifted is None or bare is view else reserve_for(lifted, bare.messages, room)
    for _ in range(_LIGHT_RUNS):
        result = light(bare, kept) if kept is not None else None
        if kept is None or result is None:
            return None
        if result.view.messages == bare.messages:
            return Result(view, result.reports) if view.tokens <= most else None
        lost = lifted or lift_lost(result.view, bare, room)
        needed = reserve_for(lost, result.view.messages, room) if lost is not None else None
        if lost is not None and needed is not None and needed.tokens <= kept.tokens:
            found = _with_more(lost, result, room, most, kept, work)
            return found if found.view.tokens < view.tokens else None
        kept = needed
    return None


def _with_more(
    lifted: Lifted,
    result: Result,
    room: Room,
    most: int,
    kept: Kept,
    work: Callable[[Conversation, Kept], Result],
) -> Result:
    """Return a result with the ledger; where what users said did not fit, steps go further, once."""
    after = put_down(lifted, result.view, room, most, kept.tokens)
    missing = unsaid(lifted, after)
    if not missing or not is_cramped(lifted, after, room, most, missing):
        return Result(after, result.reports)
    share = int(room.keep.ledger_ratio * room.target)
    more = replace(kept, tokens=max(min(kept.tokens + missing, share, most - 1), kept.tokens))
    if more.tokens > kept.tokens:
        again = work(lifted.view, more)
        other = put_down(lifted, again.view, room, most, kept.tokens)
        is_dearer = other.tokens > max(after.tokens, room.target) or _request(other) != _request(after)
        if not is_dearer and unsaid(lifted, other) < missing:
            return Result(other, again.reports)
    return Result(after, result.reports)


def _request(view: Conversation) -> Message | None:
    """Return the latest user message: for the sake of older ones it is not cut."""
    return None if view.last_user is None else view.messages[view.last_user]


def less(room: Room, kept: Kept) -> Room:
    """Return the room that steps have beside the ledger."""
    if not kept.tokens:
        return room
    enough = max(room.enough - kept.tokens, 1) if room.enough else 0
    return replace(room, target=max(room.target - kept.tokens, 1), enough=enough, carried=kept.texts)


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
    rungs = policy.overflow.rungs
    for number, rung in enumerate(rungs):
        if enough(result.view):
            break
        if rung == "target":
            more = run_steps(result.view, policy.steps, aim)
            result = Result(more.view, (*result.reports, *more.reports))
            continue
        # An open round stays, however long, where a later rung cuts it: without it an agent begins anew.
        is_cut = rung == "clear" and "newest_content" in rungs[number + 1 :]
        room = replace(must, target=sys.maxsize) if is_cut else must
        result = _take(result, rung, RUNGS[rung](policy.overflow), room)
    if "clear" in rungs[:-1] and not enough(result.view):
        result = _take(result, "clear", RUNGS["clear"](policy.overflow), must)
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


def is_due(when: When, view: Conversation, room: Room) -> bool:
    """Return whether a step with a size of its own runs on a view."""
    tokens, budget = int(view.tokens * room.correction), int(room.budget * room.correction)
    return when.is_reached(tokens, len(view.messages), len(turns(view)), budget)
