"""What a policy says of summaries themselves: how they look, and in what parts a model is asked for them.

`rules.SummarizerRules` says who is asked, when, and what is done if it fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gateway.core.summary.form import DEFAULT, FOCUS_CHARS
from gateway.core.summary.parts import BASE_RATIO, MARGIN, MAX_PARTS, MIN_RATIO

_LEAST_TOKENS = 100
_MOST_SECTIONS = 20
_RATIOS = "part_ratio", "min_part_ratio"


@dataclass(frozen=True, kw_only=True)
class SummaryRules:
    """How a summary looks, and how much one call asks for."""

    sections: tuple[str, ...] = tuple(section.key for section in DEFAULT)
    """Its headings, in order: `goal`, `constraints`, `progress`, `decisions`, `next_steps`, `critical`, \
`open_questions`, `events`, or any text of your own; none: no headings."""
    focus: str = ""
    """What is to be given special attention, in your own words; at most 2000 characters."""
    max_tokens: int | None = None
    """Its length in tokens at most; `auto`: a fifth of the model's window, at most 4096."""
    redact: bool = True
    """Whether passwords, keys and tokens are taken out of it, and of what another upstream gets to read."""
    part_ratio: float = BASE_RATIO
    """Share of the model's window that one part of the conversation may take; each is a call."""
    min_part_ratio: float = MIN_RATIO
    """The same where messages are large."""
    margin: float = MARGIN
    """By how much an estimate may be too small, as long as usage has not told."""
    min_parts: int = 1
    """Into how many parts a conversation is cut at least, if it is long enough."""
    max_parts: int = MAX_PARTS
    """And at most; what does not fit into so many is shortened."""
    concurrency: int = 4
    """How many parts are asked for at the same time."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the values."""
        for name in _RATIOS:
            if not 0 < (share := getattr(self, name)) <= 0.9:
                yield f"{name} must be above 0 and at most 0.9, got {share}"
        if self.min_part_ratio > self.part_ratio:
            yield f"min_part_ratio ({self.min_part_ratio}) is above part_ratio ({self.part_ratio})"
        if not 1 <= self.margin <= 5:
            yield f"margin must be between 1 and 5, got {self.margin}"
        if not 1 <= self.min_parts <= self.max_parts:
            yield f"min_parts must be between 1 and max_parts ({self.max_parts}), got {self.min_parts}"
        if self.max_parts > 64:
            yield f"max_parts must be at most 64, got {self.max_parts}"
        if not 1 <= self.concurrency <= 32:
            yield f"concurrency must be between 1 and 32, got {self.concurrency}"
        if self.max_tokens is not None and self.max_tokens < _LEAST_TOKENS:
            yield f"max_tokens must be at least {_LEAST_TOKENS}, got {self.max_tokens}"
        yield from self._text_problems()

    def _text_problems(self) -> Iterator[str]:
        if len(self.focus) > FOCUS_CHARS:
            yield f"focus has {len(self.focus)} characters; only {FOCUS_CHARS} are passed on"
        if len(self.sections) > _MOST_SECTIONS:
            yield f"sections names {len(self.sections)}; at most {_MOST_SECTIONS} can be asked for"
        if len({name.casefold().strip() for name in self.sections}) < len(self.sections):
            yield "sections names one twice"
        if not all(name.strip() for name in self.sections):
            yield "sections has one without a name"
