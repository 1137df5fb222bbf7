"""One exchange: plan, send, listen, and when the upstream says "too long", send something smaller.

The client sees one answer. Until its first byte is released everything can still be done again; after it,
nothing is. What bounds the loop: a number of attempts, and measured progress from each to the
next. Who stands where: `core.rescue` decides, `engine.compactor` plans, `engine.reply` listens.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable

from gateway.core import failures, rescue
from gateway.core.errors import GatewayError, StoreUnavailable, where
from gateway.core.failures import BodyTooLarge, Failure, Final, Overflow, Refused
from gateway.engine.attempt import Answer, Ask, Attempt, once, send, write
from gateway.engine.economics import Account
from gateway.engine.headers import without_length
from gateway.engine.learning import Learning
from gateway.engine.listing import beside
from gateway.engine.observer import Observer, watched, without_usage
from gateway.engine.parts import Parts
from gateway.engine.rejected import is_rejected, reject
from gateway.engine.reply import Expected, Spoken
from gateway.engine.subject import Action, Plan, Subject, as_it_came
from gateway.engine.verdict import as_event, exceeded, outcome, spoken
from gateway.engine.windows import NO_WINDOW
from gateway.store.base import Checkpoint, StoreError
from gateway.wire.base import Usage

log = logging.getLogger(__name__)


class Exchange:
    """One client request and its answer. `open` it, send what it returns, `close` it in any case."""

    def __init__(self, parts: Parts, ask: Ask) -> None:
        self._parts = parts
        self._ask = ask
        self._learning = Learning(parts.windows, ask.upstream.base_url, ask.model)
        self._subject: Subject | None = None
        self._attempt: Attempt | None = None
        self.attempts = 0
        self._rescues = 0
        self._own: Spoken | None = None  # what the upstream said to the client's own bytes, if it refused
        self._form_refused: Plan | None = None  # a rewritten list, for its form: nothing is rewritten again
        self._is_late = False  # the head of the answer is out
        self._observer: Observer | None = None
        self._accepted: Plan | None = None
        self._unused: list[Usage] = []  # of attempts whose answer is not used
        self.upstream_s = 0.0
        """Time spent waiting for the upstream so far."""
        self.account = Account()  # what was spent and saved, once it is closed

    async def open(self) -> Answer:
        """Return the answer, its body still to be read. Raise GatewayError if there is none to give."""
        attempt = await self._send(await self._first_plan())
        while not attempt.reply.pending:
            follow = await self._follow(attempt)
            if follow is None:
                return await self._released(attempt)
            await attempt.reply.close()
            attempt = await self._send(follow)
        self._is_late, reply = True, attempt.reply
        headers = without_length(reply.headers)  # what is released may be another attempt's body
        return Answer(reply.status, headers, self._late(attempt), attempt.plan, self._correction)

    async def close(self) -> None:
        """Let go of the upstream, and learn from what was seen."""
        if self._attempt is None:
            return
        await self._attempt.reply.close()
        try:
            self._settle(self._attempt)
        except Exception as exc:
            self._failed("settling failed", exc)

    @property
    def root(self) -> list[bytes]:
        """Hashes of the list's first messages, up to the first user message: where the conversation began."""
        return self._subject.counted.root() if self._subject is not None else []

    @property
    def is_over(self) -> bool:
        """Whether the client has been given the last event of a stream: it may hang up without a loss."""
        return self._observer is not None and self._observer.is_over

    @property
    def _correction(self) -> float:
        return self._learning.correction

    @property
    def _has_images(self) -> bool:
        return self._subject is not None and self._subject.counted.has_images

    @property
    def _may_go_on(self) -> bool:
        return self.attempts < self._ask.policy.overflow.attempts

    # What to send first

    async def _first_plan(self) -> Plan:
        """Return the first plan; what goes wrong on our side sends the request as it came."""
        ask, compactor = self._ask, self._parts.compactor
        try:
            self._subject = await compactor.examine(self._parts.asked(ask), ask.place, ask.policy)
            if is_rejected(self._parts.checkpoints, self._subject, self._parts.clock()):
                return as_it_came(self._subject, Action.FAILED_OPEN)
            return as_it_came(self._subject) if ask.whole_first else await compactor.plan(self._subject)
        except StoreUnavailable:
            raise
        except Exception as exc:
            self._failed("compaction failed", exc)
            if self._subject is not None:
                return as_it_came(self._subject, Action.FAILED_OPEN)
            return Plan(ask.request.body, Action.FAILED_OPEN, 0, 0, 0, len(ask.request.messages))

    def _failed(self, event: str, exc: Exception) -> None:
        log.error(event, extra={"at": where(exc)})
        self._parts.metrics.failed_open.add("error")

    async def _send(self, plan: Plan) -> Attempt:
        """Send a plan and listen until it is known what the answer is, at most for the hold."""
        ask, parts = self._ask, self._parts
        if self._attempt is not None and (spent := self._attempt.reply.usage) is not None:
            self._unused.append(spent)
        self.attempts += 1
        started = parts.clock()
        may_ask = parts.windows.takes_stream_options(ask.upstream.base_url, ask.model)
        written = write(ask, plan, may_ask, self._is_late)
        self._attempt = attempt = await send(ask, plan, written, self._expected(plan))
        parts.metrics.first_byte.observe(parts.clock() - started, ask.upstream.name)
        await attempt.reply.listen(parts.hold_s)
        self.upstream_s += parts.clock() - started
        return attempt

    def _expected(self, plan: Plan) -> Expected:
        window = self._subject.window if self._subject is not None else NO_WINDOW
        return Expected(
            estimate=int(plan.tokens * self._correction),
            window=window.tokens,
            sure_window=window.sure_tokens,
            output=plan.output if plan.output is not None else self._ask.output,
            stream=self._ask.request.stream,
            has_images=self._has_images,
        )

    async def _follow(self, attempt: Attempt) -> Plan | None:
        """Return what to send after this reply; None if it is the answer. Raise WindowExceeded."""
        failure = attempt.reply.failure
        self._parts.metrics.attempts.add(self._ask.upstream.name, outcome(failure))
        if failure is None:
            return None
        if not attempt.is_changed and not isinstance(failure, Refused | Final):
            self._own = await attempt.reply.spoken()
        if isinstance(failure, Refused):
            return await self._refused(attempt, failure) if attempt.is_changed else None
        self._learning.refused(failure, attempt.plan.tokens, self._has_images, attempt.reply.is_silent)
        follow = await self._smaller(attempt.plan, failure)
        if follow is not None:
            self._rescues += 1
        elif isinstance(failure, Overflow | BodyTooLarge):
            self._parts.metrics.overflows.add(self._ask.upstream.name, "failed")
            if attempt.is_changed and not self._form_refused:
                raise exceeded(attempt.plan, failure, self._correction, self.attempts, self._ask.wire)
        return follow

    async def _refused(self, attempt: Attempt, failure: Failure) -> Plan | None:
        """Return the client's own bytes after a rewritten form of them was refused for its form (4.8)."""
        ask, parts, plan = self._ask, self._parts, attempt.plan
        if attempt.asks_usage and b"stream_options" in attempt.reply.text and self._may_go_on:
            parts.windows.refused_stream_options(ask.upstream.base_url, ask.model)
            return plan
        if plan.is_rewritten and (other := await self._smaller(plan, failure)) and other.body != plan.body:
            return other
        self._form_refused = plan
        parts.metrics.failed_open.add("rejected")
        if plan.base is not None:
            await self._stored(parts.checkpoints.quarantine(ask.place, plan.base.prefix))
        if self._own is not None or self._subject is None or not self._may_go_on:
            return None
        return as_it_came(self._subject, Action.FAILED_OPEN)

    async def _smaller(self, plan: Plan, failure: Failure) -> Plan | None:
        """Return a smaller form of a plan that was refused as too large; None if there is none to try."""
        subject = self._subject
        if subject is None or self._form_refused or not self._may_go_on:
            return None
        try:
            if plan.output is None:  # otherwise less output was asked for already, and it was not enough
                failure = failures.cure(failure, estimate=int(plan.tokens * self._correction))
            move = rescue.next_move(failure, self._size(plan), self._rescues)
            return await self._parts.compactor.follow(subject, plan, move) if move is not None else None
        except StoreUnavailable:
            raise
        except Exception as exc:
            self._failed("rescue failed", exc)
            return None

    def _size(self, plan: Plan) -> rescue.Sent:
        output = plan.output if plan.output is not None else self._ask.output
        sizes = plan.tokens, len(plan.body), plan.messages
        fixed = self._subject.counted.untouchable if self._subject is not None else 0
        return rescue.Sent(*sizes, output, self._correction, self._has_images, fixed)

    # Releasing

    async def _released(self, attempt: Attempt) -> Answer:
        """Return the answer to release; a checkpoint of what was accepted is committed first."""
        reply, plan, own = attempt.reply, attempt.plan, self._own
        if reply.failure is None:
            await self._accept(plan)
        elif isinstance(reply.failure, Refused) and attempt.is_changed and own is not None:
            if self._subject is not None:  # what the client would have been told without us
                plan = as_it_came(self._subject, Action.FAILED_OPEN)
            return Answer(own.status, own.headers, once(own.body), plan, self._correction)
        if not reply.is_stream:
            return Answer(reply.status, reply.headers, reply.chunks(), plan, self._correction, reply.whole)
        headers = without_length(reply.headers) if attempt.edits_stream else reply.headers
        return Answer(reply.status, headers, self._observed(attempt), plan, self._correction)

    async def _accept(self, plan: Plan) -> None:
        self._accepted = plan
        self._learning.accepted()
        if self._rescues:
            how = "rescued" if plan.is_rewritten else "clamped"
            self._parts.metrics.overflows.add(self._ask.upstream.name, how)
        self._ask_for_windows(plan)
        refused = self._form_refused
        if refused is not None and refused.base is None and self._subject is not None:
            reject(self._parts.checkpoints, self._subject, self._parts.clock())
        if plan.checkpoint is not None and not self._ask.whole_first:
            await self._stored(self._remember(plan.checkpoint))

    def _ask_for_windows(self, plan: Plan) -> None:
        """Look into the upstream's model list, once, if it has not told this model's window yet."""
        ask, parts, subject = self._ask, self._parts, self._subject
        if subject is None or subject.window.source.certain:
            return
        if subject.window.tokens is None:
            parts.metrics.unknown_windows.add(ask.upstream.name)
        if parts.listing.is_wanted(ask.upstream, plan.tokens):
            parts.start("model list", parts.listing.ask(ask.upstream, beside(ask.target), ask.headers))

    async def _remember(self, checkpoint: Checkpoint) -> None:
        await self._parts.checkpoints.commit(self._ask.place, checkpoint)
        for learned in self._parts.windows.take_changes():
            await self._parts.store.put_learned(learned)

    async def _stored(self, work: Awaitable[None]) -> None:
        try:
            await work
        except StoreError:
            self._parts.metrics.failed_open.add("store")

    def _observed(self, attempt: Attempt) -> AsyncIterator[bytes]:
        wire, reply = self._ask.wire, attempt.reply
        observer = self._observer = Observer(wire, reply.coding)
        edited = attempt.edits_stream
        return without_usage(reply.chunks(), observer, wire) if edited else watched(reply.chunks(), observer)

    async def _late(self, attempt: Attempt) -> AsyncIterator[bytes]:
        """Yield an answer that took longer than the hold: comments at once, data when it is known to be one.

        The status is out, and it was 200: a rescue is still possible, because no data was released. What
        cannot be rescued is told as an event.
        """
        wire = self._ask.wire
        try:
            while True:
                if comments := attempt.reply.take_comments():
                    yield comments
                if attempt.reply.pending:
                    await attempt.reply.listen_on()
                    continue
                follow = await self._follow(attempt)
                if follow is None:
                    break
                await attempt.reply.close()
                attempt = await self._send(follow)
        except GatewayError as error:
            yield as_event(wire.error(error), wire)
            return
        answer = await self._released(attempt)
        if answer.status >= 300:
            yield as_event(spoken(attempt.reply.text, answer.status, wire), wire)
        else:
            async for chunk in answer.chunks:
                yield chunk

    def _settle(self, attempt: Attempt) -> None:
        """Calibrate by the usage of the answer, and keep the books."""
        reply, subject = attempt.reply, self._subject
        if subject is None:
            return
        usage = self._observer.usage() if reply.is_stream and self._observer is not None else reply.usage
        self.account = self._parts.economics.settle(subject, self._accepted, usage, self._unused)
        self._parts.prepare(self._ask, subject, self._accepted, attempt.reply.status)
        if usage is not None and self._learning.answered(usage, attempt.plan.tokens, self._has_images):
            self._parts.metrics.suspected_truncations.add(self._ask.upstream.name)
