"""A policy: frozen values that say what happens to a conversation.

The field names are the keys of a policy file, the defaults are the documented defaults, and the text under
a field is what `policies/README.md` says of it. `policy.read` makes these values from YAML.
"""
# ruff: noqa: RUF009 (what stands as a default is frozen)

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

import msgspec

from gateway.core.frozen import replace
from gateway.policy.levels import Level, Limit, When, limit_of, order_of, share_of
from gateway.policy.rules import OverflowRules, RecallRules, StoreRules, SummarizerRules, UsageRules
from gateway.strategies.base import Keep, Strategy


class Mode(StrEnum):
    """What a policy does with a request."""

    COMPACT = "compact"
    OFF = "off"
    """Every request is forwarded as it came, byte for byte; no rescue either."""
    OBSERVE = "observe"
    """The same; what `compact` would have done is worked out on a copy, and reported."""


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of a policy."""

    use: str
    """Name of the strategy."""
    strategy: Strategy
    when: When | None = None
    """When it runs; None: when the conversation is over the trigger."""


@dataclass(frozen=True, slots=True)
class ForModels:
    """What a policy says of some models only."""

    glob: str
    given: dict[str, Any]
    """As the file has it, so that a policy which extends this one can change it."""
    policy: Policy
    """The whole policy with that in place."""


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
    window_max: int | None = None
    """Of a larger window no more tokens than this are used, nor of an unknown one; `auto`: all of it."""
    reserve_output: int | None = None
    """Tokens kept for the answer; `auto`: what the request asks for, else a quarter, at most 8192."""
    reserve_ratio: float | None = None
    """Share of the window that `reserve_output` takes at most; `auto`: half of what is there to part."""
    margin: float = 1.0
    """By how much our count may be too small, as long as usage has not told."""
    trigger: Level = Level(ratio=0.80)
    """Where compaction starts."""
    prepare: Level = Level(ratio=0.65)
    """Where light steps have done enough and summaries begin; if not named, in proportion to `trigger`."""
    target: Level = Level(ratio=0.45)
    """Where compaction stops."""
    history: tuple[Limit, ...] = ()
    """How many messages there may be, by size of the window; more are over the trigger."""
    keep: Keep = Keep()
    """What steps may not touch, beside system messages and the active turn."""
    steps: tuple[Step, ...] = ()
    """What is done, in order, cheap before expensive, until the target is met."""
    light_margin: float = 1.0
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
    models: tuple[ForModels, ...] = ()
    """What differs for some models: keys of a policy below globs of names; the first that matches counts."""
    glob: str = ""
    """Of the models that it is for; empty: for all that have no settings of their own."""

    # What every request asks is looked up in the steps once.

    @cached_property
    def uses_model(self) -> bool:
        """Whether any step uses what a model writes."""
        return any(step.strategy.uses_model for step in self.steps)

    @cached_property
    def has_sizes_of_steps(self) -> bool:
        """Whether any step says itself when it runs."""
        return any(step.when is not None for step in self.steps)

    @cached_property
    def counts_turns(self) -> bool:
        """Whether it matters how many turns there are."""
        return self.trigger.turns is not None or any(
            (when.turns, when.min_turns, when.max_turns) != (None, None, None)
            for when in (step.when for step in self.steps)
            if when is not None
        )

    def of(self, model: str) -> Policy:
        """Return what applies to a model."""
        if not self.models:
            return self
        found = (entry.policy for entry in self.models if fnmatchcase(model, entry.glob))
        return next(found, self)

    def at(self, window: int | None) -> Policy:
        """Return what applies at a window: the limit of messages is part of the sizes."""
        limit = limit_of(self.history, window)
        return self if limit is None else self._limited[limit]

    @cached_property
    def _limited(self) -> Mapping[int, Policy]:
        """The policy with each of the limits that it names."""
        early = share_of(self.prepare, self.trigger) or 1.0
        limits = {limit.messages for limit in self.history}
        prepare = {most: replace(self.prepare, messages=max(int(most * early), 1)) for most in limits}
        return {
            most: replace(self, trigger=replace(self.trigger, messages=most), prepare=prepare[most])
            for most in limits
        }

    @property
    def fewer(self) -> int:
        """The number of messages to come down to where their number is over the trigger; 0: it never is."""
        if self.target.messages is not None or self.trigger.messages is None:
            return self.target.messages or 0
        return max(int(self.trigger.messages * (share_of(self.target, self.trigger) or 0.5)), 1)

    def named(self, name: str) -> Policy:
        """Return the same under another name."""
        models = tuple(replace(entry, policy=replace(entry.policy, name=name)) for entry in self.models)
        return replace(self, name=name, models=models)

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the values, and where two of them contradict each other."""
        for name in ("window", "window_max", "reserve_output"):
            if (value := getattr(self, name)) is not None and value < 1:
                yield f"{name} must be at least 1, got {value}"
        yield from _order("target", self.target, "trigger", self.trigger)
        yield from _order("prepare", self.prepare, "trigger", self.trigger, equal=True)
        if self.reserve_ratio is not None and not 0 < self.reserve_ratio <= 0.5:
            yield f"reserve_ratio must be above 0 and at most 0.5, got {self.reserve_ratio}"
        if not 1 <= self.margin <= 5:
            yield f"margin must be between 1 and 5, got {self.margin}"
        if self.light_margin < 0:
            yield f"light_margin must not be negative, got {self.light_margin}"
        yield from self._window_problems()
        yield from self._keep_problems()
        yield from (f"history {problem}" for problem in order_of(self.history))
        if self.history and self.trigger.messages is not None:
            yield "history says how many messages there may be, and so does trigger.messages; write one"

    def _keep_problems(self) -> Iterator[str]:
        for name in ("recent_ratio", "ledger_ratio"):
            if not 0 <= (share := getattr(self.keep, name)) <= 1:
                yield f"keep.{name} must be between 0 and 1, got {share}"
        for name in ("recent_turns", "recent_tokens_min", "recent_tokens_max", "user_text_tokens"):
            if (value := getattr(self.keep, name)) < 0:
                yield f"keep.{name} must not be negative, got {value}"
        least, most = self.keep.recent_tokens_min, self.keep.recent_tokens_max
        if 0 < most < least:
            yield f"keep.recent_tokens_min ({least}) is above recent_tokens_max ({most})"

    def _window_problems(self) -> Iterator[str]:
        named = {name: size for name in ("window", "window_max") if (size := getattr(self, name)) is not None}
        windows = {**named, **{f"windows.{model}": tokens for model, tokens in self.windows.items()}}
        for name, tokens in windows.items():
            if tokens < 1 and name not in named:
                yield f"{name} must be at least 1, got {tokens}"
            # A reserve is capped at half of the window, so a larger one is a slip of its author; not where
            # another cap is named.
            if self.reserve_ratio is None and self.reserve_output and 1 <= tokens < self.reserve_output * 2:
                yield f"reserve_output ({self.reserve_output}) is more than half of {name} ({tokens})"


def _order(low: str, lower: Level, high: str, higher: Level, equal: bool = False) -> Iterator[str]:
    for key in ("ratio", "tokens", "messages"):
        a, b = getattr(lower, key), getattr(higher, key)
        if a is None or b is None or a < b or (equal and a == b):
            continue
        yield f"{low}.{key} ({a}) must be below {high}.{key} ({b})"


def with_fingerprint(policy: Policy) -> Policy:
    """Return the policy with the hash of all it says; its name is not part of that."""
    models = [(entry.glob, entry.given) for entry in policy.models]
    plain = replace(policy, name="", fingerprint="", models=())
    said = msgspec.json.encode([msgspec.to_builtins(plain), models], order="sorted")
    return replace(policy, fingerprint="sha256-" + hashlib.sha256(said).hexdigest())
