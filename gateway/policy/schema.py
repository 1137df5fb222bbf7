"""A policy: frozen values, read from YAML with every problem reported at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from gateway.strategies.base import Keep, Strategy


class Mode(StrEnum):
    """What a policy does with a request."""

    COMPACT = "compact"
    OFF = "off"
    """Every request is forwarded as it came, byte for byte; no rescue either."""


@dataclass(frozen=True, kw_only=True)
class Level:
    """A size of the conversation; several keys mean any of them. All ratios are of the budget."""

    ratio: float | None = None
    tokens: int | None = None
    messages: int | None = None
    turns: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of a policy."""

    use: str
    """Name of the strategy."""
    strategy: Strategy
    when: Level | None = None
    """When it runs; None: when the conversation is over the trigger."""


@dataclass(frozen=True, kw_only=True)
class OverflowRules:
    """What happens when the upstream says "too long"."""

    attempts: int = 3
    """How often one exchange may be sent upstream, the first time included."""
    rungs: tuple[str, ...] = ("target", "tool_results", "trim_turns", "newest_content", "clear")
    """The emergency ladder; `target` stands for the policy's own steps."""


@dataclass(frozen=True, kw_only=True)
class StoreRules:
    """What is kept of what was removed."""

    archive: str = "removed"
    """`removed` or `all` messages are stored."""
    retention_days: int = 30
    required: bool = False
    """Refuse a request whose originals cannot be stored, instead of going on without."""


@dataclass(frozen=True, kw_only=True)
class UsageRules:
    """Whether the gateway asks a streaming upstream for usage."""

    ask: str = "compacted"
    """`never`, `compacted` (only in bodies that are rewritten anyway) or `always`."""


@dataclass(frozen=True, kw_only=True)
class Policy:
    """A whole policy file."""

    name: str
    fingerprint: str = ""
    """Hash of what it says, for records."""
    mode: Mode = Mode.COMPACT
    window: int | None = None
    """Tokens; None (`auto` in the file): learned, listed or known."""
    reserve_output: int | None = None
    """Tokens kept for the answer; None (`auto`): what the request asks for, else min(8192, 25 % of the window)."""
    trigger: Level = Level(ratio=0.80)
    prepare: Level = Level(ratio=0.65)
    target: Level = Level(ratio=0.45)
    keep: Keep = Keep()
    steps: tuple[Step, ...] = ()
    overflow: OverflowRules = OverflowRules()
    store: StoreRules = StoreRules()
    usage: UsageRules = UsageRules()
    windows: dict[str, int] = field(default_factory=dict)
    """Windows by model name or glob, in tokens; they come before `window`."""
