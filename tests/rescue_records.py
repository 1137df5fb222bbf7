"""The recorded errors of upstreams, with what is to be done about each.

The bodies are those of `failures/*.json`, which hold what the reader makes of them. `rescue_records.json`
(Chat Completions) and `rescue_records_formats.json` (the others) add, by id, what an exchange has to do: the
action, whether a stream was asked for, and the numbers that stand in the body (`numbers` says how far they
can be trusted; absent: exactly).
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from answers import Answer

HERE = Path(__file__).parent

RESCUED = frozenset({"compact", "shrink_bytes"})
CLAMPED = frozenset({"clamp_max_tokens"})
PASSED = frozenset({"pass_through", "backoff"})


@dataclass(frozen=True, slots=True)
class Record:
    """One recorded answer."""

    id: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    action: str
    wire: str = "openai_chat"
    streaming: bool = False
    part: str = ""
    """What of the request is too large: `prompt`, `total` (with the output) or `output`."""
    limit: int | None = None
    prompt: int | None = None
    output: int | None = None
    numbers: str = ""
    output_limit: int | None = None
    """The largest output that the body names."""
    window: int | None = None
    """The window that somebody has to know for the record to mean what it means."""

    @property
    def is_exact(self) -> bool:
        """Whether limit and prompt both stand there and can be trusted: no window is below 1024 tokens."""
        return bool(self.prompt) and (self.limit or 0) >= 1024 and not self.numbers

    def answer(self, compressed: bool = False) -> Answer:
        """Return the recorded answer as an upstream gives it."""
        body = gzip.compress(self.body, mtime=0) if compressed else self.body
        coding = (("content-encoding", "gzip"),) if compressed else ()
        return Answer(self.status, (*self.headers, *coding), (body,))


def records() -> tuple[Record, ...]:
    """Return all of Chat Completions."""
    return _records("rescue_records.json")


def records_of_formats() -> tuple[Record, ...]:
    """Return those of all other formats."""
    return _records("rescue_records_formats.json")


@cache
def _records(name: str) -> tuple[Record, ...]:
    bodies = {
        item["id"]: item
        for path in sorted((HERE / "failures").glob("*.json"))
        for item in json.loads(path.read_text("utf-8"))
    }
    expected = json.loads((HERE / name).read_text("utf-8"))
    return tuple(_record(bodies[item["id"]], item) for item in expected)


def _record(recorded: dict[str, Any], expected: dict[str, Any]) -> Record:
    body = recorded["body"].encode()
    headers = dict(recorded.get("headers") or {})
    headers.setdefault("content-type", _content_type(recorded["status"], body))
    means = recorded["means"]
    return Record(
        status=recorded["status"],
        headers=tuple(headers.items()),
        body=body,
        output_limit=means.get("limit") if means["failure"] == "OutputTooLarge" else None,
        window=(recorded.get("given") or {}).get("window"),
        **expected,
    )


def _content_type(status: int, body: bytes) -> str:
    is_stream = status == 200 and body.startswith((b"data:", b"event:", b"error:", b":"))
    return "text/event-stream" if is_stream else "application/json"
