"""Tell which number in an error sentence is the limit, the prompt, the output, their sum or the excess.

A number's role is decided by the words beside it: its unit, what stands right after it, then the nearest
words before it. Providers order their numbers in every possible way, so the position decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gateway.core.failure_roles import (
    AFTER,
    BEFORE,
    EXCESS,
    FIELDS,
    FORMS,
    LIMIT,
    NEARBY,
    NUMBER,
    OUTPUT,
    OVER,
    PART,
    PROMPT,
    RELATION,
    SKIP,
    UNIT,
    UNSAID,
)
from gateway.core.frozen import replace


@dataclass(slots=True)
class Counts:
    """The numbers of one failure by their role; a role that no number has is None."""

    limit: int | None = None
    prompt: int | None = None
    output: int | None = None
    total: int | None = None
    excess: int | None = None
    exact: bool = True

    @property
    def share(self) -> float | None:
        """The part of the prompt that the limit is."""
        return round(self.limit / self.prompt, 4) if self.limit and self.prompt else None


def counts(text: str) -> Counts:
    """Return the numbers of a sentence that `failure_rules.plain` has prepared.

    >>> counts("current length is 42328 while limit is 40000").limit
    40000
    """
    found = Counts(exact=not re.search(r"\bat least\b|\babout\b|estimated|approx|\bin over\b|至少", text))
    if " pages" in text:  # ExLlama counts in pages of its cache
        return found
    taken = _arithmetic(text, found)
    parts, unsaid, is_named = 0, 0, bool(taken)
    for role, value, is_beside in _roles(text, taken):
        if role == LIMIT and found.limit is not None and found.prompt is None and found.limit > value >= 1024:
            # "context length 9000 is larger than max_seq_len 8192": both are named like limits.
            if RELATION.search(text) or (is_beside and not is_named):
                found.prompt, found.limit = found.limit, value
            elif value * 2 > found.limit:
                found.limit = value  # of two limits the narrower one counts
        elif role == PART:
            parts += value
        elif role == UNSAID:
            unsaid = max(unsaid, value)
        elif role != SKIP and getattr(found, role) is None:
            setattr(found, role, value)
            is_named |= role == LIMIT and is_beside
    if parts and found.prompt is None:
        found.prompt, found.exact = parts, False
    if unsaid and found.prompt is None and found.total is None:
        found.prompt = unsaid
    return _settled(found, text)


def with_fields(found: Counts, fields: Mapping[str, int]) -> Counts:
    """Return the numbers of a sentence, completed from the numeric *fields* beside it."""
    limit, prompt = (_of_field(role, fields) for role in (LIMIT, PROMPT))
    return replace(found, limit=found.limit or limit, prompt=found.prompt or prompt)


def _of_field(role: str, fields: Mapping[str, int]) -> int | None:
    """Return the first number whose field's name has a role."""
    rows = [pattern for name, pattern in FIELDS if name == role]
    named = (value for name, value in fields.items() if any(row.fullmatch(name) for row in rows))
    return next((value for value in named if value > 0), None)


def _settled(found: Counts, text: str) -> Counts:
    """Draw the conclusions that need several numbers."""
    negative = re.search(r"at least 1, got -(\d{1,9})", text)
    if negative:
        return Counts(excess=int(negative[1]))
    limit, output, total = found.limit, found.output, found.total
    if output is not None and total is not None and total > output > 0:
        # Tools may be told apart: "T tokens (P in the messages, F in the functions, C in the completion)".
        found.prompt = max(found.prompt or 0, total - output)
    prompt = found.prompt
    if found.prompt is not None:
        found.total = None
    if limit is not None and prompt is not None and output is not None and prompt == limit - output + 1:
        found.exact = False  # vLLM stops counting there (0.16 and later)
    return found


def _arithmetic(text: str, found: Counts) -> list[tuple[int, int]]:
    """Read the first arithmetic form; return the spans of the numbers that it used."""
    for roles, pattern in FORMS:
        match = pattern.search(text)
        if match:
            for group, role in enumerate(roles, 1):
                if role != SKIP:
                    setattr(found, role, int(match[group]))
            return [match.span(group) for group in range(1, len(roles) + 1)]
    return []


def _roles(text: str, taken: list[tuple[int, int]]) -> Iterator[tuple[str, int, bool]]:
    """Yield the role and value of each number not yet *taken*, and whether a word beside it says so."""
    numbers = list(NUMBER.finditer(text))[:40]
    for index, number in enumerate(numbers):
        if number.span("n") in taken:
            continue
        start = numbers[index - 1].end() if index else 0
        stop = numbers[index + 1].start() if index + 1 < len(numbers) else len(text)
        before = text[max(start, number.start() - 90) : number.start()]
        after = text[number.end() : min(stop, number.end() + 60)]
        role = _beside(before, after, is_last=stop == len(text))
        yield role or _nearby(before, after), int(number["n"]), role is not None


def _beside(before: str, after: str, is_last: bool) -> str | None:
    """Return the role that the words right before and after a number give."""
    unit = next((role for role, pattern in AFTER if pattern.match(after)), None)
    if unit == SKIP:
        return SKIP
    adjacent = next((role for role, pattern in BEFORE if pattern.search(before)), None)
    if adjacent in (SKIP, EXCESS) or (adjacent == LIMIT and unit != OUTPUT):
        return adjacent
    if is_last and OVER.match(after):
        return EXCESS
    return unit or adjacent


def _nearby(before: str, after: str) -> str:
    """Return the role that the nearest clause with a known word gives."""
    for clause in reversed(re.split(r"[.;:,()\n、，。]", before)):
        role = next((role for role, pattern in NEARBY if pattern.search(clause)), None)
        if role:
            return role
    return UNSAID if UNIT.match(after) else SKIP
