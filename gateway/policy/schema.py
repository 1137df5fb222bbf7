"""A policy: frozen values that say what happens to a conversation.

The field names are the keys of a policy file, the defaults are the documented defaults, and the text under
a field is what `policies/README.md` says of it. `policy.read` makes these values from YAML.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal

import msgspec

from gateway.policy.summary import SummaryRules
from gateway.strategies.base import Keep, Strategy


class Mode(StrEnum):
    """What a policy does with a request."""

    COMPACT = "compact"
    OFF = "off"
    """Every request is forwarded as it came, byte for byte; no rescue either."""
    OBSERVE = "observe"
    """The same; what `compact` would have done is worked out on a copy, and reported."""


@dataclass(frozen=True, kw_only=True)
class Level:
    """A size of the conversation; several keys mean any of them. All ratios are of the budget."""

    ratio: float | None = None
    """Share of the budget, above 0 and at most 1."""
    tokens: int | None = None
    """Tokens of the messages."""
    messages: int | None = None
    """Number of messages."""
    turns: int | None = None
    """Number of turns."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the values."""
        if self.ratio is not None and not 0 < self.ratio <= 1:
            yield f"ratio must be above 0 and at most 1, got {self.ratio}"
        for name in ("tokens", "messages", "turns"):
            if (value := getattr(self, name)) is not None and value < 1:
                yield f"{name} must be at least 1, got {value}"

    @property
    def is_empty(self) -> bool:
        """Whether it names no size."""
        return (self.ratio, self.tokens, self.messages, self.turns) == (None, None, None, None)

    def is_reached(self, tokens: int, messages: int, turns: int, budget: int) -> bool:
        """Return whether a conversation of this size is at one of the sizes named.

        >>> Level(ratio=0.5, turns=10).is_reached(tokens=400, messages=30, turns=10, budget=1000)
        True
        """
        sizes = (
            (self.ratio, tokens / max(budget, 1)),
            (self.tokens, tokens),
            (self.messages, messages),
            (self.turns, turns),
        )
        return any(level is not None and size >= level for level, size in sizes)


@dataclass(frozen=True, kw_only=True)
class When(Level):
    """When a step runs: at a size of its own, in place of the trigger."""

    always: bool = False
    """Whatever the size."""
    min_turns: int | None = None
    """Never with fewer turns than this."""
    max_turns: int | None = None
    """Never with more turns than this."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the values."""
        yield from super().problems()
        if self.min_turns is not None and self.max_turns is not None and self.min_turns > self.max_turns:
            yield f"min_turns ({self.min_turns}) is above max_turns ({self.max_turns}): the step never runs"

    def is_reached(self, tokens: int, messages: int, turns: int, budget: int) -> bool:
        """Return whether the step runs on a conversation of this size."""
        if self.min_turns is not None and turns < self.min_turns:
            return False
        if self.max_turns is not None and turns > self.max_turns:
            return False
        return self.always or self.is_empty or super().is_reached(tokens, messages, turns, budget)


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of a policy."""

    use: str
    """Name of the strategy."""
    strategy: Strategy
    when: When | None = None
    """When it runs; None: when the conversation is over the trigger."""


Rung = Literal["target", "tool_results", "trim_turns", "newest_content", "clear"]


@dataclass(frozen=True, kw_only=True)
class OverflowRules:
    """What happens when the upstream says "too long"."""

    attempts: int = 3
    """How often one exchange may be sent upstream, the first time included."""
    rungs: tuple[Rung, ...] = ("target", "tool_results", "trim_turns", "newest_content", "clear")
    """The emergency ladder, tried in this order; `target` stands for the policy's own steps."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the values."""
        if not 1 <= self.attempts <= 10:
            yield f"attempts must be between 1 and 10, got {self.attempts}"
        if len(set(self.rungs)) < len(self.rungs):
            yield "rungs names one twice"


@dataclass(frozen=True, kw_only=True)
class StoreRules:
    """What is kept of what was removed."""

    archive: Literal["removed", "all"] = "removed"
    """`removed`: what compaction takes away is stored; `all` messages comes with a later version."""
    retention_days: int = 30
    """Days after its last use that a record is deleted."""
    required: bool = False
    """Refuse a request whose originals cannot be stored, instead of going on without."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the values."""
        if not 1 <= self.retention_days <= 36500:
            yield f"retention_days must be between 1 and 36500, got {self.retention_days}"


@dataclass(frozen=True, kw_only=True)
class UsageRules:
    """Whether the gateway asks a streaming upstream for usage."""

    ask: Literal["never", "compacted", "always"] = "compacted"
    """`never`, `compacted` (only in bodies that are rewritten anyway) or `always`."""


