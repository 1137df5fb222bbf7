"""What to try next after an upstream refused a request as too large: arithmetic only.

Our counts and the upstream's differ, so its numbers are used as a *ratio* wherever it gives both the limit
and the size of what it refused: whatever its unit is, the request must come down by that ratio. Numbers
that cannot be trusted (a lower bound, an excess without a total, none at all) only ever make a target
smaller, never larger, and every further attempt asks for more than the one before.
"""

from __future__ import annotations

from dataclasses import dataclass

from gateway.core.budget import reserve
from gateway.core.failures import (
    BodyTooLarge,
    Failure,
    ItemTooLong,
    ListTooLong,
    OutputTooLarge,
    Overflow,
    Refused,
)

MARGIN = 0.9
"""Share of what should fit that is really used: our count of a shorter list is off by some per cent."""

BLIND = 0.5
"""Share of what was refused that is tried next when no number can be trusted: first of what compaction may
take away, then of all of it."""

LAST = 0.45
"""The last attempt takes this share of what the one before it would: a twelfth of all, where three are made.

Better little of the conversation than no answer; how little it takes is not known, for nobody has told."""

LEFT = 0.05
"""Of what compaction may take away that attempt leaves this share at the least: else no question was left."""

HOPELESS = 1.2
"""Tools and instructions that are so much more than the window fill it, however they are counted."""

TIGHTER = 0.7
"""Each further rescue goes down to this share of what the numbers allow."""

LEAST_OUTPUT = 256
"""An answer is not clamped below this many tokens to save a prompt: shrinking the prompt serves better."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What was refused, in our own count."""

    tokens: int
    """All of it: messages, tools, schemas; uncorrected."""
    size_bytes: int
    messages: int
    output: int | None
    """What the body asks for, if it says."""
    correction: float = 1.0
    """True tokens per token of ours, as far as it is known."""
    has_images: bool = False
    """Whether its bytes say little about its tokens."""
    fixed: int = 0
    """Tokens of it that no compaction takes away: tools, system messages."""
    is_last: bool = False
    """Whether what is sent next is the last attempt."""


@dataclass(frozen=True, slots=True)
class Clamp:
    """Ask for less output; the conversation is not touched."""

    output: int


@dataclass(frozen=True, slots=True)
class Shrink:
    """Make the request smaller."""

    tokens: int
    """All of it must come down to this, in our own count, to be worth sending."""
    size_bytes: int | None = None
    """So must its bytes: they are what was refused."""
    also_bytes: int | None = None
    """Its bytes should come down to this as well, for the upstream may count characters."""
    messages: int | None = None
    """So must the number of messages."""
    output: int | None = None
    """Clamp the output to this as well."""
    is_blind: bool = False
    """Nobody knows how much would fit: it goes down so far that there is no need to go further."""


@dataclass(frozen=True, slots=True)
class TrimItem:
    """Cut one string of the request."""

    param: str
    limit_chars: int


@dataclass(frozen=True, slots=True)
class DropThinking:
    """Send no thinking back at all: none is taken behind what was changed."""


Move = Clamp | Shrink | TrimItem | DropThinking


def next_move(failure: Failure, sent: Sent, rescues: int) -> Move | None:
    """Return what to try after *failure*, the *rescues*-th rescue before it counted from 0; None: nothing.

    >>> next_move(Overflow(limit=8000, prompt=10000), Sent(5000, 20000, 10, None), 0)
    Shrink(tokens=3600, size_bytes=None, also_bytes=15178, messages=None, output=None, is_blind=False)
    """
    match failure:
        case OutputTooLarge(limit=limit):
            return _clamp(limit, sent)
        case Overflow():
            return _shrink(failure, sent, rescues)
        case BodyTooLarge(limit_bytes=limit_bytes):
            return _shrink_bytes(limit_bytes, sent)
        case ListTooLong(limit=limit) if sent.messages > limit:
            share = limit / sent.messages * MARGIN * TIGHTER**rescues
            return Shrink(max(1, int(sent.tokens * share)), messages=limit)
        case ItemTooLong(param=param, limit=limit):
            return TrimItem(param, limit)
        case Refused(is_bound=True):
            return DropThinking()
        case _:
            return None


