"""Recorded conversations of real clients, where they are at hand, and what of them can be told apart.

One file a client, one line a request, in the order in which they came. They lie beside the project, or where
HAVERSACK_CAPTURES says; they are too large, and too much other people's, to lie in it.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clients.dialects import Dialect
from clients.model import DIALECTS
from gateway.core.memo import Memo
from gateway.engine.attempt import Counters
from gateway.engine.counting import Counting
from gateway.engine.observing import Observing
from gateway.engine.upstream import Upstream
from gateway.policy.live import LivePolicies
from gateway.policy.policies import PolicySet
from gateway.policy.schema import Policy
from gateway.settings import Settings
from gateway.web.callers import Callers
from gateway.web.outcome import Recorder
from gateway.web.proxy import Proxy
from gateway.web.routes import ANTHROPIC, OPENAI, route
from gateway.wire import WIRE_FORMATS
from gateway.wire.base import WireFormat
from siting import by_words
from wired import URL, Edge, engine

BESIDE = Path(__file__).parents[2] / "shared" / "clients" / "captures"
FOLDER = Path(os.environ.get("HAVERSACK_CAPTURES") or BESIDE)
FILES = sorted(FOLDER.glob("*.jsonl.gz"))
ABSENT = f"there are no captures in {FOLDER}; HAVERSACK_CAPTURES names another folder"

Items = list[Any]

_HOP = frozenset(
    {"content-length", "content-encoding", "host", "accept-encoding", "transfer-encoding", "connection"}
)


@dataclass(frozen=True)
class Captured:
    """One request."""

    path: str
    headers: list[tuple[bytes, bytes]]
    body: dict[str, Any]
    wire: WireFormat

    @property
    def raw(self) -> bytes:
        """The body as it goes out."""
        return json.dumps(self.body).encode()

    @property
    def dialect(self) -> Dialect:
        """What its vendor accepts, written down independently of the gateway."""
        return DIALECTS[self.wire.name]

    @property
    def items(self) -> Items:
        """The list of what was said."""
        return self.dialect.items(self.body)

    @property
    def beside(self) -> dict[str, Any]:
        """All that stands beside it."""
        return {key: value for key, value in self.body.items() if key not in ("messages", "input")}

    def with_items(self, items: Items) -> dict[str, Any]:
        """Return the body with another list."""
        return {**self.body, "input" if "input" in self.body else "messages": items}


def requests_of(path: Path) -> list[Captured]:
    """Return the requests of a client that are in a format which is compacted."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        read = map(json.loads, lines)
        found = [_captured(entry) for entry in read if isinstance(entry["body"], dict)]
    return [captured for captured in found if captured is not None]


def _captured(entry: dict[str, Any]) -> Captured | None:
    listed = entry["headers"]
    pairs = listed.items() if isinstance(listed, dict) else listed
    headers = [(key.lower().encode(), value.encode()) for key, value in pairs if key.lower() not in _HOP]
    target, _, query = entry["path"].partition("?")
    name = route(target.encode(), query.encode(), headers).wire_format
    if entry["method"] != "POST" or name not in WIRE_FORMATS:
        return None
    return Captured(target, headers, entry["body"], WIRE_FORMATS[name])


def meaning(value: Any) -> Any:
    """Return what an item says to a model, whatever a client changes about it from one turn to the next."""
    if isinstance(value, list):
        return [meaning(part) for part in value]
    if not isinstance(value, dict):
        return value
    kept = {key: meaning(part) for key, part in value.items() if key not in ("cache_control", "status")}
    kept = {key: part for key, part in kept.items() if part is not None and part != []}
    if isinstance(kept.get("content"), str):
        kept["content"] = [{"type": "text", "text": kept["content"]}]
    if "content" in kept or "arguments" in kept or "encrypted_content" in kept:
        kept.pop("id", None)
    return kept


def begins_with(items: Sequence[Any], beginning: Sequence[Any]) -> bool:
    """Return whether a list goes on where another ends."""
    return len(items) > len(beginning) > 0 and list(items[: len(beginning)]) == list(beginning)


def parent(items: Items, earlier: Sequence[Items]) -> int | None:
    """Return which of the earlier requests a request goes on with: the longest, of equal ones the latest."""
    said = meaning(items)
    found = [n for n, before in enumerate(earlier) if begins_with(said, meaning(before))]
    return max(found, key=lambda n: (len(earlier[n]), n), default=None)


def default_policy() -> Policy:
    """Return the policy that is shipped as the default."""
    live = LivePolicies(None, "default")
    live.load()
    return live.current.policies["default"]


@asynccontextmanager
async def proxied(policy: Policy, edge: Edge, counters: Counters = by_words) -> AsyncIterator[Proxy]:
    """Put a gateway with that policy before an upstream within the process."""
    held = PolicySet({"default": policy}, {}, policy)
    upstreams = {name: Upstream(name, URL, edge) for name in (OPENAI, ANTHROPIC)}
    async with engine() as made:
        counting = Counting(Memo(), made.executor)
        observing = Observing(made.parts, counting, counters, 10**8, made.clock)
        recorder = Recorder(made.parts.metrics, made.clock)
        callers = Callers(lambda: held, lambda _: upstreams)
        yield Proxy(made.parts, callers, recorder, counters, observing, Settings())
