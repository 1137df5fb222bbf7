"""Find the failure inside an answer that says 200: an error object, an event, a finish reason, odd usage.

Everything here looks at the answer's envelope only. What the model wrote, and what the answer repeats of the
request, is never taken for an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gateway.core.failure_text import decode
from gateway.core.failure_usage import Spent, spent
from gateway.core.windows import plausible

WINDOW_REASON, LENGTH = "model_context_window_exceeded", "length"
_FIELD = re.compile(rb"(?:\A|\n)(?:data|event|error|id|retry|):")


def is_stream(body: bytes) -> bool:
    """Return whether the body is made of server-sent events rather than one value."""
    return bool(_FIELD.match(body.lstrip(b"\xef\xbb\xbf \r\n\t")[:10]))


def events(body: bytes) -> Iterator[tuple[bytes, str]]:
    """Yield the data and the name of each event, the last one too if it is cut off.

    >>> list(events(b'event: error\\ndata: {"a":\\ndata: 1}\\n\\ndata: [DONE]\\n\\n'))
    [(b'{"a":\\n1}', 'error'), (b'[DONE]', '')]
    """
    name, data = "", [b""][:0]
    for line in [*body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"), b""]:
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if not line:
            if data:
                yield b"\n".join(data), name
            name, data = "", []
        elif field == b"event":
            name = value.decode("utf-8", "replace").strip()
        elif field == b"error":
            yield value, "error"
        elif field == b"data":
            data.append(value)
        elif line.startswith(b"{"):
            yield line, name


def decoded(data: bytes) -> Any:
    """Return the JSON value of an answer or an event; None if it is none."""
    try:
        return decode(data.decode("utf-8", "replace"))
    except ValueError:
        return None


def error_part(value: Any) -> Any:
    """Return the part of a decoded answer or event that is an error, or None.

    >>> error_part({"type": "response.failed", "response": {"error": {"code": "x"}, "instructions": "say"}})
    {'error': {'code': 'x'}}
    """
    if isinstance(value, list):
        parts = (error_part(item) for item in value[:20] if isinstance(item, dict))
        return next((part for part in parts if part is not None), None)
    if not isinstance(value, dict):
        return None
    value = _folded(value)
    inner = _folded(value.get("response"))
    if inner.get("error") or inner.get("status") == "failed":
        return _only(inner)
    if value.get("object") == "response":
        return _only(value) if value.get("error") or value.get("status") == "failed" else None
    if value.get("choices"):
        return _only(value) if value.get("error") and not _is_answered(value) else None
    return value if _is_error(value) else None


def _folded(value: Any) -> dict[str, Any]:
    return {key.lower(): item for key, item in value.items()} if isinstance(value, dict) else {}


def _only(value: dict[str, Any]) -> dict[str, Any]:
    return {key: value[key] for key in ("error", "incomplete_details") if value.get(key)}


def _is_error(value: dict[str, Any]) -> bool:
    """Return whether an object without choices is an error envelope."""
    if any(value.get(key) for key in ("error", "err", "errors", "error_code", "errorcode", "error_msg")):
        return True
    if value.get("type") in ("error", "response.failed") or value.get("object") == "error":
        return True
    if any(key.startswith(":exception") for key in value):
        return True
    base = value.get("base_resp")
    if isinstance(base, dict):
        return base.get("status_code") not in (None, 0)
    says = any(isinstance(value.get(key), str) for key in ("message", "detail", "msg"))
    detail = value.get("detail")
    is_said = says or _is_listed(detail) or (isinstance(detail, dict) and _is_error(_folded(detail)))
    return is_said and not any(value.get(key) for key in ("object", "output", "delta"))


def _is_listed(detail: Any) -> bool:
    """Return whether this is a list of what is wrong with a request, as FastAPI gives it."""
    return isinstance(detail, list) and any(isinstance(item, dict) and item.get("msg") for item in detail)


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer says about itself: why it ended, whether it holds anything, what it spent."""

    reasons: frozenset[str]
    """In the words of Chat Completions, whatever the dialect: `length` is a cap or the window."""
    has_output: bool
    spent: Spent

    @property
    def window(self) -> int | None:
        """The window that the answer says it has filled, where prompt and output are both counted.

        Of a prompt that was answered nothing it is not known by how much it is longer.
        """
        spent = self.spent
        is_filled = WINDOW_REASON in self.reasons and min(spent.prompt, spent.output) > 0
        return spent.total if is_filled and plausible(spent.total) else None


