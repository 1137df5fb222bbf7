"""How many rounds of calls an agent needs for one request: what its own limit of steps is about."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from gateway.core.conversation import Role
from gateway.core.memo import Facts


def rounds_before(facts: Sequence[Facts]) -> int | None:
    """Return the rounds of the turn that was over when the user spoke last; None unless a turn begins now.

    So each turn is told once: by the first request of the next.
    """
    users = [at for at, fact in enumerate(facts) if fact.role == Role.USER]
    if len(users) < 2 or users[-1] != len(facts) - 1:
        return None
    turn = [fact.role for fact in facts[users[-2] : users[-1]]]
    return sum(pair == (Role.ASSISTANT, Role.TOOL) for pair in pairwise(turn))
