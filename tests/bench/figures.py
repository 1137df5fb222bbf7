"""The figures, their bars, and the table that says which are met.

The bars were set on a machine where the ready-made pass-through (`bare.py`) answers 5,704 small
requests per second at 16 connections. Beside each bar as it stands the table has the bar at this machine's
speed: scaled by what that pass-through does here, in the same run, or else by what our own bare one does.
Ratios to others need no scaling.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

READYMADE_RATE = 5704.0
"""Small requests per second at 16 connections of the ready-made pass-through, where the bars were set."""

_BARE_OVER_READYMADE = 1.16
"""How much faster our bare pass-through is on one machine (medians of 40 rounds: 1.10, 1.16, 1.20)."""

Values = Mapping[str, Mapping[str, Sequence[float]]]
"""By figure and target, one value per repetition."""

COLUMNS = ("direct", "readymade", "bare", "ours", "litellm", "portkey")


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table."""

    name: str
    about: str
    unit: str
    bar: float | None = None
    is_rate: bool = False
    """More is better, and a faster machine has more; otherwise less is better."""
    is_added: bool = False
    """The bar is about the difference to `direct`."""
    scales: bool = True
    """Whether the speed of the machine matters; False for memory."""
    times: tuple[tuple[str, float], ...] = ()
    """By which factor a rival is to be beaten."""


def _rate(name: str, about: str, unit: str, bar: float | None = None, **times: float) -> Figure:
    return Figure(name, about, unit, bar, is_rate=True, times=tuple(times.items()))


def _added(name: str, about: str, bar: float) -> Figure:
    return Figure(name, about, "ms", bar, is_added=True)


