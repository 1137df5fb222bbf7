"""Real clients' conversations before an upstream whose window nobody knows, and which refuses what is longer.

It counts with another library than the gateway, and refuses as its vendor does: Responses in a stream that
fails, without a number.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

import vendor
from answers import Answer, Recorded
from asgi import Call
from captured import ABSENT, FILES, Captured, Items, default_policy, meaning, parent, proxied, requests_of
from gateway.core.conversation import Count
from siting import header
from wired import Edge, Seen

LEAST_WINDOW = 2000
"""Tokens; no model has a smaller one, and nothing is learned of one."""


@dataclass
class Turn:
    """A request and what became of it."""

    came: Captured
    sent: dict[str, Any]
    status: int
    action: str
    refusals: int
    replay: Items
    """What goes out if nothing is decided anew."""


class Small(Edge):
    """Answers what fits its window, and refuses the rest."""

    def __init__(self, window: int) -> None:
        super().__init__()
        self.window = window
        self.came: Captured | None = None
        """What is asked now."""
        self.refusals = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request."""
        body = await request.aread()
        self.seen.append(Seen(request.method, request.extensions["target"], request.headers.raw, body))
        assert self.came is not None
        dialect, asked = self.came.dialect, Recorded(head=b"", body=body)
        prompt = dialect.prompt(asked.json)
        if prompt <= self.window:
            return _response(dialect.say(asked, "All right."))
        self.refusals += 1
        return _response(dialect.overflow(asked.json, self.window, prompt, 0))


def _response(answer: Answer) -> httpx.Response:
    content = b"".join(chunk for chunk in answer.chunks if isinstance(chunk, bytes))
    return httpx.Response(answer.status, headers=list(answer.headers), content=content)


async def low(model: str) -> tuple[Count, int]:
    """Count a tenth less than the upstream does."""
    return (lambda text: int(vendor.count_text(text) * 0.9)), 1


async def turns(requests: Sequence[Captured], window: int) -> list[Turn]:
    """Return what becomes of these requests, one after the other."""
    edge = Small(window)
    done: list[Turn] = []
    async with proxied(default_policy(), edge, low) as proxy:
        for came in requests:
            edge.came, edge.refusals = came, 0
            call = Call(proxy, came.path, body=[came.raw], headers=came.headers)
            await call.read()
            before = parent(came.items, [turn.came.items for turn in done])
            replay = came.items
            if before is not None:
                last = done[before]
                replay = last.came.dialect.items(last.sent) + came.items[len(last.came.items) :]
            action = (header(call, b"x-haversack-action") or b"").decode()
            sent = json.loads(edge.seen[-1].body)
            done.append(Turn(came, sent, call.status or 0, action, edge.refusals, replay))
    return done


def _parts(items: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """Yield the parts of messages."""
    for item in items:
        yield from item["content"]


def window_of(requests: Sequence[Captured]) -> int:
    """Return what the first long request takes, and a third of what comes after it."""
    sizes = [came.dialect.prompt(came.body) for came in requests]
    first = next(tokens for tokens in sizes if tokens * 4 >= max(sizes))
    return first + (max(sizes) - first) // 3


@pytest.mark.parametrize("name", [path.name for path in FILES] or ["none"])
def test_conversation_is_refused_once(name: str) -> None:
    """The first refusal teaches what fits; from then on the conversation is replayed, and never refused.

    What the client does on its own, and a list of which nothing can be left out, is the upstream's to judge.
    """
    path = next((path for path in FILES if path.name == name), None)
    if path is None:
        pytest.skip(ABSENT)
    requests = requests_of(path)
    window = window_of(requests)
    done = asyncio.run(turns(requests, window))

    if window >= LEAST_WINDOW:
        assert sum(turn.refusals > 0 for turn in done) <= 1
    for turn in done:
        assert turn.came.dialect.problems(turn.sent) == turn.came.dialect.problems(turn.came.body)
        if turn.action == "frozen" and turn.replay != turn.came.items:
            sent, replay = meaning(turn.came.dialect.items(turn.sent)), meaning(turn.replay)
            assert len(sent) == len(replay)
            # The latest user message, cut when nothing else was left to give, may have room again.
            anew = [item for item, frozen in zip(sent, replay, strict=True) if item != frozen]
            assert len(anew) <= 1
            came = json.dumps(turn.came.items, ensure_ascii=False)
            assert all(json.dumps(part["text"], ensure_ascii=False) in came for part in _parts(anew))
        if turn.action != "none":
            assert turn.status == 200
            assert turn.came.dialect.prompt(turn.sent) <= window
