"""Models that are left alone for a while: after "slow down", after a refusal that will not pass by itself."""

from __future__ import annotations

from collections.abc import Callable

MAX_RESTS = 1000
"""Models remembered at once; clients choose their names."""

BUSY = "busy"
"""The reason of a rest that an upstream asks for."""

LONGEST_S = 3600.0
"""No upstream is believed that it needs longer."""


class Rests:
    """Who is left alone, by whom it is asked for and what is asked of it."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._rests: dict[tuple[str, ...], tuple[float, str]] = {}

    def begin(self, key: tuple[str, ...], seconds: float, reason: str = BUSY) -> None:
        """Leave it alone for so long; a rest that lasts longer already is not cut short."""
        rest = self._clock() + min(max(seconds, 0.0), LONGEST_S), reason
        rest = max(rest, self._rests.pop(key, rest))
        if len(self._rests) >= MAX_RESTS:
            del self._rests[next(iter(self._rests))]
        self._rests[key] = rest

    def why(self, key: tuple[str, ...]) -> str:
        """Return for what reason it is to be left alone now; empty: it is not."""
        until, reason = self._rests.get(key, (0.0, ""))
        if reason and self._clock() >= until:
            del self._rests[key]
            return ""
        return reason

    def is_on(self, key: tuple[str, ...]) -> bool:
        """Return whether it is to be left alone now."""
        return bool(self.why(key))
