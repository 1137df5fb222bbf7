"""Ask a model for a summary: by the client's own upstream, path and key unless the policy says otherwise.

Never in the way of a request: whatever goes wrong, there is no summary, and the steps that need no model do
their work. Text that did not pass the gate is not returned, an error's least of all.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from gateway.core.conversation import Count, Message
from gateway.core.errors import where
from gateway.core.frozen import replace
from gateway.core.ledger.find import find
from gateway.core.summary.parts import Space
from gateway.engine.counting import Counting
from gateway.engine.headers import RawHeaders
from gateway.engine.summary_call import Desk, Failed, Model
from gateway.engine.summary_clean import clean, clean_messages, clean_piece
from gateway.engine.summary_material import Find, Material
from gateway.engine.summary_pieces import PieceMaterial
from gateway.engine.summary_record import Outcome, Record, Trouble
from gateway.engine.summary_rest import BUSY, GATE, PAUSE_S, TIMEOUT, Brake, Pauses, Rests
from gateway.engine.summary_reuse import Whole, reused
from gateway.engine.summary_route import SAME, Nobody, Route, Routes
from gateway.engine.summary_writer import Rejected, Summary, Writer
from gateway.engine.upstream import Upstream
from gateway.engine.window import Source
from gateway.engine.windows import Windows
from gateway.logs import shown
from gateway.policy.schema import Policy
from gateway.strategies.piece import Piece
from gateway.wire.base import WireFormat

log = logging.getLogger(__name__)

UNKNOWN_WINDOW = 16_384
"""What is planned with where nobody knows the summariser's window."""

_NO_POLICY = Policy(name="")
_NOBODY: Mapping[str, object] = {}


@dataclass(frozen=True, slots=True)
class Job:
    """A summary to be written."""

    tenant: str
    scope: str
    """For whom models are asked, and left alone: the tenant, or a key where there are no tenants."""
    policy: Policy
    wire: WireFormat
    upstream: Upstream
    target: bytes
    """Path and query of the client's request."""
    headers: RawHeaders = field(repr=False)
    """Of the client's request, as they go out; credentials inside: never logged, never stored."""
    model: str
    """Of the client's request."""
    count: Count
    correction: float
    """Upstream tokens per token of ours, for that model."""
    messages: tuple[Message, ...] = field(repr=False)
    """Of the view: what is to be summarised, whole rounds."""
    previous: str = field(repr=False)
    """The summary it goes on from; empty: none."""
    ask: str = field(repr=False)
    """The latest user text outside of what is summarised; may be empty."""
    session: str = ""
    """What the conversation is called in the log."""
    piece: Piece | None = field(default=None, repr=False)
    """What is to be said in fewer words, where it is no summary of the beginning."""
    whole: Whole | None = field(default=None, repr=False)
    """The conversation behind which it may be asked for."""


