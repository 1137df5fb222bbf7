"""One exchange: plan, send, listen, and when the upstream says "too long", send something smaller.

The client sees one answer. Until its first byte is released everything can still be done again; after it,
nothing is. What bounds the loop: a number of attempts, and measured progress from each to the next. Who
stands where: `engine.compactor` plans, `engine.reply` listens, `engine.following` says what comes after it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

from gateway.core.errors import GatewayError, StoreUnavailable
from gateway.core.failures import Refused
from gateway.engine.attempt import Answer, Ask, Attempt, once, send, write
from gateway.engine.away import unless_away
from gateway.engine.economics import Account
from gateway.engine.following import Following, failed_open
from gateway.engine.headers import without_length
from gateway.engine.heartbeat import HEADERS, STATUS, Awaited, interval_s
from gateway.engine.learning import Learning
from gateway.engine.listing import beside
from gateway.engine.observer import Observer, watched, without_usage
from gateway.engine.parts import Parts
from gateway.engine.reply import Expected
from gateway.engine.subject import Action, Plan, Subject, as_it_came
from gateway.engine.verdict import FAILED, as_event, in_stream
from gateway.engine.window import NO_WINDOW, Source, given
from gateway.logs import shown
from gateway.store.base import Checkpoint
from gateway.wire.base import Usage

log = logging.getLogger(__name__)

_GIVEN = Source.POLICY, Source.TABLE
_UNKNOWN = "nothing is compacted before the upstream refuses a request; name the window under `windows`"
_OVERRULED = "the policy names {}, and the upstream less: that counts for a day; name it under `windows`"


class Exchange:
    """One client request and its answer. `open` it, send what it returns, `close` it in any case."""

    def __init__(self, parts: Parts, ask: Ask) -> None:
        self._parts = parts
        self._ask = ask
        self._learning = Learning(parts.windows, ask.upstream.base_url, ask.model, ask.place.scope)
        self._following = Following(parts, ask, self._learning)
        self._planning: Awaited[Plan] | None = None  # while the client is told to wait
        self._attempt: Attempt | None = None
        self._is_late = False  # the head of the answer is out
        self._observer: Observer | None = None
        self._accepted: Plan | None = None
        self._unused: list[Usage] = []  # of attempts whose answer is not used
        self.upstream_s = 0.0
        """Time spent waiting for the upstream so far."""
        self.account = Account()  # what was spent and saved, once it is closed
        self.failure = ""
        """Code of the error that the gateway told in a stream whose status was out."""

    async def open(self) -> Answer:
        """Return the answer, its body still to be read. Raise GatewayError if there is none to give."""
        # To read, to plan and to send are done one by one, for pieces of others' streams wait meanwhile.
        await asyncio.sleep(0)
        if every_s := interval_s(self._ask):
            self._planning = Awaited(self._first_plan(), every_s)
            if not await self._planning.is_done():
                self._is_late = True
                chunks = self._late(self._told_to_wait(self._planning))
                return Answer(STATUS, HEADERS, chunks, None, self._correction)
        plan = await self._first_plan() if self._planning is None else self._planning.result()
        await asyncio.sleep(0)
        attempt = await self._send(plan)
        while not attempt.reply.pending:
            follow = await self._following.after(attempt)
            if follow is None:
                return await self._released(attempt)
            await attempt.reply.close()
            attempt = await self._send(follow)
        self._is_late, reply = True, attempt.reply
        headers = without_length(reply.headers)  # what is released may be another attempt's body
        chunks = self._late(self._reading_on(attempt))
        return Answer(reply.status, headers, chunks, attempt.plan, self._correction)

    async def close(self) -> None:
        """Let go of the upstream, and learn from what was seen."""
        if self._planning is not None:
            await self._planning.end()
        if self._attempt is None:
            return
        try:
            await self._attempt.reply.close()
            self._settle(self._attempt)
            self._tell_of_window()
        except Exception as exc:
            failed_open(self._parts.metrics, "settling failed", exc)

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
    def _subject(self) -> Subject | None:
        return self._following.subject

    @property
    def attempts(self) -> int:
        """How often the upstream was asked."""
        return self._following.attempts

    # What to send first

    async def _first_plan(self) -> Plan:
        """Return the first plan; what goes wrong on our side sends the request as it came."""
        ask, compactor = self._ask, self._parts.compactor
        try:
            self._following.subject = subject = await compactor.examine(
                self._parts.asked(ask), ask.place, ask.policy
            )
            return as_it_came(subject) if ask.whole_first else await compactor.plan(subject)
        except StoreUnavailable:
            raise
        except Exception as exc:
            failed_open(self._parts.metrics, "compaction failed", exc)
            if self._subject is not None:
                return as_it_came(self._subject, Action.FAILED_OPEN)
            return Plan(ask.request.body, Action.FAILED_OPEN, 0, 0, 0, len(ask.request.messages))

    async def _send(self, plan: Plan) -> Attempt:
        """Send a plan and listen until it is known what the answer is, at most for the hold."""
        ask, parts = self._ask, self._parts
        if self._attempt is not None and (spent := self._attempt.reply.usage) is not None:
            self._unused.append(spent)
        self._following.attempts += 1
        started = parts.clock()
        may_ask = parts.windows.takes_stream_options(ask.upstream.base_url, ask.model)
        written = write(ask, plan, may_ask, self._is_late, self._following.attempts)
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
            has_images=self._following.has_images,
        )

    # Releasing

    async def _released(self, attempt: Attempt) -> Answer:
        """Return the answer to release; a checkpoint of what was accepted is committed first."""
        reply, plan, own = attempt.reply, attempt.plan, self._following.own
        if reply.failure is None:
            await self._accept(plan)
        elif isinstance(reply.failure, Refused) and attempt.is_changed and own is not None:
            if self._subject is not None:  # what the client would have been told without us
                plan = as_it_came(self._subject, Action.FAILED_OPEN)
            return Answer(own.status, own.headers, once(own.body), plan, self._correction, text=own.text)
        if not reply.is_stream:
            whole, text = reply.whole, reply.text if reply.status >= FAILED else b""
            return Answer(
                reply.status, reply.headers, reply.chunks(), plan, self._correction, whole, text=text
            )
        headers = without_length(reply.headers) if attempt.edits_stream else reply.headers
        return Answer(reply.status, headers, self._observed(attempt), plan, self._correction, in_events=True)

    async def _accept(self, plan: Plan) -> None:
        self._accepted = plan
        self._learning.accepted(plan.tokens, plan.output)
        if self._following.rescues:
            how = "rescued" if plan.is_rewritten else "clamped"
            self._parts.metrics.overflows.add(self._ask.upstream.name, how)
        self._ask_for_windows(plan)
        refused = self._following.form_refused
        if refused is not None and self._subject is not None:
            self._parts.compactor.reject(self._subject, refused)
        if plan.checkpoint is not None and not self._ask.whole_first:
            await unless_away(self._remember(plan.checkpoint), self._parts.metrics.failed_open.add, "store")

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

    def _observed(self, attempt: Attempt) -> AsyncIterator[bytes]:
        wire, reply = self._ask.wire, attempt.reply
        observer = self._observer = Observer(wire, reply.coding)
        edited = attempt.edits_stream
        return without_usage(reply.chunks(), observer, wire) if edited else watched(reply.chunks(), observer)

    # After the head of an answer is out

    async def _late(self, answering: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Yield an answer whose status is out, and was 200; what goes wrong now is told as an event."""
        wire = self._ask.wire
        try:
            async for chunk in answering:
                yield chunk
        except GatewayError as error:
            self.failure = error.code
            yield as_event(wire.error(error), wire)
            return
        assert self._attempt is not None
        async for chunk in in_stream(await self._released(self._attempt), wire):
            yield chunk

    async def _told_to_wait(self, planning: Awaited[Plan]) -> AsyncIterator[bytes]:
        """Yield comments until the first plan is there, and then those of the upstream."""
        async for comment in planning.comments():
            yield comment
        async for comment in self._reading_on(await self._send(planning.result())):
            yield comment

    async def _reading_on(self, attempt: Attempt) -> AsyncIterator[bytes]:
        """Yield the comments of an answer that takes longer than the hold, until it is known to be one.

        A rescue is still possible, because no data was released.
        """
        while True:
            if comments := attempt.reply.take_comments():
                yield comments
            if attempt.reply.pending:
                await attempt.reply.listen_on()
                continue
            follow = await self._following.after(attempt)
            if follow is None:
                return
            await attempt.reply.close()
            attempt = await self._send(follow)

    def _tell_of_window(self) -> None:
        """Log how large the model is, once: that nobody knows, or what its upstream has said by now."""
        ask, windows, subject = self._ask, self._parts.windows, self._subject
        # What a policy or the table says is no news, and an upstream says more where it refuses.
        if subject is not None and subject.window.source in _GIVEN and not self._following.rescues:
            return
        window = windows.window(ask.policy, ask.upstream.base_url, ask.model, ask.place.scope)
        is_unknown = window.tokens is None
        if is_unknown and self._accepted is None:  # perhaps there is no such model
            return
        if windows.is_news(ask.upstream.base_url, ask.model, window, ask.place.scope):
            told = {"upstream": ask.upstream.name, "model": shown(ask.model)}
            known = {**told, "window": window.tokens, "source": window.source}
            if is_unknown:
                log.info("window unknown", extra={**told, "hint": _UNKNOWN})
            elif (named := given(ask.policy, ask.model)) is not None:
                log.warning("window learned", extra={**known, "hint": _OVERRULED.format(named.tokens)})
            else:
                log.info("window learned", extra=known)

    def _settle(self, attempt: Attempt) -> None:
        """Calibrate by the usage of the answer, and keep the books."""
        reply, subject = attempt.reply, self._subject
        if subject is None:
            return
        usage = self._observer.usage() if reply.is_stream and self._observer is not None else reply.usage
        self.account = self._parts.economics.settle(subject, self._accepted, usage, self._unused)
        self._parts.prepare(self._ask, subject, self._accepted, reply)
        if self._learning.answered(usage, attempt.plan.tokens, self._following.has_images):
            self._parts.metrics.suspected_truncations.add(self._ask.upstream.name)
