"""Every request that is not the gateway's own: compacted where that is asked for, passed through otherwise.

A raw ASGI application, because it is the hot path. What it decides: who asks, which policy applies, whether
the body is one that a wire format understands. The rest is `engine.exchange` or `web.relay`.
"""

from __future__ import annotations

import asyncio
import logging

from gateway.core import json
from gateway.core.errors import GatewayError, InvalidRequest, where
from gateway.engine.attempt import Answer, Ask, Counters
from gateway.engine.encoding import READABLE
from gateway.engine.exchange import Exchange
from gateway.engine.headers import RawHeaders, narrow_accept_encoding, request_headers
from gateway.engine.lineage import Place
from gateway.engine.observing import Copied, Forwarded, Observing
from gateway.engine.parts import Parts
from gateway.engine.sessions import HEADERS, named, rooted
from gateway.engine.subject import Action
from gateway.policy.schema import Mode
from gateway.settings import Settings
from gateway.web import asgi, preflight, relay, routes
from gateway.web.asgi import ClientLeft, Receive, Scope, Send
from gateway.web.asides import Aside, ThreadRefused, aside
from gateway.web.callers import Callers
from gateway.web.outcome import LEFT, STOPPED, Outcome, Recorder
from gateway.web.passing import Call, Passing
from gateway.web.relay import AnswerCut, leaving
from gateway.wire import WIRE_FORMATS
from gateway.wire.base import Request, WireFormat

_MISTAKE = (
    "The gateway made a mistake, which its log names. Send the request again with the header "
    "x-haversack-bypass: 1 to have it forwarded untouched."
)

_CODINGS = frozenset(coding.encode() for coding in READABLE if coding)


log = logging.getLogger(__name__)


