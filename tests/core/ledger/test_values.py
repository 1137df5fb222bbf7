"""Exact values, and where they are told."""

from __future__ import annotations

import pytest

from gateway.core.ledger.values import states_value, strong


@pytest.mark.parametrize(
    "value",
    [
        "https://example.org/a?b=1",
        "postgres://db:5432/shop",
        "ana@example.org",
        "550e8400-e29b-41d4-a716-446655440000",
        "9f3ab21c",
        "10.0.0.5:8080",
        "db.internal:5432",
        ":8081",
        "OPS-4471",
        "4471-XK",
        "#1042",
        "v2.3",
        "4.18.2",
        "LOG_LEVEL=debug",
        "+49 30 901820",
        "13800138000",
        "$1,200",
        "500 EUR",
        "52.5200, 13.4050",
        "gpt-4o-mini",
        "acc_83hf92kd",
        "INV20931",
    ],
)
def test_value_is_known_by_its_form(value: str) -> None:
    """Some things are values wherever they stand."""
    assert strong(f"it is {value} here").strip() == value


@pytest.mark.parametrize(
    "sentence",
    [
        "The API runs on port 8443.",
        "The repo lives at /srv/git/a.git.",
        "The code name is Bluebird.",
        "项目代号是青鸟。",
    ],
)
def test_statement_of_a_value_is_known(sentence: str) -> None:
    """A value with what it is of is worth keeping."""
    assert states_value(sentence)


@pytest.mark.parametrize(
    "sentence", ["Fix the bug in a.py", "It works.", "Read src/a.py and src/b.py", "I am here"]
)
def test_errand_states_no_value(sentence: str) -> None:
    """A file that is only to be looked at is none."""
    assert not states_value(sentence)
