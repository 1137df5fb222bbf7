"""The metrics of the gateway, as `metric_table` has them.

A metric is an attribute of `Metrics`; label values are given in the order of the table:

    metrics.requests.add("acme", "chat", "default", "rescued", "200")
    metrics.added_latency.observe(0.0004, "acme", "default", "none")

Nothing that a client typed, no key and no content may be given as a label: names from policies, tenant
files and our own tables only.
"""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from gateway.metric_table import TABLE
from gateway.series import KINDS, Bounded, Count, Level, Spread


class Metrics(Collector):
    """The metrics of one process, in a registry of their own."""

    requests: Count
    attempts: Count
    overflows: Count
    compactions: Count
    tokens: Count
    observed: Count
    observed_steps: Count
    observed_tokens: Count
    saved: Count
    usage: Count
    cache: Count
    overhead: Count
    billed: Count
    saved_money: Count
    lost_money: Count
    summaries: Count
    summary_calls: Count
    summary_findings: Count
    summary_tokens: Count
    summary_money: Count
    unaccounted: Count
    failed_open: Count
    unknown_windows: Count
    suspected_truncations: Count
    cut_answers: Count
    added_latency: Spread
    step_latency: Spread
    upstream_latency: Spread
    first_byte: Spread
    summary_latency: Spread
    rounds: Spread
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
