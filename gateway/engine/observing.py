"""Observe mode: what a policy would have done with requests that went out as they came.

It works on a copy, after the answer: no request waits for it, nothing is stored, and what it decides is held
apart from what is decided for real. One request is planned at a time, in the order in which the answers
ended, so that each conversation is seen to grow as it did. When more wait than it can take, it leaves some
out and says so.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from gateway.core import failures, json, rescue
from gateway.core.errors import GatewayError
from gateway.core.failures import Failure, Final
from gateway.core.recent import Recent
from gateway.engine.attempt import Counters
from gateway.engine.compactor import Compactor
from gateway.engine.counting import Counting
from gateway.engine.encoding import Decoder, decode_request
from gateway.engine.learning import Learning
from gateway.engine.lineage import Checkpoints, Place
from gateway.engine.observer import Observer
from gateway.engine.parts import Parts
from gateway.engine.refusal import Refusal, told
from gateway.engine.sessions import session
from gateway.engine.subject import Action, Asked, Plan, Subject
from gateway.engine.summary_state import State, state
from gateway.engine.upstream import Response
from gateway.engine.window import Known
from gateway.logs import shown
from gateway.metrics import Metrics
from gateway.policy.schema import Policy
from gateway.store.forgetful import Forgetful
from gateway.wire.base import Request, Usage, WireFormat

log = logging.getLogger(__name__)

MAX_WAITING = 64
"""Requests that may wait to be observed; each holds its body."""

MAX_WANTING = 10_000
"""Conversations of which it is remembered that it was told that they want a summary."""

COPY_BYTES = 256 * 1024
"""What is kept of an answer that is no stream."""


class Copied:
    """An upstream's answer on its way to the client, and a bounded copy of it."""

    def __init__(self, response: Response, wire: WireFormat) -> None:
        self.status = response.status
        self.headers = response.headers
        self._response = response
        self._wire = wire
        coding = response.header("content-encoding")
        self._is_stream = response.header("content-type").startswith("text/event-stream")
        self._observer = Observer(wire, coding)
        self._decoder = Decoder(coding, COPY_BYTES)
        self._text: list[bytes] = []

    def __aiter__(self) -> Copied:
        return self

    async def __anext__(self) -> bytes:
        chunk = await anext(self._response)
        if self._is_stream:
            self._observer.feed(chunk)
        self._text.append(self._decoder.feed(chunk))
        return chunk

    @property
    def text(self) -> bytes:
        """The beginning of the answer, decoded."""
        return b"".join(self._text)

    @property
    def usage(self) -> Usage | None:
        """What the upstream says it spent."""
        return self._observer.usage() if self._is_stream else self._wire.usage(self.text)


@dataclass(frozen=True, slots=True)
class Forwarded:
    """A request that went out as it came, and what came of it."""

    tenant: str
    place: Place
    policy: Policy
    wire: WireFormat
    upstream: str
    """The base URL."""
    model: str
    """As the path names it; the body's own comes first."""
    body: bytes
    coding: str
    answer: Copied
    session: str = ""
    """What the client calls the conversation, hashed; empty: it gives it no name."""
    is_aside: Callable[[Request], bool] = lambda request: False
    """Tells a request that is not to be changed under any policy."""


