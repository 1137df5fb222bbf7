"""What an operator sees at /metrics, and that table, documentation and dashboard agree about it."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from gateway.metric_table import TABLE
from gateway.metrics import Metrics

ROOT = Path(__file__).parent.parent
DASHBOARD = json.loads((ROOT / "grafana" / "haversack.json").read_text())
EXPRESSIONS = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
WINDOWS = {"$__rate_interval": "5m", "$__range": "1h", "$tenant": ".*", "$policy": ".*"}

needs_promtool = pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool is not installed; .ci/run installs it"
)


def samples(metrics: Metrics) -> dict[str, list[tuple[dict[str, str], float]]]:
    """Return what a scrape reads, by sample name."""
    found: dict[str, list[tuple[dict[str, str], float]]] = {}
    for family in text_string_to_metric_families(metrics.render().decode()):
        for sample in family.samples:
            found.setdefault(sample.name, []).append((sample.labels, sample.value))
    return found


def used() -> Metrics:
    """Return metrics in which everything happened once."""
    metrics = Metrics()
    for attribute, spec in TABLE.items():
        labels = [f"some-{label}" for label in spec.labels]
        metric: Any = getattr(metrics, attribute)
        match spec.kind:
            case "counter":
                metric.add(*labels)
            case "gauge":
                metric.set(1, *labels)
            case "histogram":
                metric.observe(0.3, *labels)
    return metrics


def test_counts_arrive_with_their_labels() -> None:
    """What was counted is scraped under the labels it was counted with."""
    metrics = Metrics()
    metrics.requests.add("acme", "chat", "default", "rescued", "200")
    metrics.requests.add("acme", "chat", "default", "rescued", "200")
    metrics.tokens.add("acme", "default", "before", amount=9120)

    found = samples(metrics)

    labels = {"tenant": "acme", "endpoint": "chat", "policy": "default", "action": "rescued", "status": "200"}
    assert found["haversack_requests_total"] == [(labels, 2)]
    assert found["haversack_tokens_total"] == [
        ({"tenant": "acme", "policy": "default", "side": "before"}, 9120)
    ]


def test_histogram_is_cumulative() -> None:
    """Each bucket counts what is at most its bound, the last one everything, beside the sum."""
    metrics = Metrics()
    for seconds in (0.0001, 0.0003, 99.0):
        metrics.added_latency.observe(seconds, "acme", "default", "none")

    found = samples(metrics)

    buckets = {labels["le"]: value for labels, value in found["haversack_added_latency_seconds_bucket"]}
    assert (buckets["0.0001"], buckets["0.00025"], buckets["0.0005"], buckets["5.0"]) == (1, 1, 2, 2)
    assert buckets["+Inf"] == 3
    assert [value for _, value in found["haversack_added_latency_seconds_sum"]] == [pytest.approx(99.0004)]


def test_gauge_goes_up_and_down() -> None:
    """Requests in flight return to what they were."""
    metrics = Metrics()
    metrics.in_flight.move(1)
    metrics.in_flight.move(1)
    metrics.in_flight.move(-1)
    metrics.store_bytes.set(4096)

    assert samples(metrics)["haversack_in_flight"] == [({}, 1)]
    assert samples(metrics)["haversack_store_bytes"] == [({}, 4096)]


def test_two_gateways_in_one_process_count_apart() -> None:
    """Nothing is global: the second set of metrics starts at nothing."""
    first, second = Metrics(), Metrics()
    first.failed_open.add("store")

    assert "haversack_failed_open_total" not in samples(second)


def test_documentation_lists_every_metric() -> None:
    """grafana/README.md has one row for each metric, with its kind, labels and meaning, and no other row."""
    text = (ROOT / "grafana" / "README.md").read_text()
    rows = {line for line in text.splitlines() if line.startswith("| `haversack_") and line.count("|") == 5}
    rows = {row for row in rows if re.search(r"\| (counter|gauge|histogram) \|", row)}

    assert rows == {
        f"| `{spec.full_name}` | {spec.kind} | "
        f"{', '.join(f'`{label}`' for label in spec.labels) or '-'} | {spec.about} |"
        for spec in TABLE.values()
    }


def test_dashboard_knows_every_metric_and_no_other() -> None:
    """Each metric has a place on the dashboard, and the dashboard asks for none that does not exist."""
    asked = set(re.findall(r"\b(haversack_\w+)", " ".join(EXPRESSIONS)))

    assert {re.sub(r"_bucket$", "", name) for name in asked} == {spec.full_name for spec in TABLE.values()}


def test_dashboard_panels_do_not_overlap() -> None:
    """Each panel has a number and a place of its own, within the width of the page."""
    cells = [
        (x, y)
        for at in (panel["gridPos"] for panel in DASHBOARD["panels"])
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(set(cells)) == len(cells)
    assert max(x for x, _ in cells) < 24
    numbers = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(numbers)) == len(numbers)


def test_dashboard_asks_for_labels_that_exist() -> None:
    """A selector or grouping on the dashboard names labels that its metric has."""
    labels = {spec.full_name: {*spec.labels, "le", "instance", "job"} for spec in TABLE.values()}
    for expression in EXPRESSIONS:
        names = set(re.findall(r"\b(haversack_\w+?)(?:_bucket)?\b(?=[{\[)\s]|$)", expression))
        asked = set(re.findall(r"(\w+)=~?\"", expression))
        for group in re.findall(r"by \(([^)]*)\)", expression):
            asked |= {label.strip() for label in group.split(",")}
        assert names, expression
        assert all(asked <= labels[name] for name in names), expression


@needs_promtool
def test_prometheus_accepts_the_metrics() -> None:
    """Prometheus' own linter has nothing to say about names, types and help texts."""
    done = subprocess.run(
        ["promtool", "check", "metrics"], input=used().render(), capture_output=True, check=False
    )
    said = [line for line in (done.stdout + done.stderr).decode().splitlines() if "haversack_" in line]

    assert said == []


@needs_promtool
def test_prometheus_accepts_the_dashboard(tmp_path: Path) -> None:
    """Every expression of the dashboard parses, with Grafana's variables filled in."""
    rules = []
    for index, expression in enumerate(EXPRESSIONS):
        for variable, value in WINDOWS.items():
            expression = expression.replace(variable, value)
        rules.append({"record": f"panel:expression:{index}", "expr": expression})
    file = tmp_path / "rules.yml"
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))

    done = subprocess.run(
        ["promtool", "check", "rules", str(file)], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
