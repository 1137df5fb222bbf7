"""The cells of a metric: what was counted is shown under bounded labels, whatever it is counted with."""

from __future__ import annotations

import pytest

from gateway.series import MAX_LENGTH, MAX_VALUES, Bounded, Count, Level, Spec, Spread


def count(*labels: str) -> Count:
    """Return a counter with these labels."""
    return Count(Spec("counter", "things_total", labels, "Things."), [Bounded() for _ in labels])


def shown(series: Count | Level | Spread) -> list[tuple[str, dict[str, str], float]]:
    """Return what a scrape is told: name, labels and value of every sample."""
    return [(sample.name, sample.labels, sample.value) for sample in series.family().samples]


def test_amounts_add_up_by_their_labels() -> None:
    """Two things of one kind are one number, a thing of another kind is another."""
    things = count("kind")
    things.add("a")
    things.add("a", amount=2.5)
    things.add("b")

    name = "haversack_things_total"
    assert shown(things) == [(name, {"kind": "a"}, 3.5), (name, {"kind": "b"}, 1)]


def test_series_do_not_grow_without_end() -> None:
    """However many values appear, a label keeps a hundred, and the rest is other."""
    things = count("kind")
    for index in range(10_000):
        things.add(f"kind-{index}")

    values = {labels["kind"]: value for _, labels, value in shown(things)}
    assert len(values) == MAX_VALUES + 1
    assert values["other"] == 10_000 - MAX_VALUES


def test_long_values_are_cut() -> None:
    """A label value of any length does not make the scrape as long."""
    things = count("kind")
    things.add("x" * 100_000)

    [(_, labels, _)] = shown(things)
    assert len(labels["kind"]) == MAX_LENGTH


def test_wrong_number_of_labels_is_refused() -> None:
    """A slip in the order or number of labels fails at once instead of counting somewhere else."""
    with pytest.raises(ValueError, match="argument"):
        count("kind", "size").add("a")


def test_level_goes_up_and_down() -> None:
    """What is in flight returns to what it was, and what is set is what it is."""
    level = Level(Spec("gauge", "level", (), "Things now."), [])
    level.move(2)
    level.move(-1)
    assert shown(level) == [("haversack_level", {}, 1)]
    level.set(7)
    assert shown(level) == [("haversack_level", {}, 7)]


def test_spread_is_cumulative() -> None:
    """Each bucket counts what is at most its bound, the last one everything, beside the sum."""
    spread = Spread(Spec("histogram", "time_seconds", (), "Time.", (0.1, 1.0)), [])
    for seconds in (0.1, 0.5, 99.0):
        spread.observe(seconds)

    buckets = [value for name, _, value in shown(spread) if name.endswith("_bucket")]
    assert buckets == [1, 2, 3]
    assert [value for name, _, value in shown(spread) if name.endswith("_sum")] == [pytest.approx(99.6)]
