"""Sizes of a conversation, as a policy names them: where it begins, how far it goes, when steps run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from gateway.core.frozen import replace

_SIZES = ("ratio", "tokens", "messages", "turns")
_EARLY = 0.8125
"""The usual share of one size at which another is near: 0.65 of 0.80."""


@dataclass(frozen=True, kw_only=True)
class Level:
    """A size of the conversation; several keys mean any of them. All ratios are of the budget."""

    ratio: float | None = None
    """Share of the budget, above 0 and at most 1."""
    tokens: int | None = None
    """Tokens of the messages."""
    messages: int | None = None
    """Number of messages."""
    turns: int | None = None
    """Number of turns."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the values."""
        if self.ratio is not None and not 0 < self.ratio <= 1:
            yield f"ratio must be above 0 and at most 1, got {self.ratio}"
        for name in ("tokens", "messages", "turns"):
            if (value := getattr(self, name)) is not None and value < 1:
                yield f"{name} must be at least 1, got {value}"

    @property
    def is_empty(self) -> bool:
        """Whether it names no size."""
        return all(getattr(self, key) is None for key in _SIZES)

    def is_reached(self, tokens: int, messages: int, turns: int, budget: int) -> bool:
        """Return whether a conversation of this size is at one of the sizes named.

        >>> Level(ratio=0.5, turns=10).is_reached(tokens=400, messages=30, turns=10, budget=1000)
        True
        """
        sizes = (
            (self.ratio, tokens / max(budget, 1)),
            (self.tokens, tokens),
            (self.messages, messages),
            (self.turns, turns),
        )
        return any(level is not None and size >= level for level, size in sizes)


def in_proportion(early: Level, before: Level, now: Level) -> Level:
    """Return the level that is as far below *now* as *early* is below *before*, in all that *now* names.

    What only *early* names stays. A size that *before* does not name has the share of the ratios.

    >>> in_proportion(Level(ratio=0.6), Level(ratio=0.8), Level(ratio=0.4))
    Level(ratio=0.3, tokens=None, messages=None, turns=None)
    """
    share = share_of(early, before) or _EARLY
    named = {key: size for key in _SIZES if (size := getattr(now, key)) is not None}
    shares = {key: _of(getattr(early, key), getattr(before, key)) or share for key in named}
    return replace(early, **{key: _part(size, shares[key]) for key, size in named.items()})


def share_of(part: Level, whole: Level) -> float | None:
    """Return how far one ratio is of another; None: not both levels name one.

    >>> share_of(Level(ratio=0.4), Level(ratio=0.8)), share_of(Level(tokens=5), Level(ratio=0.8))
    (0.5, None)
    """
    return _of(part.ratio, whole.ratio)


def _of(part: float | None, whole: float | None) -> float | None:
    return part / whole if part is not None and whole else None


def _part(size: Any, share: float) -> Any:
    return round(size * share, 4) if isinstance(size, float) else max(round(size * share), 1)


@dataclass(frozen=True, kw_only=True)
class Limit:
    """How many messages there may be where the window is of some size."""

    below: int | None = None
    """For windows of fewer tokens than this; none, in the last one: for all others, and for unknown ones."""
    messages: int = 200
    """With so many messages a conversation is over the trigger."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the values."""
        for name in ("below", "messages"):
            if (value := getattr(self, name)) is not None and value < 1:
                yield f"{name} must be at least 1, got {value}"


def limit_of(limits: Sequence[Limit], window: int | None) -> int | None:
    """Return the number of messages that is the limit at a window; None: there is none.

    >>> limit_of([Limit(below=16_000, messages=20), Limit(messages=200)], 8192)
    20
    """
    for limit in limits:
        if limit.below is None or (window is not None and window < limit.below):
            return limit.messages
    return None


def order_of(limits: Sequence[Limit]) -> Iterator[str]:
    """Yield what is wrong with the order of limits: one that is never reached."""
    for earlier, later in pairwise(limits):
        if earlier.below is None:
            yield "goes on behind the limit for all windows, which has no `below`"
        elif later.below is not None and later.below <= earlier.below:
            yield f"names {later.below} behind {earlier.below}; smaller windows come first"


@dataclass(frozen=True, kw_only=True)
class When(Level):
    """When a step runs: at a size of its own, in place of the trigger."""

    always: bool = False
    """Whatever the size."""
    min_turns: int | None = None
    """Never with fewer turns than this."""
    max_turns: int | None = None
    """Never with more turns than this."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the values."""
        yield from super().problems()
        if self.min_turns is not None and self.max_turns is not None and self.min_turns > self.max_turns:
            yield f"min_turns ({self.min_turns}) is above max_turns ({self.max_turns}): the step never runs"

    def is_reached(self, tokens: int, messages: int, turns: int, budget: int) -> bool:
        """Return whether the step runs on a conversation of this size."""
        if self.min_turns is not None and turns < self.min_turns:
            return False
        if self.max_turns is not None and turns > self.max_turns:
            return False
        return self.always or self.is_empty or super().is_reached(tokens, messages, turns, budget)
