"""Which lines of a text are data: several of one shape behind each other, as logs, tables and listings have.

The shape of a line is what is left of it without letters and digits: told in one pass over its bytes.
Lines of settings have one shape too, but each has another key; they are no data.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from itertools import chain, groupby

MIN_RUN = 4
"""So many lines of one shape behind each other are data."""
MIN_ROWS = 3
"""The same for rows of a table."""

_PLAIN = (string.ascii_letters + string.digits + ".-+_%").encode()
_DIGITS = frozenset(string.digits)
# Lines that are data by what they begin with: times, levels, places in code, diffs, rights of files.
_STAMP = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d|\[?\d\d:\d\d:\d\d|\[?(?:INFO|DEBUG|WARN|ERROR|TRACE)\b|File \"|at "
    r"[\w$.<>]+ ?\(|@@ "
    r"|[+-]{3} [\w/]|[dl-][rwxsStT-]{9}|\d{1,6}[:|] )"
)
_ITEM = re.compile(r"\s*(?:[-*+•·–]\s|\|)")
_KEY = re.compile(r"\s*[\"']?([A-Za-z\u4e00-\u9fff][\w.-]{0,40})[\"']?\s*[:=：]")
_KEY_SHARE = 0.8
_TABLE_SHARE = 0.5


def data_lines(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of the lines that are data.

    >>> sorted(data_lines(["Look:", *(f"u1 line {n}: value={n}" for n in range(4)), "port: 80"]))
    [1, 2, 3, 4]
    """
    if len(lines) < MIN_ROWS:
        return frozenset()
    return frozenset(chain.from_iterable(range(start, stop) for start, stop in _runs(lines)))


def _runs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    start, shape = 0, b""
    # All of them at once: line by line it would take three times as long.
    signs = "\n".join(lines).encode(errors="replace").translate(None, _PLAIN).split(b"\n")
    # Of lines that are alike without letters and digits only the first needs a closer look.
    for _, alike in groupby(range(len(signs)), signs.__getitem__):
        number = next(alike)
        if (found := shape_of(lines[number])) != shape:
            if _is_run(lines, start, number, shape):
                yield start, number
            start, shape = number, found
    if _is_run(lines, start, len(lines), shape):
        yield start, len(lines)


def _is_run(lines: Sequence[str], start: int, stop: int, shape: bytes) -> bool:
    least = MIN_ROWS if b" | " in shape or b",," in shape else MIN_RUN
    return stop - start >= least and bool(shape) and _is_data(lines[start:stop], shape)


def shape_of(row: str) -> bytes:
    """Return what two lines of data have in common.

    >>> shape_of("a1, 20, x") == shape_of("b7, 3, y"), shape_of("port: 80")
    (True, b': ')
    """
    if row[:1] in "[0123456789d-+@ \\tIDWEF" and (stamp := _STAMP.match(row)):
        return b"stamp" + stamp[0].encode(errors="replace").strip().translate(None, _PLAIN)[:1]
    return row.encode(errors="replace").translate(None, _PLAIN)


def _is_data(rows: Sequence[str], shape: bytes) -> bool:
    """Return whether lines of one shape are data: they hold numbers, and are no items and no settings."""
    if _ITEM.match(rows[0]) and not _STAMP.match(rows[0]):
        return False
    # A table has its head in the same shape; lines of nothing but words and spaces are rather prose.
    least = _KEY_SHARE if shape.isspace() else _TABLE_SHARE
    if len(rows) - sum(map(_DIGITS.isdisjoint, rows)) < len(rows) * least:
        return False
    keys = {found[1] for found in map(_KEY.match, rows) if found}
    return len(keys) < len(rows) * _KEY_SHARE
