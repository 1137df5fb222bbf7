"""Compactions that were tried and freed too little, so that a list is not worked through again at every turn.

What is newest may not be left out yet: a few turns later the same list has more to give. Until it has grown,
a further try would cost its time and find the same. Held in the process: a note that is lost costs one try.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from gateway.core.memo import Facts
from gateway.core.recent import Recent
from gateway.engine.lineage import Place
from gateway.engine.subject import Subject
from gateway.store.base import Checkpoint
from gateway.strategies.base import Summary

MAX_TRIES = 10_000
"""Lists remembered at once."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A list, and all that a compaction of it depends on beside what it says."""

    terms: tuple[Place, int | None, str, bytes, int]
    """Whose it is, the window, the policy, what is frozen of it, how much of it is summed up."""
    chain: Sequence[bytes] = field(repr=False)
    facts: Sequence[Facts] = field(repr=False)
    is_ready: Callable[[Iterable[bytes]], bool] = lambda missed: False
    """Whether any text is ready by now that was asked for in vain."""

    @classmethod
    def of(
        cls, subject: Subject, chain: Sequence[bytes], base: Checkpoint | None, summary: Summary | None
    ) -> Tried:
        """Return a request as it is tried on top of *base*, with the summary that is ready."""
        frozen = base.prefix if base is not None else b""
        summed = summary.length if summary is not None else 0
        terms = subject.place, subject.window.tokens, subject.policy.fingerprint, frozen, summed
        return cls(terms, chain, subject.counted.facts)


class Vain:
    """The tries of this process that were in vain, most recently used last."""

    def __init__(self, max_tries: int = MAX_TRIES) -> None:
        self._tries: Recent[tuple[Place, bytes], tuple[object, frozenset[bytes]]] = Recent(max_tries)

    def add(self, tried: Tried, missed: Iterable[bytes] = ()) -> None:
        """Take note of a list whose compaction was not worth it; *missed*: texts that its steps asked for."""
        self._tries.put((tried.terms[0], tried.chain[-1]), (tried.terms, frozenset(missed)))

    def has(self, tried: Tried, patience: float) -> bool:
        """Return whether the same was in vain when the list was shorter by less than *patience* tokens.

        Looks only at what was added since.
        """
        if not self._tries:
            return False
        place, grown = tried.terms[0], 0
        for prefix, fact in zip(reversed(tried.chain), reversed(tried.facts), strict=False):
            if grown >= patience:
                return False
            if (noted := self._tries.get((place, prefix))) is not None:
                self._tries.move_to_end((place, prefix))
                terms, missed = noted
                return terms == tried.terms and not (missed and tried.is_ready(missed))
            grown += fact.tokens
        return False
