"""A summariser within the process, scripted, in every dialect; and what it is asked to summarise.

One word is one token, as in `wired`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from gateway.core.conversation import Message
from gateway.core.frozen import replace
from gateway.core.memo import Memo
from gateway.engine.counting import Counting
from gateway.engine.headers import RawHeaders
from gateway.engine.summarizer import Job, Summarizer
from gateway.engine.summary_record import Record
from gateway.engine.summary_route import Routes
from gateway.engine.upstream import Upstream
from gateway.engine.windows import Windows
from gateway.policy.rules import SummarizerRules
from gateway.policy.schema import Policy
from gateway.wire import WIRE_FORMATS
from stores import Clock
from wired import URL, WIRE, Seen, failed, refusal, words

TARGETS = {
    "openai_chat": b"/v1/chat/completions",
    "openai_responses": b"/v1/responses",
    "anthropic_messages": b"/v1/messages?beta=true",
}
KEY = b"Bearer sk-of-the-client"
HEADERS: RawHeaders = [
    (b"Authorization", KEY),
    (b"Accept-Encoding", b"br"),
    (b"Content-Encoding", b"zstd"),
    (b"Idempotency-Key", b"i-1"),
    (b"If-None-Match", b"e"),
    (b"x-stainless-retry-count", b"1"),
    (b"OpenAI-Organization", b"org"),
]

GOOD = """\
## Goal
- Set the price in src/price.py to 42 EUR for order ORDER-1042.
## Constraints
- Never touch legacy/old.py.
## Progress
- Done: read src/price.py. In progress: the change. Blocked: nothing.
## Key Decisions
- Keep the function net_price, since billing/invoice.py calls it.
## Next Steps
- Run tests/test_price.py.
## Critical Context
- The last run failed with KeyError: 'vat'."""


def chatted(role: str, content: str, **members: Any) -> Message:
    """Return a message as the view sees it."""
    return WIRE.message(json.dumps({"role": role, "content": content, **members}).encode(), words)


def calling(call_id: str, name: str, arguments: str) -> Message:
    """Return an assistant's call."""
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
    return chatted("assistant", "", tool_calls=[call])


def returned(call_id: str, text: str) -> Message:
    """Return the result of a call."""
    return chatted("tool", text, tool_call_id=call_id)


LOG = "\n".join(f"line {n} of the build went well" for n in range(150))
TALK = (
    chatted(
        "user", "Set the price in src/price.py to 42 EUR for order ORDER-1042. Never touch legacy/old.py."
    ),
    calling("c1", "read_file", '{"path": "src/price.py"}'),
    returned("c1", f"def net_price(order): ...\n{LOG}\nKeyError: 'vat'"),
    chatted("assistant", "I keep the function net_price, since billing/invoice.py calls it."),
    chatted("user", "Good. Then run tests/test_price.py."),
)
"""About 1,100 tokens, with things that must survive."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model answers."""

    text: str = ""
    finish: str = "stop"
    has_calls: bool = False
    spent: tuple[int, int] | None = None
    """Tokens of input and output."""


@dataclass(frozen=True, slots=True)
class Prompted:
    """A call as the model sees it, whatever the dialect."""

    seen: Seen
    body: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        """Everything it says."""
        items = self.body.get("messages", self.body.get("input", []))
        said = [item["content"] for item in items]
        flat = [text if isinstance(text, str) else text[0]["text"] for text in said]
        return [self.body.get("system", self.body.get("instructions", "")), *flat]

    @property
    def user(self) -> str:
        """The last text."""
        return self.texts[-1]

    @property
    def tokens(self) -> int:
        """How long it is."""
        return sum(map(words, self.texts))


Given = str | Reply | httpx.Response | Exception | None
"""An answer; None: it never comes."""
Step = Given | Callable[[Prompted], Given]


class Scripted(httpx.AsyncBaseTransport):
    """A model that answers as the test says: step by step, the last one for all that follow."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.calls: list[Prompted] = []
        self.reached = asyncio.Event()
        """Set by the first call."""
        self.cancelled = 0
        self.running = 0
        self.most = 0
        """Calls at the same time."""

    @property
    def models(self) -> list[str]:
        """Which models were asked, in order."""
        return [call.body["model"] for call in self.calls]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a call."""
        target = request.extensions["target"]
        seen = Seen(request.method, target, request.headers.raw, await request.aread())
        call = Prompted(seen, json.loads(seen.body))
        self.calls.append(call)
        self.reached.set()
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            return await self._answer(call)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.running -= 1

    async def _answer(self, call: Prompted) -> httpx.Response:
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        given = step(call) if callable(step) else step
        await asyncio.sleep(0)
        if given is None:
            await asyncio.Event().wait()
        if isinstance(given, Exception):
            raise given
        if isinstance(given, httpx.Response):
            return given
        reply = given if isinstance(given, Reply) else Reply(str(given))
        return httpx.Response(200, json=_written(call.seen.target, reply))


