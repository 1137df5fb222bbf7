"""Exact values, and where they are told."""

from __future__ import annotations

import pytest

from gateway.core.ledger.values import MAX_OF_TOOL, STRONG, reports_value, states_value, tool_lines


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
    found = STRONG.search(f"it is {value} here")

    assert found is not None
    assert found[0].strip() == value


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


def test_report_needs_a_word_that_tells() -> None:
    """Numbers in passing are no results."""
    assert reports_value("Saved to out/report.csv.")
    assert not reports_value("Looking at a.py, then b.py, 3 more")
    assert not reports_value("The rest is fine.")


def test_telling_lines_of_a_long_result_are_found_wherever_they_stand() -> None:
    """Beginning and end are read, and of the middle what announces itself."""
    noise = "lorem ipsum dolor\n" * 1000

    found = list(tool_lines(f"version: 4.2.1\n{noise}total: 1,284 rows\n{noise}status: 200\n"))

    assert found == ["version: 4.2.1", "status: 200", "total: 1,284 rows"]


def test_one_result_gives_a_few_values() -> None:
    """A listing does not fill the ledger."""
    assert len(list(tool_lines("\n".join(f"id{n} port: {n}" for n in range(1000, 1030))))) <= MAX_OF_TOOL


def test_code_tells_nothing() -> None:
    """A file that was read is not a result."""
    assert list(tool_lines("def f(x):\n    return x[3] + 1\n\nclass A:\n    n = 5\n")) == []
