"""What the scripted upstream saw, and what it can be told to answer.

An answer is a frozen value: a head, pieces of a body, and how it ends. The builders make
the usual ones.
"""

from __future__ import annotations

import gzip
import json
import sys
import threading
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import vendor
from gateway.core.frozen import replace

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Header = tuple[str, str]
End = Literal["done", "close", "reset", "hang"]
"""After the last piece: complete the answer; close without completing it; reset; stay silent."""

JSON: Header = ("content-type", "application/json")
EVENTS: Header = ("content-type", "text/event-stream; charset=utf-8")

DECODERS: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.decompress, "zstd": zstd.decompress}


@dataclass
class Recorded:
    """One request, as it arrived."""

    head: bytes
    """Request line and headers, with the blank line."""
    body: bytes = b""
    """Without chunked framing; at most `ScriptedUpstream.keep_bytes` of it."""
    raw: bytes = b""
    """Everything, exactly as it stood on the wire."""
    size: int = 0
    """Bytes of the body, kept or not."""
    received_at: float = 0.0
    """Monotonic time when the request was complete."""
    connection: int = 0
    """Which connection brought it: 1 is the first one accepted."""
    status: int = 0
    sent: int = 0
    left_at: float | None = None
    done: threading.Event = field(default_factory=threading.Event)
    """Set when nothing more will be written for it, whatever the reason."""
    left: threading.Event = field(default_factory=threading.Event)
    """Set when the client went away before the answer was complete."""

    @cached_property
    def method(self) -> str:
        """The verb."""
        return self.head.split(b" ", 1)[0].decode("latin-1")

    @cached_property
    def target(self) -> str:
        """Path and query, exactly as written."""
        return self.head.split(b" ", 2)[1].decode("latin-1")

    @cached_property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """Names as written, duplicates included, in order."""
        lines = self.head.split(b"\r\n")[1:-2]
        pairs = [line.partition(b":") for line in lines]
        return [(name, value.strip()) for name, _, value in pairs]

    def header(self, name: str) -> str | None:
        """Return the first header of that name, whatever its case."""
        wanted = name.lower().encode()
        return next((value.decode("latin-1") for key, value in self.headers if key.lower() == wanted), None)

    @cached_property
    def json(self) -> Any:
        """The body as JSON, decompressed if need be; None if it is not JSON."""
        decode = DECODERS.get(self.header("content-encoding") or "", bytes)
        try:
            return json.loads(decode(self.body))
        except ValueError:
            return None

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The message list."""
        found: list[dict[str, Any]] = self.json["messages"]
        return found

    @cached_property
    def tokens(self) -> vendor.Count:
        """What the request takes of the window."""
        return vendor.count(self.json)

    @cached_property
    def problems(self) -> list[str]:
        """What the vendor would refuse about the list."""
        return vendor.problems(self.json)


@dataclass(frozen=True, slots=True)
class Answer:
    """What to write back."""

    status: int = 200
    headers: Sequence[Header] = ()
    chunks: Iterable[bytes | float] = ()
    """Pieces of the body as they are written; a number is a pause in seconds. May be endless, if chunked."""
    framing: Literal["length", "chunked", "close", "none"] = "length"
    end: End = "done"
    delay_s: float = 0.0
    """Silence before the head."""
    raw_head: bytes | None = None
    """Exactly these bytes in place of a status line and headers (and of no head at all: `b""`)."""

    def wire_head(self) -> bytes:
        """Return status line and headers."""
        if self.raw_head is not None:
            return self.raw_head
        lines = [f"HTTP/1.1 {self.status} Scripted"]
        lines += [f"{name}: {value}" for name, value in (*self.headers, *self._framing())]
        return "\r\n".join([*lines, "", ""]).encode("latin-1")

    def _framing(self) -> list[Header]:
        if self.framing == "length":
            size = sum(len(chunk) for chunk in self.chunks if isinstance(chunk, bytes))
            return [("content-length", str(size))]
        known = {"chunked": [("transfer-encoding", "chunked")], "close": [("connection", "close")]}
        return known.get(self.framing, [])

    def framed(self, chunk: bytes) -> bytes:
        """Return a piece of the body as it stands on the wire."""
        return b"%x\r\n%s\r\n" % (len(chunk), chunk) if self.framing == "chunked" else chunk


def json_answer(value: Any, *, status: int = 200, headers: Sequence[Header] = ()) -> Answer:
    """Answer with a JSON body; bytes and str are sent as they are."""
    body = (
        value.encode() if isinstance(value, str) else value if isinstance(value, bytes) else _compact(value)
    )
    return Answer(status, (JSON, *headers), (body,))


def sse(
    events: Iterable[str | bytes],
    *,
    status: int = 200,
    delay_s: float = 0.0,
    end: End = "done",
    first_s: float = 0.0,
) -> Answer:
    """Answer with a stream, *delay_s* before each piece but the first, which has *first_s*."""
    chunks: list[bytes | float] = []
    for event in events:
        chunks += [delay_s if chunks else first_s, event.encode() if isinstance(event, str) else event]
    return Answer(status, (EVENTS,), tuple(chunks), "chunked", end)


def text_answer(request: Recorded, text: str, *, finish: str = "stop", delay_s: float = 0.0) -> Answer:
    """Answer a chat request with a text, streamed word by word if it asked for a stream; with true usage."""
    return _chat(request, {"content": text}, [{"content": word} for word in _words(text)], finish, delay_s)


def calls_answer(request: Recorded, *calls: tuple[str, str, str], delay_s: float = 0.0) -> Answer:
    """Answer a chat request with tool calls, each of them `(id, name, arguments)`."""
    items = [{"id": id, "type": "function", "function": {"name": n, "arguments": a}} for id, n, a in calls]
    deltas = [{"tool_calls": [{"index": index, **item}]} for index, item in enumerate(items)]
    return _chat(request, {"content": None, "tool_calls": items}, deltas, "tool_calls", delay_s)


def reset() -> Answer:
    """Reset the connection without a byte."""
    return Answer(raw_head=b"", framing="none", end="reset")


def never() -> Answer:
    """Say nothing, until the client gives up."""
    return Answer(raw_head=b"", framing="none", end="hang")


def gzipped(answer: Answer) -> Answer:
    """Return the answer with its body compressed; each piece stays a piece."""
    packer = zlib.compressobj(wbits=31)
    chunks = [
        c if isinstance(c, float) else packer.compress(c) + packer.flush(zlib.Z_SYNC_FLUSH)
        for c in answer.chunks
    ]
    headers = (*answer.headers, ("content-encoding", "gzip"))
    return replace(answer, headers=headers, chunks=(*chunks, packer.flush()))


def _chat(
    request: Recorded, message: dict[str, Any], deltas: list[dict[str, Any]], finish: str, delay_s: float
) -> Answer:
    body = request.json
    usage = _usage(request, message)
    base = {"id": "chatcmpl-scripted", "created": 1, "model": body.get("model", "")}
    if not body.get("stream"):
        choice = {
            "index": 0,
            "message": {"role": "assistant", **message},
            "finish_reason": finish,
            "logprobs": None,
        }
        return json_answer({**base, "object": "chat.completion", "choices": [choice], "usage": usage})
    base["object"] = "chat.completion.chunk"
    asked = (body.get("stream_options") or {}).get("include_usage")
    steps = [
        ({"role": "assistant", "content": None}, None),
        *((delta, None) for delta in deltas),
        ({}, finish),
    ]
    events: list[dict[str, Any]] = [
        {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
        for delta, reason in steps
    ]
    events += [{**base, "choices": [], "usage": usage}] if asked else []
    return sse([*(f"data: {json.dumps(event)}\n\n" for event in events), "data: [DONE]\n\n"], delay_s=delay_s)


def _usage(request: Recorded, message: dict[str, Any]) -> dict[str, int]:
    prompt = request.tokens.prompt
    completion = vendor.count_text(message["content"] or json.dumps(message.get("tool_calls", "")))
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _words(text: str) -> list[str]:
    words = text.split(" ")
    return [word if index == 0 else f" {word}" for index, word in enumerate(words)]


def _compact(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
