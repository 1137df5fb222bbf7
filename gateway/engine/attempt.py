"""One try upstream: the bytes of a plan, the headers that go with them, and the reply."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import msgspec

from gateway.core.conversation import Count
from gateway.engine.headers import OF_THE_BYTES, RawHeaders, with_key_of_its_own
from gateway.engine.lineage import Place
from gateway.engine.reply import Expected, Reply
from gateway.engine.subject import Plan
from gateway.engine.upstream import Upstream
from gateway.policy.schema import Policy
from gateway.wire.base import Request, WireFormat

Counters = Callable[[str], Awaitable[tuple[Count, int]]]
"""Returns how to count for a model, and a number that tells its vocabulary from others."""


class Ask(msgspec.Struct, frozen=True):
    """What a client asks for, with everything that was decided about it before."""

    place: Place
    policy: Policy
    wire: WireFormat
    upstream: Upstream
    method: str
    target: bytes
    headers: RawHeaders
    """As they go out."""
    body: bytes
    """As it came, coded as it came."""
    request: Request
    """The decoded body, taken apart."""
    model: str
    count: Count
    salt: int = 0
    """Tells the vocabulary of *count* from others."""
    whole_first: bool = False
    """A client's own compaction: sent as it came whatever its size, made smaller only once it is refused, and
    no decision about it is remembered."""
    tenant: str = ""
    """As metrics name it."""
    session: str = ""
    """What the client calls the conversation, hashed; empty: it gives it no name."""

    @property
    def is_coded(self) -> bool:
        """Whether the body came with a content coding, so that `request.body` is its decoded form."""
        return self.body is not self.request.body

    @property
    def output(self) -> int | None:
        """The output asked for, if the client bounds it."""
        return self.request.output.tokens if self.request.output is not None else None


@dataclass(slots=True)
class Attempt:
    """A plan that was sent, and what came back."""

    plan: Plan
    reply: Reply
    is_changed: bool
    """It was not the client's own bytes."""
    asks_usage: bool
    """It asked for usage that the client did not ask for."""

    @property
    def edits_stream(self) -> bool:
        """Whether the usage that only we asked for must be taken out of the answer."""
        reply = self.reply
        return self.asks_usage and reply.is_stream and reply.has_events and reply.coding in ("", "identity")


class Written(msgspec.Struct, frozen=True):
    """A plan as it goes out."""

    body: bytes
    headers: RawHeaders
    is_changed: bool
    asks_usage: bool


def write(
    ask: Ask, plan: Plan, knows_stream_options: bool, is_late: bool = False, number: int = 1
) -> Written:
    """Return the bytes of a plan, and the headers to go with them.

    *is_late*: the head of the answer is out already, so the answer must not come compressed. *number*: which
    attempt of the exchange it is.
    """
    body = plan.body
    if plan.output is not None:
        body = ask.wire.clamp(body, ask.request.output, plan.output)
    asks_usage = False
    if knows_stream_options and _wants_usage(ask, plan):
        asking = ask.wire.ask_usage(body)
        asks_usage, body = asking is not body, asking
    headers = ask.headers if number == 1 else with_key_of_its_own(ask.headers, number)
    if asks_usage or is_late:
        # The stream will be edited, so it must come as it is.
        headers = [
            (name, b"identity" if name.lower() == b"accept-encoding" else value) for name, value in headers
        ]
    if body is ask.request.body:
        return Written(ask.body, headers, False, False)
    untrue = OF_THE_BYTES | {b"content-encoding"} if ask.is_coded else OF_THE_BYTES
    headers = [pair for pair in headers if pair[0].lower() not in untrue]
    return Written(body, headers, True, asks_usage)


def _wants_usage(ask: Ask, plan: Plan) -> bool:
    rule = ask.policy.usage.ask
    wanted = rule == "always" or (rule == "compacted" and plan.is_rewritten)
    return wanted and ask.request.stream and not ask.request.wants_usage


async def send(ask: Ask, plan: Plan, written: Written, expected: Expected) -> Attempt:
    """Return the attempt, its reply not yet listened to. Raise UpstreamUnreachable or UpstreamTimeout."""
    response = await ask.upstream.send(ask.method, ask.target, written.headers, written.body)
    return Attempt(
        plan, Reply(response, ask.wire, expected, plan.body), written.is_changed, written.asks_usage
    )


@dataclass(slots=True)
class Answer:
    """What the client gets."""

    status: int
    headers: RawHeaders
    chunks: AsyncIterator[bytes]
    plan: Plan | None
    """None: it is not made yet, and the client is told to wait."""
    correction: float
    """Turns the plan's counts into true tokens."""
    whole: bytes | None = None
    """All that *chunks* would yield, if it is here already."""
    in_events: bool = False
    """*chunks* are a stream of events, whatever its headers call it."""
    text: bytes = b""
    """Of a failure: what it says, decoded."""

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self.chunks


async def once(body: bytes) -> AsyncIterator[bytes]:
    """Yield a body that is here already."""
    yield body
