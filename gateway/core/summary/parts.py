"""How a conversation is parted among calls to a summariser, and how the partial summaries come together.

A part takes a share of the summariser's window, a smaller one where messages are large; a round is never
parted. The number of calls is bounded before the first is made: what does not fit into so many parts is cut
fairly, and merging at least halves the number of summaries each time. Several calls may run at once: no part
needs the summary of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from gateway.core.conversation import Count
from gateway.core.frozen import replace
from gateway.core.summary.cut import Shorten, shorten
from gateway.core.summary.level import fit
from gateway.core.summary.transcript import Passage, size

BASE_RATIO = 0.4
"""Share of the window that a part may take."""
MIN_RATIO = 0.15
"""The same where messages are large."""
MARGIN = 1.2
"""Upstream tokens that a local one may be, as long as usage has not told."""
MAX_PARTS = 16
LEAST_PART = 500
"""Tokens below which it is not worth a call of its own."""

_LARGE = 0.1
"""Share of the window that messages take on the average, from which on they are large."""
_UNITS_PER_PART = 2
_FRAME_TOKENS = 40
"""What a partial summary takes beside its text: label and fence."""
_LEAST_ROOM = 120
_LEAST_WINDOW = 512
_SHRINK = 0.7
_SHARES = 1.0, 0.8, 0.6
"""Of what all parts hold: rounds seldom fill a part to its end."""


def answer_tokens(window: int) -> int:
    """Return how long a summary may be where the policy does not say so: a fifth of the window at most.

    >>> answer_tokens(8_192), answer_tokens(200_000)
    (1638, 4096)
    """
    return min(4096, window // 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """What one call to a summariser can hold."""

    window: int
    """Upstream tokens."""
    answer: int
    """Upstream tokens kept for the summary: the `max_tokens` of the call."""
    fixed: int = 0
    """Our tokens of what each call says beside its part: instructions, focus, earlier summary."""
    factor: float = 1.0
    """Upstream tokens per token of ours, as usage has taught."""
    is_calibrated: bool = False
    """Whether the factor rests on enough reports; if not, a margin is added. Never both."""
    base_ratio: float = BASE_RATIO
    min_ratio: float = MIN_RATIO
    margin: float = MARGIN

    @property
    def per_token(self) -> float:
        """Upstream tokens that a token of ours is taken for."""
        return self.factor if self.is_calibrated else max(self.factor, self.margin)

    @property
    def most(self) -> int:
        """Our tokens that one call can hold beside what is fixed; 0: none."""
        return max(0, int((self.window - self.answer) / self.per_token) - self.fixed)

    def ratio(self, mean_tokens: float) -> float:
        """Return the share of the window for a part, where a message has so many of our tokens on average.

        >>> space = Space(window=10_000, answer=1_000, is_calibrated=True)
        >>> space.ratio(500), round(space.ratio(1_100), 2), space.ratio(5_000)
        (0.4, 0.18, 0.15)
        """
        mean = mean_tokens * self.per_token / max(1, self.window)
        if mean <= _LARGE:
            return self.base_ratio
        return max(self.min_ratio, self.base_ratio - 2 * mean)

    def part(self, mean_tokens: float = 0.0) -> int:
        """Return how many of our tokens one part may have."""
        return min(self.most, int(self.window * self.ratio(mean_tokens) / self.per_token))

    def after_overflow(self, limit: int | None = None) -> Space | None:
        """Return what to plan with after a call was too long: a smaller window, or the one it was told.

        So no call is repeated as it was. None: it is too small by now for any summary.
        """
        window = limit if limit and limit < self.window else int(self.window * _SHRINK)
        if window < _LEAST_WINDOW:
            return None
        return replace(self, window=window, answer=min(self.answer, max(1, window // 4)))


@dataclass(frozen=True, slots=True)
class Plan:
    """What to ask: one call for each part, then merges."""

    parts: tuple[tuple[Passage, ...], ...]
    """None: the summariser's window is too small."""

    @property
    def max_calls(self) -> int:
        """Calls at most, merges included; repairs and retries are the caller's."""
        return max(0, 2 * len(self.parts) - 1)

    @property
    def depth(self) -> int:
        """Calls at most that wait for each other."""
        return 1 + max(0, len(self.parts) - 1).bit_length() if self.parts else 0


