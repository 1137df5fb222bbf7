"""The longest prompt that was answered lately, of each model: its window cannot be smaller."""

from __future__ import annotations

from collections.abc import Callable

from gateway.core.recent import Recent

Key = tuple[str, str]
"""The base URL of an upstream, and a model."""


class Answered:
    """Holds the longest of so many models, for so long."""

    def __init__(self, clock: Callable[[], float], most: int, ttl_s: float) -> None:
        self._clock = clock
        self._ttl_s = ttl_s
        self._longest: Recent[Key, tuple[int, float]] = Recent(most)

    def take(self, key: Key, tokens: int) -> None:
        """Take note of a prompt of so many tokens that was answered."""
        if tokens >= self.longest(key):
            self._longest.put(key, (tokens, self._clock()))

    def longest(self, key: Key) -> int:
        """Return the tokens of the longest prompt; 0 if there is none."""
        tokens, at = self._longest.get(key, (0, 0.0))
        return tokens if self._clock() - at <= self._ttl_s else 0
