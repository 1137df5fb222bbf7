"""Read an upstream's failure: what went wrong, with its numbers, whatever dialect says it.

The order of decisions is fixed: take the body apart, identifiers that decide alone, the veto (rate, money,
load), output cap, items and bytes, sentences. What none of them knows is about the form of the request, or
final. The path is the caller's business: embeddings and others fail with the same sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from gateway.core import dialects
from gateway.core import failure_rules as rules
from gateway.core.failure_answers import answer, error_part, events, is_cut_by_window, is_plain, is_stream
from gateway.core.failure_numbers import Counts, counts, with_fields
from gateway.core.failure_text import Evidence, decode, gather, gather_value, snake
from gateway.core.windows import plausible


@dataclass(frozen=True, slots=True)
class Overflow:
    """The conversation is longer than the model's window."""

    limit: int | None = None
    """The window (or input limit) that the upstream names, in its tokens; None if none can be trusted."""
    prompt: int | None = None
    """Tokens of the prompt as the upstream counted them."""
    output: int | None = None
    """Tokens of output that were asked for, as the upstream repeats them."""
    exact: bool = True
    """False: `prompt` is a lower bound or an estimate, fit for no arithmetic."""
    excess: int | None = None
    """By how many tokens it is too long, where only that is said."""
    total: int | None = None
    """Prompt and output together, where only their sum is said."""
    share: float | None = None
    """The part of the prompt that is taken, by numbers whose limit is too small for a window."""
    is_filled: bool = False
    """An answer has filled the limit, and was ended by it."""


@dataclass(frozen=True, slots=True)
class OutputTooLarge:
    """Only the requested output is too large: clamp it, touch nothing else."""

    limit: int | None = None
    """The largest output accepted, if it is named or follows from the numbers."""


@dataclass(frozen=True, slots=True)
class BodyTooLarge:
    """Too many bytes for somebody on the way; says nothing about tokens."""

    limit_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class ListTooLong:
    """More messages than the upstream accepts in one list."""

    limit: int


@dataclass(frozen=True, slots=True)
class ItemTooLong:
    """One string of the request is longer than the upstream accepts."""

    param: str
    """Where, in the upstream's notation: `messages[3].content`."""
    limit: int
    """Characters."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A 4xx about the form of the request: a rewritten one is sent once more as it came."""

    is_bound: bool = False
    """Thinking in it is taken only behind what it was written behind."""


@dataclass(frozen=True, slots=True)
class Final:
    """Authentication, permission, billing, rate, trouble on their side: passes through unchanged."""


Failure = Overflow | OutputTooLarge | BodyTooLarge | ListTooLong | ItemTooLong | Refused | Final

_FULL = 0.9
_FORM = frozenset((400, 405, 406, 411, 412, 413, 414, 415, 416, 417, 421, 422, 424, 431))
"""Statuses about the form of a request."""
_WORTH_CLAMPING = 0.2
"""The part of the window that must be left beside the prompt for a clamped output to be of use."""
_ERROR_WORDS = (b"rror", b"base_resp", b"failed", b"exceeded", b"detail", b"essage")
_MARGIN = 16


def read(
    status: int,
    body: bytes,
    *,
    headers: Mapping[str, str] | None = None,
    estimate: int | None = None,
    window: int | None = None,
) -> Failure:
    """Return what an error answer means; *body* is decompressed and bounded.

    A 200 that holds an error, as JSON or as events, is read the same way; one that holds none is Final. One
    that says nothing is an overflow only if our own *estimate* of the prompt nearly fills the *window*.

    >>> read(400, b'{"message": "prompt is too long: 201000 tokens > 200000 maximum"}').limit
    200000
    """
    is_full = estimate is not None and window is not None and 0 < _FULL * window <= estimate
    if is_stream(body):
        found = (read_event(data, name) for data, name in events(body))
        return next((item for item in found if item), Overflow() if is_full else Final())
    if 200 <= status < 300:
        return read_event(body) or Final()
    evidence = gather(body)
    evidence.marks += [value for name, value in (headers or {}).items() if name.lower() == "x-amzn-errortype"]
    return _decide(status, evidence, is_full)