class Observing:
    """Plans what went out as it came. One per process."""

    def __init__(
        self,
        parts: Parts,
        counting: Counting,
        counters: Counters,
        max_body_bytes: int,
        clock: Callable[[], float],
    ) -> None:
        store = Forgetful()
        self._checkpoints = Checkpoints(store)
        self._counting = counting
        self._windows = parts.windows
        self._compactor = Compactor(
            counting, self._checkpoints, store, parts.windows, lambda reason: None, clock
        )
        self._metrics: Metrics = parts.metrics
        self._start = parts.start
        self._counters = counters
        self._max_body_bytes = max_body_bytes
        self._wanting: Recent[tuple[Place, bytes], None] = Recent(MAX_WANTING)
        self._waiting = 0
        self._turn = asyncio.Lock()

    def take(self, forwarded: Forwarded) -> None:
        """Observe a request that is over, some time soon."""
        if self._waiting >= MAX_WAITING:
            self._metrics.observed.add(forwarded.tenant, forwarded.policy.name, "left-out")
            return
        self._waiting += 1
        self._start("observe", self._observe(forwarded))

    async def _observe(self, forwarded: Forwarded) -> None:
        try:
            async with self._turn:
                asked = await self._asked(forwarded)
                if asked is not None:
                    await self._plan(forwarded, asked)
        finally:
            self._waiting -= 1

    async def _asked(self, forwarded: Forwarded) -> Asked | None:
        """Return the request taken apart; None if it would have gone out as it came, whatever it is."""
        wire = forwarded.wire
        try:
            plain = decode_request(forwarded.body, forwarded.coding, self._max_body_bytes)
            request = wire.read(plain) if plain is not None else None
        except (json.Malformed, GatewayError):
            request = None
        if request is None or request.ambiguous or forwarded.is_aside(request):
            return None
        model = request.model or forwarded.model
        count, salt = await self._counters(model)
        return Asked(wire, request, forwarded.upstream, model, count, salt)

    async def _plan(self, forwarded: Forwarded, asked: Asked) -> None:
        answer = forwarded.answer
        subject = await self._compactor.examine(asked, forwarded.place, forwarded.policy.of(asked.model))
        plan = await self._compactor.plan(subject)
        failure = self._failure(subject, answer)
        learning = Learning(self._windows, asked.upstream, asked.model, forwarded.place.scope)
        if failure is not None:
            way = told(answer.text, is_answer=answer.status < 300)
            learning.refused(failure, Refusal(subject.counted.tokens, way, subject.counted.has_images))
            known = learning.known(subject.policy)
            plan = await self._rescued(subject, plan, failure, known) or plan
        elif (usage := answer.usage) is not None:
            learning.answered(usage, subject.counted.tokens, subject.counted.has_images)
        elif answer.status < 400:
            # Most streams: nobody asks for usage in a body that goes out as it came.
            self._metrics.unaccounted.add(forwarded.tenant, forwarded.policy.name, "usage")
        if plan.checkpoint is not None:
            self._checkpoints.keep(forwarded.place, plan.checkpoint)
        self._report(forwarded, subject, plan, await self._wants_summary(subject, plan))

    async def _wants_summary(self, subject: Subject, plan: Plan) -> bool:
        """Return whether a summary would have been asked for by now: here nobody writes any."""
        told = await self._counting.off_loop(lambda: state(subject, plan), len(subject.request.body))
        return told in (State.WANTED, State.MISSING)

    def _is_first(self, subject: Subject, plan: Plan) -> bool:
        """Return whether it is the first time that a conversation wants its next summary."""
        base = plan.standing
        key = subject.place, base.prefix if base is not None else b"".join(subject.counted.root())
        if key in self._wanting:
            return False
        self._wanting.put(key, None)
        return True

    def _failure(self, subject: Subject, answer: Copied) -> Failure | None:
        estimate = int(subject.counted.tokens * subject.correction)
        failure = failures.read(
            answer.status,
            answer.text,
            estimate=estimate,
            window=subject.window.tokens,
            said=subject.request.body,
        )
        return None if isinstance(failure, Final) else failure

    async def _rescued(self, subject: Subject, plan: Plan, failure: Failure, known: Known) -> Plan | None:
        """Return what would have been sent after a refusal, if the policy had not been ahead of it."""
        if plan.action is not Action.NONE:
            return None
        output = subject.request.output
        sent = rescue.Sent(
            plan.tokens,
            len(plan.body),
            plan.messages,
            output.tokens if output is not None else None,
            subject.correction,
            subject.counted.has_images,
        )
        cured = failures.cure(failure, estimate=int(plan.tokens * subject.correction))
        move = rescue.next_move(cured, sent, 0)
        return await self._compactor.follow(subject, plan, move, known) if move is not None else None

    def _report(self, forwarded: Forwarded, subject: Subject, plan: Plan, wants_summary: bool) -> None:
        metrics, who, policy = self._metrics, forwarded.tenant, forwarded.policy.name
        before, after = (tokens * subject.correction for tokens in (plan.tokens_before, plan.tokens))
        metrics.observed.add(who, policy, plan.action.value)
        metrics.observed_tokens.add(who, policy, "before", amount=before)
        metrics.observed_tokens.add(who, policy, "after", amount=after)
        for report in plan.reports:
            metrics.observed_steps.add(who, policy, report.step, report.outcome)
        is_news = wants_summary and self._is_first(subject, plan)
        if plan.action is not Action.NONE or is_news:
            # As with requests: a replay is routine.
            is_routine = plan.action is Action.FROZEN and not is_news
            level = logging.DEBUG if is_routine else logging.INFO
            log.log(level, "observed", extra=_told(forwarded, subject, plan, wants_summary))


def _told(forwarded: Forwarded, subject: Subject, plan: Plan, wants_summary: bool) -> dict[str, object]:
    """Return the fields of the log line: what that of a request has, as far as there is something to say."""
    root = subject.counted.root()
    is_silent = forwarded.answer.status < 400 and forwarded.answer.usage is None
    return {
        "tenant": forwarded.tenant,
        "policy": forwarded.policy.name,
        "session": forwarded.session or session(forwarded.place.scope, (), None, root).id,
        "status": forwarded.answer.status,
        "action": plan.action.value,
        "model": shown(subject.asked.model),
        "tokens_before": round(plan.tokens_before * subject.correction),
        "tokens_after": round(plan.tokens * subject.correction),
        "steps": ",".join(plan.steps),
        "summary": str(State.WANTED) if wants_summary else "",
        # Then these are the gateway's own count, as far as nothing else was learned.
        "usage": "missing" if is_silent else "",
    }
