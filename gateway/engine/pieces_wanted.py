"""Which pieces are worth having written before the trigger is reached: pure, so it may run in a thread.

The very steps of the policy are run on a copy, as far down as they will have to go; what they ask for in vain
is what they will ask for again. When it is there, they may ask for more: so a list is looked at again, but no
more often than it grows, for every look is work and what it finds is calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gateway.core.frozen import replace
from gateway.core.memo import Facts
from gateway.core.recent import Recent
from gateway.engine.boundary import LEAST_MOVE
from gateway.engine.compaction import compaction
from gateway.engine.crowd import fewer_soon
from gateway.engine.lineage import Place
from gateway.engine.pieces import Reading
from gateway.engine.replay import size_on
from gateway.engine.sizes import aim_of, due_on, enough_of, fits_of, until_trigger
from gateway.engine.subject import Plan, Subject
from gateway.engine.summary_material import Find
from gateway.engine.wanted import is_near
from gateway.policy.schema import Step
from gateway.store.base import Checkpoint
from gateway.strategies.base import Room, Summary
from gateway.strategies.piece import Piece

MAX_LOOKS = 4
"""How often a list is looked at before it has grown: pieces of pieces, and those that were too many."""

MAX_LOOKED_AT = 10_000
"""Lists remembered at once; one that is forgotten costs a look."""


def missed(
    subject: Subject, base: Checkpoint | None, reading: Reading, summary: Summary | None, find: Find
) -> tuple[Piece, ...]:
    """Return what the steps of a policy ask for in vain, run on top of *base*.

    Before the trigger as if it were reached; where nothing is asked for before that, as they are.
    """
    fits = fits_of(subject)
    is_early = subject.policy.summarizer.mode == "background"
    growth, enough, steps = _soon(subject, base) if is_early else _now(subject, base)
    room = Room(
        max(aim_of(subject, fits) - growth, 1),
        fits,
        subject.count,
        subject.policy.keep,
        subject.correction,
        find=find,
        enough=enough,
        summary=summary,
        written=reading,
        messages=fewer_soon(subject, base),
    )
    reading.begin()
    compaction(subject, base, steps, room)
    return tuple(reading.missed.values())


def missed_by(
    subject: Subject, plan: Plan, reading: Reading, summary: Summary | None, find: Find
) -> tuple[Piece, ...]:
    """Return what steps asked for in vain for a plan, or will for the next one if that is near."""
    if plan.checkpoint is not None:
        return missed(subject, plan.base, reading, summary, find)
    return missed(subject, plan.standing, reading, summary, find) if is_near(subject, plan) else ()


def firsts(pieces: Sequence[Piece], base: Checkpoint | None) -> Sequence[Piece]:
    """Return those of some pieces that are about what the list says; all of them, if none is.

    What an earlier step has made for lack of a text will be something else when that text is there.
    """
    frozen = frozenset(base.items) if base is not None else frozenset()
    found = [
        piece
        for piece in pieces
        if all(one.origin is not None or one.raw in frozen for one in piece.messages)
    ]
    return found or pieces


def _now(subject: Subject, base: Checkpoint | None) -> tuple[int, int, Sequence[Step]]:
    return 0, enough_of(subject, base), due_on(subject, base)


def _soon(subject: Subject, base: Checkpoint | None) -> tuple[int, int, Sequence[Step]]:
    """Return by how much a list will have grown, what is enough for light steps then, and the steps."""
    # Nobody stops at the trigger; and until it has grown by so much the list is not looked at again.
    growth, enough = until_trigger(subject, size_on(subject, base), _step(subject))
    return growth, enough, tuple(_at_trigger(subject.policy.steps, len(subject.counted.facts), subject))


def _step(subject: Subject) -> int:
    """Return by how many tokens a list grows until it is looked at again."""
    return int(LEAST_MOVE * subject.budget.tokens) if subject.budget is not None else 0


def _at_trigger(steps: Sequence[Step], messages: int, subject: Subject) -> Iterator[Step]:
    """Yield the steps as they will be due: one that asks a model, at a size of its own, has reached it."""
    turns = subject.counted.turns
    for step in steps:
        when = step.when
        if when is not None and step.strategy.asks and not when.always:
            can_be = replace(when, always=True).is_reached(0, messages, turns, 1)
            yield replace(step, when=None) if can_be else step
        else:
            yield step


@dataclass(frozen=True, slots=True)
class _Look:
    """What is known of the last time."""

    tokens: int
    """Of the messages, when it was the first of a series."""
    number: int
    is_done: bool


class Looks:
    """When which list was looked at."""

    def __init__(self, most: int = MAX_LOOKED_AT) -> None:
        self._looks: Recent[tuple[Place, str, bytes], _Look] = Recent(most)

    def is_due(self, subject: Subject, rules: str) -> bool:
        """Return whether a list is worth looking at: anew, grown, or not done with."""
        last = self._last(subject, rules)
        return last is None or not (last.is_done or last.number >= MAX_LOOKS)

    def note(self, subject: Subject, rules: str, is_done: bool) -> None:
        """Take note of a look; *is_done*: everything is there that is asked for."""
        last = self._last(subject, rules)
        tokens = last.tokens if last is not None else subject.counted.message_tokens
        number = last.number + 1 if last is not None else 1
        self._looks.put((subject.place, rules, subject.counted.chain()[-1]), _Look(tokens, number, is_done))

    def _last(self, subject: Subject, rules: str) -> _Look | None:
        """Return the last look at a list, if it has not grown by much since the first of its series."""
        patience, grown = _step(subject), 0
        for prefix, fact in _backwards(subject.counted.chain(), subject.counted.facts):
            found = self._looks.get((subject.place, rules, prefix))
            if found is not None:
                return found if subject.counted.message_tokens - found.tokens <= patience else None
            if grown > patience:
                return None
            grown += fact.tokens
        return None


def _backwards(chain: Sequence[bytes], facts: Sequence[Facts]) -> Iterator[tuple[bytes, Facts]]:
    return zip(reversed(chain), reversed(facts), strict=True)
