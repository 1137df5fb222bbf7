"""Requests to a compacted endpoint that are not for the gateway to change.

Three kinds. Those that continue a history which the upstream keeps: what they carry is only what is new.
Anthropic's threads, which are the same but can be refused: their client then sends all of it. And clients'
own compactions: whoever asks for a summary of a conversation must have the whole of it summarised. Where
the protocol says so, a client knows what to do when it is refused, and nothing is ever changed. Where only
its words do (`summaries`), it may be a mistake of ours, and some clients just stop: what is refused as too
long is then made smaller like any request, so that there is a summary at all.

Pure. Read off the headers, the members beside the message list and its last message; the list itself, which
may be long, is not looked through.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from gateway.core import json
from gateway.core.errors import InvalidRequest
from gateway.web.summaries import asks_summary, members_beside
from gateway.wire.base import Request


class Aside(StrEnum):
    """Why a request is not for the gateway to change."""

    THREAD = "thread"
    HISTORY = "history"
    """The upstream keeps the history."""
    COMPACTION = "compaction"
    """The client compacts, and its protocol says so."""
    SUMMARY = "summary"
    """The client seems to compact, by what it asks for, or says so and is not known to bear a refusal."""


NOTES = {
    Aside.THREAD: "its client is told to send the whole conversation, without `thread`",
    Aside.HISTORY: "the upstream keeps its history, and this is what is new of it: it goes out as it came",
    Aside.COMPACTION: "its client compacts by itself: it goes out as it came",
    Aside.SUMMARY: "it asks for a summary of the conversation: it goes out as it came, and is made smaller "
    "only if the upstream refuses it",
}
"""What a dry run says of them."""


class ThreadRefused(InvalidRequest):
    """A request of Anthropic's beta for threads, where the policy compacts."""

    error_code = "thread_unsupported_request"
    """Goes into `error.details`: the vendor's libraries send the whole history at once when they read it."""

    def __init__(self) -> None:
        super().__init__(
            "This gateway compacts conversations and so needs the whole of each: threads are not supported. "
            "Send the messages without `thread`."
        )


# Members that name a history kept by the upstream, by wire format; and as they stand in a body.
_KEPT = {
    "openai_responses": {"previous_response_id": Aside.HISTORY, "conversation": Aside.HISTORY},
    "anthropic_messages": {"thread": Aside.THREAD},
}
_WRITTEN = {name: [b'"%s"' % key.encode() for key in kept] for name, kept in _KEPT.items()}

_TURN = b"x-codex-turn-metadata"
_COMPACTS = (b"x-interaction-type", b"conversation-compaction")
"""Copilot's; it asks for a summary beside the conversation that goes on, and runs calls meanwhile."""
_TRIGGER = re.compile(rb'"type"\s*:\s*"compaction_trigger"')

_TRIGGER_BYTES = 256
"""From the end of the list; it is the last item, and says nothing but its type."""


def aside(wire_format: str, headers: Iterable[tuple[bytes, bytes]], request: Request) -> Aside | None:
    """Return why a request is not to be changed; None if it may be. Names of *headers* are in lower case."""
    kept = _kept(wire_format, request)
    if kept is not None:
        return kept
    known = list(headers)
    turn = [value for name, value in known if name == _TURN]
    if (turn and _is_codex_compaction(turn[0])) or _has_trigger(request):
        return Aside.COMPACTION
    return Aside.SUMMARY if _COMPACTS in known or asks_summary(request) else None


def _kept(wire_format: str, request: Request) -> Aside | None:
    body = request.body
    for written in _WRITTEN.get(wire_format, ()):
        if body.find(written, 0, request.start) >= 0 or body.find(written, request.stop) >= 0:
            break
    else:
        return None
    found = members_beside(request)
    names = _KEPT[wire_format].items()
    return next((why for name, why in names if found.get(name, b"null") != b"null"), None)


def _is_codex_compaction(said: bytes) -> bool:
    try:
        value = json.decode(said)
    except json.Malformed:
        return False
    return isinstance(value, dict) and value.get("request_kind") == "compaction"


def _has_trigger(request: Request) -> bool:
    # A list with a trigger may be one that its format does not take apart.
    return (
        _TRIGGER.search(request.body, max(request.start, request.stop - _TRIGGER_BYTES), request.stop)
        is not None
    )
