"""An upstream that repeats a recorded error until the request fits the numbers of the record.

What fits: prompt and output within the limit, in the record's own unit, where limit and prompt both stand
in it and can be trusted; otherwise 60 % of the first request. Measured in every unit of
`rescue_requests.UNITS`. It speaks the format of the record.
"""

from __future__ import annotations

import gzip
import http.client
import json
from dataclasses import dataclass, field
from typing import Any

from answers import Answer, Recorded
from clients.dialects import Dialect
from clients.model import DIALECTS
from rescue_records import CLAMPED, PASSED, Record
from rescue_requests import share
from upstream import ScriptedUpstream

GOOD = "All right."
OTHERWISE = 0.6


@dataclass
class Refusing:
    """The script for one record."""

    record: Record
    compressed: bool = False
    chats: list[Recorded] = field(default_factory=list)

    def __call__(self, request: Recorded) -> Answer:
        """Answer one request."""
        if not request.target.partition("?")[0].endswith(self.dialect.path):
            return Answer(404)
        self.chats.append(request)
        return self.dialect.say(request, GOOD) if self.fits(request) else self.record.answer(self.compressed)

    @property
    def dialect(self) -> Dialect:
        """The format it speaks."""
        return DIALECTS[self.record.wire]

    def fits(self, request: Recorded) -> bool:
        """Return whether the record would not have been the answer to this request."""
        record = self.record
        if record.action in PASSED:
            return False
        asked = output(request.json)
        if record.action in CLAMPED:
            return asked is not None and asked <= self._output_room()
        left = max(share(request, self.chats[0], self.dialect).values())
        if not record.is_exact:
            return left <= OTHERWISE
        assert record.limit is not None
        assert record.prompt is not None
        beside = min(asked or record.output or 0, record.output or 0) if record.part == "total" else 0
        return left * record.prompt + beside <= record.limit

    def _output_room(self) -> float:
        record = self.record
        if record.output_limit is not None:
            return record.output_limit
        if record.limit and record.prompt:
            return record.limit - record.prompt
        return OTHERWISE * (output(self.chats[0].json) or 0)


def output(body: dict[str, Any]) -> int | None:
    """Return the output that a request asks for."""
    asked = body.get("max_completion_tokens") or body.get("max_tokens") or body.get("max_output_tokens")
    return asked if isinstance(asked, int) else None


@dataclass(frozen=True, slots=True)
class Got:
    """What a client received: the bytes, not decoded."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        """Return a header, or nothing."""
        return next((value for key, value in self.headers if key.lower() == name), "")

    @property
    def text(self) -> str:
        """What the model said, streamed or not."""
        body = gzip.decompress(self.body) if self.header("content-encoding") == "gzip" else self.body
        if body.startswith(b"{"):
            return _said(json.loads(body))
        data = [line[6:] for line in body.split(b"\n") if line.startswith(b"data: {")]
        return "".join(_piece(json.loads(line)) for line in data)


def _said(body: dict[str, Any]) -> str:
    """Return the text of a whole answer, of any format."""
    if "choices" in body:
        return str((body["choices"] or [{"message": {"content": ""}}])[0]["message"]["content"])
    items = body.get("output") or [body]
    parts = [part for item in items for part in item.get("content") or ()]
    return "".join(part.get("text", "") for part in parts)


def _piece(event: dict[str, Any]) -> str:
    """Return the text that one event of a stream adds."""
    if "choices" in event:
        return "".join(choice["delta"].get("content") or "" for choice in event["choices"])
    delta = event.get("delta") or ""
    return str(delta.get("text", "")) if isinstance(delta, dict) else str(delta)


def ask(port: int, body: bytes | dict[str, Any], path: str = "/v1/chat/completions", **headers: str) -> Got:
    """Send a request to whoever listens on *port*, and return all that comes back."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    known = {"content-type": "application/json", "authorization": "Bearer k", "accept-encoding": "gzip"}
    try:
        connection.request("POST", path, content, {**known, **headers})
        response = connection.getresponse()
        return Got(response.status, response.getheaders(), response.read())
    finally:
        connection.close()


def scripted(upstream: ScriptedUpstream, record: Record, compressed: bool = False) -> Refusing:
    """Make the upstream answer with this record from now on."""
    upstream.script = refusing = Refusing(record, compressed)
    return refusing
