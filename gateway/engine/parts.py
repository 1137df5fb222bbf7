"""What every exchange works with; made once."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from gateway.engine.compactor import Compactor
from gateway.engine.economics import Economics
from gateway.engine.lineage import Checkpoints
from gateway.engine.listing import Listing
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
