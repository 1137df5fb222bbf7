"""What assistants and tools report, and what of it is a value."""

from __future__ import annotations

from gateway.core.ledger.results import MAX_OF_TOOL, reports_value, tool_lines


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