class Summarizer:
    """Writes summaries. One per process; it keeps no key and no content beyond a job."""

    def __init__(
        self,
        windows: Windows,
        counting: Counting,
        routes: Routes,
        clock: Callable[[], float],
        tell: Callable[[Record], None],
        *,
        find: Find = find,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """*tell* is given the record of every job; *clock* tells monotonic seconds."""
        self._windows = windows
        self._counting = counting
        self._routes = routes
        self._clock = clock
        self._tell = tell
        self._find = find
        self._rests = Rests(clock)
        self._brake = Brake(clock)
        self._pauses = Pauses(self._rests)
        self._desk = Desk(windows, self._rests, self._pauses, {}, sleep)

    def is_resting(self, job: Job) -> bool:
        """Return whether all models that could be asked are to be left alone now.

        Where none could be asked at all, that is for the record to say.
        """
        return bool(self._rest_of(job))

    def skip(self, job: Job) -> None:
        """Count a job for which nobody is asked, since all who could be are left alone."""
        record = _record(job)
        record.outcome, record.reason = Outcome.SKIPPED, self._rest_of(job)
        self._tell(record)

    def rest(
        self, scope: str, upstream: str, model: str, seconds: float, about: Mapping[str, object] = _NOBODY
    ) -> None:
        """Leave a model alone, or every one: for when the client's own request was told to slow down.

        *scope* is whose request it was, *upstream* a base URL; *about* is told, if it is anything.
        """
        self._pauses.begin((scope, upstream, model), seconds, BUSY, about)

    async def write(self, job: Job) -> str | None:
        """Return the summary; None: there is none that can be used. Raise nothing but CancelledError."""
        started = self._clock()
        record = _record(job)
        try:
            async with asyncio.timeout(job.policy.summarizer.timeout_s) as limit:
                return await self._write(job, record, limit)
        except TimeoutError:
            record.reason = TIMEOUT
            if not isinstance(route := self._route(job, record.model), Nobody):
                self._in_vain(job, route, TIMEOUT)
        except asyncio.CancelledError:
            record.outcome, record.reason = Outcome.CANCELLED, record.trouble or record.reason
            raise
        except Exception as exc:
            record.reason = "error"
            _broke(exc)
        finally:
            record.seconds = self._clock() - started
            self._tell(record)
        return None

    async def _write(self, job: Job, record: Record, limit: asyncio.Timeout) -> str | None:
        if not job.messages:
            return _ended(record, Summary(job.previous, is_nothing=True), 0)
        size_bytes = sum(len(message.raw) for message in job.messages)
        material: Material | PieceMaterial | None = None
        names = tuple(_models(job))
        for number, name in enumerate(names):
            route = self._route(job, name)
            if isinstance(route, Nobody):
                record.reason = record.reason or route
                continue
            if why := self._why(job, route):
                if not record.reason:
                    record.outcome, record.reason = Outcome.SKIPPED, why
                continue
            record.outcome, record.model = Outcome.FAILED, name
            if material is None:
                is_clean = job.policy.summarizer.redact and route.upstream.base_url != job.upstream.base_url
                make = self._clean_material if is_clean else self._material
                material = await self._counting.off_loop(partial(make, job), size_bytes)
            space = self._space(job, route, material)
            retries = job.policy.summarizer.retries
            model = Model(self._desk, route, record, job.scope, retries, space.window)
            writer = Writer(model, material, record, self._counting.off_loop, size_bytes)
            try:
                async with asyncio.timeout(self._share_s(job, names[number + 1 :], limit)):
                    summary = await self._summary(job, writer, space)
                self._brake.passed(_key(job, route))
                return _ended(record, summary, number)
            except Failed as failed:
                record.reason = failed.trouble
                if failed.trouble is Trouble.UNREACHABLE:
                    self._in_vain(job, route, failed.trouble)
            except Rejected as rejected:
                record.reason = rejected.reason
                self._in_vain(job, route, GATE, rejected.reason)
            except TimeoutError:
                record.reason = TIMEOUT
                self._in_vain(job, route, TIMEOUT)
        return None

    async def _summary(self, job: Job, writer: Writer, space: Space) -> Summary:
        if job.whole is not None and _is_own(job, writer.model.route):
            found = await reused(writer, job.whole, space, self._rests)
            if found is not None:
                return found
        return await writer.write(space)

    def _material(self, job: Job) -> Material | PieceMaterial:
        rules = job.policy.summarizer
        if job.piece is not None:
            return PieceMaterial.of(job.piece, job.ask, rules, job.count)
        return Material.of(job.messages, job.previous, job.ask, rules, job.count, self._find)

    def _clean_material(self, job: Job) -> Material | PieceMaterial:
        """Return the material without secrets: the client has sent these to its own upstream alone."""
        rules, ask = job.policy.summarizer, clean(job.ask)
        if job.piece is not None:
            return PieceMaterial.of(clean_piece(job.piece, job.count), ask, rules, job.count)
        messages = clean_messages(job.messages, job.count)
        # What was found in a message before may hold its secrets.
        return Material.of(messages, clean(job.previous), ask, rules, job.count, find)

    def _share_s(self, job: Job, others: Sequence[str], limit: asyncio.Timeout) -> float | None:
        """Return for how long a model may try, with *others* to come: one that hangs leaves time for them."""
        routes = [self._route(job, name) for name in others]
        to_come = sum(not isinstance(one, Nobody) and not self._why(job, one) for one in routes)
        until = limit.when()
        if not to_come or until is None:
            return None
        return max(until - asyncio.get_running_loop().time(), 0.0) / (to_come + 1)

    def _rest_of(self, job: Job) -> str:
        """Return why all models that could be asked are left alone now; empty: one is not, or none could."""
        found = [self._route(job, model) for model in _models(job)]
        reasons = [self._why(job, route) for route in found if not isinstance(route, Nobody)]
        return reasons[0] if reasons and all(reasons) else ""

    def _why(self, job: Job, route: Route) -> str:
        """Return why a model is left alone now; empty: it is not."""
        key = _key(job, route)
        of_all = self._rests.why(route.shared) if route.shared is not None else ""
        return of_all or self._rests.why(key) or self._brake.why(key)

    def _in_vain(self, job: Job, route: Route, why: str, found: str = "") -> None:
        """Count that a model wrote nothing that can be used; *found* is what the gate found first."""
        key = _key(job, route)
        if self._brake.failed(key, why):
            about = {"tenant": job.tenant, "policy": job.policy.name, "model": shown(route.model)}
            self._pauses.tell(key, why, PAUSE_S, {**about, "reason": found or str(why)})

    def _route(self, job: Job, model: str) -> Route | Nobody:
        own = Route(job.wire, job.upstream, job.target, job.headers, job.model)
        return self._routes.of(job.policy.summarizer, own, model)

    def _space(self, job: Job, route: Route, material: Material | PieceMaterial) -> Space:
        """Return what one call can hold, as far as it is known."""
        upstream, model = route.upstream.base_url, route.model
        # A window without a model's name is that of the model which the policy was written for.
        policy = job.policy if _is_own(job, route) else replace(job.policy, window=None)
        window = self._windows.window(policy, upstream, model, job.scope).tokens or UNKNOWN_WINDOW
        learned = self._windows.window(_NO_POLICY, upstream, model, job.scope)
        if learned.source in (Source.LEARNED, Source.GUESSED) and learned.tokens is not None:
            window = min(window, learned.tokens)
        known = self._windows.correction(upstream, model)
        factor = known.factor if known.calibrated else max(known.factor, job.correction)
        return material.space(model, window, factor, known.calibrated)


def _broke(exc: Exception) -> None:
    log.error("summary failed", extra={"at": where(exc)})


def _record(job: Job) -> Record:
    form = job.piece.form if job.piece is not None else "summary"
    return Record(job.tenant, job.policy.name, session=job.session, form=form, model=next(_models(job)))


def _models(job: Job) -> Iterator[str]:
    """Yield the models to ask, in order, each once."""
    rules = job.policy.summarizer
    names = (rules.model, *rules.fallback_models)
    yield from dict.fromkeys(job.model if name == SAME else name for name in names)


def _key(job: Job, route: Route) -> tuple[str, str, str]:
    return job.scope, route.upstream.base_url, route.model


def _is_own(job: Job, route: Route) -> bool:
    """Return whether the client's own model is asked."""
    return (route.upstream.base_url, route.model) == (job.upstream.base_url, job.model)


def _ended(record: Record, summary: Summary, number: int) -> str | None:
    """Return the text of a summary, and take note of how it came about."""
    record.outcome = Outcome.NOTHING if summary.is_nothing else Outcome.WRITTEN
    others = (("repaired", summary.is_repaired), ("fallback", number > 0), ("reused", summary.is_reused))
    record.reason = next((reason for reason, is_so in others if is_so), "")
    return summary.text or None