def read_event(data: bytes, name: str = "") -> Failure | None:
    """Return the failure that one server-sent event holds, or None; *name* is its `event` field.

    Understood as well: old llama.cpp's field `error:`, given with that name, and JSON without a field.
    """
    is_error = name in ("error", "response.failed")
    if not is_error and not any(word in data for word in _ERROR_WORDS):
        return None
    try:
        value = decode(data.decode("utf-8", "replace"))
    except ValueError:
        return _inside(gather(data)) if is_error else None
    part = error_part(value)
    if part is not None or is_error:
        return _inside(gather_value(value if part is None else part))
    found = answer(value)
    if found is None or not found.is_ended_by_window:
        return None
    return Overflow(limit=found.window, prompt=found.prompt or None, is_filled=found.window is not None)


def read_answer(
    body: bytes, *, estimate: int | None = None, window: int | None = None, asked_output: int | None = None
) -> Failure | None:
    """Return the failure that a whole 200 answer hides, or None if it is an answer.

    *window* must be known, not guessed: a prompt that the upstream counts above it was cut. An answer that
    the client's own cap (*asked_output*) ended is an answer.
    """
    if is_plain(body):
        return None
    failure = read_event(body)
    if failure is not None:
        return failure
    try:
        found = answer(decode(body.decode("utf-8", "replace")))
    except ValueError:
        return None
    if found is None or not is_cut_by_window(found, window, asked_output):
        return None
    is_counted = (
        window is not None and found.prompt > window and not suspect_truncation(estimate, found.prompt)
    )
    return Overflow(prompt=found.prompt if is_counted else None)


def suspect_truncation(estimate: int | None, reported: int) -> bool:
    """Return whether the upstream counted so much less than we did that it may have cut the prompt.

    A suspicion only: the same reported count for growing estimates makes it certain (Ollama's default).

    >>> suspect_truncation(9000, 2051)
    True
    """
    return estimate is not None and estimate > 2000 and 0 < reported < 0.6 * estimate


