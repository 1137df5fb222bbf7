"""Lines worth quoting are found by what they say, in any text, in time that grows with its length only."""

from __future__ import annotations

import pytest

from gateway.strategies.lines_of_note import by_weight, lines_of_note


def quoted(text: str) -> list[str]:
    return [line.text for line in lines_of_note(text)]


def test_failures_warnings_and_totals_are_found() -> None:
    """What went wrong in a log, and what it adds up to, is found among lines that say nothing."""
    log = "start\nWARN: slow\nfine\nconnect: Permission denied\nfine\nTotal: 12 files\nend"

    assert quoted(log) == ["WARN: slow", "connect: Permission denied", "Total: 12 files"]
    assert [line.rank for line in lines_of_note(log)] == [1, 0, 2]


def test_chinese_failures_are_found() -> None:
    """Logs are not only English."""
    assert quoted("开始\n错误：磁盘已满\n继续\n合计 12 个文件") == ["错误：磁盘已满", "合计 12 个文件"]


def test_repeated_lines_are_found_once() -> None:
    """A timeout that is logged every second is told once; another failure beside it is not hidden by it."""
    log = "\n".join(f"12:00:{n:02d} ERROR timeout after {n} s" for n in range(60)) + "\nfatal: out of disk"

    assert quoted(log) == ["12:00:00 ERROR timeout after 0 s", "fatal: out of disk"]


def test_what_stands_out_of_rows_is_found() -> None:
    """Among the hits of a search the one line that is no hit is quoted; in a text no line stands out."""
    hits = [f"src/part{chr(97 + n % 26)}.py:{n}:    items = take_{n}()" for n in range(40)]
    hits[25] = "Cheapest plan: 41.80 per seat, ref 9932"
    assert quoted("\n".join(hits)) == ["Cheapest plan: 41.80 per seat, ref 9932"]

    text = [f"{'So, ' * (n % 7)}it was said{',' * n} and done{'.' * (n % 5 + 1)}" for n in range(40)]
    assert quoted("\n".join(text)) == []
    assert quoted("x" * 1_000_000) == []


@pytest.mark.parametrize(
    "line",
    [
        "def f{n}(a):",
        "    async def f{n}(a):",
        "export default class F{n} {{",
        "pub fn f{n}() {{",
        "12\tclass F{n}:",
    ],
)
def test_code_is_outlined(line: str) -> None:
    """Of source code the signatures are found, not the places where it speaks of errors."""
    code = "".join(line.format(n=n) + "\n        raise ValueError('error')\n" for n in range(5))

    assert quoted(code) == [line.format(n=n) for n in range(5)]


def test_part_of_a_long_line() -> None:
    """Of a line without end, what stands around the failure is quoted."""
    (line,) = lines_of_note("x" * 5000 + " KeyError: 'a' " + "y" * 5000)

    assert "KeyError: 'a'" in line.text
    assert len(line.text) <= 202
    assert line.text[0] == line.text[-1] == "…"


def test_text_of_failures_only_is_bounded() -> None:
    """However many lines a text has, only so many are worth quoting."""
    assert (
        len(lines_of_note("\n".join(f"error {'abcdefghij'[n % 10] * (n % 50)}" for n in range(50_000)))) <= 40
    )


def test_both_ends_come_first() -> None:
    """Where not all can be quoted, the first and the last failure are, and before any warning."""
    log = "warn a\nerror a\nerror b\nerror c\nwarn b"

    assert [line.text for line in by_weight(lines_of_note(log))] == [
        "error a",
        "error c",
        "error b",
        "warn a",
        "warn b",
    ]
