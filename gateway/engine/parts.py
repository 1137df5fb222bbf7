"""What every exchange works with; made once."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from gateway.core.frozen import replace
from gateway.core.retry_after import pause_s
from gateway.engine.attempt import Ask
from gateway.engine.background import Background
from gateway.engine.compactor import Compactor
from gateway.engine.economics import Economics
from gateway.engine.headers import lowered
from gateway.engine.lineage import Checkpoints
from gateway.engine.listing import Listing
from gateway.engine.reply import Reply
from gateway.engine.rounds import rounds_before
from gateway.engine.subject import Asked, Plan, Subject
from gateway.engine.waiting import Waiting
from gateway.engine.windows import Windows
from gateway.metrics import Metrics
from gateway.store.base import Store


@dataclass(frozen=True, slots=True)
class Parts:
    """What every exchange works with; made once."""

    compactor: Compactor
    checkpoints: Checkpoints
    windows: Windows
    store: Store
    metrics: Metrics
    clock: Callable[[], float]
    """Monotonic seconds."""
    listing: Listing
    economics: Economics
    start: Callable[[str, Coroutine[Any, Any, None]], None]
    """Does something in the background, under a name."""
    hold_s: float = 10.0
    background: Background | None = None
    """Has summaries written; None: nobody does."""

    def asked(self, ask: Ask) -> Asked:
        """Return a request as the compactor takes it."""
        asked = Asked(ask.wire, ask.request, ask.upstream.base_url, ask.model, ask.count, ask.salt)
        if self.background is None or ask.policy.summarizer.mode != "inline":
            return asked
        waiting = Waiting(self.background, ask)
        return replace(asked, summarize=waiting.summary, write=waiting.pieces)

    def prepare(self, ask: Ask, subject: Subject, accepted: Plan | None, reply: Reply) -> None:
        """Look at a request that is over: what it may need soon is prepared."""
        if accepted is not None and (rounds := rounds_before(subject.counted.facts)) is not None:
            self.metrics.rounds.observe(rounds, ask.tenant, ask.policy.name)
        if self.background is None:
            return
        if reply.status >= 400 and (seconds := pause_s(reply.status, lowered(reply.headers))) is not None:
            self.background.rest(ask, seconds)
        self.background.after(ask, subject, accepted)