def answer(value: Any) -> Answer | None:
    """Return what a decoded answer, chunk or event says about itself, or None if it is none of them.

    >>> answer({"type": "message", "content": [], "stop_reason": "max_tokens"}).reasons
    frozenset({'length'})
    """
    if not isinstance(value, dict):
        return None
    inner = value.get("response")
    value = inner if isinstance(inner, dict) else value
    choices = _choices(value)
    said = [*_list(value.get("output")), *_list(value.get("content"))]
    return Answer(
        reasons=frozenset(_reasons(value, choices)),
        has_output=any(map(_has_output, choices)) or any(map(_says_something, said)),
        spent=spent(value.get("usage")),
    )


_CAPS = frozenset({"max_tokens", "max_output_tokens"})


def _reasons(value: dict[str, Any], choices: list[dict[str, Any]]) -> Iterator[str]:
    """Yield why an answer ended."""
    delta, details = value.get("delta"), value.get("incomplete_details")
    found = [choice.get("finish_reason") for choice in choices]
    found += [part.get("stop_reason") for part in (value, delta) if isinstance(part, dict)]
    if value.get("status") == "incomplete" and isinstance(details, dict):
        reason = details.get("reason")
        found.append(WINDOW_REASON if isinstance(reason, str) and "context" in reason else reason)
    for reason in found:
        if isinstance(reason, str):
            yield LENGTH if reason in _CAPS else reason


def _says_something(part: Any) -> bool:
    """Return whether an item or a block of an answer is more than the place for one."""
    if not isinstance(part, dict):
        return False
    if part.get("type") == "message":
        return any(map(_says_something, _list(part.get("content"))))
    return bool(part["text"]) if part.get("type") in ("text", "output_text") and "text" in part else True


_FRAME = frozenset({"role", "name", "id", "provider_specific_fields"})
"""What a message has without saying anything; the last one is LiteLLM's, full of nulls."""


def _has_output(choice: dict[str, Any]) -> bool:
    """Return whether a choice says anything, under a name known here or not: thoughts and pictures, too."""
    message = choice.get("message") or choice.get("delta")
    if not isinstance(message, dict):
        return bool(choice.get("text"))
    return any(value for key, value in message.items() if key not in _FRAME)


_ENDS = frozenset({LENGTH, "stop", "tool_calls", "function_call", "content_filter"})


def _is_answered(value: dict[str, Any]) -> bool:
    """Return whether there is an answer that came to an end: what is told beside it is a warning."""
    return any(_has_output(one) and not _ENDS.isdisjoint(_reasons({}, [one])) for one in _choices(value))


def _choices(value: dict[str, Any]) -> list[dict[str, Any]]:
    return [choice for choice in _list(value.get("choices")) if isinstance(choice, dict)]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


# Keys and values with bare quotes, which text inside a JSON string cannot have.
_ENDED = re.compile(
    rb'"(?:finish_reason"\s*:\s*"(?:stop|tool_calls|function_call)'
    rb'|stop_reason"\s*:\s*"(?:end_turn|tool_use|stop_sequence)|status"\s*:\s*"completed)"'
)
_BESIDE = re.compile(
    rb'"(?:error\w*"(?!\s*:\s*null\b)|(?:base_resp|length|max_tokens|failed|incomplete'
    rb'|model_context_window_exceeded)")'
)


def is_plain(body: bytes) -> bool:
    """Return whether this is what nearly all answers are: one that ended by itself, with no error beside it.

    Told without decoding it. An upstream that goes on after it has cut a prompt is not told by this: taking a
    finished answer away would help nobody.
    """
    return _ENDED.search(body) is not None and not _BESIDE.search(body)
