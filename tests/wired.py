"""The engine put together with fakes at its edges: an upstream, a clock and a store within the process.

No socket and no waiting. One word is one token, so a reviewer can check sizes by eye; a message takes four
more for its frame.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from gateway.core.conversation import Count
from gateway.core.frozen import replace
from gateway.core.memo import Memo
from gateway.core.prices import Price, Prices
from gateway.engine.attempt import Ask
from gateway.engine.compactor import Compactor
from gateway.engine.counting import Counting
from gateway.engine.economics import Economics
from gateway.engine.lineage import Checkpoints, Place
from gateway.engine.listing import Listing
from gateway.engine.parts import Parts
from gateway.engine.subject import Asked, Subject
from gateway.engine.upstream import Upstream
from gateway.engine.windows import Windows
from gateway.metrics import Metrics
from gateway.policy.schema import Policy, Step
from gateway.store.base import Original, Store, StoreError
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.strategies.trim_turns import TrimTurns
from gateway.wire.base import WireFormat
from gateway.wire.openai_chat import OpenAIChat
from stores import Clock, opened

WIRE = OpenAIChat()
PLACE = Place("scope", WIRE.name, "trimming")
URL = "http://upstream/v1"

TRIMMING = Policy(name="trimming", window=1000, reserve_output=200, steps=(Step("trim_turns", TrimTurns()),))
"""A budget of 800, so a trigger of 640 and a target of 360; the oldest turns go."""

REACTING = replace(TRIMMING, name="reacting", window=None)
"""The same where nobody knows the window: nothing happens before the upstream refuses."""


PRICES = Prices({"m": Price(input=2, cached_input=0.5, output=8)})


def words(text: str) -> int:
    """One word is one token."""
    return len(text.split())


def message(role: str, tokens: int, mark: str = "w") -> dict[str, Any]:
    """Return a message of so many tokens, its frame included."""
    return {"role": role, "content": " ".join([mark] * (tokens - 4))}


def turns(number: int, tokens: int = 50) -> list[dict[str, Any]]:
    """Return so many turns, of two messages with so many tokens each, and a question at the end."""
    pairs = [message(role, tokens, f"{role[0]}{n}") for n in range(number) for role in ("user", "assistant")]
    return [*pairs, message("user", tokens, "now")]


def chat(messages: Iterable[Any], **members: Any) -> bytes:
    """Return a chat completion request."""
    return json.dumps({"model": "m", "messages": list(messages), **members}).encode()


def said(body: bytes) -> list[str]:
    """Return the first word of every message of a request: what is left of a conversation."""
    return [str(entry["content"]).split()[0] for entry in json.loads(body)["messages"]]


LONG = [message("system", 10, "rules"), *turns(8)]
"""A conversation of 860 tokens; the budget of TRIMMING is 800."""


class Feed(httpx.AsyncByteStream):
    """A body that arrives as the test says: piece by piece, breaking off or staying open."""

    def __init__(self, *pieces: bytes | Exception, is_open: bool = False) -> None:
        self._queue: asyncio.Queue[bytes | Exception] = asyncio.Queue()
        self.is_closed = False
        for piece in pieces:
            self._queue.put_nowait(piece)
        if not is_open:
            self.end()

    def put(self, piece: bytes) -> None:
        """Let a piece arrive."""
        self._queue.put_nowait(piece)

    def end(self) -> None:
        """Let the body be complete."""
        self._queue.put_nowait(StopAsyncIteration())

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        piece = await self._queue.get()
        if isinstance(piece, Exception):
            self._queue.put_nowait(piece)  # who asks again is told the same
            raise piece
        return piece

    async def aclose(self) -> None:
        """Take note that nobody reads on."""
        self.is_closed = True


def answer(text: str = "All right.", prompt: int | None = None, **headers: str) -> httpx.Response:
    """Return a whole answer, with usage if *prompt* says what the upstream counted."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    body: dict[str, Any] = {"choices": [choice]}
    if prompt is not None:
        body["usage"] = {"prompt_tokens": prompt, "completion_tokens": 3}
    return httpx.Response(200, json=body, headers=headers)


def refusal(sent: int, limit: int) -> httpx.Response:
    """Return what the vendor says to a prompt that is too long."""
    text = (
        f"This model's maximum context length is {limit} tokens. However, your messages resulted in {sent} "
        "tokens. Please reduce the length of the messages."
    )
    return failed(400, text, "context_length_exceeded")


def failed(status: int, text: str, code: str | None = None) -> httpx.Response:
    """Return an error as the vendor writes it."""
    error = {"message": text, "type": "invalid_request_error", "param": None, "code": code}
    return httpx.Response(status, json={"error": error})


