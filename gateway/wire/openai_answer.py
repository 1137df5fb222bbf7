"""Read Chat Completions answers: a whole JSON body, or the data of one event of a stream.

The observer calls these on a copy of what passes through, so none of them raises: what cannot be read
says nothing. The cheap tests on bytes come first, because they run for every event.
"""

from __future__ import annotations

from typing import Any

import msgspec

from gateway.core import json
from gateway.core.errors import GatewayError
from gateway.wire.base import Usage, told_tokens
from gateway.wire.members import object_of

# Where dialects say what was read from the prompt cache, and what was written to it. Several may be there
# and say the same; one that a proxy fills with 0 must not hide the other. A row is added by a recorded
# answer.
_CACHED = (
    ("prompt_tokens_details", "cached_tokens"),  # OpenAI, OpenRouter, vLLM
    ("prompt_cache_hit_tokens",),  # DeepSeek
    ("cached_tokens",),  # Moonshot
    ("cache_read_input_tokens",),  # Anthropic behind LiteLLM
)
_WRITTEN = (
    ("prompt_tokens_details", "cache_write_tokens"),  # OpenRouter
    ("prompt_tokens_details", "cache_creation_tokens"),  # LiteLLM
    ("cache_creation_input_tokens",),  # Anthropic behind LiteLLM
)


def usage(data: bytes) -> Usage | None:
    """Return what the upstream says it spent; None if this data does not say."""
    if b'"usage"' not in data:
        return None
    spent = _spent(data)
    if spent is None:
        return None
    sent, received = told_tokens(spent.get("prompt_tokens")), told_tokens(spent.get("completion_tokens"))
    if sent is None:
        return None
    if b"cache" not in data:
        return Usage(sent, received or 0, None, 0)
    cached, written = _largest(spent, _CACHED), _largest(spent, _WRITTEN) or 0
    apart = (cached or 0) + written
    # Anthropic's way of counting, in this format's names: the prompt less what concerns the cache.
    sent = sent + apart if apart > sent else sent
    return Usage(sent, received or 0, cached, written)


class _Spent(msgspec.Struct):
    usage: dict[str, Any] | None = None


_SPENT = msgspec.json.Decoder(_Spent)
"""Skips all the rest of an answer, however long it is."""


def _spent(data: bytes) -> dict[str, Any] | None:
    try:
        return _SPENT.decode(data).usage
    except (ValueError, RecursionError):
        spent = object_of(data).get("usage")
    return spent if isinstance(spent, dict) else None


def is_delta(data: bytes) -> bool:
    """Return whether the upstream has accepted the request: this event carries a piece of an answer.

    Not so: the opening delta that only names the role, an event with no choices in its list (Azure's prompt
    filter), an error. What cannot be read or is of another shape is let through as a piece: it would be held
    to the end of the stream otherwise. So is `[DONE]`, after which nothing comes.
    """
    event = object_of(data)
    if event.get("error"):
        return False
    if not isinstance(event.get("choices"), list):
        return True
    return bool(event.get("usage")) or any(map(_speaks, _choices(event)))


def is_usage_only(data: bytes) -> bool:
    """Return whether this is the extra event at the end of a stream that carries usage and no choice."""
    if b'"usage"' not in data:
        return False
    event = object_of(data)
    return event.get("choices") == [] and isinstance(event.get("usage"), dict)


def _speaks(choice: dict[str, Any]) -> bool:
    delta = choice.get("delta")
    if not isinstance(delta, dict):
        return True
    return bool(choice.get("finish_reason")) or any(value for key, value in delta.items() if key != "role")


def _largest(spent: dict[str, Any], places: tuple[tuple[str, ...], ...]) -> int | None:
    """Return the largest number at these places; None if there is none."""
    found = (told_tokens(_at(spent, place)) for place in places)
    return max((number for number in found if number is not None), default=None)


def _at(spent: Any, place: tuple[str, ...]) -> Any:
    for key in place:
        spent = spent.get(key) if isinstance(spent, dict) else None
    return spent


def _choices(answer: dict[str, Any]) -> list[dict[str, Any]]:
    choices = answer.get("choices")
    return [choice for choice in choices if isinstance(choice, dict)] if isinstance(choices, list) else []


def error(error: GatewayError) -> bytes:
    """Return the body of an error response, as both of OpenAI's dialects have it."""
    kind = "server_error" if error.status >= 500 else "invalid_request_error"
    described = {"message": error.message, "type": kind, "param": None, "code": error.code}
    return json.encode({"error": described})
