"""Say what became of an attempt: a word for Prometheus, a sentence or an event for its client."""

from __future__ import annotations

from collections.abc import AsyncIterator

from gateway.core import json
from gateway.core.errors import GatewayError, WindowExceeded
from gateway.core.failures import BodyTooLarge, Failure, Final, Overflow, Refused
from gateway.engine.attempt import Answer
from gateway.engine.encoding import Decoder
from gateway.engine.headers import header
from gateway.engine.subject import Plan
from gateway.wire.base import WireFormat
from gateway.wire.stream import begins

_NO_EVENTS = "The upstream answered with something else than a stream of events."

FAILED = 300
"""The first status that is no success."""

# How each vendor begins to say it, with the limit and without: clients look for these words. Claude Code
# compacts on Anthropic's, LangChain raises its own error on OpenAI's.
_TOO_LONG = {
    "anthropic_messages": ("prompt is too long: {sent} tokens > {limit} maximum.", "prompt is too long."),
    "openai_responses": (
        "Your input exceeds the context window of this model, {limit} tokens.",
        "Your input exceeds the context window of this model.",
    ),
}
_OTHERWISE = (
    "This model's maximum context length is {limit} tokens.",
    "This model's maximum context length was exceeded.",
)


def exceeded(
    plan: Plan,
    failure: Overflow | BodyTooLarge,
    correction: float,
    attempts: int,
    wire: WireFormat,
    stuck: int = 0,
) -> WindowExceeded:
    """Return the error for when the last rung was refused too, or there is none that makes it smaller.

    It begins as the vendor's own message does, because clients look for its words. *stuck*: the tokens of
    tools and instructions, where they alone are too many.
    """
    limit = failure.limit if isinstance(failure, Overflow) else None
    before, after = (int(tokens * correction) for tokens in (plan.tokens_before, plan.tokens))
    named, unnamed = _TOO_LONG.get(wire.name, _OTHERWISE)
    # What is said must be true: a prompt that counts less than the limit is not larger than it.
    begun = named.format(sent=max(before, limit + 1), limit=limit) if limit else unnamed
    if stuck:
        return WindowExceeded(
            f"{begun} Your messages resulted in about {before} tokens. About {stuck} of them are tools and "
            "system messages, which may not be removed and do not fit alone. Shorten those, or use a model "
            "with a larger window."
        )
    return WindowExceeded(
        f"{begun} Your messages resulted in about {before} tokens, were compacted "
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


async def in_stream(answer: Answer, wire: WireFormat) -> AsyncIterator[bytes]:
    """Yield an answer of an upstream to a client whose stream has begun, in plain bytes."""
    if answer.status >= FAILED:
        yield as_event(spoken(answer.text, answer.status, wire), wire)
        return
    decoder = Decoder(header(answer.headers, b"content-encoding"))
    is_stream = answer.in_events or "event-stream" in header(answer.headers, b"content-type")
    if not decoder.readable or not (is_stream or begins(answer.whole or b"")):
        yield as_event(wire.error(GatewayError(_NO_EVENTS)), wire)
        return
    async for chunk in answer.chunks:
        if plain := decoder.feed(chunk):
            yield plain


def as_event(body: bytes, wire: WireFormat) -> bytes:
    r"""Return a JSON error as the format has it in a stream, for a client whose stream has begun.

    >>> from gateway.wire.openai_chat import OpenAIChat
    >>> as_event(b'{"error":\n1}', OpenAIChat())
    b'data: {"error":\ndata: 1}\n\n'
    """
    match wire.name:
        case "anthropic_messages":
            return _event(body, b"error")
        case "openai_responses":
            return _failed_response(body)
        case _:
            return _event(body)


def _event(body: bytes, name: bytes = b"") -> bytes:
    named = b"event: %s\n" % name if name else b""
    return named + b"".join(b"data: %s\n" % line for line in body.splitlines()) + b"\n"


def _failed_response(body: bytes) -> bytes:
    """Return the two events with which the vendor ends a response that failed.

    Some clients read only the first, Codex only the second. The documented first one has its fields at the
    top; the vendor sends them in `error`, and so do we, both.
    """
    value = json.decode(body)
    error = value.get("error") if isinstance(value, dict) else None
    error = error if isinstance(error, dict) else {"message": str(error or value)}
    flat = {key: error.get(key) for key in ("code", "message", "param")}
    first = {"type": "error", "sequence_number": 0, **flat, "error": error}
    told = {"code": flat["code"] or error.get("type") or "server_error", "message": flat["message"]}
    failed = {"id": "resp_failed", "object": "response", "status": "failed", "error": told, "output": []}
    second = {"type": "response.failed", "sequence_number": 1, "response": failed}
    return _event(json.encode(first), b"error") + _event(json.encode(second), b"response.failed")


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
