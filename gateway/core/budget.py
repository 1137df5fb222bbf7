"""Window arithmetic: how many tokens messages may take, in the count that strategies use.

Two counts meet here. *Upstream* tokens are what the model's own tokenizer makes of the text: window, reserve
and usage are in them. *Our* tokens are what `core.tokens` counts: messages, tools and everything a strategy
sees. A correction, learned from the usage that upstreams report, leads from one to the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from statistics import median

import msgspec

DEFAULT_RESERVE = 8192
"""Upstream tokens kept for an answer whose length neither the policy nor the request bounds."""


def reserve(
    window: int, policy: int | None = None, requested: int | None = None, fixed: int = 0, share: int = 2
) -> int:
    """Return how many tokens of *window* are kept for the answer.

    The policy's number or what the request asks for, at most half of what there is to part; else 8192 or a
    quarter, at most two thirds of it. *fixed*: tokens of what compaction cannot take away. An agent's
    instructions and tools fill most of a small window, and it asks for longer answers than that window has:
    such a number says nothing, and half of all for the answer would leave no conversation. *share*: 4, a
    quarter at most, where a client had to name a number.

    >>> reserve(128_000), reserve(8_000), reserve(8_000, requested=6_000)
    (8192, 2000, 4000)
    >>> reserve(16_000, requested=32_000, fixed=11_000), reserve(16_000, fixed=11_000)
    (1250, 3333)
    >>> reserve(200_000, requested=128_000, fixed=20_000, share=4)
    45000
    """
    left = max(window - fixed, 0)
    if policy is not None:
        return min(policy, left // 2)
    if requested is None or requested <= 0:
        return min(DEFAULT_RESERVE, window // 4, left * 2 // 3)
    return min(requested, left // share) if requested < left else min(DEFAULT_RESERVE, left // 4)


class Budget(msgspec.Struct, frozen=True):
    """What a request may spend on its messages; every ratio of a policy is a ratio of it."""

    window: int
    """Upstream tokens."""
    reserve: int
    """Upstream tokens kept for the answer."""
    fixed: int = 0
    """Our tokens of what is sent beside the messages: tools, response format."""
    factor: float = 1.0
    """Upstream tokens per token of ours."""

    @property
    def tokens(self) -> int:
        """Our tokens that messages may take; 0: what is fixed leaves no room, and compaction cannot help."""
        return max(0, int((self.window - self.reserve) / self.factor) - self.fixed)

    def at(self, ratio: float | None = None, tokens: int | None = None) -> int | None:
        """Return the level in our tokens: whichever key is reached first, and never above the budget.

        *tokens* is in upstream tokens, because that is what an author of a policy knows. None: neither key.

        >>> Budget(window=10_000, reserve=2_000).at(ratio=0.8, tokens=5_000)
        5000
        """
        if ratio is None and tokens is None:
            return None
        most = level = self.tokens
        if ratio is not None:
            level = min(level, int(most * ratio))
        if tokens is not None:
            level = min(level, int(tokens / self.factor))
        return level


SMALLEST_SAMPLE = 200
"""Tokens; in smaller requests the framing of the chat template outweighs the text."""

PLAUSIBLE = (0.6, 5.0)
"""Ratios believed. A smaller one looks like truncation by the server, a larger one like a hidden prompt."""

_SAMPLES = 9
_ENOUGH = 3


@dataclass(frozen=True)
class Correction:
    """What usage has taught about one model of one upstream: the latest ratios of upstream tokens to ours.

    The median of them, so that one odd answer changes little. Before there are three, it may only make us
    more careful: a single report must not let a conversation grow.
    """

    ratios: tuple[float, ...] = ()

    @classmethod
    def restored(cls, factor: float | None) -> Correction:
        """Return the state that *factor*, as it was stored, came from; new reports soon outweigh it."""
        if factor is None or not _plausible(factor):
            return cls()
        return cls((factor,) * _ENOUGH)

    @property
    def calibrated(self) -> bool:
        """Whether the factor rests on enough reports to be stored."""
        return len(self.ratios) >= _ENOUGH

    @cached_property
    def factor(self) -> float:
        """Upstream tokens per token of ours; 1.0 as long as nothing is known."""
        if self.calibrated:
            return median(self.ratios)
        return max((1.0, *self.ratios))

    def learned(self, counted: int, reported: int, has_images: bool = False) -> Correction:
        """Return the correction that also knows an upstream's report about a request that we counted.

        The same correction if the report teaches nothing: a small request, images (each vendor counts them
        its own way), a ratio that no tokenizer explains.
        """
        if has_images or min(counted, reported) < SMALLEST_SAMPLE:
            return self
        ratio = reported / counted
        if not _plausible(ratio):
            return self
        return Correction((*self.ratios[1 - _SAMPLES :], ratio))


def _plausible(ratio: float) -> bool:
    return PLAUSIBLE[0] <= ratio <= PLAUSIBLE[1]
