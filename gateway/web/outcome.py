"""What became of one request, told to Prometheus and to the log when it is over."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import inf

from gateway.engine.economics import Account
from gateway.engine.subject import Action, Plan
from gateway.logs import shown
from gateway.metrics import Metrics

log = logging.getLogger("gateway.access")

LEFT = 499
"""Status in metrics and logs of a request whose client left; nginx's number, there is no standard one."""

STOPPED = 503
"""The same of one that the gateway's end left without an answer."""

LINES = 10
"""So many lines of one kind are written a minute where anybody could fill the log with them."""

_MINUTE_S = 60.0


@dataclass(slots=True)
class Outcome:
    """Filled in while the request is answered."""

    started: float
    """Monotonic seconds."""
    endpoint: str = "other"
    is_own: bool = False
    """Whether it was asked of the gateway itself, or refused before anybody looked at what it asks for."""
    tenant: str = ""
    policy: str = ""
    upstream: str = ""
    session: str = ""
    parent: str = ""
    """The session of whom a sub-agent works for: for the log."""
    model: str = ""
    """As the client names it: for the log, cut and cleaned; never for a label."""
    action: str = Action.NONE.value
    status: int = LEFT
    released: float | None = None
    """When the first byte went to the client."""
    upstream_s: float = 0.0
    """Waiting for the upstream until then."""
    attempts: int = 0
    """How often the upstream was asked: never, where the gateway refuses by itself."""
    is_over: Callable[[], bool] = lambda: False
    """Tells whether the client was given the last event of a stream, so that it may leave without a loss."""
    failure: str = ""
    """Code of the error that the gateway answered with; `answer_cut`: the answer broke off, or the gateway
    stopped before it began."""
    plan: Plan | None = None
    correction: float = 1.0
    account: Account | None = None
    """What an exchange spent and saved, once it is over."""

    def release(self, status: int, now: float, upstream_s: float) -> None:
        """Take note that the first byte goes to the client, *upstream_s* after the upstream was asked."""
        self.status, self.released, self.upstream_s = status, now, upstream_s

    def settle(self, account: Account) -> None:
        """Take note of what it cost, and of a plan that was made after the first byte was out."""
        self.account = account
        if self.plan is None and account.plan is not None:
            self.action = account.plan.action.value

    @property
    def is_routine(self) -> bool:
        """Whether nothing was done and nothing went wrong, so that only a debugger wants to read of it."""
        routine = (Action.NONE, Action.FROZEN, Action.CLAMPED, Action.BYPASS)
        return self.status < 400 and self.action in routine and not self.failure

    @property
    def is_anybodys(self) -> bool:
        """Whether who has no key, or only guesses, can make as many of its kind as there is time for."""
        return not self.tenant or self.is_own


@dataclass(slots=True)
class _Minute:
    began: float = -inf
    written: int = 0
    left_out: int = 0


class Sparing:
    """Lets the first events of a kind in each minute be written, and counts those that are left out."""

    def __init__(self) -> None:
        self._minutes: dict[Hashable, _Minute] = {}

    def left_out(self, kind: Hashable, now: float) -> int | None:
        """Return how many of its kind were left out since the last line; None: this one is, too."""
        minute = self._minutes.get(kind, _Minute())
        told = 0
        if now - minute.began >= _MINUTE_S:
            told = minute.left_out
            minute = self._minutes[kind] = _Minute(now)
        if minute.written == LINES:
            minute.left_out += 1
            return None
        minute.written += 1
        return told


