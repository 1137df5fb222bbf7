"""Who writes summaries for the bench: fakes at the edge, behind the upstream's URL, and a real model server.

`good` writes down every statement that it is shown and that still holds, as a model does that heeds its
instructions: it sees nothing but the prompt. `terse` does so in other words. `brief` names exact values and
no statement, which is as little as passes the gate: whatever survives then was carried beside it. `failing`
writes nothing. `gemma` is the real, small model of `tests/model`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import httpx

from gateway.core.summary.form import TASK
from gateway.core.summary.identifiers import identifiers
from quality.sessions import Session

NAMES = ("good", "terse", "brief", "failing", "gemma")

GEMMA_WINDOW = 4096
GEMMA_ANSWER = 100
"""Tokens of its summaries at most. It never comes to an end by itself."""
GEMMA_THREADS = 1
"""So that a run ends whoever else works on this machine."""

# Where a statement of a type belongs, by the place of the heading.
_HEADING = {"goal": 0, "decision": 3, "task": 4, "value": 5, "outcome": 5}
_CONSTRAINTS = 1

_FENCE = re.compile(r"<(\w+(?:-\w+)?)-([0-9a-f]{10})>\n(.*?)\n</\1-\2>", re.DOTALL)
_TITLE = re.compile(r"^## (.+?)(?: \(.*)?$", re.MULTILINE)
_WRONG = re.compile(r"^  - (.+)$", re.MULTILINE)
_MISSING = "exact values are missing"
_OVER = "hold no longer"
_VALUES_AT_MOST = 40


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that is said, white space made plain, and what takes its place later."""

    text: str
    short: str
    """The same in other words: what is exact in it."""
    type: str
    over: tuple[str, ...] = ()
    """What tells that it holds no longer."""

    def holds_in(self, shown: str) -> bool:
        """Return whether a text says it, and not that it is over."""
        is_said = self.text in shown or self.short in shown
        return is_said and not any(over in shown for over in self.over)


def statements(session: Session) -> tuple[Statement, ...]:
    """Return what a good reader of a session would write down, in the order in which it was said."""
    found = []
    for planted in sorted(session.planted, key=lambda planted: planted.since):
        text, other = _plain(planted.text), _plain(planted.other)
        short, old = _short(planted.row.type, planted.probe), _short(planted.row.type, planted.stale)
        match planted.row.type:
            case "decoy":
                continue
            case "revoked":
                found += [Statement(text, short, "rule", (other,)), Statement(other, other, "decision")]
            case "update":
                found += [Statement(other, old, "rule", (text, short)), Statement(text, short, "rule")]
            case type:
                found.append(Statement(text, short, type))
    return tuple(found)


def _short(type: str, probes: Sequence[str]) -> str:
    return f"{type}: {'; '.join(probes)}"


def _plain(text: str) -> str:
    return " ".join(text.split())


class Summariser(httpx.AsyncBaseTransport):
    """An upstream: answers clients briefly, and writes summaries."""

    turn_s = 1000.0
    """From one request of the client to the next: a model that failed is asked again by then."""

    def __init__(self, session: Session) -> None:
        self._statements = statements(session)
        self.calls = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a call."""
        body = await request.aread()
        if TASK.encode() not in body:
            return answer("All right.")
        self.calls += 1
        return await self.written(request, json.loads(body)["messages"][-1]["content"])

    async def written(self, request: httpx.Request, prompt: str) -> httpx.Response:
        """Return the answer to a prompt that asks for a summary."""
        raise NotImplementedError


def answer(text: str) -> httpx.Response:
    """Return a whole answer."""
    message = {"role": "assistant", "content": text}
    return httpx.Response(200, json={"choices": [{"message": message, "finish_reason": "stop"}]})


class Good(Summariser):
    """Writes down what holds of all that it is shown."""

    async def written(self, request: httpx.Request, prompt: str) -> httpx.Response:
        """Return a summary."""
        shown, asked = _parted(prompt)
        wrong = _listed(asked, _OVER)
        holding = [
            one
            for one in self._statements
            if one.holds_in(shown) and not any(value in one.text for value in wrong)
        ]
        lines = [(one.type, self.said(one)) for one in holding]
        return answer(_notes(_headings(asked), lines, _listed(asked, _MISSING)))

    def said(self, one: Statement) -> str:
        """Return how it is written down."""
        return one.text


class Terse(Good):
    """Writes down what holds in words of its own."""

    def said(self, one: Statement) -> str:
        """Return what is exact in it."""
        return one.short


class Brief(Summariser):
    """Names the exact values that it is shown, and says nothing of them."""

    async def written(self, request: httpx.Request, prompt: str) -> httpx.Response:
        """Return a summary."""
        shown, asked = _parted(prompt)
        wrong = set(_listed(asked, _OVER))
        said = [one.text for one in self._statements if one.holds_in(shown)]
        values = [one.text for text in said for one in identifiers(text) if not one.is_rough]
        kept = [value for value in dict.fromkeys(values) if value not in wrong][-_VALUES_AT_MOST:]
        return answer(_notes(_headings(asked), (), [*kept, *_listed(asked, _MISSING)]))


class Failing(Summariser):
    """Writes nothing."""

    async def written(self, request: httpx.Request, prompt: str) -> httpx.Response:
        """Return an answer without a word."""
        return answer("")


def _parted(prompt: str) -> tuple[str, str]:
    """Return what stands in the fences of a prompt, white space made plain, and what stands around them."""
    shown = _plain("\n".join(match[3] for match in _FENCE.finditer(prompt)))
    return shown, _FENCE.sub("", prompt)


def _headings(asked: str) -> Sequence[str]:
    return list(dict.fromkeys(match[1] for match in _TITLE.finditer(asked)))


def _listed(asked: str, reason: str) -> Sequence[str]:
    """Return what a repair lists as wrong for a reason."""
    _, found, behind = asked.partition(reason)
    return _WRONG.findall(behind.partition("\n- ")[0]) if found else ()


def _notes(headings: Sequence[str], holding: Iterable[tuple[str, str]], values: Iterable[str]) -> str:
    lines: list[list[str]] = [[] for _ in headings]
    for type, said in holding:
        lines[_HEADING.get(type, _CONSTRAINTS)].append(f"- {said}")
    if named := ", ".join(values):
        lines[-1].append(f"- {named}")
    return "\n".join(
        line
        for heading, below in zip(headings, lines, strict=True)
        for line in (f"## {heading}", *(below or ["- none"]))
    )


class Gemma(Summariser):
    """Asks a model server."""

    turn_s = 150.0
    """So that it is left alone for two requests where nothing that it writes can be used: it is slow."""

    def __init__(self, session: Session, url: str) -> None:
        super().__init__(session)
        self._server = httpx.AsyncClient(base_url=url, timeout=600)

    async def written(self, request: httpx.Request, prompt: str) -> httpx.Response:
        """Return what the server answers."""
        got = await self._server.post("/chat/completions", content=await request.aread())
        return httpx.Response(got.status_code, content=got.content)

    async def aclose(self) -> None:
        """Let go of the server."""
        await self._server.aclose()


def made(name: str, session: Session, url: str = "") -> Summariser:
    """Return a summariser by its name; *url*: of the model server."""
    if name == "gemma":
        return Gemma(session, url)
    return {"good": Good, "terse": Terse, "brief": Brief, "failing": Failing}[name](session)
