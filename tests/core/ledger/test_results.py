"""What assistants and tools report, and what of it is a value."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from gateway.core.ledger.results import MAX_OF_TOOL, reports_value, tool_lines

REPORTED = Path(__file__).parent / "phrasings" / "reported.yaml"


def rows(who: str) -> list[str]:
    """Return what an assistant or a tool reports."""
    found: list[str] = yaml.safe_load(REPORTED.read_text())[who]
    return found


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


@pytest.mark.parametrize("row", rows("tool"))
def test_outcome_of_a_tool_is_told(row: str) -> None:
    """Short results are outcomes, in whatever words."""
    assert list(tool_lines(row))


@pytest.mark.parametrize("row", rows("assistant"))
def test_outcome_told_by_an_assistant_is_a_value(row: str) -> None:
    """What was done, and where it is now."""
    assert reports_value(row)


@pytest.mark.parametrize(
    "row",
    ["I'll look at src/a.py next.", "Here are 5 ideas.", "I ran 3 tests.", "Let me open a.py first."],
)
def test_plans_and_counts_are_no_outcome(row: str) -> None:
    """Numbers in passing, and what is only going to be done."""
    assert not reports_value(row)


def test_many_objects_of_one_sort_give_the_first() -> None:
    """A list of rows in JSON is data; its first is enough to know it by."""
    found = list(tool_lines("[" + ",\n".join(f'{{"id": "A-{n}", "state": "open"}}' for n in range(50)) + "]"))

    assert len(found) <= 2
    assert "A-0" in found[0]
