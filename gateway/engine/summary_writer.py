"""One model writes a summary: parts at the same time, merged until one is left, judged, put right once.

What it takes is bounded before it begins: parts by the policy, merges by their number, new partings after an
overflow and repairs by the constants here. A call that was too long is never sent again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

from gateway.core.frozen import replace
from gateway.core.summary.answer import Answer
from gateway.core.summary.parts import Space
from gateway.core.summary.verdict import Reason, Verdict
from gateway.engine.summary_call import Asked, Failed, Model
from gateway.engine.summary_record import Record, Trouble
from gateway.engine.together import together
from gateway.policy.rules import SummarizerRules

T = TypeVar("T")

MAX_PARTINGS = 3
"""How often a conversation is parted for one model, the first time included."""

_LONGER = 2
"""An answer that broke off may have so many times as much room when it is asked for again."""


_SHORTER = 0.95
_LESS = 0.7
_LEAST_ANSWER = 100


class OffLoop(Protocol):
    """Does work with much to read in a thread."""

    def __call__(self, work: Callable[[], T], size_bytes: int) -> Awaitable[T]: ...


class Matter(Protocol):
    """What a text is made of: of a conversation (`Material`), or of a piece (`PieceMaterial`)."""

    @property
    def previous(self) -> str: ...

    @property
    def rules(self) -> SummarizerRules: ...

    @property
    def has_something(self) -> bool: ...

    def first(self, space: Space) -> tuple[Asked, ...]: ...

    def merging(self, summaries: Sequence[str], space: Space) -> tuple[Asked | str, ...]: ...

    def repair(self, asked: Asked, verdict: Verdict) -> Asked: ...

    def judge(self, answer: Answer, space: Space) -> Verdict: ...

    def judge_part(self, answer: Answer, tokens: int, space: Space) -> Verdict: ...


class Rejected(Exception):
    """What a model wrote may not be used, not even when it was asked again."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Summary:
    """What was written."""

    text: str
    """Empty: there is nothing worth recording."""
    is_nothing: bool = False
    """The model found nothing worth recording; the text is the earlier summary, if there is one."""
    is_repaired: bool = False
    is_reused: bool = False
    """It was asked for behind the conversation itself."""


@dataclass(slots=True)
class Writer:
    """One model within one job."""

    model: Model
    material: Matter
    record: Record
    off_loop: OffLoop
    size_bytes: int

    async def write(self, space: Space) -> Summary:
        """Return the summary. Raise Failed, or Rejected."""
        for number in range(1, MAX_PARTINGS + 1):
            try:
                return await self._written(space)
            except Failed as failed:
                smaller = _smaller(space, failed)
                if smaller is None or number == MAX_PARTINGS:
                    raise
                space = smaller
        raise AssertionError("the last round returns or raises")

    async def _written(self, space: Space) -> Summary:
        calls = await self.off_loop(lambda: self.material.first(space), self.size_bytes)
        self.record.parts = len(calls)
        if not calls:
            raise Failed(Trouble.OVERFLOW)
        if len(calls) == 1:
            return await self._final(calls[0], space)
        found = await self._partials(calls, space)
        summaries = [text for text in (self.material.previous, *found) if text]
        if not any(found):
            if self.material.has_something:
                raise Rejected(Reason.EMPTY)
            return Summary(self.material.previous, is_nothing=True)
        return await self._merged(summaries, space)

    async def _merged(self, summaries: Sequence[str], space: Space) -> Summary:
        while len(summaries) > 1:
            groups = await self._groups(summaries, space)
            if len(groups) == 1 and isinstance(only := groups[0], Asked):
                return await self._final(only, space)
            summaries = await self._partials(groups, space)
            summaries = [text for text in summaries if text]
        # All other parts had nothing to say.
        verdict = await self._judged(Answer(summaries[0] if summaries else "", "stop"), space)
        if not verdict.is_usable:
            raise Rejected(verdict.reasons[0] if verdict.faults else Reason.EMPTY)
        return Summary(verdict.text)

    async def _groups(self, summaries: Sequence[str], space: Space) -> tuple[Asked | str, ...]:
        return await self.off_loop(lambda: self.material.merging(summaries, space), sum(map(len, summaries)))

    async def _final(self, asked: Asked, space: Space) -> Summary:
        """Return what a call brings, if it passes the gate, or the next one does."""
        answer = await self.model.ask(asked, space.answer)
        verdict = await self._judged(answer, space)
        repaired = not verdict.is_usable and not verdict.is_nothing
        if repaired:
            again = await self._again(asked, answer, verdict, space)
            verdict = await self._judged(again, space)
        if verdict.is_nothing:
            return Summary(self.material.previous, is_nothing=True)
        if not verdict.is_usable:
            raise Rejected(verdict.reasons[0])
        return Summary(verdict.text, is_repaired=repaired)

    async def _again(self, asked: Asked, answer: Answer, verdict: Verdict, space: Space) -> Answer:
        """Return the answer to the repair, which has more room if the first one broke off."""
        room = min(_LONGER * space.answer, max(space.window // 3, space.answer))
        is_cut = answer.is_limited and Reason.TRUNCATED in verdict.reasons
        repair = self.material.repair(asked, verdict)
        try:
            return await self.model.ask(repair, room if is_cut else space.answer)
        except Failed as failed:
            if failed.trouble is Trouble.OVERFLOW:
                # Parted anew it would be asked all over again, for a model that failed once.
                raise Rejected(verdict.reasons[0]) from failed
            raise

    async def _judged(self, answer: Answer, space: Space) -> Verdict:
        verdict = await self.off_loop(lambda: self.material.judge(answer, space), self.size_bytes)
        self.record.judged(verdict)
        return verdict

    async def _partials(self, calls: Iterable[Asked | str], space: Space) -> list[str]:
        """Return what the calls bring, in their order; empty where a part has nothing to say."""
        works = [partial(self._merged_or_alone, call, space) for call in calls]
        return await together(works, self.material.rules.concurrency)

    async def _merged_or_alone(self, call: Asked | str, space: Space) -> str:
        return call if isinstance(call, str) else await self._partial(call, space)

    async def _partial(self, asked: Asked, space: Space) -> str:
        answer = await self.model.ask(asked, space.answer)
        verdict = await self._judged_part(answer, asked, space)
        if verdict.faults:
            again = await self._again(asked, answer, verdict, space)
            verdict = await self._judged_part(again, asked, space)
        # What broke off twice still says something; what it lacks is looked for in the whole.
        lasting = [reason for reason in verdict.reasons if reason is not Reason.TRUNCATED]
        if lasting:
            raise Rejected(lasting[0])
        return "" if verdict.is_nothing else verdict.text

    async def _judged_part(self, answer: Answer, asked: Asked, space: Space) -> Verdict:
        verdict = await self.off_loop(
            lambda: self.material.judge_part(answer, asked.tokens, space), self.size_bytes
        )
        self.record.findings.update(map(str, verdict.reasons))
        return verdict


def _smaller(space: Space, failed: Failed) -> Space | None:
    """Return what to plan with after a call was too long; None: that is not it, or nothing helps.

    Where the upstream names no limit below what was planned with, what was sent is one.
    """
    if failed.trouble is not Trouble.OVERFLOW:
        return None
    if failed.output is not None and failed.output < space.answer:
        return replace(space, answer=failed.output) if failed.output >= _LEAST_ANSWER else None
    limit = failed.limit
    if limit is None or limit >= space.window:
        share = min(_SHORTER, failed.share or _SHORTER)
        limit = min(int(failed.sent * space.per_token * share), int(space.window * _LESS))
    return space.after_overflow(max(limit, 1))
