"""The sections of a policy that are not about steps: the rescue, the store, usage, summaries, recall.

As in `schema`: the field names are the keys of a policy file, and the text under a field is what
`policies/README.md` says of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from gateway.addresses import url_problem
from gateway.policy.key_name import name_problem
from gateway.policy.summary import SummaryRules

_LEAST_HEARTBEAT_S, _LONGEST_HEARTBEAT_S = 0.1, 600.0

Rung = Literal["target", "tool_results", "user_text", "digest", "trim_turns", "newest_content", "clear"]


@dataclass(frozen=True, kw_only=True)
class OverflowRules:
    """What happens when the upstream says "too long"."""

    attempts: int = 3
    """How often one exchange may be sent upstream, the first time included."""
    rungs: tuple[Rung, ...] = ("target", "tool_results", "trim_turns", "newest_content", "clear")
    """The emergency ladder, tried in this order; `target` stands for the policy's own steps."""
    tool_result_chars: int = 0
    """With `tool_results`: all results are cut to so many characters; 0: to 200 tokens."""
    user_text_chars: int = 0
    """With `user_text`: what users said before is cut to so many characters; 0: to 2000 tokens."""
    turns: int = 0
    """With `digest` and `trim_turns`: so many of the newest turns stay; 0: as many as fit."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the values."""
        if not 1 <= self.attempts <= 10:
            yield f"attempts must be between 1 and 10, got {self.attempts}"
        if len(set(self.rungs)) < len(self.rungs):
            yield "rungs names one twice"
        for name in ("tool_result_chars", "user_text_chars", "turns"):
            if getattr(self, name) < 0:
                yield f"{name} must not be negative, got {getattr(self, name)}"


@dataclass(frozen=True, kw_only=True)
class StoreRules:
    """What is kept of what was removed."""

    archive: Literal["removed", "all"] = "removed"
    """`removed`: what compaction takes away is stored; `all` messages comes with a later version."""
    retention_days: int = 30
    """Days after its last use that a record is deleted. Without tenants, the longest that your own policies \
and the one for everybody say."""
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
    """Base URL of another upstream, which gets conversations to read; `same`: the client's own."""
    format: Literal["openai_chat", "openai_responses", "anthropic_messages"] = "openai_chat"
    """The wire format of that upstream."""
    key_variable: str = ""
    """Environment variable with a key to ask with; none: the client's own, and at another upstream none."""
    reuse_prefix: bool = False
    """Whether it is asked for behind the conversation itself, most of which the provider has in its cache."""
    timeout_s: int = 60
    """Seconds a summary may take; with models to fall back on, each has an even share of what is left."""
    heartbeat_s: float = 0.0
    """With `inline`: every so many seconds a comment for a client that waits for a stream; 0: none."""
    retries: int = 3
    """How often calls of one summary are tried again that fail for a passing reason; by each model."""
    fallback_models: tuple[str, ...] = ()
    """Models asked when the first one fails, in order."""
    fallback: Literal["digest", "trim_turns"] = "digest"
    """What is done when no model answers."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the values."""
        yield from super().problems()
        if self.timeout_s < 1:
            yield f"timeout_s must be at least 1, got {self.timeout_s}"
        if self.heartbeat_s and not _LEAST_HEARTBEAT_S <= self.heartbeat_s <= _LONGEST_HEARTBEAT_S:
            bounds = f"{_LEAST_HEARTBEAT_S} and {_LONGEST_HEARTBEAT_S:g}"
            yield f"heartbeat_s must be between {bounds}, or 0 for never, got {self.heartbeat_s}"
        if not 0 <= self.retries <= 10:
            yield f"retries must be between 0 and 10, got {self.retries}"
        if not self.model.strip():
            yield "model is empty; `same` is that of the request"
        if self.reuse_prefix and (self.model, self.upstream, self.key_variable) != ("same", "same", ""):
            yield "reuse_prefix needs the client's own model, upstream and key: no other cache has its prefix"
        if self.upstream != "same" and (problem := url_problem(self.upstream)):
            yield f"upstream {problem}; `same` is the client's own"
        if self.key_variable and (problem := name_problem(self.key_variable)):
            yield f"key_variable {problem}"


@dataclass(frozen=True, kw_only=True)
class RecallRules:
    """How what was removed comes back. Only its being off is known to this version."""

    tool: bool = False
    """Whether the model gets a tool that reads what was put away; comes with a later version."""
    memory: bool = False
    """Whether earlier conversations are searched; comes with a later version."""
