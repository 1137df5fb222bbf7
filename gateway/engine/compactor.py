"""Decide what is sent: the list as it came, a frozen prefix replayed, or a new compaction.

Everything here is decided before a request leaves, and again, harder, when the upstream refused it. The
client's list is the only truth; what is stored is a cache bound to a prefix hash.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gateway.core.conversation import Conversation
from gateway.core.frozen import replace
from gateway.core.rescue import Move
from gateway.engine.afresh import Afresh, reaching
from gateway.engine.boundary import moving, patience, usable_by, worth_moving
from gateway.engine.compaction import compaction
from gateway.engine.counting import Counted, Counting
from gateway.engine.late import Late
from gateway.engine.latest import Latest, is_answerable, keeps_request, uncut
from gateway.engine.lineage import Checkpoints, Place
from gateway.engine.pipeline import Result
from gateway.engine.prepared import Summaries, asking
from gateway.engine.rejected import is_rejected, reject
from gateway.engine.rescuer import Rescuer
from gateway.engine.settler import Settler
from gateway.engine.sizes import aim_of, budget_of, clamped, due, due_on, enough_of, factor_of, fits_of
from gateway.engine.subject import Action, Asked, Plan, Subject, as_it_came
from gateway.engine.summary_material import Find
from gateway.engine.vain import Tried, Vain
from gateway.engine.window import Known
from gateway.engine.windows import Windows
from gateway.policy.schema import Policy, Step
from gateway.store.base import Checkpoint, Store
from gateway.strategies.piece import unwritten


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
        self._windows = windows
        self._clock = clock
        self._settler = Settler(counting, store, failed_open, clock, summaries)
        self._latest = Latest()
        self._rescuer = Rescuer(self._settler, checkpoints, self._latest)
        self._afresh = summaries.afresh if summaries is not None else Afresh()
        self._late = Late(checkpoints, summaries, counting, self._settler) if summaries is not None else None
        self._vain = Vain()

    @property
    def find(self) -> Find:
        """How the ledger's entries of a message are found, each message read once."""
        return self._settler.find

    async def examine(self, asked: Asked, place: Place, policy: Policy) -> Subject:
        """Return the request counted against the budget its model has now."""
        counted = await self._counting.count(asked.wire, asked.request, asked.count, asked.salt)
        return self._informed(asked, place, policy, counted)

    def _again(self, subject: Subject, known: Known | None) -> Subject:
        """Return the subject with what was learned since it was examined."""
        return self._informed(subject.asked, subject.place, subject.policy, subject.counted, known)

    def _informed(
        self, asked: Asked, place: Place, policy: Policy, counted: Counted, known: Known | None = None
    ) -> Subject:
        """Return the request with what is known of its model by now."""
        known = known or self._windows.known(policy, asked.upstream, asked.model, place.scope)
        window, correction = known.window, known.correction
        policy = policy.at(window.tokens)
        budget = budget_of(asked, policy, counted, window, factor_of(policy, correction))
        return Subject(asked, place, policy, counted, window, budget, correction.factor)

    def reject(self, subject: Subject, refused: Plan) -> None:
        """Take note that an upstream refused a plan for its form, and took the request as it came."""
        reject(self._checkpoints, subject, refused, self._clock())

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
        frozen = self._latest.replay(subject, held) if held is not None else came
        if held is not None:
            is_moving = bool(moving(subject, frozen.base, frozen))
            better = await self._anew(subject, chain, held, frozen, is_moving, dry)
            if better is not None or not is_moving:
                return better or frozen
        # Before anything is decided anew: what was decided before a restart may cover more than what is held.
        longer = chain[held.length :] if held is not None else chain
        stored = await self._settler.unless_away(self._checkpoints.stored(subject.place, longer, usable))
        checkpoint = stored or held
        frozen = self._latest.replay(subject, stored) if stored is not None else frozen
        steps = moving(subject, frozen.base, frozen)
        if stored is not None and self._late is not None:
            await self._late.look(subject, chain, stored)
            better = await self._anew(subject, chain, stored, frozen, bool(steps), dry)
            if better is not None:
                return better
        if not steps:
            return frozen
        if is_rejected(self._checkpoints, subject, chain, frozen, self._clock()):
            return frozen if checkpoint is not None else as_it_came(subject, Action.FAILED_OPEN)
        return await self._compact(subject, chain, checkpoint, steps, dry) or frozen

    async def _anew(
        self,
        subject: Subject,
        chain: list[bytes],
        held: Checkpoint,
        frozen: Plan,
        is_moving: bool,
        dry: bool,
    ) -> Plan | None:
        """Return the plan of what is *held* made anew with what is written by now; None: it stands."""
        before = self._afresh.find(subject.place, held.prefix, is_moving)
        if before is None:
            return None
        if not dry:
            self._afresh.done(subject.place, held.prefix)
        base = self._checkpoints.held(subject.place, [before], usable_by(subject)) if before else None
        if base is None and before:
            return None
        steps = due_on(subject, base)
        plan = await self._compact(subject, chain, base, steps, dry) if steps else None
        if plan is None or plan.checkpoint is None or not asking(steps) & set(plan.steps):
            return None
        if plan.tokens > frozen.tokens and due(subject, plan):
            return None
        made = reaching(plan.checkpoint, held.length, chain, subject.counted.facts)
        return replace(plan, checkpoint=made, base=held, tokens_frozen=frozen.tokens)

    def _in_use(self, subject: Subject) -> Plan | None:
        """Return the plan for a list under the trigger whose beginning was compacted under the same rules.

        Our count was corrected, or its newest part was taken back, or nobody knows the window. The store is
        not asked: what this process does not remember goes out as it came.
        """
        if not self._checkpoints.knows(subject.place):
            return None
        made_for = subject.window.tokens or 0, subject.policy.fingerprint

        def is_in_use(found: Checkpoint) -> bool:
            return (found.window, found.policy) == made_for and is_answerable(subject, found)

        checkpoint = self._checkpoints.held(subject.place, subject.counted.chain(), is_in_use)
        return self._latest.replay(subject, checkpoint) if checkpoint is not None else None

    async def _compact(
        self,
        subject: Subject,
        chain: list[bytes],
        base: Checkpoint | None,
        steps: Sequence[Step],
        dry: bool,
    ) -> Plan | None:
        """Return the plan of a compaction on top of what is frozen; None if it changes nothing."""
        summary = await self._settler.summary(subject, chain, base, waits=not dry)
        reading = self._settler.reading(subject, waits=not dry)
        tried = Tried.of(subject, chain, base, summary)
        if reading is not None:
            tried = replace(tried, is_ready=reading.has_any)
        if not dry and self._vain.has(tried, patience(subject, base, steps)):
            return None
        fits = fits_of(subject)
        aim = self._settler.room(subject, aim_of(subject, fits), fits)
        aim = replace(aim, enough=enough_of(subject, base), summary=summary, written=reading or unwritten)

        async def made(beginning: Checkpoint | None, worth: Callable[[Conversation], bool]) -> Plan | None:
            def work(archive: bool) -> Result:
                return compaction(subject, beginning, steps, replace(aim, archive=archive))

            settle = self._settler.settle
            return await settle(subject, chain, base, work, Action.COMPACTED, dry, worth, reading)

        whole = uncut(subject, base) if base is not None else None
        plan = await made(whole, keeps_request(subject, fits)) if whole is not None else None
        plan = plan or await made(base, worth_moving(subject, base, steps))
        if plan is not None and base is not None and whole is None and not plan.steps:
            # Steps that run always found nothing to do: what is frozen stands.
            return None
        if plan is None and not dry:
            self._vain.add(tried, reading.missed if reading is not None else ())
        return plan

    async def follow(
        self, subject: Subject, refused: Plan, move: Move, known: Known | None = None
    ) -> Plan | None:
        """Return the plan after *refused* was not accepted, as *move* says; None if it leads nowhere.

        *known*: what this exchange has been told of the model, though nobody else goes by it yet.
        """
        return await self._rescuer.follow(self._again(subject, known), refused, move)

    async def squeezed(self, subject: Subject, fits: int) -> Plan | None:
        """Return the plan with *fits* tokens of messages at most, nothing stored; None if nothing helps."""
        return await self._rescuer.squeezed(subject, fits)
