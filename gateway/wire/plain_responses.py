"""Plain completions by Responses: bodies that leave nothing with the vendor, and answers.

Codex's own backend takes no bound and answers in events only, so the last body asks for these, and an answer
in events is read from the one that repeats all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gateway.core import json
from gateway.core.summary.answer import Answer
from gateway.wire.members import object_of
from gateway.wire.plain_call import Call, thinks
from gateway.wire.stream import Splitter

_LAST = ("response.completed", "response.incomplete", "response.failed")
"""Events that repeat the whole answer."""


class PlainResponses:
    """The Responses dialect."""

    def bodies(self, call: Call) -> tuple[bytes, ...]:
        """Return the bodies to try."""
        cap: dict[str, Any] = {"max_output_tokens": call.max_tokens}
        low: dict[str, Any] = {"reasoning": {"effort": "low"}} if thinks(call.model) else {}
        plain = _body(call, {**cap, "stream": False})
        events = _body(call, {**low, "stream": True})
        return (_body(call, {**cap, **low, "stream": False}), plain, events) if low else (plain, events)

    def answer(self, body: bytes) -> Answer:
        """Return what the messages of the output say."""
        value = object_of(body)
        return _answer(value) if value else _of_events(body)


def _body(call: Call, fields: dict[str, Any]) -> bytes:
    model = {"model": call.model} if call.model else {}
    head = {"instructions": call.system} if call.system else {}
    said = [{"role": "user", "content": [{"type": "input_text", "text": call.user}]}]
    return json.encode({**model, **head, "input": said, "store": False, **fields})


def _answer(value: dict[str, Any]) -> Answer:
    items = list(_objects(value.get("output")))
    parts = (part for item in items for part in _objects(item.get("content")))
    texts = (part.get("text", part.get("refusal")) for part in parts)
    text = "".join(text for text in texts if isinstance(text, str))
    return Answer(text, _finish(value), any(str(item.get("type")).endswith("_call") for item in items))


def _finish(value: dict[str, Any]) -> str:
    details, status = value.get("incomplete_details"), value.get("status")
    reason = details.get("reason") if isinstance(details, dict) else None
    found = reason if isinstance(reason, str) else status
    return found if isinstance(found, str) else ""


def _of_events(body: bytes) -> Answer:
    """Return what a stream says: its last event repeats it all, or else its pieces do."""
    splitter = Splitter()
    events = [object_of(event.data) for event in (*splitter.feed(body), *splitter.close()) if event.data]
    whole = next((event.get("response") for event in events if event.get("type") in _LAST), None)
    found = _answer(whole) if isinstance(whole, dict) else Answer("")
    done = (event.get("text") for event in events if event.get("type") == "response.output_text.done")
    text = found.text or "".join(piece for piece in done if isinstance(piece, str))
    items = (event.get("item") for event in events if event.get("type") == "response.output_item.done")
    has_calls = any(str(item.get("type")).endswith("_call") for item in items if isinstance(item, dict))
    return Answer(text, found.finish, found.has_calls or has_calls)


def _objects(values: Any) -> Iterator[dict[str, Any]]:
    yield from (value for value in values if isinstance(value, dict)) if isinstance(values, list) else ()
