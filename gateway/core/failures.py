"""Read an upstream's failure: what went wrong, with its numbers, whatever dialect says it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Overflow:
    """The conversation is longer than the model's window."""

    limit: int | None = None
    """The window (or input limit) that the upstream names, in its tokens; None if it names none it can be trusted with."""
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


@dataclass(frozen=True, slots=True)
class Final:
    """Authentication, permission, billing, rate, trouble on their side: passes through unchanged."""


Failure = Overflow | OutputTooLarge | BodyTooLarge | ListTooLong | ItemTooLong | Refused | Final
