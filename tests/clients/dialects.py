"""What the scripted model must know of a vendor's dialect to refuse and to answer in it.

One value of `Dialect` for each wire format. They share no code with `gateway/`: what is refused is read off
the vendors' references, so a slip in the gateway cannot hide behind the same slip here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import vendor
from answers import Answer, Recorded, json_answer, sse

Json = dict[str, Any]
Call = tuple[str, str, Json]
"""A tool call that the model makes: id, name, arguments."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """One vendor's way to ask and to answer."""

    path: str
    """How the path of its endpoint ends."""
    items: Callable[[Json], list[Any]]
    """The conversation of a request, as a list."""
    tools: Callable[[Json], set[str]]
    """Names of the tools on offer."""
    problems: Callable[[Json], list[str]]
    """What the vendor would refuse about the list, in its words."""
    prompt: Callable[[Json], int]
    """Tokens of the window taken before the answer."""
    output: Callable[[Json], int]
    """Tokens that are asked for the answer, as far as the vendor counts them in."""
    refuse: Callable[[Json, str], Answer]
    overflow: Callable[[Json, int, int, int], Answer]
    """For a request, its window, prompt and output."""
    say: Callable[[Recorded, str], Answer]
    """A text, streamed if that was asked."""
    call: Callable[[Recorded, Sequence[Call]], Answer]
    """Tool calls, likewise."""


def count(value: Any) -> int:
    """Return the tokens of everything textual in a part of a request; pictures count alike."""
    if isinstance(value, str):
        is_data = value.startswith("data:") or (len(value) > 4_000 and " " not in value[:4_000])
        return vendor.IMAGE_TOKENS if is_data else vendor.count_text(value)
    if isinstance(value, dict):
        return 3 + sum(count(inner) for key, inner in value.items() if key not in ("type", "cache_control"))
    return sum(map(count, value)) if isinstance(value, list) else 0


def compact(value: Any) -> str:
    """Return a value as JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def count_all(body: Json, *parts: Any) -> int:
    """Return the tokens of parts of a request, and of its tools, which vendors write out in their own way."""
    tools = sum(vendor.count_text(compact(tool)) for tool in body.get("tools") or [])
    return tools + sum(map(count, parts))


def answered(body: Json, whole: Json, events: Iterable[Json]) -> Answer:
    """Return an answer whole, or its events to who asked for a stream."""
    return named(events) if body.get("stream") else json_answer(whole)


def named(events: Iterable[Json]) -> Answer:
    """Return a stream of events that are named by their type."""
    return sse(f"event: {event['type']}\ndata: {compact(event)}\n\n" for event in events)
