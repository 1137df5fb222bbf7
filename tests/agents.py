"""Applications as they talk to a model: requests as the SDK writes them, and what must hold of each.

A *talk* is a generator: it yields the next request (the keyword arguments of `chat.completions.create`) and
is given the assistant message that came back. So one talk serves every client: `run` and `run_async` drive
it with the official SDK, streaming or not, and `run_plainly` without one, which is ten times faster on long
lists. All note down, beside every answer, the exact bytes that the client sent. What reached the upstream
for them is found by a header that numbers the requests.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import openai

from answers import Answer, Recorded, calls_answer, text_answer
from upstream import ScriptedUpstream

Request = dict[str, Any]
Message = dict[str, Any]
Talk = Generator[Request, Message, None]

NUMBER = "x-number"
"""Header in which a request carries its number."""

SYSTEM = "You maintain an order service. Rule: amounts are integers in cents. Never touch migrations."

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": f"Do {name} with a file of the project.",
            "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
        },
    }
    for name in ("read_file", "run_tests")
]


@dataclass
class Said:
    """What became of one request of the client."""

    sent: bytes
    """The body as the SDK wrote it."""
    message: Message
    usage: dict[str, Any] | None
    chunks: list[Any] = field(default_factory=list)
    """Of a streamed answer."""
    action: str = ""
    """What the gateway says it did, and"""
    session: str = ""
    """what it calls the conversation."""


def run(talk: Talk, base_url: str, *, stream: bool = False, key: str = "k") -> list[Said]:
    """Drive a talk with the official SDK, and return what was said. An error the client sees is raised."""
    bodies: list[bytes] = []
    said: list[Said] = []
    hooks = {"request": [lambda request: bodies.append(request.read())]}
    with (
        openai.DefaultHttpxClient(event_hooks=hooks) as http,
        openai.OpenAI(base_url=base_url, api_key=key, http_client=http, max_retries=0) as client,
    ):
        request = next(talk)
        while True:
            answer = client.chat.completions.create(**_numbered(request, len(said)), stream=stream)
            chunks = list(answer) if stream else []
            said.append(_said(bodies[-1], answer, chunks))
            try:
                request = talk.send(said[-1].message)
            except StopIteration:
                return said


async def run_async(talk: Talk, base_url: str, *, stream: bool = False, key: str = "k") -> list[Said]:
    """Do the same with the async client."""
    bodies: list[bytes] = []
    said: list[Said] = []

    async def note(request: Any) -> None:
        bodies.append(await request.aread())

    async with (
        openai.DefaultAsyncHttpxClient(event_hooks={"request": [note]}) as http,
        openai.AsyncOpenAI(base_url=base_url, api_key=key, http_client=http, max_retries=0) as client,
    ):
        request = next(talk)
        while True:
            answer: Any = await client.chat.completions.create(**_numbered(request, len(said)), stream=stream)
            chunks = [chunk async for chunk in answer] if stream else []
            said.append(_said(bodies[-1], answer, chunks))
            try:
                request = talk.send(said[-1].message)
            except StopIteration:
                return said


def run_plainly(talk: Talk, base_url: str, *, key: str = "k", first: int = 0) -> list[Said]:
    """Do the same with a bare HTTP client and `json.dumps`; requests are numbered from *first* on."""
    said: list[Said] = []
    with httpx.Client(base_url=base_url, timeout=60) as client:
        request = next(talk)
        while True:
            body = json.dumps({"model": "gpt-test", **request}, ensure_ascii=False).encode("utf-8", "replace")
            said.append(post(client, body, number=first + len(said), key=key))
            try:
                request = talk.send(said[-1].message)
            except StopIteration:
                return said


def post(client: httpx.Client, body: bytes, *, number: int = 0, key: str = "k", **headers: Any) -> Said:
    """Send a body as it is, and return what was said. Raise HTTPStatusError for an error."""
    sent = {"authorization": f"Bearer {key}", "content-type": "application/json", NUMBER: str(number)}
    marks = {name.replace("_", "-"): value for name, value in headers.items()}
    response = client.post("chat/completions", content=body, headers={**sent, **marks})
    response.raise_for_status()
    answer = response.json()
    message = answer["choices"][0]["message"]
    action, session = (response.headers.get(f"x-haversack-{name}", "") for name in ("action", "session"))
    return Said(body, message, answer.get("usage"), action=action, session=session)


def _numbered(request: Request, number: int) -> Request:
    headers = {**request.get("extra_headers", {}), NUMBER: str(number)}
    return {"model": "gpt-test", **request, "extra_headers": headers}


def _said(sent: bytes, answer: Any, chunks: list[Any]) -> Said:
    if chunks:
        usage = next((chunk.usage.to_dict() for chunk in chunks if chunk.usage), None)
        return Said(sent, _joined(chunks), usage, chunks)
    message = answer.choices[0].message.to_dict()
    return Said(sent, message, answer.usage.to_dict() if answer.usage else None)


def _joined(chunks: list[Any]) -> Message:
    """Return the message that the pieces of a stream make."""
    text, calls = "", []
    for delta in (chunk.choices[0].delta for chunk in chunks if chunk.choices):
        text += delta.content or ""
        calls += [call.to_dict() for call in delta.tool_calls or []]
    for call in calls:
        call.pop("index")
    return {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}


def tool_loop(turns: int, *, result: int = 400, **options: Any) -> Talk:
    """Ask, run every call that comes back, in parallel too, and go on until there is an answer."""
    messages: list[Message] = [{"role": "system", "content": SYSTEM}]
    for turn in range(turns):
        messages.append({"role": "user", "content": task(turn)})
        while True:
            said = yield {"messages": list(messages), "tools": TOOLS, **options}
            messages.append(said)
            if not said.get("tool_calls"):
                break
            messages += [
                {"role": "tool", "tool_call_id": call["id"], "content": lines(call["id"], result)}
                for call in said["tool_calls"]
            ]


def chat(turns: int, *, words: int = 60, **options: Any) -> Talk:
    """Talk without tools: question and answer in turns."""
    messages: list[Message] = [{"role": "system", "content": SYSTEM}]
    for turn in range(turns):
        messages.append({"role": "user", "content": f"{task(turn)} {lines(f'q{turn}', words)}"})
        messages.append((yield {"messages": list(messages), **options}))


def task(turn: int) -> str:
    """Return what the user asks in that turn."""
    return f"Task {turn}: look at src/module_{turn % 7}.py – and fix what fails there, “please”."


def lines(seed: str, count: int) -> str:
    """Return so many lines of text that no other seed gives."""
    return "\n".join(f"{seed} line {number}: value={number * 37 % 101}" for number in range(count // 8))


def agent(
    upstream: ScriptedUpstream, *, calls: int = 2, rounds: int = 1, every: int = 1
) -> Callable[[Recorded], Answer]:
    """Return a script: what the vendor refuses is refused; one task of *every* so many needs tools.

    Then there are *rounds* with so many calls each, and an answer after the last.
    """
    numbers = itertools.count()

    def script(request: Recorded) -> Answer:
        refusal = upstream.refusal(request)
        if refusal is not None:
            return refusal
        newest_first = request.messages[::-1]
        since = list(itertools.takewhile(lambda message: message["role"] != "user", newest_first))
        done = sum(1 for message in since if message["role"] == "assistant")
        number = next(numbers)
        asked = re.search(r"Task (\d+)", str(newest_first[len(since)]["content"]))
        if "tools" not in request.json or (asked and int(asked[1]) % every) or done >= rounds:
            return text_answer(request, f"Done: {number} is fixed and its test passes now.")
        ids = [f"call_{number}_{at}" for at in range(calls)]
        return calls_answer(request, *((id, "read_file", '{"path": "src/a.py"}') for id in ids))

    return script


_BORDER = re.compile(r"[\s,]*")


def slices(body: bytes) -> list[bytes]:
    """Return the items of the message list as the very bytes that stand in the body."""
    text = body.decode("utf-8", "surrogateescape")
    decoder = json.JSONDecoder()
    at = text.index("[", text.index('"messages"')) + 1
    found = []
    while text[(at := _end(text, at))] != "]":
        _, stop = decoder.raw_decode(text, at)
        found.append(text[at:stop].encode("utf-8", "surrogateescape"))
        at = stop
    return found


def _end(text: str, at: int) -> int:
    """Return where what separates two items ends."""
    border = _BORDER.match(text, at)
    assert border is not None
    return border.end()


def forwarded(upstream: ScriptedUpstream, number: int) -> list[Recorded]:
    """Return every attempt for that request, in order."""
    return [request for request in upstream.chats if request.header(NUMBER) == str(number)]


def broken_promises(upstream: ScriptedUpstream, said: list[Said]) -> Iterator[str]:
    """Yield what is wrong with what went out for these requests; nothing if all is as promised.

    Every list is valid. The system message, the latest user message and everything that no call has seen yet
    are byte for byte what the client sent.
    """
    for number, one in enumerate(said):
        attempts = forwarded(upstream, number)
        if not attempts or attempts[-1].status != 200:
            yield f"request {number} was not accepted"
        for attempt in attempts:
            yield from (f"request {number}: {problem}" for problem in attempt.problems)
            yield from (f"request {number}: {problem}" for problem in _lost(one.sent, attempt.body))


def _lost(sent: bytes, went_out: bytes) -> Iterator[str]:
    before, after = slices(sent), slices(went_out)
    roles = [json.loads(item)["role"] for item in before]
    if roles[0] in ("system", "developer") and after[0] != before[0]:
        yield "the system message is not the client's"
    if before[len(roles) - 1 - roles[::-1].index("user")] not in after:
        yield "the latest user message is not the client's"
    unseen = next((i + 1 for i in range(len(roles) - 2, -1, -1) if roles[i] == "assistant"), 0)
    if unseen and after[unseen - len(before) :] != before[unseen:]:
        yield "what the model has not seen yet is not the client's"
