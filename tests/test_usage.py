"""Promise 8 in every format: `usage` is the upstream's, of what it really got; the full cost is in metrics.

Clients compact by the usage that they are told, so a sum over several tries, or a count of the list as the
client sent it, would make them do so for no reason.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from siting import Headers, Site, header, site
from wired import LONG, Feed, message, refusal, stream, turns, value

Talk = list[dict[str, Any]]

SENT, CACHED, RECEIVED = 700, 500, 20


@dataclass(frozen=True)
class Dialect:
    """One format: where it is asked, how, and what is answered."""

    path: str
    body: Callable[[Talk, bool], bytes]
    usage: Callable[[int, int, int], dict[str, Any]]
    """Of so many tokens sent, read from the cache and received."""
    whole: Callable[[dict[str, Any]], dict[str, Any]]
    events: Callable[[dict[str, Any]], Sequence[bytes]]

    def answer(self, sent: int, cached: int = 0, received: int = RECEIVED) -> httpx.Response:
        """Return a whole answer with this usage."""
        return httpx.Response(200, json=self.whole(self.usage(sent, cached, received)))

    def stream(self, sent: int, cached: int = 0, received: int = RECEIVED) -> bytes:
        """Return all of a stream with this usage."""
        return b"".join(self.events(self.usage(sent, cached, received)))


def event(data: dict[str, Any]) -> bytes:
    """Return an event that carries its type twice, as both vendors write it."""
    return b"event: %s\ndata: %s\n\n" % (data["type"].encode(), json.dumps(data).encode())


def chat(talk: Talk, streams: bool) -> bytes:
    """Return a Chat Completions request."""
    rest = {"stream": True, "stream_options": {"include_usage": True}} if streams else {}
    return json.dumps({"model": "m", "messages": talk, **rest}).encode()


def chat_usage(sent: int, cached: int, received: int) -> dict[str, Any]:
    """Return usage as OpenAI's Chat Completions tell it."""
    details = {"cached_tokens": cached}
    return {"prompt_tokens": sent, "completion_tokens": received, "prompt_tokens_details": details}


def chat_events(usage: dict[str, Any]) -> list[bytes]:
    """Return a stream of Chat Completions that was asked for usage."""
    steps: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": {"content": "Done."}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {"choices": [], "usage": usage},
    ]
    return [*(b"data: %s\n\n" % json.dumps(step).encode() for step in steps), b"data: [DONE]\n\n"]


def responses_usage(sent: int, cached: int, received: int) -> dict[str, Any]:
    """Return usage as OpenAI's Responses tell it."""
    details = {"cached_tokens": cached}
    return {"input_tokens": sent, "output_tokens": received, "input_tokens_details": details}


def response(usage: dict[str, Any] | None, status: str = "completed") -> dict[str, Any]:
    """Return a response."""
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}
    return {"id": "resp_1", "object": "response", "status": status, "output": [said], "usage": usage}


def responses_events(usage: dict[str, Any]) -> list[bytes]:
    """Return a stream of Responses."""
    return [
        event({"type": "response.created", "response": response(None, "in_progress")}),
        event({"type": "response.output_text.delta", "item_id": "msg_1", "delta": "Done."}),
        event({"type": "response.completed", "response": response(usage)}),
    ]


def messages_usage(sent: int, cached: int, received: int) -> dict[str, Any]:
    """Return usage as Anthropic tells it: what the cache had is counted apart."""
    rest = {"cache_read_input_tokens": cached, "cache_creation_input_tokens": 0}
    return {"input_tokens": sent - cached, **rest, "output_tokens": received}


