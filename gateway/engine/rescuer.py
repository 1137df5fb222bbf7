"""After a refusal: what is sent in place of what was too large, smaller each time, or nothing."""

from __future__ import annotations

from gateway.core.conversation import Conversation
from gateway.core.frozen import replace
from gateway.core.rescue import Clamp, DropThinking, Move, Shrink, TrimItem
from gateway.engine.boundary import usable_by
from gateway.engine.latest import Latest, uncut
from gateway.engine.lineage import Checkpoints
from gateway.engine.pipeline import Result, climb, fits_in, less, with_ledger
from gateway.engine.replay import replayed, view_of
from gateway.engine.settler import Settler
from gateway.engine.sizes import aim_of, is_progress, share_of
from gateway.engine.subject import Action, Plan, Subject, as_it_came
from gateway.engine.trim_item import mended
from gateway.store.base import Checkpoint
from gateway.strategies.carry import Kept
from gateway.strategies.piece import unwritten


class Rescuer:
    """Plans what comes after a refusal. One per process."""

    def __init__(self, settler: Settler, checkpoints: Checkpoints, latest: Latest) -> None:
        self._settler = settler
        self._checkpoints = checkpoints
        self._latest = latest

    async def follow(self, subject: Subject, refused: Plan, move: Move) -> Plan | None:
        """Return the plan after *refused* was not accepted, as *move* says; None if it leads nowhere."""
        match move:
            case Clamp(output=output):
                return replace(refused, action=Action.RESCUED, output=output)
            case Shrink():
                plan = await self._rescue(subject, refused, move)
            case TrimItem() | DropThinking():
                plan = await self._trim(subject, refused, move)
        if plan is not None:
            self._latest.refused(subject, refused, plan)
        return plan

    async def squeezed(self, subject: Subject, fits: int) -> Plan | None:
        """Return the plan with *fits* tokens of messages at most, nothing stored; None if nothing helps."""
        came = as_it_came(subject)
        return await self._squeeze(subject, subject.counted.chain(), None, came, fits, dry=True)

    async def _rescue(self, subject: Subject, refused: Plan, move: Shrink) -> Plan | None:
        """Return a smaller plan after *refused* was too large; None if nothing makes it smaller.

        What an earlier process or exchange decided about this conversation comes first.
        """
        chain = subject.counted.chain()
        base = refused.base or await self._settler.unless_away(
            self._checkpoints.find(subject.place, chain, usable_by(subject))
        )
        whole = uncut(subject, base) if base is not None and refused.view is None else None
        for beginning in (whole, base):
            if beginning is None or refused.base is not None:
                continue
            frozen = replace(replayed(subject, beginning), action=Action.RESCUED)
            if frozen.tokens <= move.tokens and is_progress(refused, frozen, move):
                return replace(frozen, output=move.output, checkpoint=whole if beginning is whole else None)
        plan = await self._shrunk(subject, chain, whole, refused, move) if whole is not None else None
        return plan or await self._shrunk(subject, chain, base, refused, move)

    async def _shrunk(
        self, subject: Subject, chain: list[bytes], base: Checkpoint | None, refused: Plan, move: Shrink
    ) -> Plan | None:
        """Return what the ladder makes of what was refused, as far down as the move says."""
        fits = max(move.tokens - subject.counted.extras_tokens, 1)
        plan = await self._squeeze(subject, chain, base, refused, fits, move)
        for _ in range(2):
            share = share_of(subject, plan, move) if plan is not None else 1.0
            if plan is None or share >= 1:
                break
            fits = max(int(min(fits, plan.tokens - subject.counted.extras_tokens) * share), 1)
            tighter = await self._squeeze(subject, chain, base, refused, fits, move)
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
        move: Shrink | None = None,
        dry: bool = False,
    ) -> Plan | None:
        """Return the plan that the ladder makes of what was refused, down to *fits* tokens of messages."""
        messages = move.messages if move is not None else None
        is_blind = move is not None and move.is_blind
        aim = self._settler.room(subject, fits if is_blind else min(fits, aim_of(subject, fits)), fits)
        reading = self._settler.reading(subject, waits=False)
        summary = await self._settler.summary(subject, chain, base, waits=False)
        aim = replace(aim, summary=summary, written=reading or unwritten)

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
        return await self._settler.settle(subject, chain, base, work, action, dry, reading=reading)

    async def _trim(self, subject: Subject, refused: Plan, move: TrimItem | DropThinking) -> Plan | None:
        """Return the plan with what the upstream has named cut to what it accepts, or left out."""
        chain = subject.counted.chain()

        def work(archive: bool) -> Result:
            view = refused.view if refused.view is not None else view_of(subject, refused.base)
            return mended(view, move, subject.count)

        return await self._settler.settle(subject, chain, refused.base, work, Action.RESCUED)