def _written(target: bytes, reply: Reply) -> dict[str, Any]:
    """Return an answer in the dialect of a path."""
    sent, received = reply.spent or (0, 0)
    if b"/chat/completions" in target:
        calls = [{"id": "x", "function": {"name": "go", "arguments": "{}"}}] if reply.has_calls else None
        message = {"role": "assistant", "content": reply.text, "tool_calls": calls}
        usage = {"usage": {"prompt_tokens": sent, "completion_tokens": received}} if reply.spent else {}
        return {"choices": [{"message": message, "finish_reason": reply.finish}], **usage}
    usage = {"usage": {"input_tokens": sent, "output_tokens": received}} if reply.spent else {}
    if b"/responses" in target:
        item: dict[str, Any] = {"type": "message", "content": [{"type": "output_text", "text": reply.text}]}
        output = [item, *([{"type": "function_call", "name": "go"}] if reply.has_calls else [])]
        if reply.finish == "length":
            why = {"incomplete_details": {"reason": "max_output_tokens"}}
            return {"object": "response", "status": "incomplete", **why, "output": output, **usage}
        return {"object": "response", "status": "completed", "output": output, **usage}
    finish = {"stop": "end_turn", "length": "max_tokens"}.get(reply.finish, reply.finish)
    content: list[dict[str, Any]] = [{"type": "text", "text": reply.text}]
    content += [{"type": "tool_use", "id": "t", "name": "go", "input": {}}] if reply.has_calls else []
    return {"type": "message", "content": content, "stop_reason": finish, **usage}


def limited(limit: int, given: Given = GOOD, *, says: bool = True) -> Step:
    """Return a step of a model that takes so many tokens; *says*: it names the number when it refuses."""

    def step(call: Prompted) -> Given:
        if call.tokens <= limit:
            return given
        if says:
            return refusal(call.tokens, limit)
        return failed(400, "prompt is too long", "context_length_exceeded")

    return step


RULES = SummarizerRules(retries=2, timeout_s=600)
POLICY = Policy(name="summarising", window=20_000, summarizer=RULES)


def ruled(**changes: Any) -> Policy:
    """Return the policy with other rules for summaries."""
    return replace(POLICY, summarizer=replace(RULES, **changes))


def job(
    model: Scripted,
    policy: Policy = POLICY,
    messages: Sequence[Message] = TALK,
    wire: str = "openai_chat",
    **changes: Any,
) -> Job:
    """Return a job for a scripted model."""
    made = Job(
        tenant="acme",
        scope="acme",
        policy=policy,
        wire=WIRE_FORMATS[wire],
        upstream=Upstream("openai", URL, model),
        target=TARGETS[wire],
        headers=HEADERS,
        model="m",
        count=words,
        correction=1.0,
        messages=tuple(messages),
        previous="",
        ask="Go on.",
    )
    return replace(made, **changes)


@dataclass
class Bench:
    """A summarizer, and what it told."""

    summarizer: Summarizer
    windows: Windows
    clock: Clock
    records: list[Record] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    others: dict[str, Scripted] = field(default_factory=dict)
    """Upstreams that a policy may name, by URL."""

    def write(self, work: Job) -> str | None:
        """Return what comes of a job."""
        return asyncio.run(self.summarizer.write(work))

    @property
    def ended(self) -> tuple[str, str]:
        """How the last job ended."""
        return str(self.records[-1].outcome), str(self.records[-1].reason)


@contextmanager
def bench(**environment: str) -> Iterator[Bench]:
    """Put a summarizer together, with an environment for keys."""
    clock = Clock()
    windows = Windows(clock)
    waits: list[float] = []
    records: list[Record] = []
    others: dict[str, Scripted] = {}

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    with ThreadPoolExecutor(1) as executor:
        routes = Routes(lambda url: Upstream("other", url, others[url]), environment)
        counting = Counting(Memo(), executor)
        summarizer = Summarizer(windows, counting, routes, clock, records.append, sleep=sleep)
        yield Bench(summarizer, windows, clock, records, waits, others)