class Recorder:
    """Counts and logs outcomes. Never waits, never raises for what a client sent."""

    def __init__(self, metrics: Metrics, clock: Callable[[], float]) -> None:
        self._metrics = metrics
        self._clock = clock
        self._sparing = Sparing()

    def begin(self) -> Outcome:
        """Return the outcome of a request that has just arrived."""
        self._metrics.in_flight.move(1)
        return Outcome(self._clock())

    def end(self, outcome: Outcome) -> None:
        """Count a request that is over."""
        metrics, now = self._metrics, self._clock()
        metrics.in_flight.move(-1)
        who, policy, action = outcome.tenant, outcome.policy, outcome.action
        metrics.requests.add(who, outcome.endpoint, policy, action, str(outcome.status))
        if outcome.upstream and outcome.released is not None:
            added = max(outcome.released - outcome.started - outcome.upstream_s, 0.0)
            metrics.added_latency.observe(added, who, policy, action)
            metrics.upstream_latency.observe(now - outcome.released + outcome.upstream_s, outcome.upstream)
            if outcome.failure:
                metrics.cut_answers.add(outcome.upstream)
        account = outcome.account
        if account is not None:
            # What was rescued after the head of the answer was out.
            outcome.plan = account.plan or outcome.plan
            self._count_account(outcome, account)
        if outcome.plan is not None:
            self._count_plan(outcome, outcome.plan)
        level = logging.DEBUG if outcome.is_routine else logging.INFO
        if log.isEnabledFor(level):
            self._log_sparingly(outcome, now, level)

    def _count_plan(self, outcome: Outcome, plan: Plan) -> None:
        metrics, who, policy, factor = self._metrics, outcome.tenant, outcome.policy, outcome.correction
        metrics.tokens.add(who, policy, "before", amount=plan.tokens_before * factor)
        metrics.tokens.add(who, policy, "after", amount=plan.tokens * factor)
        for report in plan.reports:
            metrics.compactions.add(who, policy, report.step, report.outcome)
            metrics.step_latency.observe(report.elapsed_s, who, policy, report.step, report.outcome)

    def _count_account(self, outcome: Outcome, account: Account) -> None:
        metrics, who, policy = self._metrics, outcome.tenant, outcome.policy
        for usage in account.usages:
            metrics.usage.add(outcome.upstream, "input", amount=usage.input_tokens)
            metrics.usage.add(outcome.upstream, "output", amount=usage.output_tokens)
            if usage.cached_tokens:
                metrics.usage.add(outcome.upstream, "cached", amount=usage.cached_tokens)
        # Most are nothing for most requests.
        if account.unique or account.repeated:
            metrics.saved.add(who, policy, "unique", amount=account.unique)
            metrics.saved.add(who, policy, "repeated", amount=account.repeated)
        if account.read or account.written or account.lost:
            metrics.cache.add(who, policy, "read", amount=account.read)
            metrics.cache.add(who, policy, "written", amount=account.written)
            metrics.cache.add(who, policy, "lost", amount=account.lost)
        if account.overhead:
            metrics.overhead.add(who, policy, amount=account.overhead)
        if account.billed_usd:
            metrics.billed.add(who, policy, amount=account.billed_usd)
        if account.saved_usd or account.lost_usd:
            metrics.saved_money.add(who, policy, amount=account.saved_usd)
            metrics.lost_money.add(who, policy, amount=account.lost_usd)
        if account.unknown:
            metrics.unaccounted.add(who, policy, account.unknown)

    def _log_sparingly(self, outcome: Outcome, now: float, level: int) -> None:
        left_out: int | None = 0
        if outcome.is_anybodys and not outcome.is_routine:
            # All of these come from tables of ours, so there are only so many kinds.
            left_out = self._sparing.left_out((outcome.tenant, outcome.endpoint, outcome.status), now)
        if left_out is not None:
            self._log(outcome, now, level, left_out)

    def _log(self, outcome: Outcome, now: float, level: int, left_out: int) -> None:
        plan = outcome.plan
        fields = {
            "tenant": outcome.tenant,
            "endpoint": outcome.endpoint,
            "policy": outcome.policy,
            "session": outcome.session,
            "upstream": outcome.upstream,
            "status": outcome.status,
            "action": outcome.action,
            "attempts": outcome.attempts,
            "duration_s": round(now - outcome.started, 4),
        }
        if outcome.parent:
            fields["parent"] = outcome.parent
        if outcome.model:
            fields["model"] = shown(outcome.model)
        if outcome.failure:
            fields["failure"] = outcome.failure
        if plan is not None:
            fields |= {
                "tokens_before": round(plan.tokens_before * outcome.correction),
                "tokens_after": round(plan.tokens * outcome.correction),
                "steps": ",".join(plan.steps),
            }
        if outcome.account is not None:
            fields |= _spent(outcome.account)
        if left_out:
            fields["left_out"] = left_out
        log.log(level, "request", extra=fields)


def _spent(account: Account) -> dict[str, float]:
    """Return what the log says of an account: what there is of it."""
    told = {
        "tokens_cached": account.read,
        "tokens_lost": round(account.lost),
        "tokens_overhead": account.overhead,
        "billed_usd": round(account.billed_usd, 6),
        "net_saved_usd": round(account.saved_usd - account.lost_usd, 6),
    }
    return {name: amount for name, amount in told.items() if amount}