def _clamp(limit: int | None, sent: Sent) -> Move | None:
    if limit is not None and limit > 0 and (sent.output is None or limit < sent.output):
        return Clamp(limit)
    if sent.output is None or sent.output <= 1:
        return None
    # No limit is named, or what is asked for is below it already: the upstream means something else by it.
    return Clamp(max(1, min(sent.output // 4, 4096)))


def _shrink(failure: Overflow, sent: Sent, rescues: int) -> Shrink:
    allowed = _allowed(failure, sent)
    trusted = allowed is not None and failure.exact and failure.prompt is not None
    is_blind = allowed is None and failure.share is None and sent.is_last and rescues > 0
    tightening = TIGHTER**rescues
    if allowed is None or not trusted:
        # Instructions and tools may be most of a small window: half of all would leave nothing else.
        fixed = sent.fixed if rescues == 0 else 0
        blind = fixed + (sent.tokens - fixed) * BLIND * tightening
        if is_blind:
            blind = min(blind, max(blind * LAST, sent.fixed + (sent.tokens - sent.fixed) * LEFT))
        allowed = blind if allowed is None else min(allowed * MARGIN * tightening, blind)
    else:
        allowed = min(allowed, sent.tokens) * MARGIN * tightening
    if failure.share is not None and rescues > 0:
        # Hardly a window, but half was not enough, and this is all that is said.
        allowed = min(allowed, sent.tokens * failure.share * MARGIN)
    # What is fixed may be all of it, or more than we count.
    tokens = max(1, int(min(allowed, sent.tokens * MARGIN)))
    # With half the margin: our count of bytes is exact.
    share = tokens / max(sent.tokens, 1) / MARGIN**0.5
    also_bytes = None if sent.has_images else int(sent.size_bytes * share)
    return Shrink(tokens, also_bytes=also_bytes, output=_output_beside(failure, sent), is_blind=is_blind)


def is_hopeless(fixed: float, limit: int | None) -> bool:
    """Return whether what no compaction takes away is surely more than the upstream takes, in its tokens.

    >>> is_hopeless(9000, 8000), is_hopeless(12000, 8000), is_hopeless(12000, None)
    (False, True, False)
    """
    return limit is not None and fixed >= limit * HOPELESS


def _allowed(failure: Overflow, sent: Sent) -> float | None:
    """Return how many tokens, in our count, the upstream would take; None if it does not say."""
    unit = _unit(failure, sent)
    if failure.limit is not None:
        asked = _asked(failure, sent) if _counts_output(failure) else 0
        kept = min(asked, failure.limit // 2)
        if (failure.limit - kept) * MARGIN <= sent.fixed * unit and failure.output is failure.total is None:
            # No conversation would be left, and it was the prompt alone that the upstream found too long.
            kept = reserve(failure.limit, None, asked, int(sent.fixed * unit))
        return (failure.limit - kept) / unit
    if failure.excess is not None:
        return max(sent.tokens - 1.25 * failure.excess / unit, sent.tokens * 0.1)
    return None


def _unit(failure: Overflow, sent: Sent) -> float:
    """Return the upstream's tokens per token of ours."""
    if failure.prompt is not None and failure.exact:
        return max(failure.prompt / max(sent.tokens, 1), 1e-6)
    if failure.total is not None:
        return max((failure.total - _asked(failure, sent)) / max(sent.tokens, 1), sent.correction)
    return sent.correction


def _asked(failure: Overflow, sent: Sent) -> int:
    return failure.output if failure.output is not None else (sent.output or 0)


def _counts_output(failure: Overflow) -> bool:
    """Whether the limit is for prompt and output together: it is, unless the prompt alone broke it.

    An upstream that counts the prompt alone names a prompt above the limit and no output. One that counts
    both may too, so the output asked for is left free unless the upstream says it did not look at it.
    """
    return failure.output != 0


def _output_beside(failure: Overflow, sent: Sent) -> int | None:
    """Return the output to ask for when the one asked for is more than half the window; None: leave it."""
    asked = _asked(failure, sent)
    if failure.limit is None or asked <= failure.limit // 2:
        return None
    output = max(failure.limit // 2, LEAST_OUTPUT)
    if sent.output is None:
        return output if output < asked else None
    if sent.output < asked:  # it counts output in another unit than ours
        output = max(sent.output * output // asked, 1)
    return output if output < sent.output else None


def _shrink_bytes(limit_bytes: int | None, sent: Sent) -> Shrink:
    # A limit above what we sent is measured in another way than by the bytes of the body: no number to go by.
    is_measure = limit_bytes is not None and limit_bytes < sent.size_bytes
    allowed = int(limit_bytes * MARGIN if is_measure and limit_bytes else sent.size_bytes * BLIND)
    return Shrink(max(1, sent.tokens * allowed // max(sent.size_bytes, 1)), size_bytes=allowed)


def progressed(before: int, after: int) -> bool:
    """Return whether a request became smaller by enough to be worth another attempt: 3 per cent."""
    return after <= before * 0.97
