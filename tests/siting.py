"""A proxy before an upstream within the process, called message by message."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from asgi import Call
from engine.summing import POLICY as SUMMING
from gateway.core.conversation import Count
from gateway.core.frozen import replace
from gateway.core.memo import Memo
from gateway.engine.attempt import Counters
from gateway.engine.counting import Counting
from gateway.engine.observing import Observing
from gateway.engine.upstream import Upstream
from gateway.policy.policies import PolicySet
from gateway.policy.schema import ForModels, Mode, Policy
from gateway.policy.tenants import Tenant, key_hash
from gateway.settings import Settings
from gateway.web.callers import Callers
from gateway.web.outcome import Recorder
from gateway.web.proxy import Proxy
from gateway.web.routes import ANTHROPIC, OPENAI
from wired import REACTING, TRIMMING, URL, Edge, Engine, engine, value, words

CHAT = "/v1/chat/completions"
DEFAULT = replace(TRIMMING, name="default")
OBSERVE = replace(TRIMMING, name="observe", mode=Mode.OBSERVE)
ROOMY = ForModels("roomy-*", {"window": 100_000}, replace(TRIMMING, name="by-model", window=100_000))
BY_MODEL = replace(TRIMMING, name="by-model", models=(ROOMY,))
POLICIES = {
    "default": DEFAULT,
    "off": Policy(name="off", mode=Mode.OFF),
    "reacting": replace(REACTING, name="reacting"),
    "observe": OBSERVE,
    "by-model": BY_MODEL,
    "observe-by-model": replace(BY_MODEL, name="observe-by-model", mode=Mode.OBSERVE),
    "observe-summing": replace(SUMMING, name="observe-summing", mode=Mode.OBSERVE),
    "observe-reacting": replace(REACTING, name="observe-reacting", mode=Mode.OBSERVE),
}
ACME = Tenant(
    name="acme", policy=DEFAULT, keys=(key_hash("hvs_acme"),), policies=("off",), models=("m", "gpt-*")
)
Headers = Sequence[tuple[bytes, bytes]]
BIG = 100_000


@dataclass
class Site:
    """A proxy before an upstream within the process."""

    proxy: Proxy
    edge: Edge
    engine: Engine

    def call(self, path: str = CHAT, *body: bytes, headers: Headers = (), method: str = "POST") -> Call:
        """Send a request; the path may have a query."""
        path, _, query = path.partition("?")
        return Call(
            self.proxy, path, body=body or (b"",), headers=headers, method=method, query=query.encode()
        )

    def requests(self, **labels: str) -> float:
        """Return how many requests were counted with these labels, in open mode unless they say otherwise."""
        usual = {"tenant": "open", "endpoint": "openai_chat", "policy": "default", "action": "none"}
        return value(self.engine.parts.metrics, "requests", **{**usual, **labels})


async def by_words(model: str) -> tuple[Count, int]:
    """Count words, whatever the model."""
    return words, 1


@asynccontextmanager
async def site(
    *answers: httpx.Response | Exception,
    tenants: Sequence[Tenant] = (),
    counters: Counters = by_words,
    edge: Edge | None = None,
) -> AsyncIterator[Site]:
    """Run a proxy for these tenants before an upstream with these answers, or before *edge*."""
    edge = edge or Edge(*answers)
    held = PolicySet(POLICIES, {tenant.name: tenant for tenant in tenants}, DEFAULT)
    upstreams = {name: Upstream(name, URL, edge) for name in (OPENAI, ANTHROPIC)}
    async with engine() as made:
        recorder = Recorder(made.parts.metrics, made.clock)
        settings = Settings(max_body_bytes=BIG)
        callers = Callers(lambda: held, lambda _: upstreams)
        counting = Counting(Memo(), made.executor)
        observing = Observing(made.parts, counting, counters, BIG, made.clock)
        yield Site(Proxy(made.parts, callers, recorder, counters, observing, settings), edge, made)


def error(body: bytes) -> dict[str, Any]:
    """Return the error in a body of OpenAI's dialect."""
    found: dict[str, Any] = json.loads(body)["error"]
    return found


def header(call: Call, name: bytes) -> bytes | None:
    """Return a header of the answer."""
    return next((value for key, value in call.headers if key.lower() == name), None)