FIGURES = (
    _rate("small_1", "small, 1 connection", "req/s"),
    _rate("small_16", "small, 16 connections", "req/s", 3500, litellm=45, portkey=4),
    _rate("small_64", "small, 64 connections", "req/s"),
    _rate("big_1", "big, known, one new turn, 1 connection", "req/s"),
    _rate("big_16", "big, known, one new turn, 16 connections", "req/s", 500, litellm=12, portkey=5),
    Figure("small_cpu", "CPU of the gateway per request, small, 16 connections", "us"),
    Figure("big_cpu", "the same, big and known", "us"),
    Figure("cold_cpu", "the same, big and never seen, 1 connection", "us"),
    Figure("frozen_cpu", "the same, big, a checkpoint applied", "us"),
    Figure("compact_cpu", "the same, big and cold, compacted for a window of 128,000 tokens", "us"),
    Figure("narrow_cpu", "the same, for one of 65,536", "us"),
    Figure("digest_cpu", "the same, for one of 32,768, with a digest of what is old", "us"),
    _added("small_p50", "p50 at 1, small", 0.6),
    _added("big_p50", "p50 at 1, big and known", 2),
    _added("cold_p50", "p50 at 1, big and never seen", 40),
    _added("frozen_p50", "p50 at 1, big, a checkpoint applied", 2.5),
    _added("compact_p50", "p50 at 1, big and cold, compacted for a window of 128,000 tokens", 60),
    Figure("compact_others", "p99 of other small requests meanwhile", "ms", 5),
    _added("narrow_p50", "p50 at 1, big and cold, compacted for a window of 65,536 tokens", 60),
    Figure("narrow_others", "p99 of other small requests meanwhile", "ms", 5),
    _added("digest_p50", "p50 at 1, big and cold, for one of 32,768, with a digest of what is old", 60),
    Figure("digest_others", "p99 of other small requests meanwhile", "ms", 5),
    _rate("stream_16", "stream, 16 connections", "chunks/s", 60_000, litellm=50, portkey=2.5),
    _added("first_byte", "first byte of a stream, p50 at 1", 2),
    Figure("lag_p99", "lag of a chunk, p99 at 16 paced streams", "ms", 1),
    Figure("memory_first", "memory after the first request", "MiB", 170, scales=False),
    Figure("memory_some", "memory after 1,000 different 100 KB conversations", "MiB"),
    Figure("memory_many", "memory after 10,000 different 100 KB conversations", "MiB", 300, scales=False),
    Figure("turn_10", "one conversation, turn 10 (median of 50 around it)", "ms"),
    Figure("turn_500", "the same, turn 500", "ms"),
    Figure("turn_1000", "the same, turn 1000", "ms"),
    Figure("growth", "over bare at turn 1000 (540 KB), less the same at turn 10", "ms", 2),
    Figure("frozen_turn_10", "the same with checkpoints, turn 10", "ms"),
    Figure("frozen_turn_500", "the same, turn 500", "ms"),
    Figure("frozen_turn_1000", "the same, turn 1000", "ms"),
    Figure("digests_p50", "300 turns in a window of 16,384 tokens, compacted by digests, p50", "ms"),
    Figure("digests_p99", "the same, p99", "ms"),
    Figure("summaries_p50", "the same, while a summary is written that takes 20 s, p50", "ms"),
    Figure("summaries_p99", "the same, p99", "ms"),
    Figure("frozen_growth", "over bare at turn 1000, less the same at turn 10", "ms", 2.5),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A figure as it was measured."""

    figure: Figure
    medians: Mapping[str, float]
    judged: float | None
    """What is held against the bar."""
    scaled_bar: float | None
    """The bar at this machine's speed."""

    def is_met(self, bar: float | None) -> bool | None:
        """Return whether a bar is met; None if there is nothing to say."""
        if bar is None or self.judged is None:
            return None
        return self.judged >= bar if self.figure.is_rate else self.judged <= bar

    def ratio(self, other: str) -> float | None:
        """Return ours over another's; None if one of them was not measured."""
        ours, theirs = self.medians.get("ours"), self.medians.get(other)
        return ours / theirs if ours is not None and theirs else None


def lines(values: Values) -> list[Line]:
    """Return the lines of what was measured."""
    speed = _speed(values.get("small_16", {}))
    return [_line(figure, values[figure.name], speed) for figure in FIGURES if values.get(figure.name)]


def _speed(small: Mapping[str, Sequence[float]]) -> float | None:
    """Return how fast this machine is beside the one where the bars were set; None: it was not measured.

    >>> _speed({"readymade": [2852.0], "bare": [5704.0]}), _speed({})
    (0.5, None)
    """
    if readymade := small.get("readymade"):
        return statistics.median(readymade) / READYMADE_RATE
    if bare := small.get("bare"):
        return statistics.median(bare) / _BARE_OVER_READYMADE / READYMADE_RATE
    return None


def _line(figure: Figure, measured: Mapping[str, Sequence[float]], speed: float | None) -> Line:
    medians = {name: statistics.median(found) for name, found in measured.items()}
    judged = medians.get("ours")
    if figure.is_added:
        pairs = list(zip(measured.get("ours", ()), measured.get("direct", ()), strict=False))
        judged = statistics.median(ours - direct for ours, direct in pairs) if pairs else None
    scaled = None
    if figure.bar is not None and figure.scales and speed:
        scaled = figure.bar * speed if figure.is_rate else figure.bar / speed
    return Line(figure, medians, judged, scaled)


def table(measured: Sequence[Line]) -> str:
    """Return the lines as a table in Markdown."""
    columns = [name for name in COLUMNS if any(name in line.medians for line in measured)]
    rivals = [name for name in columns if name not in ("direct", "ours")]
    head = ["figure", "unit", *columns, *(f"ours / {name}" for name in rivals)]
    head += ["judged", "bar", "met", "bar at this machine's speed", "met"]
    rows = [_row(line, columns, rivals) for line in measured]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def _row(line: Line, columns: Sequence[str], rivals: Sequence[str]) -> list[str]:
    figure = line.figure
    wanted = dict(figure.times)
    row = [figure.about, figure.unit, *(_shown(line.medians.get(name)) for name in columns)]
    for name in rivals:
        ratio = line.ratio(name)
        aim = wanted.get(name)
        row.append(_shown(ratio) + (f" (≥ {aim:g}: {_said(ratio >= aim)})" if ratio and aim else ""))
    sign = "" if figure.bar is None else "≥ " if figure.is_rate else "≤ "
    added = "+" if figure.is_added and line.judged is not None else ""
    row += [added + _shown(line.judged), sign + added * bool(sign) + _shown(figure.bar)]
    row += [_said(line.is_met(figure.bar)), sign + _shown(line.scaled_bar) if line.scaled_bar else ""]
    return [*row, _said(line.is_met(line.scaled_bar))]


def _shown(value: float | None) -> str:
    """Return a number with three digits that count.

    >>> [_shown(n) for n in (12345.6, 12.345, 1.2345, 0.01234, None)]
    ['12,346', '12.3', '1.23', '0.01', '']
    """
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def _said(is_met: bool | None) -> str:
    return "" if is_met is None else "met" if is_met else "**not met**"
