"""A loop on which waiting takes no time: where nobody has anything to do, the clock is put forward.

For tests of how long somebody is kept waiting: `loop.skipped_s` is what was waited for. What other threads do
takes its real time, as long as it is done within a tenth of a second.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any

IDLE_S = 0.1
"""So long nothing must happen before the clock is put forward."""

Ready = list[tuple[selectors.SelectorKey, int]]


class _Hasty(selectors.DefaultSelector):
    """Waits for a moment, and then takes the rest as gone by."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped_s = 0.0

    def select(self, timeout: float | None = None) -> Ready:
        """Return what is ready."""
        if timeout is None or timeout <= IDLE_S:
            return super().select(timeout)
        ready = super().select(IDLE_S)
        if not ready:
            self.skipped_s += timeout - IDLE_S
        return ready


class HastyLoop(asyncio.SelectorEventLoop):
    """The loop."""

    def __init__(self) -> None:
        self._hasty = _Hasty()
        super().__init__(self._hasty)

    @property
    def skipped_s(self) -> float:
        """The seconds by which the clock was put forward."""
        return self._hasty.skipped_s

    def time(self) -> float:
        """Return what the clock shows."""
        return super().time() + self.skipped_s


def run(work: Callable[[HastyLoop], Coroutine[Any, Any, None]]) -> None:
    """Run a test to its end."""
    with asyncio.Runner(loop_factory=HastyLoop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, HastyLoop)
        runner.run(work(loop))
