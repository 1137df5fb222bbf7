"""Say what became of an attempt: a word for Prometheus, a sentence or an event for its client."""

from __future__ import annotations

from gateway.core import json
from gateway.core.errors import GatewayError, WindowExceeded
from gateway.core.failures import BodyTooLarge, Failure, Final, Overflow, Refused
from gateway.engine.subject import Plan
from gateway.wire.base import WireFormat


def exceeded(
    plan: Plan, failure: Overflow | BodyTooLarge, correction: float, attempts: int
) -> WindowExceeded:
    """Return the error for when the last rung was refused too, or there is none that makes it smaller.

    It begins as the vendor's own message does, because clients look for its words.
    """
    limit = failure.limit if isinstance(failure, Overflow) else None
    named = f"maximum context length is {limit} tokens" if limit else "maximum context length was exceeded"
    before, after = (int(tokens * correction) for tokens in (plan.tokens_before, plan.tokens))
    return WindowExceeded(
        f"This model's {named}. Your messages resulted in about {before} tokens, were compacted "
        f"to about {after} in {attempts} attempts, and are still too long: what may not be removed (system "
        "messages, tools, the newest message) fills the window. Shorten those, or use a model with a "
        "larger window."
    )


def spoken(body: bytes, status: int, wire: WireFormat) -> bytes:
    """Return an upstream's error body as something that an event can hold."""
    try:
        json.decode(body)
    except json.Malformed:
        return wire.error(GatewayError(f"The upstream answered with status {status}."))
    return body


def as_event(body: bytes) -> bytes:
    r"""Return a JSON error as an event, for a client whose stream has begun.

    >>> as_event(b'{"error":\n1}')
    b'data: {"error":\ndata: 1}\n\n'
    """
    return b"".join(b"data: %s\n" % line for line in body.splitlines()) + b"\n"


def outcome(failure: Failure | None) -> str:
    """Return the label of an attempt."""
    match failure:
        case None:
            return "ok"
        case Final():
            return "final"
        case Refused():
            return "refused"
        case _:
            return "overflow"
