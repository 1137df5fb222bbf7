"""An upstream for the demonstration: a scripted agent behind a window that is really enforced.

It counts the tokens of each request, refuses with OpenAI's own 400 what does not fit or breaks a rule of the
message list, and otherwise plays an agent's model: it reads a file, runs the tests, then answers. Which step
comes next follows from the id of the last call, so it works on any valid list, however much was left out.
Asked to sum a conversation up, it does.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import uvicorn

from gateway.demo.notes import is_asked_for, notes

Json = dict[str, Any]
Send = Callable[[Json], Awaitable[None]]

FRAME_TOKENS = 3
STEPS = (("read_file", "path"), ("run_tests", "target"))
"""What the agent calls in each turn, before it answers."""


@dataclass
class Seen:
    """What reached the upstream."""

    refused: int = 0
    """As too long."""
    malformed: list[str] = field(default_factory=list)
    """What was wrong with lists that break a rule."""
    last: list[Json] = field(default_factory=list)
    """Messages of the client's last request that was accepted."""
    summaries: int = 0
    """Calls of the gateway's own, by which it has something summed up."""


class DemoUpstream:
    """The ASGI app."""

    def __init__(self, window: int, count: Callable[[str], int]) -> None:
        self.window = window
        self.seen = Seen()
        self._count = count
        self._turn = 0

    async def __call__(
        self, scope: Mapping[str, Any], receive: Callable[[], Awaitable[Json]], send: Send
    ) -> None:
        if scope["type"] != "http":
            return
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        if scope["path"].endswith("/chat/completions"):
            await self._chat(json.loads(body), send)
        else:
            await _respond(send, 200, {"object": "list", "data": [{"id": "demo-8k", "object": "model"}]})

    async def _chat(self, request: Json, send: Send) -> None:
        messages = request["messages"]
        prompt = self._prompt_tokens(request)
        output = request.get("max_completion_tokens") or request.get("max_tokens") or 0
        if wrong := next(problems(messages), None):
            self.seen.malformed.append(wrong)
            await _respond(send, 400, _error(wrong, None))
        elif prompt + output > self.window:
            self.seen.refused += 1
            await _respond(send, 400, _error(self._too_long(prompt, output), "context_length_exceeded"))
        else:
            message = self._next(messages)
            usage = self._usage(prompt, message)
            await (_stream if request.get("stream") else _whole)(send, request, message, usage)

    def _too_long(self, prompt: int, output: int) -> str:
        return (
            f"This model's maximum context length is {self.window} tokens. However, you requested "
            f"{prompt + output} tokens ({prompt} in the messages, {output} in the completion). "
            "Please reduce the length of the messages or completion."
        )

    def _prompt_tokens(self, request: Json) -> int:
        tools = (
            self._count(json.dumps(request["tools"], separators=(",", ":"))) if request.get("tools") else 0
        )
        return FRAME_TOKENS + tools + sum(self._tokens(message) for message in request["messages"])

    def _tokens(self, value: Any) -> int:
        if isinstance(value, str):
            return self._count(value)
        if isinstance(value, dict):
            frame = FRAME_TOKENS if "role" in value else 0
            return frame + sum(self._tokens(inner) for key, inner in value.items() if key != "type")
        return sum(map(self._tokens, value)) if isinstance(value, list) else 0

    def _usage(self, prompt: int, message: Json) -> Json:
        completion = self._tokens({key: value for key, value in message.items() if key != "role"})
        return {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        }

    def _next(self, messages: list[Json]) -> Json:
        """Return what the agent says next: a call, or after the last call's result an answer."""
        if messages[0]["role"] == "system" and is_asked_for(messages[0]["content"]):
            self.seen.summaries += 1
            return {"role": "assistant", "content": notes(messages[-1]["content"])}
        self.seen.last = messages
        last = messages[-1]
        if last["role"] == "tool":
            turn, step = (int(part) for part in last["tool_call_id"].split("_")[1:])
        else:
            self._turn += 1
            turn, step = self._turn, 0
        if step == len(STEPS):
            return _answer(turn)
        return _call(turn, step)


