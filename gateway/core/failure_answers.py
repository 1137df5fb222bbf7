"""Find the failure inside an answer that says 200: an error object, an event, a finish reason, odd usage.

Everything here looks at the answer's envelope only. What the model wrote, and what the answer repeats of the
request, is never taken for an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gateway.core.windows import plausible

WINDOW_REASON = "model_context_window_exceeded"
_FEW = 16
"""An answer cut off after so few tokens was cut by the window, if the prompt fills it."""
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
        return _only(value) if value.get("error") else None
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
    prompt: int
    """All of the prompt, what came from a cache included."""
    output: int
    total: int

    @property
    def is_ended_by_window(self) -> bool:
        """Whether it says so itself, or ended for length before a word of it was said."""
        is_empty = not self.has_output and not self.output and self.total > 0
        return WINDOW_REASON in self.reasons or ("length" in self.reasons and is_empty)

    @property
    def window(self) -> int | None:
        """The window that the answer says it has filled, where prompt and output are both counted.

        Of a prompt that was answered nothing it is not known by how much it is longer.
        """
        is_filled = WINDOW_REASON in self.reasons and min(self.prompt, self.output) > 0
        return self.total if is_filled and plausible(self.total) else None


def answer(value: Any) -> Answer | None:
    """Return what a decoded answer, chunk or event says about itself, or None if it is none of them.

    >>> answer({"type": "message", "content": [], "stop_reason": "max_tokens", "usage": {"input_tokens": 9}})
    Answer(reasons=frozenset({'length'}), has_output=False, prompt=9, output=0, total=9)
    """
    if not isinstance(value, dict):
        return None
    inner = value.get("response")
    value = inner if isinstance(inner, dict) else value
    choices = [c for c in _list(value.get("choices")) if isinstance(c, dict)]
    usage = value.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    prompt, output = (sum(_int(usage.get(key)) for key in keys) for keys in (_PROMPT, _OUTPUT))
    said = [*_list(value.get("output")), *_list(value.get("content"))]
    return Answer(
        reasons=frozenset(_reasons(value, choices)),
        has_output=any(map(_has_output, choices)) or any(map(_says_something, said)),
        prompt=prompt,
        output=output,
        total=_int(usage["total_tokens"]) if "total_tokens" in usage else prompt + output,
    )


# The vendor of Messages counts what concerns its cache apart from the rest of the input.
_PROMPT = ("prompt_tokens", "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
_OUTPUT = ("completion_tokens", "output_tokens")
_LENGTH = frozenset({"max_tokens", "max_output_tokens"})


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
            yield "length" if reason in _LENGTH else reason


def _says_something(part: Any) -> bool:
    """Return whether an item or a block of an answer is more than the place for one."""
    if not isinstance(part, dict):
        return False
    if part.get("type") == "message":
        return any(map(_says_something, _list(part.get("content"))))
    return bool(part["text"]) if part.get("type") in ("text", "output_text") and "text" in part else True


def is_cut_by_window(found: Answer, window: int | None, asked_output: int | None) -> bool:
    """Return whether the window, and not the client's own cap, ended the answer, or swallowed the prompt.

    Seen: LMDeploy answers nothing with no tokens; MiMo nothing with a full input; z.ai and DashScope accept
    more than the window and stop at once; Ollama fills the window to the last token.
    """
    if window is not None and found.prompt > window:
        return True
    if found.output < 0 or found.prompt > found.total:
        return True
    if "length" not in found.reasons or (asked_output is not None and found.output >= asked_output > 0):
        return False
    fills = _fills(found, window)
    if found.has_output:
        return fills and 0 < found.output <= _FEW and window is not None
    return found.output == 0 or fills


def _fills(found: Answer, window: int | None) -> bool:
    """Return whether the numbers end at the window: the known one, or a power of two nobody would cap at."""
    if window is not None and (found.total >= window or found.prompt >= 0.98 * window):
        return True
    return found.total >= 2048 and found.total & (found.total - 1) == 0


def _has_output(choice: dict[str, Any]) -> bool:
    message = choice.get("message") or choice.get("delta")
    if not isinstance(message, dict):
        return bool(choice.get("text"))
    return any(
        message.get(key)
        for key in (
            "content",
            "tool_calls",
            "function_call",
            "refusal",
            "reasoning",
            "reasoning_content",
            "audio",
        )
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _int(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


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
