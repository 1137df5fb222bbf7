"""Driving a client: what fails its row, and a whole drive with the SDK that the tests have at hand."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from clients.__main__ import table
from clients.catalogue import Client, clients
from clients.driving import Row, counted, drive
from gateway.core.frozen import replace

CLIENTS = {client.name: client for client in clients()}
GOOD = Row(CLIENTS["openai"], requests=64, refused=1, rescued=1, stability=0.9)


@pytest.mark.parametrize(
    ("broken", "verdict"),
    [
        ({"errors": 1}, "client errors"),
        ({"faults": ["a call without its result"]}, "structure"),
        ({"refused": 0}, "nothing was too long"),
        ({"rescued": 0}, "not rescued"),
        ({"requests": 29}, "too few requests"),
        ({"stability": 0.1}, "prefix"),
        ({"stability": None}, "prefix"),
    ],
)
def test_each_rule_fails_a_row(broken: dict[str, Any], verdict: str) -> None:
    """A row is good only if every promise was put to the test and kept."""
    assert GOOD.wrong == []
    assert replace(GOOD, **broken).wrong == [verdict]


@pytest.mark.parametrize("times", [0, 5])
def test_a_client_tries_once_what_is_turned_away(times: int) -> None:
    """Codex' WebSocket must be tried, or nothing is proven, and at most once for each question."""
    row = replace(GOOD, client=CLIENTS["codex"])

    assert replace(row, turned_away=4).wrong == []
    assert replace(row, turned_away=times).wrong == ["turned away"]


def test_who_is_not_installed_does_not_fail() -> None:
    """What cannot be had here is listed with its reason, and is no failure."""
    row = Row(CLIENTS["pi"], missing="npm is missing")

    assert row.wrong == []
    assert "Not installed: pi: npm is missing" in table([row])
    assert table([row, GOOD, replace(GOOD, errors=2)]).endswith("1 passed, 1 failed")


def test_counters_are_added_up_over_labels() -> None:
    """All lines of the counter count that have one of the values, and none of another counter."""
    metrics = (
        'a_total{x="1",y="2"} 3.0\na_total{x="9",y="2"} 4.0\na_total{x="1",y="7"} 5.0\nb_total{y="2"} 1.0\n'
    )

    assert counted(metrics, "a_total", "y", "2") == 7
    assert counted(metrics, "a_total", "x", "1", "9") == 12


@pytest.mark.parametrize("name", ["openai", "openai_responses"])
def test_the_sdk_at_hand_passes(name: str) -> None:
    """OpenAI's SDK as the tests have it, driven as `make clients` drives its own: the row is good."""
    client: Client = CLIENTS[name]

    row = drive(client, [Path(sys.executable).parent])

    assert row.wrong == [], row.log[-3000:]
    assert row.requests == client.questions * 2