class Proxy:
    """The ASGI application in front of the upstreams."""

    def __init__(
        self,
        parts: Parts,
        callers: Callers,
        recorder: Recorder,
        counters: Counters,
        observing: Observing,
        settings: Settings,
    ) -> None:
        self._parts = parts
        self._observing = observing
        self._callers = callers
        self._recorder = recorder
        self._counters = counters
        self._max_body_bytes = settings.max_body_bytes
        self._passing = Passing(parts, settings.max_body_bytes)
        own = tuple(name.lower().encode() for name in settings.session_headers)
        self._session_headers = tuple(dict.fromkeys((*own, *HEADERS)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        route = routes.route(scope["raw_path"], scope["query_string"], scope["headers"])
        outcome = self._recorder.begin()
        outcome.endpoint = route.wire_format or "other"
        try:
            await self._answer(route, outcome, scope, receive, send)
        except ClientLeft:
            # Whatever status had gone out already. Who has got the last event has left nothing behind.
            outcome.status = outcome.status if outcome.is_over() else LEFT
        except GatewayError as error:
            outcome.status, outcome.failure = error.status, error.code
            await self._send_error(scope, send, error, route)
        except AnswerCut:
            outcome.failure = "answer_cut"
            raise
        except asyncio.CancelledError:
            # The gateway stops, and has waited for the end as long as it may.
            outcome.failure = "answer_cut"
            outcome.status = outcome.status if outcome.released is not None else STOPPED
            raise
        except Exception as error:
            log.error("request failed", extra={"at": where(error)})  # noqa: TRY400 (the message may quote)
            outcome.failure = GatewayError.code
            if outcome.released is not None:
                raise AnswerCut("a mistake of the gateway") from None
            outcome.status = GatewayError.status
            await self._send_error(scope, send, GatewayError(_MISTAKE), route)
        finally:
            self._recorder.end(outcome)

    async def _send_error(self, scope: Scope, send: Send, error: GatewayError, route: routes.Route) -> None:
        headers = [] if self._callers.is_open else preflight.readable(scope)
        await relay.send_error(send, error, route.dialect, headers)

    async def _answer(
        self, route: routes.Route, outcome: Outcome, scope: Scope, receive: Receive, send: Send
    ) -> None:
        if route.wire_format == "openai_responses" and routes.is_websocket(scope["headers"]):
            # Its clients fall back to plain HTTP at once on this status, and only on this.
            await asgi.send_response(send, 426, [(b"upgrade", b"HTTP/1.1"), (b"connection", b"close")])
            outcome.status = 426
            return
        if (permission := preflight.permission(scope)) is not None and not self._callers.is_open:
            await asgi.send_response(send, 200, permission)
            outcome.status = 200
            return
        caller = self._callers.identify(scope["headers"])
        outcome.tenant = caller.tenant
        policy = caller.policy(asgi.header(scope, b"x-haversack-policy"))
        upstream = caller.upstream(route.upstream)
        outcome.policy, outcome.upstream = policy.name, upstream.name
        call = Call(route, caller, policy, upstream, scope, outcome)
        wire = WIRE_FORMATS.get(route.wire_format or "")
        if wire is None or scope["method"] != "POST" or _is_signed(scope):
            await self._passing.pass_through(call, receive, send)
        elif policy.mode is Mode.OFF or _bypasses(scope):
            outcome.action = Action.BYPASS.value
            await self._passing.pass_through(call, receive, send)
        elif policy.mode is Mode.OBSERVE:
            await self._observe(call, wire, receive, send)
        else:
            await self._compact(call, wire, receive, send)

    async def _observe(self, call: Call, wire: WireFormat, receive: Receive, send: Send) -> None:
        """Relay a request as it came; what would have been done with it is worked out after the answer."""
        body = await asgi.read_body(call.scope, receive, self._max_body_bytes)
        answer = None
        async with leaving(receive, call.scope.get(asgi.TELL)):
            if call.caller.is_restricted:
                self._read(call, wire, body)
            self._name(call)
            answer = await self._passing.forward(call, body, send, wire)
        if answer is not None:
            self._observing.take(self._forwarded(call, wire, body, answer))

    def _forwarded(self, call: Call, wire: WireFormat, body: bytes, answer: Copied) -> Forwarded:
        headers = call.scope["headers"]
        return Forwarded(
            tenant=call.caller.tenant,
            place=Place(call.caller.scope, wire.name, call.policy.name),
            policy=call.policy,
            wire=wire,
            upstream=call.upstream.base_url,
            model=call.route.deployment or "",
            body=body,
            coding=call.coding,
            answer=answer,
            session=call.outcome.session,
            is_aside=lambda request: aside(wire.name, headers, request) is not None,
        )

    # Compacting

    async def _compact(self, call: Call, wire: WireFormat, receive: Receive, send: Send) -> None:
        """Answer a request in steps, with a turn of the event loop between them.

        Of many requests each step is then done together, which takes a seventh less time for all, and pieces
        of others' streams wait for one step at most.
        """
        body = await asgi.read_body(call.scope, receive, self._max_body_bytes)
        exchange: Exchange | None = None
        try:
            async with leaving(receive, call.scope.get(asgi.TELL)):
                await asyncio.sleep(0)
                ask = await self._ask(call, wire, body)
                if ask is None:
                    await self._passing.forward(call, body, send)
                else:
                    exchange = Exchange(self._parts, ask)
                    await self._answer_with(exchange, call, send)
            await asyncio.sleep(0)
        finally:
            if exchange is not None:
                call.outcome.attempts = exchange.attempts
                call.outcome.failure = exchange.failure
                if not call.outcome.session and exchange.root:
                    self._name_by_root(call, exchange)
                await exchange.close()
                call.outcome.settle(exchange.account)

    def _read(self, call: Call, wire: WireFormat, body: bytes) -> Request | None:
        """Return the body taken apart; None if it is to go out as it came, whatever it is."""
        try:
            plain = self._passing.decoded(call, body)
            request = wire.read(plain) if plain is not None else None
        except (json.Malformed, InvalidRequest):
            request = None
        if request is None or request.ambiguous:
            call.caller.check_unread(call.route)
            return None
        call.outcome.model = request.model or call.route.deployment or ""
        call.caller.check_model(call.outcome.model, call.route)
        return request

    async def _ask(self, call: Call, wire: WireFormat, body: bytes) -> Ask | None:
        """Return what a request asks for; None: it is not for the gateway to change. Raise ThreadRefused."""
        request = self._read(call, wire, body)
        why = aside(wire.name, call.scope["headers"], request) if request is not None else None
        if why is Aside.THREAD:
            raise ThreadRefused
        if request is None or why in (Aside.HISTORY, Aside.COMPACTION):
            self._name(call)
            return None
        model = call.outcome.model
        count, salt = await self._counters(model)
        headers = call.caller.outgoing(request_headers(asgi.raw_headers(call.scope)))
        self._name(call)
        return Ask(
            place=Place(call.caller.scope, wire.name, call.policy.name),
            policy=call.policy.of(model),
            wire=wire,
            upstream=call.upstream,
            method=call.scope["method"],
            target=routes.target(call.route, call.upstream.base_path),
            headers=narrow_accept_encoding(headers, _CODINGS),
            body=body,
            request=request,
            model=model,
            count=count,
            salt=salt,
            whole_first=why is Aside.SUMMARY,
            tenant=call.caller.tenant,
            session=call.outcome.session,
        )

    async def _answer_with(self, exchange: Exchange, call: Call, send: Send) -> None:
        call.outcome.is_over = lambda: exchange.is_over
        answer = await exchange.open()
        self._note(call, answer, exchange)
        marks = self._marks(call, answer)
        call.outcome.release(answer.status, self._parts.clock(), exchange.upstream_s)
        await relay.send_answer(send, answer, marks)

    def _note(self, call: Call, answer: Answer, exchange: Exchange) -> None:
        outcome = call.outcome
        outcome.plan, outcome.correction = answer.plan, answer.correction
        outcome.action = (answer.plan.action if answer.plan is not None else Action.NONE).value
        self._name_by_root(call, exchange)

    def _name(self, call: Call) -> None:
        """Take note of the session, if its client names it."""
        headers = call.scope["headers"]
        found = named(call.caller.scope, headers, call.route.session, self._session_headers)
        if found is not None:
            call.outcome.session, call.outcome.parent = found.id, found.parent

    def _name_by_root(self, call: Call, exchange: Exchange) -> None:
        """Take note of the session by where the conversation began, if its client gives it no name."""
        if not call.outcome.session:
            call.outcome.session = rooted(call.caller.scope, exchange.root).id

    def _marks(self, call: Call, answer: Answer) -> RawHeaders:
        """Return the headers that say what was done, as far as that is known."""
        plan, outcome = answer.plan, call.outcome
        known = [
            (b"x-haversack-policy", call.policy.name.encode()),
            (b"x-haversack-session", outcome.session.encode()),
        ]
        if plan is None:
            return known
        before, after = round(plan.tokens_before * answer.correction), round(plan.tokens * answer.correction)
        done = [
            (b"x-haversack-action", outcome.action.encode()),
            (b"x-haversack-tokens", b"before=%d;after=%d" % (before, after)),
        ]
        steps = [(b"x-haversack-steps", ",".join(plan.steps).encode())] if plan.steps else []
        return [*done, *known, *steps]


def _is_signed(scope: Scope) -> bool:
    """Return whether the client signed its body (AWS): it must not be changed."""
    return (asgi.header(scope, b"authorization") or b"").startswith(b"AWS4-")


def _bypasses(scope: Scope) -> bool:
    return (asgi.header(scope, b"x-haversack-bypass") or b"").strip().lower() in (b"1", b"true", b"yes")
