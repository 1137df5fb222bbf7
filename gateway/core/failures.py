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
from gateway.core import failure_answers as answers
from gateway.core import failure_ends as ends
from gateway.core import failure_rules as rules
from gateway.core.failure_numbers import Counts, counts, with_fields
from gateway.core.failure_quotes import without_quotes
from gateway.core.failure_text import Evidence, gather, gather_value, snake
from gateway.core.frozen import replace
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
_WORTH_CLAMPING = 0.2
"""The part of the window that must be left beside the prompt for a clamped output to be of use."""
_ERROR_WORDS = (b"rror", b"base_resp", b"failed", b"exceeded", b"detail", b"essage")
_MARGIN = 16


def read(
    status: int,
    body: bytes,
    headers: Mapping[str, str] | None = None,
    estimate: int | None = None,
    window: int | None = None,
    said: bytes = b"",
) -> Failure:
    """Return what an error answer means; *body* is decompressed and bounded.

    A 200 that holds an error, as JSON or as events, is read the same way; one that holds none is Final. One
    that says nothing is an overflow only if our own *estimate* of the prompt nearly fills the *window*. What
    it quotes of *said*, the body of the request, is no evidence.

    >>> read(400, b'{"message": "prompt is too long: 201000 tokens > 200000 maximum"}').limit
    200000
    """
    is_full = estimate is not None and window is not None and 0 < _FULL * window <= estimate
    if answers.is_stream(body):
        found = (read_event(data, name, said=said) for data, name in answers.events(body))
        return next((item for item in found if item), Overflow() if is_full else Final())
    if 200 <= status < 300:
        return read_event(body, said=said) or Final()
    named = {name.lower(): value for name, value in (headers or {}).items()}
    evidence = gather(body, named.get("content-type", ""))
    evidence.marks += [named[name] for name in ("x-amzn-errortype",) if name in named]
    return _judge(status, evidence, is_full, said)


def read_event(
    data: bytes, name: str = "", asked_output: int | None = None, said: bytes = b""
) -> Failure | None:
    """Return the failure that one server-sent event holds, or None; *name* is its `event` field.

    Understood as well: old llama.cpp's field `error:`, given with that name, and JSON without a field.
    """
    is_error = name in ("error", "response.failed")
    if not is_error and not any(word in data for word in _ERROR_WORDS):
        return None
    value = answers.decoded(data)
    part = value if is_error and answers.error_part(value) is None else answers.error_part(value)
    if part is not None or is_error:
        return _inside(gather(data) if part is None else gather_value(part), said)
    found = answers.answer(value)
    if found is None or not ends.is_ended_by_window(found, asked_output, said):
        return None
    return _ended(found)


def read_answer(
    body: bytes,
    estimate: int | None = None,
    window: int | None = None,
    asked_output: int | None = None,
    said: bytes = b"",
) -> Failure | None:
    """Return the failure that a whole 200 answer hides, or None if it is an answer.

    *window* must be known, not guessed: it is held against what the upstream counts. An answer that the
    client's own cap (*asked_output*) ended is an answer.
    """
    if answers.is_plain(body):
        return None
    value = answers.decoded(body)
    part, found = answers.error_part(value), answers.answer(value)
    if part is not None or found is None:
        return None if part is None else _inside(gather_value(part), said)
    if answers.WINDOW_REASON in found.reasons:
        return _ended(found)
    if not ends.is_cut_by_window(found, window, asked_output, estimate) or ends.asks_for_nothing(said):
        return None
    prompt = found.spent.prompt
    is_more = prompt > (window or 0) and (window is not None or found.spent.output <= 0)
    return Overflow(prompt=prompt if is_more and not suspect_truncation(estimate, prompt) else None)


def _ended(found: answers.Answer) -> Overflow:
    return Overflow(limit=found.window, prompt=found.spent.prompt or None, is_filled=found.window is not None)


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


def _inside(found: Evidence, said: bytes) -> Failure:
    """Decide on an error that came inside a 200: its own code takes the place of the status."""
    return _judge(rules.status_inside(found.marks), found, False, said)


def _judge(status: int, found: Evidence, is_full: bool, said: bytes) -> Failure:
    """Decide; where something would be done about it, once more without what the error quotes."""
    failure = _decide(status, found, is_full)
    if not said or isinstance(failure, Final | Refused):
        return failure
    own = without_quotes(found.texts, said)
    return failure if own == found.texts else _decide(status, replace(found, texts=own), is_full)


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
        return BodyTooLarge()
    if not rules.is_about_form(status, texts):
        return Final()
    return Refused(any(rules.matches(dialects.BOUND, text) for text in texts))


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
    told = next((item for text in found.texts if (item := rules.item_limit(text, found.params))), None)
    if told is not None:
        param, number, is_list = told
        if is_list:
            return ListTooLong(number) if param in ("messages", "input") else Refused()
        return ItemTooLong(param, number) if dialects.COMPACTABLE.fullmatch(param) else Refused()
    limit = next((limit for text in texts if (limit := rules.messages_limit(text))), None)
    return None if limit is None else ListTooLong(limit)


def _bytes(texts: Sequence[str]) -> BodyTooLarge | None:
    text = next((text for text in texts if rules.is_bytes(text)), None)
    return None if text is None else BodyTooLarge(rules.bytes_limit(text))
