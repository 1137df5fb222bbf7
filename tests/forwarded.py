"""What must hold of every list that goes out in place of a client's, whatever was done to it.

Written down independently of the gateway, as `vendor.py` is: a list is judged by what the client sent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import vendor

Messages = list[dict[str, Any]]

HEAD = ("system", "developer")
RESULT = ("tool", "function")


def faults(sent: Messages, forwarded: Messages) -> list[str]:
    """Return what is wrong with a list that goes out for the one that a client sent; empty if nothing."""
    return [fault for rule in _RULES for fault in rule(sent, forwarded)]


def _structure(sent: Messages, forwarded: Messages) -> Iterator[str]:
    """What the vendor refuses, the lack of an id aside where the client sent none."""
    lacking = any(not message.get("tool_call_id") for message in sent if message["role"] == "tool")
    for problem in vendor.problems({"messages": forwarded}):
        if not (lacking and "tool_call_id" in problem) and "expected a string, got null" not in problem:
            yield problem


def _functions(sent: Messages, forwarded: Messages) -> Iterator[str]:
    for index, message in enumerate(forwarded):
        before = forwarded[index - 1] if index else {}
        if message["role"] == "function" and not before.get("function_call"):
            yield f"[{index}]: a function message without its call"
        if before.get("function_call") and message["role"] != "function" and _answered(sent, before):
            yield f"[{index}]: a function call without its result"


def _answered(sent: Messages, calling: dict[str, Any]) -> bool:
    return any(a == calling and b["role"] == "function" for a, b in pairwise(sent))


def _head(sent: Messages, forwarded: Messages) -> Iterator[str]:
    """System and developer messages are the client's own: none more, none less, none changed."""
    theirs, ours = ([m for m in messages if m["role"] in HEAD] for messages in (sent, forwarded))
    if theirs != ours:
        yield f"the head is another: {str(ours)[:200]}"
    front = next((index for index, m in enumerate(sent) if m["role"] not in HEAD), len(sent))
    if forwarded[:front] != sent[:front]:
        yield "the head is not in front"


def _opening(sent: Messages, forwarded: Messages) -> Iterator[str]:
    """Where the client's conversation begins with the user, so does what goes out."""
    first, ours = (next((m["role"] for m in ms if m["role"] not in HEAD), "") for ms in (sent, forwarded))
    if first == "user" != ours:
        yield f"begins with {ours}"


def _ending(sent: Messages, forwarded: Messages) -> Iterator[str]:
    """What the model is to do next is what the client asked for: a question, an open round or a prefill.

    Where everything else is gone, the open round may be, too: its question is asked anew.
    """
    left = [message["role"] for message in forwarded if message in sent and message["role"] not in HEAD]
    is_fresh = left == ["user"]
    if sent[-1]["role"] != forwarded[-1]["role"] and not is_fresh:
        yield f"ends with {forwarded[-1]['role']}"
    if sent[-1]["role"] == "assistant" and sent[-1] != forwarded[-1]:
        yield "the answer that is to be continued is another"
    theirs, ours = (next((m for m in reversed(ms) if m["role"] == "user"), {}) for ms in (sent, forwarded))
    if theirs != ours and "characters left out" not in json.dumps(ours):
        yield "the latest question is another"


def _edges(sent: Messages, forwarded: Messages) -> Iterator[str]:
    """No user message stands right behind a result, or behind another user, unless the client put it so."""
    yield from _new_edges("stands behind a result", lambda m: m["role"] in RESULT, sent, forwarded)
    theirs, ours = (list(filter(_is_visible, messages)) for messages in (sent, forwarded))
    yield from _new_edges("stands behind another", lambda m: m["role"] == "user", theirs, ours)


def _is_visible(message: dict[str, Any]) -> bool:
    """Return whether a strict template looks at the message when it checks that roles alternate."""
    calls = message.get("tool_calls") or message.get("function_call")
    return not (message["role"] in RESULT or message["role"] in HEAD or calls)


def _new_edges(
    what: str, is_before: Callable[[dict[str, Any]], bool], sent: Messages, forwarded: Messages
) -> Iterator[str]:
    theirs = [b for a, b in pairwise(sent) if is_before(a) and b["role"] == "user"]
    for before, message in pairwise(forwarded):
        is_new = is_before(before) and message["role"] == "user" and message not in theirs
        if is_new and "characters left out" not in json.dumps(message):
            yield f"a user message {what}: {str(message)[:200]}"


def _says_something(sent: Messages, forwarded: Messages) -> Iterator[str]:
    """What the gateway writes is never empty."""
    for message in forwarded:
        calls = message.get("tool_calls") or message.get("function_call")
        if message not in sent and not _text(message).strip() and not calls:
            yield f"an empty message: {message}"


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text", part["type"])) for part in content)


def _size(sent: Messages, forwarded: Messages) -> Iterator[str]:
    if len(forwarded) > len(sent) + 1 or len(json.dumps(forwarded)) > len(json.dumps(sent)):
        yield "longer than what the client sent"


def _arguments(sent: Messages, forwarded: Messages) -> Iterator[str]:
    """Arguments that were JSON are JSON still."""
    for message in forwarded:
        for call in message.get("tool_calls") or []:
            arguments = call.get("function", {}).get("arguments")
            if message not in sent and isinstance(arguments, str) and arguments.startswith("{"):
                try:
                    json.loads(arguments)
                except ValueError:
                    yield f"broken arguments: {arguments[:100]}"


_RULES = (
    _structure,
    _functions,
    _head,
    _opening,
    _ending,
    _edges,
    _says_something,
    _size,
    _arguments,
)