def event(value: Any) -> bytes:
    """Return an event of a stream."""
    return b"data: " + (value if isinstance(value, bytes) else json.dumps(value).encode()) + b"\n\n"


def delta(**fields: Any) -> bytes:
    """Return the event that carries a piece of an answer."""
    return event({"choices": [{"index": 0, "delta": fields, "finish_reason": None}]})


def stream(feed: Feed, **headers: str) -> httpx.Response:
    """Return an answer in events, arriving as *feed* says."""
    return httpx.Response(200, headers={"content-type": "text/event-stream", **headers}, stream=feed)


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as the upstream got it."""

    method: str
    target: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes

    def header(self, name: bytes) -> bytes | None:
        """Return a header's value."""
        return next((value for key, value in self.headers if key.lower() == name), None)


class Edge(httpx.AsyncBaseTransport):
    """An upstream within the process: gives its answers one after the other, and keeps what it was sent."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.seen: list[Seen] = []
        self.reached = asyncio.Event()
        """Set by the first request."""
        self.is_closed = False

    @property
    def bodies(self) -> list[bytes]:
        """The request bodies so far."""
        return [seen.body for seen in self.seen]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request."""
        target = request.extensions["target"]
        self.seen.append(Seen(request.method, target, request.headers.raw, await request.aread()))
        self.reached.set()
        given = self.answers.pop(0)
        if isinstance(given, Exception):
            raise given
        return given

    async def aclose(self) -> None:
        """Take note that the connections are closed."""
        self.is_closed = True


@dataclass
class Engine:
    """Everything an exchange works with."""

    parts: Parts
    clock: Clock
    executor: Executor
    background: list[tuple[str, Coroutine[Any, Any, None]]] = field(default_factory=list)
    """What was started in the background: the test runs it, or closes it."""

    async def subject(self, body: bytes, policy: Policy = TRIMMING) -> Subject:
        """Return a request as the compactor sees it."""
        asked = Asked(WIRE, WIRE.read(body), URL, "m", words)
        return await self.parts.compactor.examine(asked, PLACE, policy)

    def failed_open(self, reason: str) -> float:
        """Return how often help failed for that reason."""
        return value(self.parts.metrics, "failed_open", reason=reason)


def value(metrics: Metrics, name: str, **labels: str) -> float:
    """Return what a metric shows to Prometheus, a counter by its name without `_total`; 0 if nothing yet."""
    get = metrics.registry.get_sample_value
    return get(f"haversack_{name}_total", labels) or get(f"haversack_{name}", labels) or 0.0


@asynccontextmanager
async def engine(store: Store | None = None, hold_s: float = 10.0) -> AsyncIterator[Engine]:
    """Put an engine together, on a store in memory if none is given; one that is given may be away."""
    if store is None:
        async with opened(SqliteStore(MEMORY, Clock())) as fresh, engine(fresh, hold_s) as made:
            yield made
        return
    clock, metrics = Clock(), Metrics()
    windows, checkpoints = Windows(clock), Checkpoints(store)
    with ThreadPoolExecutor(1) as executor:
        compactor = Compactor(
            Counting(Memo(), executor), checkpoints, store, windows, metrics.failed_open.add, clock
        )
        background: list[tuple[str, Coroutine[Any, Any, None]]] = []
        parts = Parts(
            compactor=compactor,
            checkpoints=checkpoints,
            windows=windows,
            store=store,
            metrics=metrics,
            clock=clock,
            listing=Listing(windows),
            economics=Economics(PRICES, clock),
            start=lambda name, work: background.append((name, work)),
            hold_s=hold_s,
        )
        yield Engine(parts, clock, executor, background)
        for _, work in background:
            work.close()


def away() -> SqliteStore:
    """Return a store that is not open: whoever asks it anything gets a StoreError."""
    return SqliteStore(MEMORY)


class Full(SqliteStore):
    """A store whose disk is full: it can be read, and takes nothing more."""

    async def put_originals(self, scope: str, originals: Sequence[Original]) -> None:
        """Say so."""
        raise StoreError("disk full")


def ask(
    edge: Edge,
    body: bytes,
    policy: Policy = TRIMMING,
    headers: Iterable[tuple[bytes, bytes]] = (),
    count: Count = words,
    wire: WireFormat = WIRE,
) -> Ask:
    """Return what a client asks for, of an upstream within the process."""
    request = wire.read(body)
    return Ask(
        place=PLACE,
        policy=policy,
        wire=wire,
        upstream=Upstream("openai", URL, edge),
        method="POST",
        target=b"/v1/chat/completions",
        headers=list(headers),
        body=body,
        request=request,
        model=request.model,
        count=count,
    )
