"""Whether a request asks for a summary of the conversation in it, as clients do that compact by themselves.

They ask in one of three shapes. The request stands behind the history, at the beginning of a user message of
its own. Or the history stands as text in one message, between marks, and the request before or behind it. Or
there is one message, no tool, and a system message which says that summaries are all that the model is for.

Their words are read loosely, because they change from version to version: what is taken for such a request
by mistake is sent as it came, and made smaller when it is refused, so little is lost by it.

Pure. Only what begins a message, or ends a long one, is looked at, and only where some word says so.
"""

from __future__ import annotations

import re
from typing import Any

from gateway.core import json
from gateway.wire.base import Request

# One of these is in every prompt known.
_WORDS = (
    b"ummar",
    b"COMPACTION",
    b"state_snapshot",
    b"continuing our conversation",
    b"out of context",
    b"distilling",
)

_HISTORY = (
    r"(?:(?:our|this|the)(?: \w{1,12}){0,3} (?:conversation|chat|discussion)\b|(?:our|this) session\b"
    r"|lines of conversation|chat history)"
)

# How a request for a summary begins. A row is added for words that a client was seen to send, or has in its
# source, and that none of the rows takes; the first two take most.
_ASKS = (
    # Claude Code, opencode, Crush, Continue, goose, Zed, Roo Code: "Provide a detailed summary of our ..."
    r"(?:your task is to |please,? |now,? |let's ){0,2}"
    r"(?:provide|create|write|generate|give|produce|update)\b[^.\n]{0,80}"
    r"\b(?:summary|handoff|prompt for continuing)\b[^.\n]{0,60}?\b" + _HISTORY,
    # Cline, Roo Code, LangChain's older memory, aider: "*Briefly* summarize this partial conversation ..."
    r"(?:please,? )?(?:[\w*]{1,20} )?summari[sz]e\b[^.\n]{0,40}?\b" + _HISTORY,
    # codex
    r"you are performing a context checkpoint compaction",
    # Qwen Code and Gemini CLI, today and before
    r"first, reason in your (?:scratchpad|<analysis> block)\. then, (?:generate|produce)",
    r"you are the component that summari[sz]es a conversation",
    # Cline's extension
    r"the current conversation is rapidly running out of context",
    # LangChain's SummarizationMiddleware
    r"<role>\s{0,4}context extraction assistant",
    # Anthropic's tool runners
    r"you have been working on the task described above\b.{0,80}?write a continuation summary",
    # OpenHands
    r"you are maintaining a context-aware state summary",
)
_BEGINS = (
    r"(?:#[^\n]{0,80}\n\s{0,8})?"
    r"(?:critical: respond with text only.{0,1500}?\n\s{0,8})?(?:<explicit_instructions[^>\n]{0,60}>\s{0,8})?"
)
_ASKING = re.compile(rf"{_BEGINS}(?:{'|'.join(_ASKS)})", re.IGNORECASE | re.DOTALL)

# pi, opencode and others: the conversation first, then what is to be done with it.
_TRANSCRIPT = re.compile(
    r"(?:here is the conversation so far|<(?:conversation|messages|chat_history|history|transcript)>)",
    re.IGNORECASE,
)
_SUMMARY = re.compile(r"\bsummar(?:y|i[sz])", re.IGNORECASE)
_TAIL_CHARS = 8000
"""The longest of their prompts have 4,000, and take what a user adds."""

_TASKED = re.compile(
    r"\b(?:summar(?:y|i[sz])|distilling)[^\n]{0,80}?\b(?:conversation|chat|history|session)"
    r"|\b(?:conversation|chat|history|session)[^\n]{0,80}?\bsummar(?:y|i[sz])",
    re.IGNORECASE,
)
_HEAD_CHARS = 400

_BESIDE = re.compile(rb'"(?:system|instructions|tools)"')
_IS_SYSTEM = re.compile(rb'"role"\s{0,8}:\s{0,8}"(?:system|developer)"')


def asks_summary(request: Request) -> bool:
    """Return whether the last message of a request asks for a summary of the conversation in it."""
    if not request.messages:
        return False
    last = request.messages[-1]
    if len(request.messages) > 1 and _IS_SYSTEM.search(last):
        # Claude Code and aider remind the model of things behind what the user says.
        last = request.messages[-2]
    if _has_word(last) and _asks(_user_text(last)):
        return True
    return len(request.messages) <= 2 and _is_tasked(request)


def _has_word(raw: bytes) -> bool:
    return any(map(raw.__contains__, _WORDS))


def _asks(text: str) -> bool:
    text = text.lstrip()
    if _ASKING.match(text):
        return True
    return _TRANSCRIPT.match(text) is not None and _SUMMARY.search(text[-_TAIL_CHARS:]) is not None


def _is_tasked(request: Request) -> bool:
    """Return whether a list of one message, and no tools, comes with a system message that asks for it."""
    first, *others = request.messages
    told = _text(first, ("system", "developer")) if others and _has_word(first) else ""
    body = request.body
    if _BESIDE.search(body, 0, request.start) or _BESIDE.search(body, request.stop):
        found = members_beside(request)
        if found.get("tools", b"null") not in (b"null", b"[]"):
            return False
        told += "".join(_plain(found[name]) for name in ("system", "instructions") if name in found)
    return _TASKED.search(told, 0, _HEAD_CHARS) is not None


def members_beside(request: Request) -> dict[str, bytes]:
    """Return the values of the request's members beside its list, by name."""
    # There may be no list at all.
    before, behind = request.body[: request.start], request.body[request.stop :]
    rest = before + b"[]" + behind if request.stop else request.body
    return {member.key: rest[member.start : member.stop] for member in json.members(rest)}


def _user_text(raw: bytes) -> str:
    # A string is the whole input of a Responses request.
    return _plain(raw) if raw.startswith(b'"') else _text(raw, ("user",))


def _text(raw: bytes, roles: tuple[str, ...]) -> str:
    """Return the last text of a message, if it is one of these roles."""
    try:
        message = json.decode(raw)
    except json.Malformed:
        return ""
    if not isinstance(message, dict) or message.get("role") not in roles:
        return ""
    return _last_text(message.get("content"))


def _plain(raw: bytes) -> str:
    try:
        return _last_text(json.decode(raw))
    except json.Malformed:
        return ""


def _last_text(content: Any) -> str:
    """Return a content that is a string, or the last text among its parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in reversed(parts) if isinstance(part, dict))
    return next((text for text in texts if isinstance(text, str)), "")
