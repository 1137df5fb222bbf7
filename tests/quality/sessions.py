"""Generated sessions with planted phrasings: the same seed makes the same session.

Four kinds of work in two languages. Every list is one that a client could have sent: calls have their
results, and the last message is the user's. What is planted stands in a short message of its own, in the
middle of a long one, in an answer or in a tool result; a replaced statement always before what replaces it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any

from gateway.core.frozen import replace
from quality.filler import Filler
from quality.rows import Row
from quality.slots import Slots
from quality.turns import SHAPES, Saying, Shape, Writer

Combo = tuple[str, str]
"""Kind and language of a session."""

COMBOS: tuple[Combo, ...] = tuple(product(SHAPES, ("en", "zh")))

# How many rows a session of a kind takes, in proportion: long ones take more.
_WEIGHTS = {"coding": 3, "support": 2, "research": 3, "data": 2}

POSITIONS = ("early", "middle", "late")


@dataclass(frozen=True, slots=True)
class Planted:
    """A row in a session, its slots filled."""

    row: Row
    text: str
    """What must survive as it stands; of a decoy, what must not be carried."""
    probe: tuple[str, ...]
    stale: tuple[str, ...]
    since: int
    """Index of the message from which on it holds; of a revoked rule, of the one that withdraws it."""
    position: str
    """In which third of the session it is said."""
    other: str = ""
    """What it takes the place of; of a revoked rule, what withdraws it."""


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation as its client would send it at the end, and what is planted in it."""

    kind: str
    language: str
    seed: int
    messages: tuple[dict[str, Any], ...]
    planted: tuple[Planted, ...]

    @property
    def name(self) -> str:
        """What it is called in reports."""
        return f"{self.kind}-{self.language}-{self.seed}"

    def sendable(self) -> list[int]:
        """Return the lengths at which a client would have sent it: after a user message or a whole round."""
        roles = [message["role"] for message in self.messages]
        return [
            n
            for n in range(1, len(roles) + 1)
            if roles[n - 1] == "user" or (roles[n - 1] == "tool" and roles[n : n + 1] != ["tool"])
        ]


@dataclass(slots=True)
class _Item:
    """A row on its way into a session."""

    row: Row
    text: str
    before: str
    fill: Callable[[str], str]
    said: list[int] = field(default_factory=list)


def deal(rows: Iterable[Row], seed: int, combos: Sequence[Combo] = COMBOS) -> dict[Combo, list[Row]]:
    """Return which session gets which rows: each row goes to one session of its language."""
    rng = Random(seed)
    dealt: dict[Combo, list[Row]] = {combo: [] for combo in combos}
    for row in rows:
        able = [combo for combo in combos if combo[1] == row.language and _takes(combo[0], seed, row)]
        if able:
            dealt[rng.choices(able, [_WEIGHTS[kind] for kind, _ in able])[0]].append(row)
    return dealt


def _takes(kind: str, seed: int, row: Row) -> bool:
    return row.by != "tool" or SHAPES[kind].has_tools(seed)


def session(combo: Combo, seed: int, rows: Iterable[Row], shape: Shape | None = None) -> Session:
    """Return the session of a kind, a language and a seed with these rows planted; *shape*: not the usual."""
    kind, language = combo
    rng = Random(f"{kind}-{language}-{seed}")
    shape = shape or SHAPES[kind].of(seed)
    # With chance of its own, so that longer tool results leave the list of messages as it is.
    filler = Filler(Random(f"{kind}-{language}-{seed}-filler"), language)
    writer = Writer(rng, filler, kind, shape)
    slots = Slots(rng, language)
    items = [_item(row, slots.filling()) for row in rows]
    rng.shuffle(items)
    turns = rng.randint(*shape.turns)
    plan = _plan(items, turns, rng)
    writer.begin()
    for number in range(turns):
        writer.turn(plan.get(number, []))
    messages = writer.end()
    return Session(kind, language, seed, messages, tuple(_planted(item, len(messages)) for item in items))


def sized(
    combo: Combo, seed: int, rows: Sequence[Row], messages: int, tokens: int, size: Callable[[Session], int]
) -> Session:
    """Return a session of about so many messages, and of so many tokens as *size* counts them."""
    usual = SHAPES[combo[0]]
    # Results of a line are enough to count messages; what is planted makes turns of its own.
    plain = replace(usual, turns=(40, 40), bulk=0.01)
    guess = 40 * messages // len(session(combo, seed, rows, plain).messages)
    near = [replace(plain, turns=(turns, turns)) for turns in range(max(guess - 8, 5), guess + 9)]
    nearest = min(near, key=lambda shape: abs(len(session(combo, seed, rows, shape).messages) - messages))
    shape = replace(nearest, bulk=usual.bulk)
    for _ in range(4):
        shape = replace(shape, bulk=shape.bulk * tokens / size(session(combo, seed, rows, shape)))
    return session(combo, seed, rows, shape)


def _item(row: Row, fill: Callable[[str], str]) -> _Item:
    before = fill(row.before)
    return _Item(row, fill(row.text), before, fill)


def _plan(items: Iterable[_Item], turns: int, rng: Random) -> dict[int, list[Saying]]:
    """Return what is said in which turn: as much early as in the middle and late."""
    plan: dict[int, list[Saying]] = {}
    for number, item in enumerate(items):
        third = number % 3
        low, high = third * turns // 3, max((third + 1) * turns // 3 - 1, 0)
        turn = rng.randint(min(low, high), high)
        if item.before:
            first = rng.randint(0, max(turns * 3 // 5, 0))
            turn = rng.randint(min(first + max(turns // 6, 1), turns - 1), turns - 1)
            plan.setdefault(first, []).append(Saying(item.before, item.row.by, item.said))
        plan.setdefault(turn, []).append(Saying(item.text, item.row.by, item.said))
    return plan


def _planted(item: _Item, length: int) -> Planted:
    row, since = item.row, item.said[-1]
    text = item.before if row.type == "revoked" else item.text
    # A revoked rule is asked about once it is withdrawn; where it stood is where it was said.
    said = item.said[0] if row.is_decoy else since
    return Planted(
        row,
        text,
        tuple(map(item.fill, row.probe)),
        tuple(map(item.fill, row.stale)),
        since,
        POSITIONS[min(said * 3 // length, 2)],
        item.text if row.type == "revoked" else item.before,
    )