def messages_events(usage: dict[str, Any]) -> list[bytes]:
    """Return a stream of Messages: the input at its start, the output at its end."""
    received = {"output_tokens": usage["output_tokens"]}
    return [
        event(
            {
                "type": "message_start",
                "message": {"role": "assistant", "usage": {**usage, "output_tokens": 1}},
            }
        ),
        event({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        event({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Done."}}),
        event({"type": "content_block_stop", "index": 0}),
        event({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": received}),
        event({"type": "message_stop"}),
    ]


DIALECTS = {
    "openai_chat": Dialect(
        "/v1/chat/completions",
        chat,
        chat_usage,
        lambda usage: {"choices": [{"message": {"role": "assistant", "content": "Done."}}], "usage": usage},
        chat_events,
    ),
    "openai_responses": Dialect(
        "/v1/responses",
        lambda talk, streams: json.dumps({"model": "m", "input": talk, "stream": streams}).encode(),
        responses_usage,
        response,
        responses_events,
    ),
    "anthropic_messages": Dialect(
        "/v1/messages",
        lambda talk, streams: json.dumps(
            {"model": "m", "max_tokens": 50, "system": "rules", "messages": talk[1:], "stream": streams}
        ).encode(),
        messages_usage,
        lambda usage: {"type": "message", "content": [{"type": "text", "text": "Done."}], "usage": usage},
        messages_events,
    ),
}


def billed(here: Site, dialect: str) -> dict[str, float]:
    """Return the tokens that metrics say the upstream bills."""
    upstream = "anthropic" if dialect == "anthropic_messages" else "openai"
    kinds = ("input", "output", "cached")
    metrics = here.engine.parts.metrics
    return {kind: value(metrics, "upstream_tokens", upstream=upstream, kind=kind) for kind in kinds}


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize("talk", [LONG, turns(2)], ids=["compacted", "as it came"])
def test_usage_is_the_upstreams(name: str, streams: bool, talk: Talk) -> None:
    """Answer and usage reach the client byte for byte, and metrics count what they say."""

    async def run() -> None:
        dialect = DIALECTS[name]
        whole = dialect.stream(SENT, CACHED) if streams else dialect.answer(SENT, CACHED).content
        given = stream(Feed(whole)) if streams else dialect.answer(SENT, CACHED)
        async with site(given) as here:
            call = here.call(dialect.path, dialect.body(talk, streams))
            assert await call.read() == whole
            assert billed(here, name) == {"input": SENT, "output": RECEIVED, "cached": CACHED}
            assert header(call, b"x-haversack-action") == (b"compacted" if talk is LONG else b"none")

    asyncio.run(run())


HUGE: Talk = [message("system", 10, "rules"), *turns(100)]
REACTING: Headers = [(b"x-haversack-policy", b"reacting")]


@pytest.mark.parametrize("name", DIALECTS)
def test_usage_is_that_of_the_last_try(name: str) -> None:
    """The first try was billed too, for an answer to a prompt that was cut: that is the operator's to know.

    The client is told what its context is now, not what all of it has cost.
    """

    async def run() -> None:
        dialect = DIALECTS[name]
        async with site(dialect.answer(2051, received=3), dialect.answer(1800)) as here:
            call = here.call(dialect.path, dialect.body(HUGE, False), headers=REACTING)
            assert await call.read() == dialect.answer(1800).content
            assert header(call, b"x-haversack-action") == b"rescued"
            assert billed(here, name) == {"input": 2051 + 1800, "output": 3 + RECEIVED, "cached": 0}
            who = {"tenant": "open", "policy": "reacting"}
            assert value(here.engine.parts.metrics, "overhead_tokens", **who) == 2051 + 3

    asyncio.run(run())


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("streams", [False, True])
def test_refusal_adds_nothing_to_usage(name: str, streams: bool) -> None:
    """What was refused costs nothing, and the answer to the smaller list is told with its own count."""

    async def run() -> None:
        dialect = DIALECTS[name]
        whole = dialect.stream(SENT) if streams else dialect.answer(SENT).content
        given = stream(Feed(whole)) if streams else dialect.answer(SENT)
        async with site(refusal(10_000, 4000), given) as here:
            call = here.call(dialect.path, dialect.body(HUGE, streams), headers=REACTING)
            assert await call.read() == whole
            assert header(call, b"x-haversack-action") == b"rescued"
            assert billed(here, name) == {"input": SENT, "output": RECEIVED, "cached": 0}

    asyncio.run(run())


def test_stream_that_did_not_ask_for_usage_gets_none() -> None:
    """Where a body is rewritten it is asked for all the same: metrics have it, the stream does not."""

    async def run() -> None:
        dialect = DIALECTS["openai_chat"]
        events = dialect.events(dialect.usage(SENT, CACHED, RECEIVED))
        async with site(stream(Feed(*events))) as here:
            body = json.dumps({"model": "m", "messages": LONG, "stream": True}).encode()
            call = here.call(dialect.path, body)
            assert await call.read() == b"".join([*events[:2], events[3]])
            assert json.loads(here.edge.bodies[0])["stream_options"] == {"include_usage": True}
            assert billed(here, "openai_chat") == {"input": SENT, "output": RECEIVED, "cached": CACHED}

    asyncio.run(run())


@pytest.mark.parametrize("name", ["openai_responses", "anthropic_messages"])
def test_other_formats_are_not_asked_for_usage(name: str) -> None:
    """Their streams tell it by themselves: nothing is added to a body, nothing taken out of a stream."""

    async def run() -> None:
        dialect = DIALECTS[name]
        async with site(stream(Feed(dialect.stream(SENT)))) as here:
            await here.call(dialect.path, dialect.body(LONG, True)).read()
            assert b"stream_options" not in here.edge.bodies[0]

    asyncio.run(run())
