"""The fixtures: at most five, each a real object with a real socket or file behind it.

Both servers have more to offer than the defaults here: a test that wants a window, a strict template, flags
or a restart uses `ScriptedUpstream` (upstream.py) and `Running` (running.py) directly.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from running import Running
from upstream import ScriptedUpstream


@pytest.fixture
def upstream() -> Iterator[ScriptedUpstream]:
    """An upstream that behaves like the vendor and can be scripted; any length fits."""
    with ScriptedUpstream() as scripted:
        yield scripted


@pytest.fixture
def gateway(upstream: ScriptedUpstream, tmp_path: Path) -> Iterator[Running]:
    """The gateway on a fresh store, in front of that upstream."""
    with Running(upstream.url, tmp_path / "data") as running:
        yield running
