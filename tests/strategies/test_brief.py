"""One line of any text."""

from __future__ import annotations

from gateway.strategies.brief import brief


def test_brief_is_one_line() -> None:
    """White space is folded, a long text loses its end, and what is short enough already stays."""
    assert brief("a\n  b", 20) == "a b"
    long = brief("word " * 50, 20)
    assert long == "word word word word…"
    assert brief(long, 20) == long
