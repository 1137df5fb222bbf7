"""Books of one process, and a conversation that grows by a request at a time, for tests of what it costs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from gateway.core.frozen import replace
from gateway.core.prices import Prices
from gateway.engine.economics import Account, Economics
from gateway.engine.subject import Action, Plan, Subject
from gateway.store.base import Checkpoint
from gateway.wire.base import Usage
from stores import Clock
from wired import PRICES, chat, engine, message

MICRO = 1e-6
FIRST = Checkpoint(prefix=b"first", length=2, items=(), tokens=0, window=0, policy="", created_at=0.0)
SECOND = replace(FIRST, prefix=b"second")


def plan(before: int, after: int, checkpoint: Checkpoint | None = None, frozen: int | None = None) -> Plan:
    """Return a plan of so many tokens; its checkpoint is made now, unless told how many are frozen."""
    made = checkpoint if frozen is None else None
    base = checkpoint if frozen is not None else None
    kept = before if frozen is None else frozen
    return Plan(b"{}", Action.COMPACTED, before, after, kept, 3, checkpoint=made, base=base)


def subjects(*lengths: int, model: str = "m") -> list[Subject]:
    """Return requests of one conversation, with so many messages."""
    found = read(*(chat(talk(length)) for length in lengths))
    return [replace(subject, asked=replace(subject.asked, model=model)) for subject in found]


def talk(length: int) -> list[dict[str, Any]]:
    """Return the first messages of a conversation."""
    return [message(("user", "assistant")[n % 2], 10, f"m{n}") for n in range(length)]


def read(*bodies: bytes) -> list[Subject]:
    """Return requests as the compactor sees them."""

    async def run() -> list[Subject]:
        async with engine() as made:
            return [await made.subject(body) for body in bodies]

    return asyncio.run(run())


class Books:
    """The books of one process, and one conversation that grows by two messages with each request."""

    def __init__(self, prices: Prices = PRICES, **limits: Any) -> None:
        self.clock = Clock()
        self.economics = Economics(prices, self.clock, **limits)
        self.subjects = iter(subjects(*range(1, 20, 2)))

    def settle(self, plan: Plan, usage: Usage | None, unused: Sequence[Usage] = ()) -> Account:
        """Return the account of the next request."""
        return self.economics.settle(next(self.subjects), plan, usage, unused)


def dollars(account: Account) -> list[float]:
    """Return what was billed, saved and lost, in millionths of a dollar."""
    return [round(each / MICRO, 3) for each in (account.billed_usd, account.saved_usd, account.lost_usd)]
