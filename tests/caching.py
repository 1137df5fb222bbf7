"""An upstream within the process that has a prompt cache, and bills as vendors do.

A word is a token, and a message takes four more for its frame, as in `wired.py`. The cache works as those of
the vendors: the longest beginning that an earlier prompt had, in whole blocks, is read from it; where a word
differs, everything from its block on is new. What it charges is worked out from what it was sent and from its
own prices alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import httpx

from wired import Edge, Seen

ANSWER_TOKENS = 20


@dataclass
class Meter:
    """The cache of one provider and what it has charged so far."""

    block: int = 128
    """Tokens; only whole blocks are read from the cache."""
    new_usd: float = 2.0
    """USD per million tokens of input that no cache had,"""
    read_usd: float = 0.5
    """that the cache had,"""
    output_usd: float = 8.0
    """and of output."""
    input: int = 0
    read: int = 0
    micro_usd: float = 0.0
    """Charged so far, in millionths of a dollar."""
    _known: set[int] = field(default_factory=set)

    def charge(self, body: bytes) -> dict[str, Any]:
        """Bill a request, and return the usage that its answer has."""
        tokens: list[int] = []
        for message in json.loads(body)["messages"]:
            tokens += _tokens(
                message["role"], message.get("content") or "", str(message.get("tool_calls", ""))
            )
        marks = list(self._marks(tokens))
        hits = next((n for n, mark in enumerate(marks) if mark not in self._known), len(marks))
        self._known.update(marks)
        read = hits * self.block
        self.input += len(tokens)
        self.read += read
        new = len(tokens) - read
        self.micro_usd += new * self.new_usd + read * self.read_usd + ANSWER_TOKENS * self.output_usd
        return {
            "prompt_tokens": len(tokens),
            "completion_tokens": ANSWER_TOKENS,
            "prompt_tokens_details": {"cached_tokens": read},
        }

    @property
    def share(self) -> float:
        """The share of all input that was read from the cache."""
        return self.read / self.input

    def _marks(self, tokens: list[int]) -> Iterator[int]:
        """Yield what the beginnings of a prompt are known by, a block longer each."""
        mark = 0
        for end in range(self.block, len(tokens) + 1, self.block):
            mark = hash((mark, *tokens[end - self.block : end]))
            yield mark


@lru_cache(maxsize=10_000)
def _tokens(role: str, content: str, calls: str) -> tuple[int, ...]:
    """Return a message as a model gets it: a number for each word."""
    return tuple(map(hash, ("<", role, ">", "\n", *content.split(), *calls.split())))


class Provider(Edge):
    """Answers every request, and bills it."""

    def __init__(self, meter: Meter) -> None:
        super().__init__()
        self.meter = meter

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request."""
        body = await request.aread()
        self.seen.append(Seen(request.method, request.extensions["target"], request.headers.raw, body))
        choice = {"index": 0, "message": {"role": "assistant", "content": "Done."}, "finish_reason": "stop"}
        return httpx.Response(200, json={"choices": [choice], "usage": self.meter.charge(body)})
