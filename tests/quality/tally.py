"""Judge the rounds of one case, and add the cases up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from gateway.core.conversation import Count
from quality.playing import Round
from quality.probing import is_carried, is_rule, is_stale, misleads
from quality.sessions import Planted, Session

MOST_PLANTED = 0.5
"""Share of the budget up to which all that is planted has to survive; above it, what matters less may go."""


What = Literal["lost", "stale", "carried", "told"]


class Case(NamedTuple):
    """What is measured."""

    policy: str
    mode: str
    budget: float


class Key(NamedTuple):
    """What a survival is counted under."""

    case: Case
    is_dense: bool
    """Whether the planted text took more than its share of the budget."""
    type: str
    round: int
    position: str
    language: str


class Fault(NamedTuple):
    """A row that is lost, stale, carried or told by a summary though it does not hold, from some round on."""

    what: What
    row: str
    set: str
    text: str
    case: Case
    session: str
    is_dense: bool
    round: int


class Fit(NamedTuple):
    """How one round went, whatever was planted."""

    case: Case
    session: str
    round: int
    share: float
    """Tokens sent, as a share of what they had to fit."""
    target_share: float
    """The same, as a share of the target."""
    is_compacted: bool
    is_valid: bool
    is_latest_whole: bool
    ledger_share: float
    """Tokens of the ledger, as a share of the target."""


@dataclass
class Tally:
    """What was counted; tallies add up."""

    asked: Counter[Key] = field(default_factory=Counter)
    held: Counter[Key] = field(default_factory=Counter)
    """Rows that survive; of decoys and replaced values, those presented as current."""
    faults: list[Fault] = field(default_factory=list)
    fits: list[Fit] = field(default_factory=list)
    summaries: Counter[str] = field(default_factory=Counter)
    """How the summaries that were asked for ended."""

    def add(self, other: Tally) -> None:
        """Add another one."""
        self.asked.update(other.asked)
        self.held.update(other.held)
        self.faults += other.faults
        self.fits += other.fits
        self.summaries.update(other.summaries)

    def share(self, **wanted: object) -> float | None:
        """Return the share that is held among the keys with these values; None if nothing was asked."""
        asked, held = self.counts(**wanted)
        return held / asked if asked else None

    def counts(self, **wanted: object) -> tuple[int, int]:
        """Return how many were asked for and how many held, among the keys with these values."""
        keys = [key for key in self.asked if all(_has(key, name, value) for name, value in wanted.items())]
        return sum(self.asked[key] for key in keys), sum(self.held[key] for key in keys)


def _has(key: Key, name: str, value: object) -> bool:
    found = getattr(key, name) if name in Key._fields else getattr(key.case, name)
    return found in value if isinstance(value, frozenset) else bool(found == value)


def judge(case: Case, session: Session, rounds: Iterable[Round], count: Count) -> Tally:
    """Return what the rounds of a case show."""
    tally = Tally()
    sizes = {id(planted): count(planted.text) for planted in session.planted}
    known: set[tuple[str, str]] = set()
    compacted = 0
    for played in rounds:
        compacted = played.length if played.is_compacted else compacted
        said = [planted for planted in session.planted if planted.since < played.length]
        taken = sum(sizes[id(planted)] for planted in said if not planted.row.is_decoy)
        is_dense = taken > played.target * MOST_PLANTED
        tally.fits.append(_fit(case, session, played, count))
        for planted in said:
            for what, type, is_held in _findings(played, planted, compacted):
                key = Key(case, is_dense, type, played.number, planted.position, planted.row.language)
                tally.asked[key] += 1
                tally.held[key] += is_held
                is_fault = is_held != (what == "lost")
                if is_fault and (what, planted.row.id) not in known:
                    known.add((what, planted.row.id))
                    at = (case, session.name, is_dense, played.number)
                    tally.faults.append(Fault(what, planted.row.id, planted.row.set, planted.text, *at))
    return tally


Finding = tuple[What, str, bool]


def _findings(played: Round, planted: Planted, compacted: int) -> Iterator[Finding]:
    """Yield what is asked of a row in a round: the fault it would be, its type and whether it is held.

    *compacted*: the length of the list when it was last compacted. What was said since stands in its own
    message, behind a digest that holds "unless a later message says otherwise" and is not rewritten before.
    """
    is_settled = planted.since < compacted
    if planted.row.is_decoy:
        if planted.row.type == "revoked" and not is_settled:
            return
        yield "carried", planted.row.type, is_carried(played.forwarded, planted)
        yield "carried", "as a rule", is_rule(played.forwarded, planted)
        yield from _told(played, planted)
        return
    yield "lost", planted.row.type, played.forwarded.holds(planted)
    if planted.stale and is_settled:
        yield "stale", "stale", is_stale(played.forwarded, planted)
        yield from _told(played, planted)


def _told(played: Round, planted: Planted) -> Iterator[Finding]:
    """Yield whether a summary says what does not hold, of what stands behind it no more."""
    if played.forwarded.has_summary and planted.since < played.folded:
        kind = "told stale" if planted.stale else "told decoy"
        yield "told", kind, misleads(played.forwarded, planted)


def _fit(case: Case, session: Session, played: Round, count: Count) -> Fit:
    return Fit(
        case=case,
        session=session.name,
        round=played.number,
        share=played.tokens / played.allowed,
        target_share=played.tokens / played.target,
        is_compacted=played.is_compacted,
        is_valid=not played.problems,
        is_latest_whole=played.is_latest_whole,
        ledger_share=played.forwarded.ledger_tokens(count) / played.target,
    )