@dataclass(frozen=True, kw_only=True)
class SummarizerRules(SummaryRules):
    """How summaries are written, for the step `summarize`."""

    model: str = "same"
    """The model that writes them; `same`: the one of the request."""
    mode: Literal["background", "next", "inline"] = "background"
    """`background`: prepared after an answer; `next`: from the trigger on; `inline`: the client waits."""
    upstream: str = "same"
    """Base URL of another upstream to ask; `same`: the client's own."""
    format: Literal["openai_chat", "openai_responses", "anthropic_messages"] = "openai_chat"
    """The wire format of that upstream."""
    key_variable: str = ""
    """Environment variable with a key to ask with; none: the client's own, and at another upstream none."""
    timeout_s: int = 60
    """Seconds a summary may take."""
    retries: int = 3
    """How often a call is tried again that failed for a passing reason."""
    fallback_models: tuple[str, ...] = ()
    """Models asked when the first one fails, in order."""
    fallback: Literal["digest", "trim_turns"] = "digest"
    """What is done when no model answers."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the values."""
        yield from super().problems()
        if self.timeout_s < 1:
            yield f"timeout_s must be at least 1, got {self.timeout_s}"
        if not 0 <= self.retries <= 10:
            yield f"retries must be between 0 and 10, got {self.retries}"
        if self.upstream != "same" and not self.upstream.startswith(("http://", "https://")):
            yield "upstream must be `same` or an http(s) URL"


@dataclass(frozen=True, kw_only=True)
class RecallRules:
    """How what was removed comes back. Only its being off is known to this version."""

    tool: bool = False
    """Whether the model gets a tool that reads what was put away; comes with a later version."""
    memory: bool = False
    """Whether earlier conversations are searched; comes with a later version."""


@dataclass(frozen=True, kw_only=True)
class Policy:
    """A whole policy file."""

    name: str
    fingerprint: str = ""
    """Hash of what it says, for records."""
    mode: Mode = Mode.COMPACT
    """`compact`; `off`: requests go out as they came; `observe`: the same, and what would be done is told."""
    window: int | None = None
    """Tokens; `auto`: learned from the upstream, listed by it, or known."""
    reserve_output: int | None = None
    """Tokens kept for the answer; `auto`: what the request asks for, else a quarter, at most 8192."""
    trigger: Level = Level(ratio=0.80)
    """Where compaction starts."""
    prepare: Level = Level(ratio=0.65)
    """Where light steps have done enough; and where summaries begin to be prepared."""
    target: Level = Level(ratio=0.45)
    """Where compaction stops."""
    keep: Keep = Keep()  # noqa: RUF009 (it is frozen)
    """What steps may not touch, beside system messages and the active turn."""
    steps: tuple[Step, ...] = ()
    """What is done, in order, cheap before expensive, until the target is met."""
    light_margin: float = 1.5
    """Heavier steps stay out if light ones free so many times the excess and reach `prepare`; 0: never."""
    overflow: OverflowRules = OverflowRules()
    """What happens when the upstream says "too long"."""
    store: StoreRules = StoreRules()
    """What is kept of what was removed."""
    usage: UsageRules = UsageRules()
    """Whether a streaming upstream is asked for its usage."""
    windows: dict[str, int] = field(default_factory=dict)
    """Windows by model name or glob, in tokens; they come before `window`."""
    summarizer: SummarizerRules = SummarizerRules()
    """How summaries are written."""
    recall: RecallRules = RecallRules()
    """How what was removed comes back."""
    commands: bool = False
    """Whether `/compact` and the like are answered in the chat; comes with a later version."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the values, and where two of them contradict each other."""
        for name in ("window", "reserve_output"):
            if (value := getattr(self, name)) is not None and value < 1:
                yield f"{name} must be at least 1, got {value}"
        yield from _order("target", self.target, "trigger", self.trigger)
        yield from _order("prepare", self.prepare, "trigger", self.trigger, equal=True)
        if self.light_margin < 0:
            yield f"light_margin must not be negative, got {self.light_margin}"
        yield from self._window_problems()
        yield from self._keep_problems()

    def _keep_problems(self) -> Iterator[str]:
        for name in ("recent_ratio", "ledger_ratio"):
            if not 0 <= (share := getattr(self.keep, name)) <= 1:
                yield f"keep.{name} must be between 0 and 1, got {share}"
        for name in ("recent_turns", "user_text_tokens"):
            if (value := getattr(self.keep, name)) < 0:
                yield f"keep.{name} must not be negative, got {value}"

    def _window_problems(self) -> Iterator[str]:
        named = {"window": self.window} if self.window is not None else {}
        windows = {**named, **{f"windows.{model}": tokens for model, tokens in self.windows.items()}}
        for name, tokens in windows.items():
            if tokens < 1 and name != "window":
                yield f"{name} must be at least 1, got {tokens}"
            # A reserve is capped at half of the window, so a larger one is a slip of the author.
            if self.reserve_output is not None and 1 <= tokens < self.reserve_output * 2:
                yield f"reserve_output ({self.reserve_output}) is more than half of {name} ({tokens})"


def _order(low: str, lower: Level, high: str, higher: Level, equal: bool = False) -> Iterator[str]:
    for key in ("ratio", "tokens"):
        a, b = getattr(lower, key), getattr(higher, key)
        if a is None or b is None or a < b or (equal and a == b):
            continue
        yield f"{low}.{key} ({a}) must be below {high}.{key} ({b})"


def with_fingerprint(policy: Policy) -> Policy:
    """Return the policy with the hash of all it says; its name is not part of that."""
    said = msgspec.json.encode(msgspec.to_builtins(replace(policy, name="", fingerprint="")), order="sorted")
    return replace(policy, fingerprint="sha256-" + hashlib.sha256(said).hexdigest())
