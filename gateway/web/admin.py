"""The gateway's own pages: dry run, originals, metrics, health.

What belongs to a conversation is shown to whoever sends the key that the conversation was held with, and to
nobody else: the scope of the caller is part of every look-up.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response as HttpResponse
from starlette.routing import Route

from gateway.core import json
from gateway.core.errors import InvalidRequest, NotFound, StoreUnavailable
from gateway.engine import dry_run
from gateway.engine.attempt import Ask, Counters
from gateway.engine.background import Background
from gateway.engine.compactor import Compactor
from gateway.engine.encoding import decode_request
from gateway.engine.lineage import Place
from gateway.engine.subject import Asked
from gateway.metrics import Metrics
from gateway.policy.words import suggestion
from gateway.store.base import Original, Store, StoreError
from gateway.strategies.marks import ORIGINALS
from gateway.web import routes
from gateway.web.asgi import read_body
from gateway.web.asides import NOTES, Aside, aside
from gateway.web.callers import Caller, Callers
from gateway.web.front import REFUSAL, Refusal
from gateway.web.outcome import Outcome, Recorder
from gateway.web.pages import JSON, Answer, Page
from gateway.web.shape import endpoint_of, kind, problem
from gateway.wire import WIRE_FORMATS
from gateway.wire.base import Request, WireFormat

ORIGINAL = f"{ORIGINALS}/{{id}}"

# One answer to all that is not there, so that nobody learns what another key has.
_NO_ORIGINAL = (
    "There is no such original under this key. Ask with a key of the conversation that it comes from, and "
    "copy the id whole: `sha256-` and 24 hexadecimal digits, as stubs name a content, or 64, as a dry run "
    "lists a message; 24 digits alone are the name of a session. What a dry run lists is there once the "
    "request was sent and compacted; what was deleted, or not used for the policy's `retention_days`, is "
    "gone for good."
)

_QUERY = ("policy", "path", "target_tokens")
"""What a dry run may be told in its query."""

_TARGET_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Health:
    """What `/readyz` reports."""

    ready: bool
    checks: dict[str, str]


class Admin:
    """Answers everything under `/haversack`, and `/metrics`, `/healthz`, `/readyz`."""

    def __init__(
        self,
        callers: Callers,
        compactor: Compactor,
        counters: Counters,
        store: Store,
        metrics: Metrics,
        health: Callable[[], Health],
        max_body_bytes: int,
        background: Background | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._callers = callers
        self._compactor = compactor
        self._counters = counters
        self._store = store
        self._metrics = metrics
        self._health = health
        self._max_body_bytes = max_body_bytes
        self._background = background
        self._recorder = Recorder(metrics, clock)

    def routes(self) -> list[Route]:
        """Return what Starlette serves."""
        return [
            Route("/haversack/compact", self._page("dry_run", self.compact), methods=["POST"]),
            Route(ORIGINAL, self._page("originals", self.original), methods=["GET"]),
            Route(ORIGINAL, self._page("originals", self.delete_original), methods=["DELETE"]),
            Route("/healthz", self.alive, methods=["GET"]),
            Route("/readyz", self.ready, methods=["GET"]),
            Route("/haversack/{rest:path}", self._page("unknown", self.unknown)),
        ]

    def operations(self) -> list[Route]:
        """Return what belongs to those who run the gateway: it may have a listener of its own."""
        return [
            Route("/metrics", self.metrics, methods=["GET"]),
            Route("/healthz", self.alive, methods=["GET"]),
            Route("/readyz", self.ready, methods=["GET"]),
        ]

    def _page(self, endpoint: str, answer: Answer) -> Page:
        return Page(endpoint, answer, self._recorder)

    def _caller(self, request: HttpRequest, outcome: Outcome) -> Caller:
        caller = self._callers.identify(request.scope["headers"])
        outcome.tenant = caller.tenant
        return caller

    async def compact(self, request: HttpRequest, outcome: Outcome) -> HttpResponse:
        """Return what would be sent for the request in the body, and why; nothing is sent or stored."""
        caller = self._caller(request, outcome)
        _check_query(request)
        name = request.query_params.get("policy", "")
        policy = caller.policy(name.encode() or None)
        outcome.policy = policy.name
        body = await self._body(request)
        found = _route(request, body)
        wire = WIRE_FORMATS[found.dialect]
        asked = _taken_apart(wire, body)
        model = outcome.model = asked.model or found.deployment or ""
        caller.check_model(model)
        count, salt = await self._counters(model)
        why = aside(wire.name, request.scope["headers"], asked)
        ask = Ask(
            place=Place(caller.scope, wire.name, policy.name),
            policy=policy.of(model),
            wire=wire,
            upstream=caller.upstream(found.upstream),
            method="POST",
            target=b"",
            headers=[],
            body=body,
            request=asked,
            model=model,
            count=count,
            salt=salt,
            whole_first=why is not None,
            tenant=caller.tenant,
        )
        target = _target(request) if why in (None, Aside.SUMMARY) else None
        told = await self._told_of(ask, target, NOTES[why] if why else "")
        return HttpResponse(told, media_type=JSON)

    async def _told_of(self, ask: Ask, target: int | None, note: str) -> bytes:
        """Return the report on a request; *note*: why no policy changes it."""
        asked = Asked(ask.wire, ask.request, ask.upstream.base_url, ask.model, ask.count, ask.salt)
        subject = await self._compactor.examine(asked, ask.place, ask.policy)
        plan = await dry_run.preview(self._compactor, subject, target, ask.whole_first)
        if self._background is None:
            return dry_run.report(subject, plan, note)
        summary = await self._background.state(ask, subject, plan)
        texts = await self._background.texts(ask, subject, plan)
        return dry_run.report(subject, plan, note, summary, texts)

    async def _body(self, request: HttpRequest) -> bytes:
        """Return the decoded body. Raise TooLarge, InvalidRequest."""
        body = await read_body(request.scope, request.receive, self._max_body_bytes)
        coding = request.headers.get("content-encoding", "")
        plain = decode_request(body, coding, self._max_body_bytes)
        if plain is None:
            raise InvalidRequest(f"a body with the content-encoding {coding[:40]!r} cannot be read here")
        return plain

    async def original(self, request: HttpRequest, outcome: Outcome) -> HttpResponse:
        """Return a message as the client sent it, or the content behind a stub."""
        _, found = await self._original(request, outcome)
        kind = JSON if found.kind == "message" else "text/plain; charset=utf-8"
        return HttpResponse(found.content, media_type=kind)

    async def _original(self, request: HttpRequest, outcome: Outcome) -> tuple[Caller, Original]:
        caller = self._caller(request, outcome)
        try:
            found = await self._store.original(caller.scope, request.path_params["id"])
        except StoreError as exc:
            raise StoreUnavailable("the store cannot be read at the moment") from exc
        if found is None:
            raise NotFound(_NO_ORIGINAL)
        return caller, found

    async def delete_original(self, request: HttpRequest, outcome: Outcome) -> HttpResponse:
        """Delete one original."""
        caller, found = await self._original(request, outcome)
        try:
            await self._store.delete_original(caller.scope, found.id)
        except StoreError as exc:
            raise StoreUnavailable("the store cannot be written at the moment") from exc
        return HttpResponse(status_code=204)

    async def unknown(self, request: HttpRequest, outcome: Outcome) -> HttpResponse:
        """Say that there is no such page, or why a request is refused that is for no page."""
        refusal: Refusal | None = request.scope.get(REFUSAL)
        if refusal is not None:
            outcome.endpoint = refusal.endpoint
            raise refusal.error
        raise NotFound(f"the gateway has no {request.method} {request.url.path}; the README lists its routes")

    async def metrics(self, request: HttpRequest) -> HttpResponse:
        """Return all metrics for Prometheus."""
        return HttpResponse(self._metrics.render(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def alive(self, request: HttpRequest) -> HttpResponse:
        """Say that the process answers."""
        return HttpResponse(b"ok\n", media_type="text/plain")

    async def ready(self, request: HttpRequest) -> HttpResponse:
        """Say whether requests can be taken, and how its parts are."""
        health = self._health()
        body = msgspec.json.encode({"ready": health.ready, **health.checks})
        return HttpResponse(body, status_code=200 if health.ready else 503, media_type=JSON)


def _route(request: HttpRequest, body: bytes) -> routes.Route:
    """Return where the request would have gone: by the `path` asked for, or by what it looks like.

    Raise InvalidRequest if the path is not one of a compacted endpoint.
    """
    headers = request.scope["headers"]
    path = request.query_params.get("path") or endpoint_of(body, headers)
    found = routes.route(path.encode(), b"", headers)
    if found.wire_format not in WIRE_FORMATS:
        raise InvalidRequest(
            f"path must be an endpoint that is compacted, like {', '.join(routes.ENDPOINTS)}"
        )
    return found


def _taken_apart(wire: WireFormat, body: bytes) -> Request:
    """Return the body taken apart. Raise InvalidRequest."""
    try:
        return wire.read(body)
    except json.Malformed as exc:
        raise InvalidRequest(f"the body is not a {kind(wire.name, body)}: {problem(body, exc)}") from exc


def _check_query(request: HttpRequest) -> None:
    """Raise InvalidRequest for a parameter that is not known: the answer would be to another question."""
    for name in request.query_params:
        if name not in _QUERY:
            raise InvalidRequest(f"there is no parameter {name!r}{suggestion(name, _QUERY)}")


def _target(request: HttpRequest) -> int | None:
    """Return the `target_tokens` of a dry run. Raise InvalidRequest."""
    text = request.query_params.get("target_tokens")
    if text is None:
        return None
    if not text.isdecimal() or len(text) > _TARGET_DIGITS or int(text) < 1:
        raise InvalidRequest("target_tokens must be a whole number of tokens, at least 1")
    return int(text)
