"""Play a session through the gateway's own compactor, twenty rounds of it, in two ways.

Growing: the client's list grows by a slice a round, as an agent's does; the policy's trigger decides when
the compactor works, its checkpoints carry what was decided. Repeated: the client stores what it got back and
appends the next slice, so that every round compacts what the rounds before left: what
`POST /haversack/compact` does.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from gateway.core.conversation import Conversation, Count
from gateway.core.frozen import replace
from gateway.engine import dry_run
from gateway.engine.subject import Action, Asked, Plan, Subject
from gateway.policy.schema import Policy
from quality.probing import Forwarded
from quality.sessions import Session
from wired import PLACE, URL, WIRE, Engine, chat, engine

ROUNDS = 20

MODES = ("growing", "repeated")

MODEL = "some-model"

_FIRST = 1.25
"""The first slice, as a share of the target: the first round has something to do."""


@dataclass(frozen=True, slots=True)
class Round:
    """What went out in one round."""

    number: int
    length: int
    """How many messages of the session the client has sent by now."""
    forwarded: Forwarded
    tokens: int
    target: int
    allowed: int
    """What it had to fit: the target if it is a stored list, else the trigger, or the budget if untouched."""
    is_compacted: bool
    problems: Sequence[str]
    """What the vendor would refuse."""
    is_latest_whole: bool
    """Whether the latest user message is as it came."""
    folded: int
    """How many messages of the list stand before those at its end that are as they came."""


async def play(
    session: Session, policy: Policy, budget: float, mode: str, count: Count
) -> AsyncIterator[Round]:
    """Yield twenty rounds at a target that is the share *budget* of the session."""
    sizes = [count(json.dumps(message, ensure_ascii=False)) for message in session.messages]
    target = int(sum(sizes) * budget)
    async with engine() as made:
        player = (Growing if mode == "growing" else Repeated)(made, policy, target, count)
        start = 0
        for number, stop in enumerate(slices(session.sendable(), sizes, target), 1):
            yield await player.round(number, session.messages[start:stop], stop)
            start = stop


def slices(sendable: Sequence[int], sizes: Sequence[int], target: int) -> list[int]:
    """Return where the slices end: the first a little over the target, the others of equal size."""
    total, first = sum(sizes), min(int(target * _FIRST), sum(sizes) // 2)
    wanted = [first + (total - first) * n // (ROUNDS - 1) for n in range(ROUNDS)]
    reached, spent = dict[int, int](), 0
    for length, size in enumerate(sizes, 1):
        spent += size
        reached[length] = spent
    ends = [next(length for length in sendable if reached[length] >= tokens) for tokens in wanted[:-1]]
    return [*ends, len(sizes)]


class _Player:
    """One conversation before the gateway."""

    def __init__(self, made: Engine, policy: Policy, target: int, count: Count) -> None:
        self._parts = made.parts
        self._policy = policy
        self._target = target
        self._count = count

    async def _examined(self, body: bytes, policy: Policy) -> Subject:
        asked = Asked(WIRE, WIRE.read(body), URL, MODEL, self._count)
        return await self._parts.compactor.examine(asked, PLACE, policy)

    def _seen(self, number: int, length: int, sent: Sequence[Any], plan: Plan, allowed: int) -> Round:
        return seen(number, length, sent, plan, (self._target, allowed), self._count)


def seen(
    number: int, length: int, sent: Sequence[Any], plan: Plan, sizes: tuple[int, int], count: Count
) -> Round:
    """Return what goes out by a plan; *sizes*: the target, and what it had to fit."""
    out = json.loads(plan.body)["messages"]
    view = Conversation(tuple(WIRE.message(raw, count) for raw in WIRE.read(plan.body).messages))
    latest = next(message for message in reversed(sent) if message["role"] == "user")
    is_compacted = plan.action in (Action.COMPACTED, Action.RESCUED)
    target, allowed = sizes
    return Round(
        number=number,
        length=length,
        forwarded=Forwarded(out),
        tokens=plan.tokens,
        target=target,
        allowed=allowed,
        is_compacted=is_compacted,
        problems=WIRE.problems(view),
        is_latest_whole=latest in out,
        folded=len(sent) - _same(sent, out),
    )


def _same(sent: Sequence[Any], out: Sequence[Any]) -> int:
    """Return how many messages at the end of two lists are equal."""
    pairs = zip(reversed(sent), reversed(out), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


class Growing(_Player):
    """The client keeps everything; the gateway compacts what goes out."""

    _sent: tuple[dict[str, Any], ...] = ()

    async def round(self, number: int, slice: Sequence[dict[str, Any]], length: int) -> Round:
        """Send the list with one more slice."""
        self._sent = (*self._sent, *slice)
        assert self._policy.target.ratio is not None
        assert self._policy.trigger.ratio is not None
        window = int(self._target / self._policy.target.ratio) + 1
        policy = replace(self._policy, window=window, reserve_output=1)
        subject = await self._examined(chat(self._sent), policy)
        plan = await self._parts.compactor.plan(subject)
        if plan.checkpoint is not None:
            await self._parts.checkpoints.commit(PLACE, plan.checkpoint)
        # Where light steps free enough, they stop above the target; but never so that the next one is due.
        allowed = int(window * self._policy.trigger.ratio) if plan.action is Action.COMPACTED else window
        return self._seen(number, length, self._sent, plan, allowed)


class Repeated(_Player):
    """The client keeps what the gateway made of its list."""

    _kept: tuple[dict[str, Any], ...] = ()

    async def round(self, number: int, slice: Sequence[dict[str, Any]], length: int) -> Round:
        """Ask for the list with one more slice in the target."""
        sent = (*self._kept, *slice)
        policy = replace(self._policy, window=None, windows={})
        subject = await self._examined(chat(sent), policy)
        plan = await dry_run.preview(self._parts.compactor, subject, self._target)
        self._kept = tuple(json.loads(plan.body)["messages"])
        return self._seen(number, length, sent, plan, self._target)
