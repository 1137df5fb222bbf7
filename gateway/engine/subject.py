"""One request as the compactor sees it, and what it decides to send: values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum

import msgspec

from gateway.core.budget import Budget
from gateway.core.conversation import Conversation, Count
from gateway.engine.counting import Counted
from gateway.engine.lineage import Place
from gateway.engine.pipeline import Report
from gateway.engine.window import Window
from gateway.policy.schema import Policy
from gateway.store.base import Checkpoint
from gateway.strategies.piece import Piece
from gateway.wire.base import Request, WireFormat


class Action(StrEnum):
    """What was done to a request: the value of the `x-haversack-action` header."""

    NONE = "none"
    FROZEN = "frozen"
    """An earlier compaction of its prefix was replayed."""
    COMPACTED = "compacted"
    CLAMPED = "clamped"
    """It asks for less output than the client did, for the upstream counts that into the window."""
    RESCUED = "rescued"
    """The upstream refused it as too large, and a smaller form was accepted."""
    BYPASS = "bypass"
    FAILED_OPEN = "failed-open"
    """Something of ours failed, and it went out as it came."""


class Asked(msgspec.Struct, frozen=True):
    """A request and whom it is for."""

    wire: WireFormat
    request: Request
    upstream: str
    """The base URL of the upstream: what is learned about its models is kept under it."""
    model: str
    count: Count
    salt: int = 0
    """Tells the vocabulary of *count* from others, for what is remembered per message."""
    summarize: Callable[[Subject, Checkpoint | None], Awaitable[None]] | None = None
    """Has a summary written on top of a checkpoint, and waits for it; None: nobody waits."""
    write: Callable[[Subject, Sequence[Piece]], Awaitable[None]] | None = None
    """Has pieces written, and waits for them."""


class Subject(msgspec.Struct, frozen=True):
    """One request, and everything that decides about it."""

    asked: Asked
    place: Place
    policy: Policy
    counted: Counted
    window: Window
    budget: Budget | None
    """None while nobody knows the window: then nothing is compacted before the upstream asks for it."""
    correction: float
    """True tokens per token of ours."""

    @property
    def wire(self) -> WireFormat:
        """The format of the request."""
        return self.asked.wire

    @property
    def count(self) -> Count:
        """How tokens of its model are counted."""
        return self.asked.count

    @property
    def request(self) -> Request:
        """The request, taken apart."""
        return self.asked.request


class Plan(msgspec.Struct, frozen=True):
    """What is to be sent."""

    body: bytes
    action: Action
    tokens_before: int
    """Of the request as it came: our own count, uncorrected."""
    tokens: int
    """Of what is sent."""
    tokens_frozen: int
    """Of the request with its frozen prefix replayed and nothing else done: what was saved before."""
    messages: int
    reports: tuple[Report, ...] = ()
    checkpoint: Checkpoint | None = None
    """To be committed when the upstream has accepted it."""
    base: Checkpoint | None = None
    """The one it stands on."""
    view: Conversation | None = None
    output: int | None = None
    """The output it asks for after a clamp; None: as the client asked."""

    @property
    def standing(self) -> Checkpoint | None:
        """What is frozen of the conversation once this is accepted."""
        made = self.checkpoint
        return made if made is not None and made.length else self.base

    @property
    def steps(self) -> tuple[str, ...]:
        """Names of the steps and rungs that changed something, each once."""
        return tuple(dict.fromkeys(report.step for report in self.reports if report.outcome == "changed"))

    @property
    def is_rewritten(self) -> bool:
        """Whether the message list is not the client's own."""
        return self.view is not None or self.base is not None


def as_it_came(subject: Subject, action: Action = Action.NONE) -> Plan:
    """Return the plan that changes nothing."""
    tokens = subject.counted.tokens
    return Plan(subject.request.body, action, tokens, tokens, tokens, len(subject.request.messages))
