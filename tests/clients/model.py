"""The scripted model behind the gateway: a small window that is enforced, and calls of the client's own tool.

Every request is judged before it is answered, and every fault of its list is kept. What comes next is
counted here and not read off the list, so it does not matter how much of the list was left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import vendor
from answers import Answer, Recorded, json_answer
from clients.chat import CHAT
from clients.dialects import Call, Dialect, Json
from clients.messages import MESSAGES
from clients.responses import RESPONSES
from clients.summaries import is_asked, summary
from gateway.core.frozen import replace

DIALECTS = {"openai_chat": CHAT, "openai_responses": RESPONSES, "anthropic_messages": MESSAGES}

SMALLEST = 8_000
ROOM = 1.5
"""Where no window is given it is so many times the first prompt, plus the output that was asked."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the model does with each question of the client's user."""

    tool: str
    """Which tool of the client it calls."""
    arguments: Json
    """With what; `{n}` in a text becomes the number of the call."""
    rounds: int = 1
    """So often, before it answers."""
    parallel: int = 1
    """So many calls at once."""
    every: int = 1
    """One question of so many needs calls; the others are answered at once."""
    finish: Json = field(default_factory=dict)
    """The call that an answer is given by, where the client wants one: `tool` and `arguments`."""


class Model:
    """What the upstream answers; it is the script of a `ScriptedUpstream`."""

    def __init__(self, plan: Plan, window: int | None) -> None:
        self.window = window
        self.accepted: list[tuple[Dialect, Json]] = []
        """Requests of the conversation that were answered, in order."""
        self.refused = 0
        """As too long."""
        self.faults: list[str] = []
        self.errors: list[str] = []
        """Bodies that could not be read and the like: mistakes of this model."""
        self._plan = plan
        self._step = 0
        self._rounds = 0
        """Of the question under way."""
        self._calls = 0
        self.answered = 0
        """Questions answered."""

    def __call__(self, request: Recorded) -> Answer:
        """Return the answer to any request."""
        path = request.target.partition("?")[0]
        dialect = next((known for known in DIALECTS.values() if path.endswith(known.path)), None)
        if path.endswith("/count_tokens"):
            return json_answer({"input_tokens": MESSAGES.prompt(request.json or {})})
        if dialect is None or request.method != "POST":
            return json_answer({"object": "list", "data": [{"id": "local-model", "object": "model"}]})
        if not isinstance(request.json, dict):
            self.errors.append(f"{request.method} {path}: no JSON")
            return json_answer(vendor.error("We could not parse the JSON body of your request."), status=400)
        return self._judged(dialect, request, request.json)

    def _judged(self, dialect: Dialect, request: Recorded, body: Json) -> Answer:
        if problems := dialect.problems(body):
            self.faults += problems
            return dialect.refuse(body, problems[0])
        prompt, output = dialect.prompt(body), dialect.output(body)
        if is_asked(body):
            return self._summed_up(dialect, request, body, prompt + output)
        is_main = self._plan.tool in dialect.tools(body)
        if self.window is None and is_main:
            self.window = max(SMALLEST, round(ROOM * prompt) + output)
        if self.window is not None and prompt + output > self.window:
            self.refused += 1
            return dialect.overflow(body, self.window, prompt, output)
        if not is_main:
            return dialect.say(request, "Reading the files of the order service")
        self.accepted.append((dialect, body))
        return _named(self._next(dialect, request), self._step)

    def _summed_up(self, dialect: Dialect, request: Recorded, body: Json, size: int) -> Answer:
        """Answer the gateway's own summariser, which has the same window."""
        if self.window is not None and size > self.window:
            return dialect.overflow(body, self.window, dialect.prompt(body), dialect.output(body))
        return dialect.say(request, summary(body))

    def _next(self, dialect: Dialect, request: Recorded) -> Answer:
        self._step += 1
        if self._rounds < self._plan.rounds and self.answered % self._plan.every == 0:
            self._rounds += 1
            return dialect.call(request, [self._call() for _ in range(self._plan.parallel)])
        self._rounds = 0
        self.answered += 1
        text = f"{answer(self.answered)} The module validates its input, and its tests pass."
        if finish := self._plan.finish:
            id = f"call_end_{self.answered}"
            return dialect.call(
                request, [(id, finish["tool"], _filled(finish["arguments"], "{answer}", text))]
            )
        return dialect.say(request, text)

    def _call(self) -> Call:
        self._calls += 1
        return (
            f"call_{self._calls}",
            self._plan.tool,
            _filled(self._plan.arguments, "{n}", str(self._calls)),
        )


def answer(number: int) -> str:
    """Return what a client must show for the question of that number, and for no other."""
    return f"Answer-{number:03d}."


def _named(answer: Answer, number: int) -> Answer:
    """Give the answer ids of its own: LangChain takes messages of one id for versions of one message."""
    mark = f"scripted{number}".encode()
    chunks = [
        chunk.replace(b"scripted", mark) if isinstance(chunk, bytes) else chunk for chunk in answer.chunks
    ]
    return replace(answer, chunks=tuple(chunks))


def _filled(value: Any, mark: str, text: str) -> Any:
    if isinstance(value, str):
        return value.replace(mark, text)
    if isinstance(value, dict):
        return {key: _filled(inner, mark, text) for key, inner in value.items()}
    return [_filled(inner, mark, text) for inner in value] if isinstance(value, list) else value