def problems(messages: list[Json]) -> Iterator[str]:
    """Yield what OpenAI would refuse about the list."""
    waiting: set[str] = set()
    for index, message in enumerate(messages):
        if message["role"] == "tool":
            if message.get("tool_call_id") not in waiting:
                yield f"messages.[{index}].role: 'tool' must follow a message with 'tool_calls'."
            waiting.discard(message.get("tool_call_id", ""))
            continue
        if waiting:
            yield (
                "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
                f"'tool_call_id'. The following did not have response messages: {', '.join(sorted(waiting))}"
            )
        if message.get("content") is None and not message.get("tool_calls"):
            yield f"Invalid value for 'messages.[{index}].content': expected a string, got null."
        waiting = {call["id"] for call in message.get("tool_calls") or ()}
    if waiting:
        yield "An assistant message with 'tool_calls' must be followed by tool messages."


def _call(turn: int, step: int) -> Json:
    name, key = STEPS[step]
    arguments = json.dumps({key: f"src/module_{turn % 12:02d}.py"})
    call = {
        "id": f"call_{turn}_{step + 1}",
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _answer(turn: int) -> Json:
    text = (
        f"Step {turn} is done: src/module_{turn % 12:02d}.py now validates its input before it writes, and "
        f"its tests pass. The public interface is as it was. Decision {turn}: errors carry the order number."
    )
    return {"role": "assistant", "content": text}


def _error(message: str, code: str | None) -> Json:
    return {"error": {"message": message, "type": "invalid_request_error", "param": "messages", "code": code}}


async def _respond(send: Send, status: int, body: Json) -> None:
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})


def _base(request: Json, kind: str) -> Json:
    return {"id": "chatcmpl-demo", "object": kind, "created": int(time.time()), "model": request["model"]}


async def _whole(send: Send, request: Json, message: Json, usage: Json) -> None:
    reason = "tool_calls" if message.get("tool_calls") else "stop"
    choices = [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}]
    await _respond(send, 200, {**_base(request, "chat.completion"), "choices": choices, "usage": usage})


async def _stream(send: Send, request: Json, message: Json, usage: Json) -> None:
    headers = [(b"content-type", b"text/event-stream; charset=utf-8")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    base = _base(request, "chat.completion.chunk")
    for delta, reason in _deltas(message):
        choices = [{"index": 0, "delta": delta, "finish_reason": reason}]
        await _event(send, {**base, "choices": choices})
    if (request.get("stream_options") or {}).get("include_usage"):
        await _event(send, {**base, "choices": [], "usage": usage})
    await send({"type": "http.response.body", "body": b"data: [DONE]\n\n"})


async def _event(send: Send, event: Json) -> None:
    body = f"data: {json.dumps(event)}\n\n".encode()
    await send({"type": "http.response.body", "body": body, "more_body": True})


def _deltas(message: Json) -> Iterator[tuple[Json, str | None]]:
    yield {"role": "assistant", "content": None}, None
    for index, call in enumerate(message.get("tool_calls", ())):
        yield {"tool_calls": [{"index": index, **call}]}, None
    for word in (message["content"] or "").split(" "):
        if word:
            yield {"content": f"{word} "}, None
    yield {}, "tool_calls" if message.get("tool_calls") else "stop"


class Served:
    """An ASGI app on a free port of loopback, in a thread of its own."""

    def __init__(self, app: DemoUpstream) -> None:
        config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", lifespan="off")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                raise RuntimeError("the demonstration's upstream did not start")
            time.sleep(0.005)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        self._thread.join()

    @property
    def url(self) -> str:
        """The base URL for a client of OpenAI's."""
        return f"http://127.0.0.1:{self._server.servers[0].sockets[0].getsockname()[1]}/v1"
