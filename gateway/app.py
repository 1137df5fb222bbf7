"""Construct everything, once, and let it go in order. Nothing else in the package is global.

The application is one ASGI callable. Its background work lives in one task group for the life of the process;
what a child raises is caught, logged and counted where it is started, so none can take the others with it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable, Coroutine
from secrets import randbits
from types import TracebackType
from typing import Any

from starlette.applications import Starlette

from gateway import __version__
from gateway.addresses import is_loopback
from gateway.core.conversation import Count
from gateway.core.errors import ConfigError, where
from gateway.core.memo import Memo
from gateway.core.prices import Prices
from gateway.engine.compactor import Compactor
from gateway.engine.connector import ConnectionSettings
from gateway.engine.counting import Counting
from gateway.engine.economics import Economics
from gateway.engine.lineage import Checkpoints
from gateway.engine.listing import Listing
from gateway.engine.observing import Observing
from gateway.engine.parts import Parts
from gateway.engine.prepared import Summaries
from gateway.engine.retention import delete_old
from gateway.engine.summarising import background_of
from gateway.engine.transport import Transport
from gateway.engine.vocabulary import Vocabulary, encoding_name
from gateway.engine.windows import Windows
from gateway.metrics import Metrics
from gateway.policy.live import LivePolicies
from gateway.policy.prices import load_prices
from gateway.policy.variables import unset
from gateway.settings import Settings
from gateway.store.base import StoreError
from gateway.store.sqlite import SqliteStore
from gateway.store.watch import Watch
from gateway.web.admin import Admin, Health
from gateway.web.asgi import Receive, Scope, Send
from gateway.web.aside import Aside
from gateway.web.callers import Callers, tenant_scope
from gateway.web.front import LOOPBACK_NAMES, Front, host_name
from gateway.web.outcome import Recorder
from gateway.web.proxy import Proxy
from gateway.web.server import workers
from gateway.web.upstreams import Upstreams, circles
from gateway.web.ways import connection_settings, told_of_ways

log = logging.getLogger(__name__)

LOOK_S = 5.0
"""How often gauges are read and what was learned is written."""

RETENTION_S = 60.0
"""How often expired records are deleted."""

RENEW_S = 1800.0
"""How often the store is told what was used from memory; it records use to the hour."""

SALTS = {"o200k_base": 1, "cl100k_base": 2}
"""Keeps counts of different vocabularies apart in the memo."""


class Gateway:
    """The whole process: an ASGI application with a life of its own (`async with`, or ASGI lifespan)."""

    def __init__(
        self, settings: Settings, live: LivePolicies, prices: Prices, connecting: ConnectionSettings
    ) -> None:
        self._settings = settings
        self._prices = prices
        self._live = live
        self._metrics = Metrics()
        # At once, not with the other gauges: who mends a file watches for it.
        live.tell = self._tell_policies
        self._tell_policies()
        self._metrics.info.set(1, __version__)
        self._store = SqliteStore(settings.data_dir / "haversack.db")
        self._watch = Watch(self._store, settings.data_dir, time.monotonic)
        self._executor = workers()
        self._vocabulary = Vocabulary()
        self._windows = Windows(time.time)
        self._transport = Transport(connecting)
        self._upstreams = Upstreams(settings, self._transport)
        self._group = asyncio.TaskGroup()
        self._is_local = settings.is_local
        self._allowed_hosts = frozenset(map(host_name, settings.allowed_hosts))
        self._front = self._assemble()
        self.refusal: ConfigError | None = None
        """Why it did not start, where only the start could tell: the store is a later version's."""

    @property
    def is_open(self) -> bool:
        """Whether there are no tenants, so that any key is somebody's."""
        return self._live.current.is_open

    def _assemble(self) -> Front:
        settings, store, metrics = self._settings, self._store, self._metrics
        checkpoints = self._checkpoints = Checkpoints(store)
        counting = Counting(Memo(secret=randbits(63)), self._executor)
        summaries, windows = Summaries(store), self._windows
        compactor = Compactor(counting, checkpoints, store, windows, self._store_failed, time.time, summaries)
        upstream_at, find = self._upstreams.at, compactor.find
        self._background = background_of(
            summaries, windows, counting, upstream_at, self._start, metrics, self._prices, find
        )
        parts = Parts(
            compactor=compactor,
            checkpoints=checkpoints,
            windows=windows,
            listing=Listing(windows),
            economics=Economics(self._prices, time.monotonic),
            store=store,
            metrics=metrics,
            clock=time.monotonic,
            start=self._start,
            hold_s=settings.hold_s,
            background=self._background,
        )
        callers = Callers(lambda: self._live.current, self._upstreams.of)
        recorder = Recorder(metrics, time.monotonic)
        observing = Observing(parts, counting, self._counter, settings.max_body_bytes, time.time)
        proxy = Proxy(parts, callers, recorder, self._counter, observing, settings)
        most = settings.max_body_bytes
        admin = Admin(callers, compactor, self._counter, store, metrics, self._health, most, self._background)
        self._aside = _aside(settings, admin)
        shown = admin.routes() if self._aside is not None else [*admin.routes(), *admin.operations()]
        return Front(proxy, Starlette(routes=shown), self._is_allowed_host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one ASGI connection."""
        if scope["type"] == "lifespan":
            await self._live_through(receive, send)
        else:
            await self._front(scope, receive, send)

    async def _live_through(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            async with self:
                await send({"type": "lifespan.startup.complete"})
                await receive()
            await send({"type": "lifespan.shutdown.complete"})
        except ConfigError as error:
            self.refusal = error
            await send({"type": "lifespan.startup.failed", "message": ""})

    async def __aenter__(self) -> Gateway:
        await self._group.__aenter__()
        try:
            await self._store.open(self._group)
            self._windows.restore(await self._store.learned())
        except StoreError as error:
            self._watch.away(error, logging.ERROR)
            self._metrics.failed_open.add("store")
        except ConfigError:
            await self._group.__aexit__(None, None, None)
            raise
        await self._warm()
        self._loops = [
            self._group.create_task(self._guarded("policies", self._live.watch())),
            self._group.create_task(self._repeat("gauges", LOOK_S, self._look)),
            self._group.create_task(self._repeat("retention", RETENTION_S, self._expire)),
            self._group.create_task(self._repeat("renewal", RENEW_S, self._renew)),
        ]
        if self._aside is not None:
            self._group.create_task(self._aside.serve())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for loop in self._loops:
            loop.cancel()
        self._background.stop()
        if self._aside is not None:
            self._aside.stop()
        try:
            await self._write_learned()
        finally:
            await self._store.close()
            await self._transport.aclose()
            self._executor.shutdown(wait=False, cancel_futures=True)
            await self._group.__aexit__(kind, error, trace)

    # Background work

    def _start(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        self._group.create_task(self._guarded(name, work))

    async def _guarded(self, name: str, work: Awaitable[None]) -> None:
        try:
            await work
        except Exception as error:
            log.error("background work failed", extra={"work": name, "at": where(error)})  # noqa: TRY400

    async def _repeat(self, name: str, interval_s: float, work: Callable[[], Awaitable[None]]) -> None:
        """Do it again and again; what goes wrong this time may go well the next."""
        while True:
            await asyncio.sleep(interval_s)
            await self._guarded(name, work())

    async def _warm(self) -> None:
        """Load the vocabulary before the first request needs it, which would wait a tenth of a second."""
        await asyncio.get_running_loop().run_in_executor(self._executor, self._vocabulary.load)

    async def _look(self) -> None:
        metrics = self._metrics
        metrics.tasks.set(len(asyncio.all_tasks()))
        metrics.connections.set(self._transport.connections)
        await self._write_learned()
        if (size_bytes := await self._watch.look()) is not None:
            metrics.store_bytes.set(size_bytes)
        metrics.store_up.set(float(self._watch.is_up))

    def _tell_policies(self) -> None:
        self._metrics.policy_generation.set(self._live.generation)
        self._metrics.policy_problems.set(len(self._live.problems))
        if self._live.problems:
            return  # what is in force is what was told of before
        for text in unset(self._live.current, os.environ):
            log.warning("a key is missing", extra={"reason": text})
        for text in self._live.current.ignored:
            log.warning("a file is not read", extra={"reason": text})
        for level, event, text in told_of_ways(self._settings, self._live.current):
            log.log(level, event, extra={"reason": text})

    async def _write_learned(self) -> None:
        for learned in self._windows.take_changes():
            try:
                await self._store.put_learned(learned)
            except StoreError:
                self._store_failed("store")
                return

    async def _expire(self) -> None:
        """Delete what was unused for longer than its policy keeps it, and what is over the size."""
        if self._watch.is_up:
            current, bound = self._live.current, self._settings.max_store_bytes
            await delete_old(self._store, current, tenant_scope, time.time(), bound)

    async def _renew(self) -> None:
        """Keep what is replayed from memory from expiring."""
        if self._watch.is_up:
            await self._checkpoints.renew()

    # What the parts ask for

    def _store_failed(self, reason: str) -> None:
        self._watch.doubt()
        self._metrics.failed_open.add(reason)

    async def _counter(self, model: str) -> tuple[Count, int]:
        counter = self._vocabulary.ready(model)
        if counter is None:
            loop = asyncio.get_running_loop()
            counter = await loop.run_in_executor(self._executor, self._vocabulary.load, model)
        return counter.count, SALTS[encoding_name(model)]

    def _health(self) -> Health:
        live = self._live
        return Health(
            True,
            {
                "policies": "; ".join(live.problems) or "ok",
                "store": "ok" if self._watch.is_up else "away: nothing is remembered, requests are served",
            },
        )

    def _is_allowed_host(self, host: str) -> bool:
        if not self._is_local or not host or not self._live.current.is_open:
            return True
        name = host_name(host)
        return name in LOOPBACK_NAMES or name in self._allowed_hosts or is_loopback(name)


def _aside(settings: Settings, admin: Admin) -> Aside | None:
    if settings.metrics_port is None:
        return None
    return Aside(Starlette(routes=admin.operations()), settings.metrics_host, settings.metrics_port)


def build(settings: Settings) -> Gateway:
    """Return the application. Raise ConfigError if policies, upstreams or certificates cannot be used."""
    connecting = connection_settings(settings)
    if problems := list(circles(settings)):
        raise ConfigError(problems)
    live = LivePolicies(settings.policies, settings.policy, problems=lambda found: circles(settings, found))
    live.load()
    return Gateway(settings, live, load_prices(settings.prices), connecting)
