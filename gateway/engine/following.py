"""What is sent after a reply: nothing if it is the answer, otherwise something that may be taken.

Too long: something smaller, as far as that is progress. Refused for its form: the client's own bytes.
`core.rescue` decides, `engine.compactor` plans; this remembers what was refused within one exchange.
"""

from __future__ import annotations

import logging

from gateway.core import failures, rescue
from gateway.core.errors import GatewayError, StoreUnavailable, where
from gateway.core.failures import BodyTooLarge, Failure, Final, Overflow, Refused
from gateway.core.frozen import replace
from gateway.engine.attempt import Ask, Attempt
from gateway.engine.away import unless_away
from gateway.engine.learning import Learning
from gateway.engine.parts import Parts
from gateway.engine.refusal import Refusal, Told
from gateway.engine.reply import Spoken
from gateway.engine.subject import Action, Plan, Subject, as_it_came
from gateway.engine.verdict import exceeded, outcome
from gateway.metrics import Metrics

log = logging.getLogger(__name__)


class Following:
    """Decides within one exchange."""

    def __init__(self, parts: Parts, ask: Ask, learning: Learning) -> None:
        self._parts = parts
        self._ask = ask
        self._learning = learning
        self.subject: Subject | None = None
        """None until the request was examined, and if that failed."""
        self.attempts = 0
        """How often the upstream was asked."""
        self.rescues = 0
        self._repeats = 0  # of a request as it was
        self.own: Spoken | None = None
        """What the upstream said to the client's own bytes, if it refused."""
        self.form_refused: Plan | None = None
        """A rewritten list, refused for its form: nothing is rewritten again."""

    @property
    def has_images(self) -> bool:
        """Whether there are images in the request."""
        return self.subject is not None and self.subject.counted.has_images

    @property
    def _may_go_on(self) -> bool:
        return self.attempts < self._ask.policy.overflow.attempts

    async def after(self, attempt: Attempt) -> Plan | None:
        """Return what to send after this reply; None if it is the answer. Raise WindowExceeded."""
        failure = attempt.reply.failure
        self._parts.metrics.attempts.add(self._ask.upstream.name, outcome(failure))
        if failure is None:
            return None
        if not attempt.is_changed and not isinstance(failure, Refused | Final):
            self.own = await attempt.reply.spoken()
        if isinstance(failure, Refused):
            return await self._refused(attempt, failure) if attempt.is_changed else None
        if self._is_worth_repeating(attempt):
            self._repeats += 1
            return attempt.plan
        plan, told = attempt.plan, attempt.reply.told
        self._learning.refused(failure, Refusal(plan.tokens, told, self.has_images, plan.output))
        stuck = self._stuck(failure)
        follow = None if stuck else await self._smaller(attempt.plan, failure)
        if follow is not None:
            self.rescues += 1
        elif isinstance(failure, Overflow | BodyTooLarge):
            self._parts.metrics.overflows.add(self._ask.upstream.name, "failed")
            if (attempt.is_changed or stuck) and not self.form_refused:
                raise self._exceeded(attempt.plan, failure, stuck)
        return follow

    def _is_worth_repeating(self, attempt: Attempt) -> bool:
        """Return whether an answer without a word may be a mishap, for no window is known to be full."""
        is_full = self.subject is not None and self.subject.window.sure_tokens is not None
        reply = attempt.reply
        is_wordless = reply.is_stream and reply.told is Told.UNSAID and reply.failure == Overflow()
        return is_wordless and not is_full and self._repeats == 0 and self._may_go_on

    def _exceeded(self, plan: Plan, failure: Overflow | BodyTooLarge, stuck: int) -> GatewayError:
        if stuck and self.subject is not None and isinstance(failure, Overflow):
            failure = replace(failure, limit=failure.limit or self.subject.window.sure_tokens)
        correction, wire = self._learning.correction, self._ask.wire
        return exceeded(plan, failure, correction, self.attempts, wire, stuck)

    def _stuck(self, failure: Failure) -> int:
        """Return the tokens of what may not be removed, if that alone is more than the upstream takes; or 0.

        As earlier answers taught to count them: the prompt that it names may have images and files in it.
        """
        subject = self.subject
        if subject is None or not isinstance(failure, Overflow):
            return 0
        fixed = int(subject.counted.untouchable * subject.correction)
        return fixed if rescue.is_hopeless(fixed, failure.limit or subject.window.sure_tokens) else 0

    async def _refused(self, attempt: Attempt, failure: Failure) -> Plan | None:
        """Return the client's own bytes after a rewritten form of them was refused for its form (4.8)."""
        ask, parts, plan = self._ask, self._parts, attempt.plan
        if attempt.asks_usage and b"stream_options" in attempt.reply.text and self._may_go_on:
            parts.windows.refused_stream_options(ask.upstream.base_url, ask.model)
            return plan
        if plan.is_rewritten and (other := await self._smaller(plan, failure)) and other.body != plan.body:
            return other
        self.form_refused = plan
        parts.metrics.failed_open.add("rejected")
        if plan.base is not None:
            quarantined = parts.checkpoints.quarantine(ask.place, plan.base.prefix)
            await unless_away(quarantined, parts.metrics.failed_open.add, "store")
        if self.own is not None or self.subject is None or not self._may_go_on:
            return None
        return as_it_came(self.subject, Action.FAILED_OPEN)

    async def _smaller(self, plan: Plan, failure: Failure) -> Plan | None:
        """Return a smaller form of a plan that was refused as too large; None if there is none to try."""
        subject = self.subject
        if subject is None or self.form_refused or not self._may_go_on:
            return None
        try:
            # Less output that a rescue asked for was not enough; what was foreseen may have been too little.
            if plan.output is None or self.rescues == 0:
                failure = failures.cure(failure, estimate=int(plan.tokens * self._learning.correction))
            # What was repeated took one of the attempts: the next goes down as far.
            move = rescue.next_move(failure, self._size(plan), self.rescues + self._repeats)
            known = self._learning.known(subject.policy)
            follow = self._parts.compactor.follow
            return await follow(subject, plan, move, known) if move is not None else None
        except StoreUnavailable:
            raise
        except Exception as exc:
            failed_open(self._parts.metrics, "rescue failed", exc)
            return None

    def _size(self, plan: Plan) -> rescue.Sent:
        output = plan.output if plan.output is not None else self._ask.output
        sizes = plan.tokens, len(plan.body), plan.messages
        fixed = self.subject.counted.untouchable if self.subject is not None else 0
        is_last = self.attempts + 1 >= self._ask.policy.overflow.attempts
        return rescue.Sent(*sizes, output, self._learning.correction, self.has_images, fixed, is_last)


def failed_open(metrics: Metrics, event: str, exc: Exception) -> None:
    """Log and count a mistake of ours for which a request goes out as it came."""
    log.error(event, extra={"at": where(exc)})
    metrics.failed_open.add("error")
