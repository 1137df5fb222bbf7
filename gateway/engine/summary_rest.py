"""Models that are left alone for a while: after "slow down", after a refusal that will not pass by itself."""

from __future__ import annotations

from collections.abc import Callable

MAX_RESTS = 1000
"""Models remembered at once; clients choose their names."""

LONGEST_S = 3600.0
"""No upstream is believed that it needs longer."""


class Rests:
    """Who is left alone, by whom it is asked for and what is asked of it."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._until: dict[tuple[str, ...], float] = {}

    def begin(self, key: tuple[str, ...], seconds: float) -> None:
        """Leave it alone for so long; a rest that lasts longer already is not cut short."""
        until = self._clock() + min(max(seconds, 0.0), LONGEST_S)
        until = max(until, self._until.pop(key, until))
        if len(self._until) >= MAX_RESTS:
            del self._until[next(iter(self._until))]
        self._until[key] = until

    def is_on(self, key: tuple[str, ...]) -> bool:
        """Return whether it is to be left alone now."""
        until = self._until.get(key)
        if until is None:
            return False
        if self._clock() < until:
            return True
        del self._until[key]
        return False
