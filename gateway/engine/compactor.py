"""Decide what is sent: the list as it came, a frozen prefix replayed, or a new compaction.

Everything here is decided before a request leaves, and again, harder, when the upstream refused it. The
client's list is the only truth; what is stored is a cache bound to a prefix hash.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from secrets import randbits
from typing import TypeVar

from gateway.core.conversation import Conversation
from gateway.core.errors import StoreUnavailable
from gateway.core.ledger.known import Known
from gateway.core.rescue import Clamp, DropThinking, Move, Shrink, TrimItem
from gateway.engine.boundary import moving, patience, usable_by, worth_moving
from gateway.engine.counting import Counted, Counting
from gateway.engine.finish import finished, is_untouched, planned, removed
from gateway.engine.lineage import Checkpoints, Place
from gateway.engine.pipeline import Result, climb, fits_in, less, run_steps, with_ledger
from gateway.engine.prepared import Summaries, ready
from gateway.engine.replay import replayed, view_of
from gateway.engine.sizes import (
    aim_of,
    budget_of,
    clamped,
    due,
    enough_of,
    is_progress,
    most_of,
    share_of,
)
from gateway.engine.subject import Action, Asked, Plan, Subject, as_it_came
from gateway.engine.trim_item import mended
from gateway.engine.vain import Tried, Vain
from gateway.engine.windows import Windows
from gateway.policy.schema import Policy, Step
from gateway.store.base import Checkpoint, Store, StoreError
from gateway.strategies.base import Room, Summary
from gateway.strategies.carry import Kept

T = TypeVar("T")


class Compactor:
    """Plans requests. One per process."""

    def __init__(
        self,
        counting: Counting,
        checkpoints: Checkpoints,
        store: Store,
        windows: Windows,
        failed_open: Callable[[str], None],
        clock: Callable[[], float],
        summaries: Summaries | None = None,
    ) -> None:
        self._counting = counting
        self._checkpoints = checkpoints
        self._store = store
        self._windows = windows
        self._failed_open = failed_open
        self._clock = clock
        self._summaries = summaries
        self._known = Known(secret=randbits(63))
        self._vain = Vain()

    async def examine(self, asked: Asked, place: Place, policy: Policy) -> Subject:
        """Return the request counted against the budget its model has now."""
        counted = await self._counting.count(asked.wire, asked.request, asked.count, asked.salt)
        return self._informed(asked, place, policy, counted)

    def _again(self, subject: Subject) -> Subject:
        """Return the subject with what was learned since it was examined."""
        return self._informed(subject.asked, subject.place, subject.policy, subject.counted)

    def _informed(self, asked: Asked, place: Place, policy: Policy, counted: Counted) -> Subject:
        """Return the request with what is known of its model by now."""
        window = self._windows.window(policy, asked.upstream, asked.model)
        correction = self._windows.correction(asked.upstream, asked.model).factor
        budget = budget_of(asked, policy, counted, window, correction)
        return Subject(asked, place, policy, counted, window, budget, correction)

    async def plan(self, subject: Subject, dry: bool = False) -> Plan:
        """Return what to send first. Raise StoreUnavailable only if the policy says so."""
        try:
            plan = await self._plan(subject, dry)
            # Else every further request would be refused once, for the output that it asks for.
            is_counted = self._windows.counts_output(subject.asked.upstream, subject.asked.model)
            return clamped(subject, plan) if is_counted else plan
        finally:
            # An exchange may last long, and most need nothing more of them.
            subject.counted.read.clear()

    async def _plan(self, subject: Subject, dry: bool) -> Plan:
        came = as_it_came(subject)
        if not subject.counted.facts or not due(subject, came):
            return self._in_use(subject) or came
        chain, usable = subject.counted.chain(), usable_by(subject)
        held = self._checkpoints.held(subject.place, chain, usable)
        if held is not None and not moving(subject, held, frozen := replayed(subject, held)):
            return frozen
        # Before anything is decided anew: what was decided before a restart may cover more than what is held.
        longer = chain[held.length :] if held is not None else chain
        stored = await self._unless_away(self._checkpoints.stored(subject.place, longer, usable))
        checkpoint = stored or held
        frozen = replayed(subject, checkpoint) if checkpoint is not None else came
        steps = moving(subject, checkpoint, frozen)
        return (await self._compact(subject, chain, checkpoint, steps, dry) if steps else None) or frozen

    def _in_use(self, subject: Subject) -> Plan | None:
        """Return the plan for a list under the trigger whose beginning was compacted under the same rules.

        Our count was corrected, or its newest part was taken back, or nobody knows the window. The store is
        not asked: what this process does not remember goes out as it came.
        """
        if not self._checkpoints.knows(subject.place):
            return None
        made_for = subject.window.tokens or 0, subject.policy.fingerprint
        checkpoint = self._checkpoints.held(
            subject.place, subject.counted.chain(), lambda found: (found.window, found.policy) == made_for
        )
        return replayed(subject, checkpoint) if checkpoint is not None else None

    async def squeezed(self, subject: Subject, fits: int) -> Plan | None:
        """Return the plan with *fits* tokens of messages at most, nothing stored; None if nothing helps."""
        came = as_it_came(subject)
        return await self._squeeze(subject, subject.counted.chain(), None, came, fits, dry=True)

    async def _unless_away(self, finding: Awaitable[T | None]) -> T | None:
        try:
            return await finding
        except StoreError:
            self._failed_open("store_read")
            return None

    async def _compact(
        self,
        subject: Subject,
        chain: list[bytes],
        base: Checkpoint | None,
        steps: Sequence[Step],
        dry: bool,
    ) -> Plan | None:
        """Return the plan of a compaction on top of what is frozen; None if it changes nothing."""
        fits = subject.budget.tokens if subject.budget is not None else sys.maxsize
        aim = replace(self._room(subject, aim_of(subject, fits), fits), enough=enough_of(subject, base))
        aim = replace(aim, summary=await self._summary(subject, chain, base, dry))
        tried = Tried.of(subject, chain, base, aim.summary)
        if not dry and self._vain.has(tried, patience(subject, base, steps)):
            return None
        most = most_of(subject)

        def work(archive: bool) -> Result:
            def steps_taken(view: Conversation, kept: Kept) -> Result:
                room = less(replace(aim, archive=archive), kept)
                result = run_steps(view, steps, room)
                accepted = fits_in(most - kept.tokens)
                if accepted(result.view) or not subject.window.source.certain:
                    return result
                # It would be refused for sure: what the ladder would do after that, it does at once.
                must = replace(room, target=max(fits - kept.tokens, 1))
                return climb(result, subject.policy, room, must, accepted)

            return with_ledger(view_of(subject, base), aim, most, steps_taken)

        worth = worth_moving(subject, base, steps)
        plan = await self._settle(subject, chain, base, work, Action.COMPACTED, dry, worth)
        if plan is None and not dry:
            self._vain.add(tried)
        return plan

    async def follow(self, subject: Subject, refused: Plan, move: Move) -> Plan | None:
        """Return the plan after *refused* was not accepted, as *move* says; None if it leads nowhere."""
        match move:
            case Clamp(output=output):
                return replace(refused, action=Action.RESCUED, output=output)
            case Shrink():
                return await self._rescue(self._again(subject), refused, move)
            case TrimItem() | DropThinking():
                return await self._trim(subject, refused, move)

    async def _rescue(self, subject: Subject, refused: Plan, move: Shrink) -> Plan | None:
        """Return a smaller plan after *refused* was too large; None if nothing makes it smaller.

        What an earlier process or exchange decided about this conversation comes first.
        """
        chain = subject.counted.chain()
        base = refused.base or await self._unless_away(
            self._checkpoints.find(subject.place, chain, usable_by(subject))
        )
        if base is not None and refused.base is None:
            frozen = replace(replayed(subject, base), action=Action.RESCUED)
            if frozen.tokens <= move.tokens and is_progress(refused, frozen, move):
                return replace(frozen, output=move.output)
        fits = max(move.tokens - subject.counted.extras_tokens, 1)
        plan = await self._squeeze(subject, chain, base, refused, fits, move.messages)
        for _ in range(2):
            share = share_of(subject, plan, move) if plan is not None else 1.0
            if plan is None or share >= 1:
                break
            fits = max(int(min(fits, plan.tokens - subject.counted.extras_tokens) * share), 1)
            tighter = await self._squeeze(subject, chain, base, refused, fits, move.messages)
            plan = tighter if tighter is not None and len(tighter.body) < len(plan.body) else plan
        if plan is None or not is_progress(refused, plan, move):
            return None
        return replace(plan, output=move.output or refused.output)

    async def _squeeze(
        self,
        subject: Subject,
        chain: list[bytes],
        base: Checkpoint | None,
        refused: Plan,
        fits: int,
        messages: int | None = None,
        dry: bool = False,
    ) -> Plan | None:
        """Return the plan that the ladder makes of what was refused, down to *fits* tokens of messages."""
        aim = self._room(subject, min(fits, aim_of(subject, fits)), fits)
        aim = replace(aim, summary=await self._summary(subject, chain, base, dry=True))

        def work(archive: bool) -> Result:
            def climbed(view: Conversation, kept: Kept) -> Result:
                room = less(replace(aim, archive=archive), kept)
                must = replace(room, target=max(fits - kept.tokens, 1))
                # The ledger may come in a message of its own, with an acknowledgement.
                fewer = None if messages is None else messages - 2 * bool(kept.tokens)
                return climb(Result(view), subject.policy, room, must, fits_in(must.target, fewer))

            view = refused.view if refused.view is not None else view_of(subject, base)
            return with_ledger(view, aim, fits, climbed)

        action = Action.COMPACTED if dry else Action.RESCUED
        return await self._settle(subject, chain, base, work, action, dry)

    async def _trim(self, subject: Subject, refused: Plan, move: TrimItem | DropThinking) -> Plan | None:
        """Return the plan with what the upstream has named cut to what it accepts, or left out."""
        chain = subject.counted.chain()

        def work(archive: bool) -> Result:
            view = refused.view if refused.view is not None else view_of(subject, refused.base)
            return mended(view, move, subject.count)

        return await self._settle(subject, chain, refused.base, work, Action.RESCUED)

    async def _summary(
        self, subject: Subject, chain: list[bytes], base: Checkpoint | None, dry: bool
    ) -> Summary | None:
        if self._summaries is None:
            return None
        return await self._unless_away(ready(self._summaries, subject, chain, base, waits=not dry))

    def _room(self, subject: Subject, target: int, budget: int) -> Room:
        keep = subject.policy.keep
        return Room(target, budget, subject.count, keep, subject.correction, find=self._known.find)

    async def _settle(
        self,
        subject: Subject,
        chain: list[bytes],
        base: Checkpoint | None,
        work: Callable[[bool], Result],
        action: Action,
        dry: bool = False,
        worth: Callable[[Conversation], bool] = lambda _: True,
    ) -> Plan | None:
        """Return the plan for what *work* makes, repaired and archived; None if it is not *worth* sending."""
        size_bytes = len(subject.request.body)
        result = await self._counting.off_loop(lambda: finished(subject, work(True)), size_bytes)
        if is_untouched(result.view, len(chain)) or not worth(result.view):
            return None
        if not dry and not await self._archive(subject, base, result.view):
            result = await self._counting.off_loop(lambda: finished(subject, work(False)), size_bytes)
        return planned(subject, chain, base, result, action, self._clock())

    async def _archive(self, subject: Subject, base: Checkpoint | None, view: Conversation) -> bool:
        """Store what the view no longer says; return whether that went well."""
        now, size_bytes = self._clock(), len(subject.request.body)
        originals = await self._counting.off_loop(lambda: list(removed(subject, base, view, now)), size_bytes)
        try:
            if originals:
                await self._store.put_originals(subject.place.scope, originals)
        except StoreError as exc:
            if subject.policy.store.required:
                raise StoreUnavailable(
                    "what compaction would remove cannot be stored, and this policy sets store.required; "
                    "free the store, or send x-haversack-bypass: 1"
                ) from exc
            self._failed_open("archive")
            return False
        return True
