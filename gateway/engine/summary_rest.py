"""Models that are left alone for a while: after "slow down", after a refusal that will not pass by itself,
and after jobs that brought nothing that could be used, one after the other. The log says so, and what to do.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from gateway.core.recent import Recent
from gateway.engine.summary_record import Trouble

log = logging.getLogger(__name__)

MAX_RESTS = 1000
"""Models remembered at once; clients choose their names."""

BUSY = "busy"
"""The reason of a rest that an upstream asks for."""

EVERY = ""
"""In the place of a model: whichever it is."""

GATE = "gate"
"""The reason of a rest after answers that did not pass the gate."""

TIMEOUT = "timeout"
"""The reason of one after jobs that took longer than the policy allows."""

HINTS = {
    GATE: "the gate refuses it: name a stronger model or fallback_models under summarizer, or use mechanical",
    TIMEOUT: "answers take too long: raise timeout_s, or name another model under summarizer",
    Trouble.UNREACHABLE: (
        "the upstream fails, cannot be reached or is overloaded (5xx, 529): look after it, or name another "
        "one under summarizer"
    ),
    Trouble.BUSY: (
        "the upstream said slow down; they go on by themselves. If it comes often: raise its limits, or name "
        "another model, fallback_models or a key_variable of its own under summarizer"
    ),
    Trouble.DENIED: (
        "the upstream denies the key or the model: look at the key's rights and budget and at the model's "
        "name, or name others under summarizer"
    ),
    Trouble.REFUSED: (
        "the upstream takes no form of such a request: name another model under summarizer, or use mechanical"
    ),
}
"""What to do about a model that is left alone for what it did not write."""

MOST_FAILURES = 4
"""Jobs in a row whose answers did not pass, or did not come: two calls each, or all repetitions. Of a model
that passes every second time one in sixteen goes so; of one too weak for the task nearly all."""

PAUSE_S = 300.0
"""For how long it is left alone then: as long as one text that could not be written (`engine.flights`). By
then a conversation has moved on, and a policy may name another model."""

LONGEST_S = 3600.0
"""No upstream is believed that it needs longer."""


class Rests:
    """Who is left alone, by whom it is asked for and what is asked of it."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._rests: Recent[tuple[str, ...], tuple[float, str]] = Recent(MAX_RESTS)

    def begin(self, key: tuple[str, ...], seconds: float, reason: str = BUSY) -> None:
        """Leave it alone for so long; a rest that lasts longer already is not cut short."""
        rest = self._clock() + min(max(seconds, 0.0), LONGEST_S), reason
        self._rests.put(key, max(rest, self._rests.get(key, rest)))

    def why(self, key: tuple[str, ...]) -> str:
        """Return for what reason it is to be left alone now; empty: it is not.

        What is asked of all models of an upstream is asked of each: then the last part of the key is empty.
        """
        return self._reason(key) or (self._reason((*key[:-1], EVERY)) if key[-1] else "")

    def _reason(self, key: tuple[str, ...]) -> str:
        until, reason = self._rests.get(key, (0.0, ""))
        if reason and self._clock() >= until:
            del self._rests[key]
            return ""
        return reason

    def is_on(self, key: tuple[str, ...]) -> bool:
        """Return whether it is to be left alone now."""
        return bool(self.why(key))


class Pauses:
    """Has models left alone, and says so: once for all that find it at the same time.

    The first time it is a warning, for each model and reason; later ones are told like other events.
    """

    def __init__(self, rests: Rests) -> None:
        self._rests = rests
        self._warned: Recent[tuple[str, ...], None] = Recent(MAX_RESTS)

    def begin(self, key: tuple[str, ...], seconds: float, reason: str, about: Mapping[str, object]) -> None:
        """Leave a model alone for so long; *about*: whose it is, nothing: it is not told."""
        is_new = not self._rests.is_on(key)
        self._rests.begin(key, seconds, reason)
        if is_new and about:
            self.tell(key, reason, min(seconds, LONGEST_S), about)

    def tell(self, key: tuple[str, ...], why: str, seconds: float, about: Mapping[str, object]) -> None:
        """Say that a model is left alone; *about* may say the reason more exactly."""
        found = (*key, why)
        level = logging.INFO if found in self._warned else logging.WARNING
        self._warned.put(found, None)
        told = {"reason": str(why), **about, "seconds": seconds, "hint": HINTS[why]}
        log.log(level, "summaries paused", extra=told)


class Brake:
    """Leaves a model alone whose answers cannot be used, or do not come: each costs as much as one that can.

    After the pause one more is tried; if that fails too, the next pause begins at once.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._rests = Rests(clock)
        self._failures: Recent[tuple[str, ...], int] = Recent(MAX_RESTS)

    def failed(self, key: tuple[str, ...], reason: str = GATE) -> bool:
        """Count a job that was of no use; return whether the model is left alone from now on for it."""
        number = self._failures.get(key, 0) + 1
        self._failures.put(key, number)
        if number < MOST_FAILURES or self.why(key):
            return False
        self._rests.begin(key, PAUSE_S, reason)
        return True

    def passed(self, key: tuple[str, ...]) -> None:
        """Take note of one that can be used: what was before it no longer counts."""
        self._failures.pop(key, None)

    def why(self, key: tuple[str, ...]) -> str:
        """Return for what reason it is to be left alone now; empty: it is not."""
        return self._rests.why(key)
