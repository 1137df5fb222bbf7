"""What is data by its shape."""

from __future__ import annotations

import pytest

from gateway.core.ledger.shapes import data_lines

ROWS = {
    "log": ["2024-01-01 12:00:0{n} INFO req={n}a took 1{n} ms", "2024-01-01 12:00:0{n} WARN slow: 1{n}"],
    "csv": ["{n},ana,1{n},x", "{n},bo,2{n},y"],
    "json": ['{{"id": {n}, "name": "a"}},'],
    "listing": [
        "-rw-r--r-- 1 ana staff 10{n} Jan 5 12:00 a{n}.py",
        "drwxr-xr-x 2 ana staff 64 Jan 5 12:01 b-{n}",
    ],
    "trace": ['  File "a{n}.py", line {n}, in run'],
    "values": ["u19 line {n}: value=1{n}"],
}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_lines_of_one_shape_are_data(rows: list[str]) -> None:
    """However different what is in them."""
    lines = [rows[n % len(rows)].format(n=n) for n in range(6)]

    assert data_lines(["Look at this:", *lines, "It is slow."]) == frozenset(range(1, 7))


@pytest.mark.parametrize(
    "lines",
    [
        ["port: 80", "retries: 3", "timeout: 20", "workers: 4"],
        ["- max 3 calls", "- max 4 mails", "- max 5 days", "- max 6 cars"],
        ["All is well.", "Not a word.", "Come on in.", "That is it."],
        ["a 1", "b 2", "c 3"],
        [],
    ],
)
def test_settings_lists_and_prose_are_not(lines: list[str]) -> None:
    """Neither is what is too little to tell."""
    assert data_lines(lines) == frozenset()
