"""OpenAI Chat Completions: POST /v1/chat/completions.

A lens over the request body. Nothing is decoded that compaction need not know, and what goes out is the
client's own bytes with the message list exchanged in their middle.
"""

from __future__ import annotations

from collections.abc import Sequence

from gateway.core import json
from gateway.core.body import taken_apart
from gateway.core.conversation import Conversation, Count, Message
from gateway.core.errors import GatewayError
from gateway.wire import openai_answer, openai_repair
from gateway.wire.base import Lens, OutputCap, Request, Usage
from gateway.wire.members import is_twice, positive_of, string_of, value_of
from gateway.wire.openai_message import read_message

_EXTRAS = ("tools", "functions", "response_format")
"""Members beside the messages that the upstream turns into prompt tokens."""

_CAPS = ("max_completion_tokens", "max_tokens")
"""Bounds of the answer; the first one present counts, as for the vendor."""


class OpenAIChat(Lens):
    """The Chat Completions dialect."""

    name = "openai_chat"

    def read(self, body: bytes) -> Request:
        """Return the request taken apart. Raise `json.Malformed` if it is no chat completion request."""
        found, items = taken_apart(body, "messages")
        names = [member.key for member in found]
        messages = next(member for member in reversed(found) if member.key == "messages")
        members = {
            member.key: body[member.start : member.stop] for member in found if member.key != "messages"
        }
        return Request(
            body=body,
            model=string_of(members.get("model")),
            stream=_is_true(members.get("stream")),
            messages=tuple(items),
            start=messages.start,
            stop=messages.stop,
            extras=tuple(members[key] for key in _EXTRAS if members.get(key, b"null") != b"null"),
            output=_output_cap(members),
            wants_usage=_asks_usage(members.get("stream_options")) is True,
            ambiguous=is_twice(names, "model", "messages"),
        )

    def message(self, raw: bytes, count: Count, origin: int | None = None) -> Message:
        """Return one item of the list as the view sees it; what it cannot read is opaque."""
        return read_message(raw, count, origin)

    def repair(self, view: Conversation, count: Count) -> Conversation:
        """Return a list that the vendor's rules accept, reached by taking away, to a fixed point."""
        return openai_repair.repair(view, count)

    def problems(self, view: Conversation) -> Sequence[str]:
        """Return what the vendor would refuse about the list; empty if nothing."""
        return openai_repair.problems(view)

    def error(self, error: GatewayError) -> bytes:
        """Return the body of an error response."""
        return openai_answer.error(error)

    def clamp(self, body: bytes, cap: OutputCap | None, tokens: int) -> bytes:
        """Return the body asking for at most *tokens* of answer, in the client's own field or fields."""
        present = {member.key for member in json.members(body) if body[member.start : member.stop] != b"null"}
        fields = [field for field in _CAPS if field in present] or [cap.field if cap else "max_tokens"]
        for field in fields:
            body = json.with_member(body, field, b"%d" % tokens)
        return body

    def ask_usage(self, body: bytes) -> bytes:
        """Return the body asking for usage at the end of the stream.

        The same bytes where nothing streams, which upstreams refuse, or where the client has decided.
        """
        members = {member.key: body[member.start : member.stop] for member in json.members(body)}
        options = members.get("stream_options", b"null")
        if not _is_true(members.get("stream")) or _asks_usage(options) is not None:
            return body
        options = options if options.startswith(b"{") else b"{}"
        return json.with_member(body, "stream_options", json.with_member(options, "include_usage", b"true"))

    def usage(self, data: bytes) -> Usage | None:
        """Return what the upstream says it spent, from an answer or an event of one."""
        return openai_answer.usage(data)

    def is_delta(self, data: bytes) -> bool:
        """Return whether an event carries a piece of the answer: from then on the request is accepted."""
        return openai_answer.is_delta(data)

    def is_usage_only(self, data: bytes) -> bool:
        """Return whether an event is the extra one that a client gets only if it asked for usage."""
        return openai_answer.is_usage_only(data)


def _output_cap(members: dict[str, bytes]) -> OutputCap | None:
    """Return the client's bound; a negative number means none (llama.cpp)."""
    for field in _CAPS:
        tokens = positive_of(members.get(field))
        if tokens:
            return OutputCap(field, tokens)
    return None


def _asks_usage(options: bytes | None) -> bool | None:
    """Return what `stream_options` says about usage; None if it says nothing."""
    value = value_of(options)
    asked = value.get("include_usage") if isinstance(value, dict) else None
    return asked if isinstance(asked, bool) else None


def _is_true(raw: bytes | None) -> bool:
    return raw == b"true"
