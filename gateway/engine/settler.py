"""From what steps make of a conversation to a plan: the room they get, the last look, what is put away first.

Work with much to read is done in a thread; the store is asked here, and by whoever finds checkpoints.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from secrets import randbits
from typing import TypeVar

from gateway.core.conversation import Conversation
from gateway.core.errors import StoreUnavailable
from gateway.core.ledger.known import Known
from gateway.engine.away import unless_away
from gateway.engine.counting import Counting
from gateway.engine.finish import finished, is_untouched, planned, removed
from gateway.engine.pieces import Reading, last_of
from gateway.engine.pipeline import Result
from gateway.engine.prepared import Summaries, ready
from gateway.engine.subject import Action, Plan, Subject
from gateway.engine.summary_material import Find
from gateway.store.base import Checkpoint, Store, StoreError
from gateway.strategies.base import Room, Summary

T = TypeVar("T")


class Settler:
    """What every compaction takes, the first and the harder ones. One per process."""

    def __init__(
        self,
        counting: Counting,
        store: Store,
        failed_open: Callable[[str], None],
        clock: Callable[[], float],
        summaries: Summaries | None,
    ) -> None:
        self._counting = counting
        self._store = store
        self._failed_open = failed_open
        self._clock = clock
        self._summaries = summaries
        self._known = Known(secret=randbits(63))

    @property
    def find(self) -> Find:
        """How the ledger's entries of a message are found, each message read once."""
        return self._known.find

    def room(self, subject: Subject, target: int, budget: int) -> Room:
        """Return what steps have to work with on a request."""
        keep = subject.policy.keep
        return Room(target, budget, subject.count, keep, subject.correction, find=self._known.find)

    def reading(self, subject: Subject, waits: bool) -> Reading | None:
        """Return what tells the steps of a policy what a model wrote; None: none of them asks."""
        return Reading.of(subject, self._summaries, waits)

    async def summary(
        self, subject: Subject, chain: list[bytes], base: Checkpoint | None, waits: bool
    ) -> Summary | None:
        """Return the summary that is ready for a list; if it *waits*, one may be written meanwhile."""
        if self._summaries is None:
            return None
        return await self.unless_away(ready(self._summaries, subject, chain, base, waits))

    async def unless_away(self, finding: Awaitable[T | None]) -> T | None:
        """Return what is found; None, and it is counted, if the store is away."""
        return await unless_away(finding, self._failed_open, "store_read")

    async def settle(
        self,
        subject: Subject,
        chain: list[bytes],
        base: Checkpoint | None,
        work: Callable[[bool], Result],
        action: Action,
        dry: bool = False,
        worth: Callable[[Conversation], bool] = lambda _: True,
        reading: Reading | None = None,
    ) -> Plan | None:
        """Return the plan for what *work* makes, repaired and archived; None if it is not *worth* sending.

        *work* is told whether what is removed can be stored; *reading* is what its steps ask.
        """
        size_bytes = len(subject.request.body)
        result = await self._run(subject, work, reading)
        if is_untouched(result.view, len(chain)) or not worth(result.view):
            return None
        if not dry and not await self._archive(subject, base, result.view):
            result = await self._counting.off_loop(lambda: finished(subject, work(False)), size_bytes)
        return planned(subject, chain, base, result, action, self._clock())

    async def _run(self, subject: Subject, work: Callable[[bool], Result], reading: Reading | None) -> Result:
        """Return what *work* makes, once more where something turns up that its steps asked for in vain."""
        size_bytes = len(subject.request.body)
        if reading is None:
            return await self._counting.off_loop(lambda: finished(subject, work(True)), size_bytes)

        def run() -> Awaitable[Result]:
            reading.begin()
            return self._counting.off_loop(lambda: finished(subject, work(True)), size_bytes)

        async def turns_up() -> bool:
            return bool(await self.unless_away(reading.load())) or await reading.written()

        result = await last_of(run, turns_up)
        reading.settled()
        return result

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
