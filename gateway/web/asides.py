"""Requests to a compacted endpoint that are not for the gateway to change.

Three kinds. Those that continue a history which the upstream keeps: what they carry is only what is new.
Anthropic's threads, which are the same but can be refused: their client then sends all of it. And clients'
own compactions: whoever asks for a summary of a conversation must have the whole of it summarised.

Pure. Read off the headers, the members beside the message list and its last message; the list itself, which
may be long, is not looked through.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from gateway.core import json
from gateway.core.errors import InvalidRequest
from gateway.wire.base import Request


class Aside(StrEnum):
    """Why a request is not for the gateway to change."""

    THREAD = "thread"
    HISTORY = "history"
    """The upstream keeps the history."""
    COMPACTION = "compaction"


class ThreadRefused(InvalidRequest):
    """A request of Anthropic's beta for threads, where the policy compacts."""

    error_code = "thread_unsupported_request"
    """Goes into `error.details`: the vendor's libraries send the whole history at once when they read it."""

    def __init__(self) -> None:
        super().__init__(
            "This gateway compacts conversations and so needs the whole of each: threads are not supported. "
            "Send the messages without `thread`."
        )


# Members that name a history kept by the upstream, by wire format.
_KEPT = {
    "openai_responses": {"previous_response_id": Aside.HISTORY, "conversation": Aside.HISTORY},
    "anthropic_messages": {"thread": Aside.THREAD},
}

_TURN = b"x-codex-turn-metadata"
_TRIGGER = re.compile(rb'"type"\s*:\s*"compaction_trigger"')

_TRIGGER_BYTES = 256
"""From the end of the list; it is the last item, and says nothing but its type."""

# How clients' own compactions begin, in a text of the last user message. A row is added by the source of a
# client or by what it was seen to send; long enough that nobody writes it by chance.
_PROMPTS = (
    rb"(?:CRITICAL: Respond with TEXT ONLY\.(?:[^\"\\]|\\.){0,1500}?)?"
    rb"Your task is to create a detailed summary of (?:the conversation so far|the RECENT portion|this conv)",
    rb"You are performing a CONTEXT CHECKPOINT COMPACTION",
    rb"Provide a detailed (?:but concise summary of|prompt for continuing) our conversation above",
    rb"(?:Create a new|Update the) anchored summary (?:from the|below using the) conversation history",
    rb"First, reason in your scratchpad\. Then, generate",
    rb"The current conversation is rapidly running out of context",
)
_ASKS_SUMMARY = re.compile(
    rb'(?:\A|"(?:text|content)"\s*:\s*)"(?:\s|\\n){0,8}(?:' + b"|".join(_PROMPTS) + rb")", re.IGNORECASE
)
_IS_RESULT = re.compile(rb'"(?:tool_result|tool_call_id|call_id)"\s*[:,}]')


def aside(wire_format: str, headers: Iterable[tuple[bytes, bytes]], request: Request) -> Aside | None:
    """Return why a request is not to be changed; None if it may be. Names of *headers* are in lower case."""
    kept = _kept(wire_format, request)
    if kept is not None:
        return kept
    is_compaction = _is_codex_compaction(headers) or _asks_summary(request)
    return Aside.COMPACTION if is_compaction else None


def _kept(wire_format: str, request: Request) -> Aside | None:
    names = _KEPT.get(wire_format, {})
    before, behind = request.body[: request.start], request.body[request.stop :]
    if not any(b'"%s"' % name.encode() in part for name in names for part in (before, behind)):
        return None
    # There may be no list at all: what is kept goes on by itself.
    rest = before + b"[]" + behind if request.stop else request.body
    found = {member.key: rest[member.start : member.stop] for member in json.members(rest)}
    return next((why for name, why in names.items() if found.get(name, b"null") != b"null"), None)


def _is_codex_compaction(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    said = next((value for name, value in headers if name == _TURN), None)
    if said is None:
        return False
    try:
        value = json.decode(said)
    except json.Malformed:
        return False
    return isinstance(value, dict) and value.get("request_kind") == "compaction"


def _asks_summary(request: Request) -> bool:
    last = request.messages[-1] if request.messages else b""
    # A list with a trigger may be one that its format does not take apart.
    if _TRIGGER.search(request.body, max(request.start, request.stop - _TRIGGER_BYTES), request.stop):
        return True
    return _ASKS_SUMMARY.search(last) is not None and not _IS_RESULT.search(last)
