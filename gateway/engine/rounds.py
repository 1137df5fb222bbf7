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
    if not facts or facts[-1].role != Role.USER:
        return None
    # Backwards: what a request costs does not grow with the turns before.
    before = range(len(facts) - 2, -1, -1)
    start = next((at for at in before if facts[at].role == Role.USER), None)
    if start is None:
        return None
    turn = (fact.role for fact in facts[start:-1])
    return sum(pair == (Role.ASSISTANT, Role.TOOL) for pair in pairwise(turn))
