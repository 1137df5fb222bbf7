"""How large a model is, and who says so."""

from __future__ import annotations

from enum import StrEnum
from fnmatch import fnmatchcase

import msgspec

from gateway.core.budget import Correction
from gateway.policy.schema import Policy

MODEL_CHARS = 256
"""A longer name is no model's; nothing is remembered under it."""


class Source(StrEnum):
    """Where a window comes from."""

    POLICY = "policy"
    LEARNED = "learned"
    """The upstream named it in a refusal."""
    GUESSED = "guessed"
    """It refused without a number; the guess is ours. Who met it has it acted on as if it had been told."""
    LISTED = "listed"
    TABLE = "table"
    UNKNOWN = "unknown"

    @property
    def certain(self) -> bool:
        """Whether it may be acted on before the upstream has refused anything."""
        return self in (Source.POLICY, Source.LEARNED, Source.GUESSED, Source.LISTED)


class Window(msgspec.Struct, frozen=True):
    """A size and how much it can be trusted."""

    tokens: int | None
    source: Source

    @property
    def sure_tokens(self) -> int | None:
        """The size, if somebody who must know has told it."""
        return self.tokens if self.source in (Source.POLICY, Source.LISTED) else None


class Known(msgspec.Struct, frozen=True):
    """What a request of a model is planned with."""

    window: Window
    correction: Correction


NO_WINDOW = Window(None, Source.UNKNOWN)
"""What is known of a model that was not looked at."""


def given(policy: Policy, model: str) -> Window | None:
    """Return the window that a policy names for a model, whatever its upstream says."""
    patterns = policy.windows.items()
    named = next((tokens for pattern, tokens in patterns if fnmatchcase(model, pattern)), policy.window)
    return Window(named, Source.POLICY) if named is not None else None


def overrules(learned: Window, named: Window) -> bool:
    """Return whether the upstream has named less than the policy: a guess of ours would be no reason."""
    return learned.source is Source.LEARNED and (learned.tokens or 0) < (named.tokens or 0)


def is_less(told: Window, known: Window) -> bool:
    """Return whether what a refusal has told just now goes before what was known."""
    if known.source is Source.POLICY:
        return overrules(told, known)
    return known.tokens is None or (told.tokens or 0) < known.tokens