def plan(
    passages: Sequence[Passage],
    space: Space,
    count: Count,
    *,
    min_parts: int = 1,
    max_parts: int = MAX_PARTS,
    least_part: int = LEAST_PART,
    cut: Shorten = shorten,
) -> Plan:
    """Return how passages are parted: into *min_parts* at least if they are worth it, *max_parts* at most.

    A part has at most `space.part` tokens and holds whole rounds; a round that is larger is cut to it.
    """
    room = space.part(size(passages) / max(1, len(passages)))
    if room < _LEAST_ROOM or not passages:
        return Plan(())
    for share in _SHARES:
        units = _fitting(passages, int(room * max_parts * share), room, count, cut)
        parts = _packed(units, room, _wanted(units, room, min_parts, least_part))
        if len(parts) <= max_parts:
            return Plan(tuple(parts))
    # Of two parts side by side the units fill more than one, so half of it fits in any case.
    units = _fitting(passages, room * max(2, max_parts - 1) // 2, room, count, cut)
    return Plan(tuple(_packed(units, room, 1)))


def merge(
    summaries: Sequence[str], space: Space, count: Count, cut: Shorten = shorten
) -> tuple[tuple[str, ...], ...]:
    """Return partial summaries in groups of neighbours, each of which one call can merge.

    To be repeated with the results until one is left; a group of one needs no call. There are fewer groups
    than summaries: one that is too long for a group of two is cut.

    >>> space = Space(window=1_000, answer=200, is_calibrated=True)
    >>> [len(group) for group in merge(["word " * 300] * 5, space, lambda text: len(text.split()))]
    [2, 2, 1]
    """
    most = max(1, space.most // 2 - _FRAME_TOKENS)
    groups: list[list[str]] = []
    left = 0
    for summary in summaries:
        text = summary if count(summary) <= most else cut(summary, most, count)
        needed = count(text) + _FRAME_TOKENS
        if not groups or (needed > left and len(groups[-1]) > 1):
            groups.append([])
            left = space.most
        groups[-1].append(text)
        left -= needed
    return tuple(map(tuple, groups))


def _units(passages: Sequence[Passage]) -> list[list[Passage]]:
    """Return passages by round; what is in none is a unit of its own."""
    units: list[list[Passage]] = []
    for passage in passages:
        if passage.follows and units:
            units[-1].append(passage)
        else:
            units.append([passage])
    return units


def _fitting(
    passages: Sequence[Passage], total: int, room: int, count: Count, cut: Shorten
) -> list[tuple[Passage, ...]]:
    """Return passages by round, cut to *total* together and to *room* each."""
    return [fit(unit, room, count, cut) for unit in _units(fit(passages, total, count, cut))]


def _wanted(units: Sequence[Sequence[Passage]], room: int, min_parts: int, least_part: int) -> int:
    total = sum(map(size, units))
    worth = min(min_parts, len(units) // _UNITS_PER_PART, total // max(1, least_part))
    return max(1, worth, ceil(total / room))


def _packed(units: Sequence[Sequence[Passage]], room: int, parts: int) -> list[tuple[Passage, ...]]:
    """Return units in parts of about one size, and never more than *room*."""
    goal = sum(map(size, units)) / parts
    packed: list[list[Passage]] = [[]]
    filled = 0
    for unit in units:
        one = size(unit)
        is_even = filled + one / 2 > goal and len(packed) < parts
        if packed[-1] and (filled + one > room or is_even):
            packed.append([])
            filled = 0
        packed[-1] += unit
        filled += one
    return [tuple(part) for part in packed]
