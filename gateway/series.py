"""What a metric is made of: how its user sees it, and the cells that hold its numbers.

Labels are bounded: each label of a metric keeps its first hundred values and files all later ones under
`other`, so no client can create series without end.

The numbers are kept in plain lists, because the library's own objects, with a lock for each step, took
10 µs of every request where these take 3. So they are changed from the event loop's thread only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

PREFIX = "haversack_"
OTHER = "other"
MAX_VALUES = 100
MAX_LENGTH = 64
MAX_KNOWN = 4096


@dataclass(frozen=True, slots=True)
class Spec:
    """One metric as its user sees it."""

    kind: Literal["counter", "gauge", "histogram"]
    name: str
    """Without prefix; a counter's ends in `_total`."""
    labels: tuple[str, ...]
    about: str
    buckets: tuple[float, ...] = ()
    """Upper bounds in seconds, of a histogram."""

    @property
    def full_name(self) -> str:
        """The name that Prometheus stores."""
        return PREFIX + self.name

    @property
    def size(self) -> int:
        """Numbers in one cell: a value, or a histogram's buckets with what is beyond them and the sum."""
        return len(self.buckets) + 2 if self.buckets else 1


class Bounded:
    """The vocabulary of one label: the first values it sees, then `other`.

    >>> label = Bounded(most=2)
    >>> [label(value) for value in ("a", "b", "c", "a")]
    ['a', 'b', 'other', 'a']
    """

    def __init__(self, most: int = MAX_VALUES) -> None:
        self._most = most
        self._seen: set[str] = set()

    def __call__(self, value: str) -> str:
        value = value[:MAX_LENGTH]
        if value in self._seen:
            return value
        if len(self._seen) >= self._most:
            return OTHER
        self._seen.add(value)
        return value


@dataclass(slots=True)
class _Series:
    """The cells of one metric, by the label values they were asked for."""

    spec: Spec
    vocabularies: Sequence[Bounded]
    cells: dict[tuple[str, ...], list[float]] = field(default_factory=dict)
    """By bounded labels: what is shown."""
    known: dict[tuple[str, ...], list[float]] = field(default_factory=dict)
    """By labels as they were given: what finds a cell in one look."""

    def cell(self, labels: tuple[str, ...]) -> list[float]:
        """Return the cell for labels that are seen for the first time."""
        bounded = tuple(bound(value) for bound, value in zip(self.vocabularies, labels, strict=True))
        found = self.cells.setdefault(bounded, [0.0] * self.spec.size)
        if len(self.known) < MAX_KNOWN:
            self.known[labels] = found
        return found

    def family(self) -> Metric:
        """Return what a scrape is told."""
        kind = CounterMetricFamily if self.spec.kind == "counter" else GaugeMetricFamily
        family = kind(self.spec.full_name, self.spec.about, labels=self.spec.labels)
        for labels, cell in self.cells.items():
            family.add_metric(labels, cell[0])
        return family


class Count(_Series):
    """Something that happens."""

    def add(self, *labels: str, amount: float = 1) -> None:
        """Count it once, or *amount* times."""
        (self.known.get(labels) or self.cell(labels))[0] += amount


class Level(_Series):
    """Something that goes up and down."""

    def set(self, value: float, *labels: str) -> None:
        """Say how high it stands."""
        (self.known.get(labels) or self.cell(labels))[0] = value

    def move(self, by: float, *labels: str) -> None:
        """Raise it, or lower it."""
        (self.known.get(labels) or self.cell(labels))[0] += by


class Spread(_Series):
    """How long things take. A cell is the count of every bucket, of what is beyond them, and the sum."""

    def observe(self, seconds: float, *labels: str) -> None:
        """Add one measurement."""
        cell = self.known.get(labels) or self.cell(labels)
        cell[bisect_left(self.spec.buckets, seconds)] += 1
        cell[-1] += seconds

    def family(self) -> Metric:
        """Return what a scrape is told."""
        family = HistogramMetricFamily(self.spec.full_name, self.spec.about, labels=self.spec.labels)
        bounds = [*map(str, self.spec.buckets), "+Inf"]
        for labels, cell in self.cells.items():
            family.add_metric(labels, list(zip(bounds, accumulate(cell[:-1]), strict=True)), cell[-1])
        return family


KINDS = {"counter": Count, "gauge": Level, "histogram": Spread}
