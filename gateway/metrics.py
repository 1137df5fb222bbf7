"""Every metric of the gateway, in one table that its documentation is checked against.

A metric is an attribute of `Metrics`; label values are given in the order of the table:

    metrics.requests.add("acme", "chat", "default", "rescued", "200")
    metrics.added_latency.observe(0.0004, "acme", "default", "none")

Labels are bounded: each label of a metric keeps its first hundred values and files all later ones under
`other`, so no client can create series without end. Nothing that a client typed, no key and no content may be
given as a label: names from policies, tenant files and our own tables only.

The numbers are kept in plain lists, because the library's own objects, with a lock for each step, took
10 µs of every request where these take 3. So they are changed from the event loop's thread only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

PREFIX = "haversack_"
OTHER = "other"
MAX_VALUES = 100
MAX_LENGTH = 64
MAX_KNOWN = 4096

FAST = (0.0001, 0.00025, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
"""Seconds, for what the gateway does itself: the bars it is held to are 0.6, 2 and 40 ms."""
SLOW = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 3600.0)
"""Seconds, for what a model does: from a cached embedding to an hour of reasoning."""


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


# A row for every metric: the attribute of Metrics, then what the user sees. Adding one: a row here, an
# attribute below, a row in grafana/README.md (a test compares them), and a place on the dashboard.
TABLE = {
    "requests": Spec(
        "counter",
        "requests_total",
        ("tenant", "endpoint", "policy", "action", "status"),
        "Requests answered. `action` as in the header x-haversack-action; status 499: the client left.",
    ),
    "attempts": Spec(
        "counter",
        "attempts_total",
        ("upstream", "outcome"),
        "Requests sent upstream, retries included. `outcome`: ok, overflow, refused, final.",
    ),
    "overflows": Spec(
        "counter",
        "overflows_total",
        ("upstream", "outcome"),
        "Exchanges in which the upstream said that it is too long. `outcome`: rescued, clamped, failed.",
    ),
    "compactions": Spec(
        "counter",
        "compactions_total",
        ("tenant", "policy", "step", "outcome"),
        "Steps of a policy and rungs of the emergency ladder. `outcome`: changed, unchanged, error.",
    ),
    "tokens": Spec(
        "counter",
        "tokens_total",
        ("tenant", "policy", "side"),
        "Tokens of requests as the client sent them (`side` before) and as they went out (after).",
    ),
    "saved": Spec(
        "counter",
        "tokens_saved_total",
        ("tenant", "policy", "kind"),
        "Tokens not sent: `unique` when first removed, `repeated` when a frozen decision is replayed.",
    ),
    "usage": Spec(
        "counter",
        "upstream_tokens_total",
        ("upstream", "kind"),
        "Tokens as the upstream bills them. `kind`: input, output, cached.",
    ),
    "failed_open": Spec(
        "counter",
        "failed_open_total",
        ("reason",),
        "Times that help failed. `reason`: error, rejected: sent as it came; store: nothing was kept.",
    ),
    "unknown_windows": Spec(
        "counter",
        "unknown_windows_total",
        ("upstream",),
        "Requests for a model whose window nobody knows, so that nothing is compacted before a refusal.",
    ),
    "added_latency": Spec(
        "histogram",
        "added_latency_seconds",
        ("tenant", "policy", "action"),
        "What the gateway itself adds before the first attempt and between attempts.",
        FAST,
    ),
    "step_latency": Spec(
        "histogram",
        "step_seconds",
        ("tenant", "policy", "step", "outcome"),
        "Time of one step of a policy.",
        FAST,
    ),
    "upstream_latency": Spec(
        "histogram",
        "upstream_latency_seconds",
        ("upstream",),
        "From sending to the last byte of the answer.",
        SLOW,
    ),
    "first_byte": Spec(
        "histogram",
        "first_byte_seconds",
        ("upstream",),
        "From sending to the first byte of the answer.",
        SLOW,
    ),
    "in_flight": Spec("gauge", "in_flight", (), "Requests being answered now."),
    "tasks": Spec("gauge", "tasks", (), "Tasks of the event loop."),
    "connections": Spec(
        "gauge", "upstream_connections", (), "Open connections to upstreams, idle ones included."
    ),
    "store_up": Spec(
        "gauge", "store_up", (), "1 while the store works, 0 while the gateway goes on without."
    ),
    "store_bytes": Spec("gauge", "store_bytes", (), "What the store takes on disk."),
    "policy_generation": Spec(
        "gauge", "policy_generation", (), "Grows by one with every set of policies loaded."
    ),
    "policy_problems": Spec(
        "gauge",
        "policy_reload_problems",
        (),
        "Problems of the policy files; above 0, an earlier set is in force.",
    ),
    "info": Spec("gauge", "info", ("version",), "Always 1; says which version runs."),
}


KINDS = {"counter": Count, "gauge": Level, "histogram": Spread}


class Metrics(Collector):
    """The metrics of one process, in a registry of their own."""

    requests: Count
    attempts: Count
    overflows: Count
    compactions: Count
    tokens: Count
    saved: Count
    usage: Count
    failed_open: Count
    unknown_windows: Count
    added_latency: Spread
    step_latency: Spread
    upstream_latency: Spread
    first_byte: Spread
    in_flight: Level
    tasks: Level
    connections: Level
    store_up: Level
    store_bytes: Level
    policy_generation: Level
    policy_problems: Level
    info: Level

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        for attribute, spec in TABLE.items():
            setattr(self, attribute, KINDS[spec.kind](spec, [Bounded() for _ in spec.labels]))
        self.registry.register(self)
        ProcessCollector(registry=self.registry)

    def render(self) -> bytes:
        """Return everything in the text format that Prometheus scrapes."""
        return generate_latest(self.registry)

    def collect(self) -> Iterator[Metric]:
        """Yield every metric; the registry asks for them at each scrape."""
        for attribute in TABLE:
            yield getattr(self, attribute).family()
