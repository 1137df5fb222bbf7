"""Requests that go to the upstream as they came, both ways as they arrive.

The body is read only where it may name a model that the tenant may not use.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec

from gateway.core import json
from gateway.core.errors import InvalidRequest
from gateway.engine.encoding import decode_request
from gateway.engine.headers import request_headers
from gateway.engine.observer import Observer, watched
from gateway.engine.observing import Copied
from gateway.engine.parts import Parts
from gateway.engine.upstream import Response, Upstream
from gateway.policy.schema import Policy
from gateway.web import asgi, relay, routes
from gateway.web.asgi import Receive, Scope, Send
from gateway.web.callers import Caller
from gateway.web.outcome import Outcome
from gateway.web.relay import leaving
from gateway.wire import WIRE_FORMATS
from gateway.wire.base import WireFormat

_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})


class Call(msgspec.Struct, frozen=True):
    """One request as far as it is known before its body is read."""

    route: routes.Route
    caller: Caller
    policy: Policy
    upstream: Upstream
    scope: Scope
    outcome: Outcome

    @property
    def coding(self) -> str:
        """The content coding of the body."""
        return (asgi.header(self.scope, b"content-encoding") or b"").decode("latin-1")


class Watched:
    """An upstream's answer on its way to the client; tells whether the last event of a stream has gone by."""

    def __init__(self, answer: Response | Copied, observer: Observer) -> None:
        self.status = answer.status
        self.headers = answer.headers
        self._chunks = watched(aiter(answer), observer)

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._chunks


class Passing:
    """Forwards requests as they are."""

    def __init__(self, parts: Parts, max_body_bytes: int) -> None:
        self._parts = parts
        self._max_body_bytes = max_body_bytes

    async def pass_through(self, call: Call, receive: Receive, send: Send) -> None:
        """Relay a request, both ways as it arrives; it is read only where it may name a forbidden model."""
        if call.caller.is_restricted and call.scope["method"] in _WITH_BODY:
            await self._pass_checked(call, receive, send)
            return
        body, after = await asgi.incoming(receive)
        async with leaving(after):
            await self.forward(call, body, send)

    async def _pass_checked(self, call: Call, receive: Receive, send: Send) -> None:
        """Relay a request of a tenant that may use certain models only, once its model is known to be one."""
        media_type = b", ".join(value for name, value in call.scope["headers"] if name == b"content-type")
        call.caller.check_model(None, call.route)
        if media_type and b"json" not in media_type.lower():
            # A file, a recording: the body may be of any size.
            call.caller.check_unread(call.route, media_type.decode("latin-1"))
            body, after = await asgi.incoming(receive)
        else:
            body, after = await asgi.read_body(call.scope, receive, self._max_body_bytes), receive
            self._check_body(call, body)
        async with leaving(after):
            await self.forward(call, body, send)

    def _check_body(self, call: Call, body: bytes) -> None:
        """Raise Forbidden unless a JSON body names no model or, so that nobody reads another, one allowed."""
        try:
            named = self._named_models(call, body) if body else []
        except (json.Malformed, InvalidRequest):
            named = [None]
        if len(named) == 1 and isinstance(named[0], str):
            call.caller.check_model(named[0])
        elif named or call.route.deployment is None:
            call.caller.check_unread(call.route, names_some=bool(named))

    def _named_models(self, call: Call, body: bytes) -> list[Any]:
        """Return what a JSON body names as its model, once or more. Raise Malformed, InvalidRequest."""
        plain = self.decoded(call, body)
        if plain is None:
            raise json.Malformed("its coding is not one we read")
        found = [member for member in json.members(plain) if member.key.casefold() == "model"]
        return [json.decode(plain[member.start : member.stop]) for member in found]

    def decoded(self, call: Call, body: bytes) -> bytes | None:
        """Return the body less its content coding; None if that is not one we read."""
        return decode_request(body, call.coding, self._max_body_bytes)

    async def forward(
        self, call: Call, body: bytes | asgi.Upload, send: Send, wire: WireFormat | None = None
    ) -> Copied | None:
        """Relay a request and its answer as they are; return a copy of that for the *wire* to read it."""
        headers = call.caller.outgoing(request_headers(asgi.raw_headers(call.scope)))
        target = routes.target(call.route, call.upstream.base_path)
        started = self._parts.clock()
        call.outcome.attempts = 1
        async with call.upstream.open(call.scope["method"], target, headers, body) as response:
            self._parts.metrics.attempts.add(call.upstream.name, "ok" if response.status < 400 else "final")
            call.outcome.release(response.status, self._parts.clock(), self._parts.clock() - started)
            copied = Copied(response, wire) if wire is not None else None
            await self._relay(call, copied or response, response, send)
            return copied

    async def _relay(self, call: Call, answer: Response | Copied, response: Response, send: Send) -> None:
        name = call.route.wire_format
        marks = []
        if name is not None:
            said = {b"action": call.outcome.action, b"policy": call.policy.name}
            marks = [(b"x-haversack-" + key, value.encode()) for key, value in said.items()]
        if call.outcome.session:
            marks.append((b"x-haversack-session", call.outcome.session.encode()))
        wire = WIRE_FORMATS.get(name or "")
        if wire is None:
            await relay.send_response(send, answer, marks)
            return
        observer = Observer(wire, response.header("content-encoding"))
        call.outcome.is_over = lambda: observer.is_over
        await relay.send_response(send, Watched(answer, observer), marks)