def cure(failure: Failure, *, estimate: int | None = None) -> Failure:
    """Return the failure as what cures it: an overflow that a smaller output cures is an OutputTooLarge.

    Where the upstream's count is a lower bound, our own *estimate* takes its place, and without one nothing
    is clamped. Clamping is worth it where a fifth of the window is left beside the prompt; compacting a
    conversation whose only fault is the requested output would never end.

    >>> cure(Overflow(limit=64000, prompt=8000, output=64000))
    OutputTooLarge(limit=55984)
    """
    if not isinstance(failure, Overflow) or failure.limit is None or failure.output is None:
        return failure
    prompt = failure.prompt
    if prompt is not None and prompt == failure.limit - failure.output + 1:
        prompt = max(estimate, prompt) if estimate is not None else None
    if prompt is None or failure.output <= failure.limit - prompt:
        return failure
    room = failure.limit - prompt
    if room < _WORTH_CLAMPING * failure.limit:
        return failure
    return OutputTooLarge(limit=room - (_MARGIN if failure.exact else failure.limit // 50))


def _inside(found: Evidence) -> Failure:
    """Decide on an error that came inside a 200: its own code takes the place of the status."""
    codes = [int(mark) for mark in found.marks if mark.isdigit() and len(mark) == 3]
    status = next((code for code in codes if 400 <= code < 600), None)
    if status is None:
        is_form = any("invalid" in mark.lower() or "badrequest" in mark.lower() for mark in found.marks)
        status = 400 if is_form else 500
    return _decide(status, found, is_full=False)


def _decide(status: int, found: Evidence, is_full: bool) -> Failure:
    texts = [rules.plain(text) for text in found.texts]
    marks = [snake(mark) for mark in found.marks]
    numbers = [counts(text) for text in texts]
    if rules.is_strong(status, found, marks, texts):
        return _overflow(found, texts, numbers)
    if rules.is_vetoed(status, marks, texts):
        return Final()
    if any(rules.matches(dialects.TOKEN_MARKS, mark) for mark in marks):
        return _overflow(found, texts, numbers)
    failure = _output_cap(texts, numbers) or _item(found, texts) or _bytes(texts)
    if failure is not None:
        return failure
    if any(map(rules.is_overflow, texts, numbers)):
        return _overflow(found, texts, numbers)
    if any(rules.matches(dialects.BYTES_MARKS, mark) for mark in marks):
        return BodyTooLarge()
    return _unknown(status, texts, is_full)


def _unknown(status: int, texts: Sequence[str], is_full: bool) -> Failure:
    """Decide where nothing is known but the status and how full the window must be."""
    if is_full and status in (400, 413) and rules.is_silent(texts):
        return Overflow()
    if status == 413:
        return BodyTooLarge() if texts else Final()
    return Refused(any(rules.matches(dialects.BOUND, text) for text in texts)) if status in _FORM else Final()


def _overflow(found: Evidence, texts: Sequence[str], numbers: Sequence[Counts]) -> Overflow:
    """Return the overflow with the numbers of the sentence that says it, and of the fields beside it."""
    saying = [count for text, count in zip(texts, numbers, strict=True) if rules.is_overflow(text, count)]
    saying.sort(key=lambda count: count == Counts())  # a relay's own sentence, without numbers, stands first
    count = with_fields(next(chain(saying, (one for one in numbers if one.limit)), Counts()), found.counts)
    is_trusted = plausible(count.limit or 0)
    return Overflow(
        limit=count.limit if is_trusted else None,
        prompt=count.prompt,
        output=count.output,
        exact=count.exact,
        excess=count.excess,
        total=count.total,
        share=None if is_trusted else count.share,
    )


def _output_cap(texts: Sequence[str], numbers: Sequence[Counts]) -> OutputTooLarge | None:
    for text, count in zip(texts, numbers, strict=True):
        if rules.is_output_cap(text, count):
            if count.limit is not None and count.prompt is not None and count.output is not None:
                return OutputTooLarge(max(count.limit - count.prompt - _MARGIN, 1))
            return OutputTooLarge(rules.output_limit(text))
    return None


def _item(found: Evidence, texts: Sequence[str]) -> Failure | None:
    """Return what is wrong with one string or list; Refused if compaction never makes it shorter."""
    for text in found.texts:
        string, array = dialects.STRING_TOO_LONG.search(text), dialects.ARRAY_TOO_LONG.search(text)
        at_most = dialects.AT_MOST.search(text)
        if string:
            return _string_too_long(string["param"], int(string["limit"]))
        if array:
            return _array_too_long(array["param"], int(array["limit"]))
        param = at_most["param"] or next(iter(found.params), "") if at_most else ""
        if at_most and param:  # pydantic names the field apart, Anthropic in front
            too_long = _array_too_long if at_most["unit"] == "items" else _string_too_long
            return too_long(param, int(at_most["limit"]))
    limit = next((limit for text in texts if (limit := rules.messages_limit(text))), None)
    return None if limit is None else ListTooLong(limit)


def _string_too_long(param: str, limit: int) -> Failure:
    return ItemTooLong(param, limit) if dialects.COMPACTABLE.fullmatch(param) else Refused()


def _array_too_long(param: str, limit: int) -> Failure:
    return ListTooLong(limit) if param in ("messages", "input") else Refused()


def _bytes(texts: Sequence[str]) -> BodyTooLarge | None:
    text = next((text for text in texts if rules.is_bytes(text)), None)
    return None if text is None else BodyTooLarge(rules.bytes_limit(text))
