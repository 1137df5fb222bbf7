"""What OpenAI's Chat Completions accepts and refuses, written down independently of the gateway.

The scripted upstream asks this module. It shares no code with `gateway/`: it counts with another library and
reads the structure rules off the vendor's reference, so a slip in the gateway cannot hide behind the same
slip here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import bpe_openai

_ENCODING = bpe_openai.get_encoding("o200k_base")

_LONGEST = 200_000
"""Characters that the library takes at once, whatever they are."""

FRAME_TOKENS = 3
"""Around every message, and once more for the answer to come (OpenAI cookbook, "How to count tokens")."""

IMAGE_TOKENS = 255
"""One image in high detail with one tile: 85 + 170 (OpenAI, "Images and vision")."""

ROLES = {"system", "developer", "user", "assistant", "tool", "function"}
PARTS = {"text", "image_url", "input_audio", "file", "refusal"}


@lru_cache(maxsize=20_000)
def count_text(text: str) -> int:
    """Return the number of tokens of a text; special-token text in it counts as text."""
    # Half an emoji counts as what a server puts in its place.
    readable = text.encode("utf-8", "replace").decode()
    pieces = (readable[start : start + _LONGEST] for start in range(0, len(readable), _LONGEST))
    return sum(len(_ENCODING.encode_ordinary(piece)) for piece in pieces)


@dataclass(frozen=True, slots=True)
class Count:
    """The tokens of one request, in the three parts that the vendor's error names."""

    messages: int
    functions: int
    completion: int

    @property
    def prompt(self) -> int:
        """What the conversation takes of the window before the answer."""
        return self.messages + self.functions

    @property
    def total(self) -> int:
        """What the vendor compares with the window."""
        return self.prompt + self.completion


def count(body: dict[str, Any]) -> Count:
    """Return the tokens of a Chat Completions request."""
    messages = FRAME_TOKENS + sum(_count_message(message) for message in body.get("messages", []))
    tools = [body[key] for key in ("tools", "functions", "response_format") if body.get(key)]
    functions = sum(count_text(json.dumps(tool, ensure_ascii=False, separators=(",", ":"))) for tool in tools)
    completion = body.get("max_completion_tokens") or body.get("max_tokens") or 0
    return Count(messages, functions, completion)


def _count_message(message: dict[str, Any]) -> int:
    return FRAME_TOKENS + sum(_count_value(key, value) for key, value in message.items())


def _count_value(key: str, value: Any) -> int:
    if isinstance(value, str):
        return IMAGE_TOKENS if key == "url" else count_text(value)
    if isinstance(value, dict):
        return sum(
            _count_value(name, inner) for name, inner in value.items() if name not in ("type", "detail")
        )
    if isinstance(value, list):
        return sum(_count_value(key, inner) for inner in value)
    return 0


def overflow(window: int, counted: Count) -> dict[str, Any]:
    """Return the error body of a request that does not fit the window, in OpenAI's words."""
    parts = f"{counted.messages} in the messages"
    if counted.functions:
        parts += f", {counted.functions} in the functions"
    if counted.prompt > window:
        said = f"your messages resulted in {counted.prompt} tokens"
        said += f" ({parts})" if counted.functions else ""
        advice = "messages or functions" if counted.functions else "messages"
    else:
        said = f"you requested {counted.total} tokens ({parts}, {counted.completion} in the completion)"
        advice = "messages or completion"
    message = (
        f"This model's maximum context length is {window} tokens. However, {said}. "
        f"Please reduce the length of the {advice}."
    )
    return error(message, param="messages", code="context_length_exceeded")


def error(message: str, *, param: str | None = None, code: str | None = None) -> dict[str, Any]:
    """Return an error body as OpenAI shapes it."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def problems(body: dict[str, Any], *, alternating: bool = False) -> list[str]:
    """Return what the vendor would refuse about the message list; empty if nothing.

    With *alternating*, also what a strict chat template refuses: after one optional system message, user and
    assistant in turns.
    """
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return ["Invalid 'messages': empty array. Expected an array with minimum length 1."]
    found = [problem for index, message in enumerate(messages) for problem in _shape(index, message)]
    found = found or list(_pairing(messages))
    return found + (list(_alternation(messages)) if alternating else [])


def _shape(index: int, message: Any) -> Iterator[str]:
    where = f"messages[{index}]"
    if not isinstance(message, dict) or message.get("role") not in ROLES:
        yield f"Invalid value for '{where}.role'."
        return
    calls = message.get("tool_calls")
    content = message.get("content")
    speaks = message["role"] == "assistant" and (
        calls or message.get("function_call") or message.get("refusal")
    )
    if calls is not None and not calls:
        yield f"Invalid '{where}.tool_calls': empty array. Expected an array with minimum length 1."
    if content is None and not speaks:
        yield f"Invalid value for '{where}.content': expected a string, got null."
    if isinstance(content, list):
        if not content:
            yield f"Invalid '{where}.content': empty array."
        if any(not isinstance(part, dict) or part.get("type") not in PARTS for part in content):
            yield f"Invalid value for a part of '{where}.content'."
    elif content is not None and not isinstance(content, str):
        yield f"Invalid type for '{where}.content'."
    if message["role"] == "tool" and not message.get("tool_call_id"):
        yield f"Missing parameter '{where}.tool_call_id'."


def _pairing(messages: list[dict[str, Any]]) -> Iterator[str]:
    """Yield calls without results, and results that do not stand behind their call."""
    waiting: set[str] = set()
    answered: set[str] = set()
    for index, message in enumerate(messages):
        if message["role"] == "tool":
            call = message["tool_call_id"]
            if call not in waiting | answered:
                yield (
                    f"messages[{index}]: messages with role 'tool' must be a response to a preceding message "
                    f"with 'tool_calls' ({call})."
                )
            waiting.discard(call)
            answered.add(call)
            continue
        yield from _unanswered(index, waiting)
        ids = [call.get("id", "") for call in message.get("tool_calls") or []]
        if len(set(ids)) < len(ids):
            yield f"messages[{index}]: duplicate tool call ids."
        waiting, answered = set(ids), set()
    yield from _unanswered(len(messages), waiting)


def _unanswered(index: int, waiting: set[str]) -> Iterator[str]:
    if waiting:
        yield (
            f"messages[{index}]: an assistant message with 'tool_calls' must be followed by tool messages "
            "responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
            f"{', '.join(sorted(waiting))}"
        )


def _alternation(messages: list[dict[str, Any]]) -> Iterator[str]:
    roles = [message.get("role") for message in messages]
    if roles[0] in ("system", "developer"):
        roles = roles[1:]
    for index, role in enumerate(roles):
        if (role == "user") != (index % 2 == 0):
            yield "Conversation roles must alternate user/assistant/user/assistant/..."
            return
