"""What a value is that is written without quotes."""

from __future__ import annotations

import pytest

from gateway.policy.document import Source, parse


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((word, word) for word in ("yes", "no", "on", "off", "y", "N", "Off", "nul", "tru")),
        *(
            (word, word)
            for word in ("2024-05-13", "2024-13-45", "12:30", "1:2.5", "=", "<<", "0o10", "1e", ".")
        ),
        *((word, True) for word in ("true", "True", "TRUE", "!!bool true")),
        *((word, None) for word in ("", "~", "null", "Null")),
        *((f"{quote}{word}{quote}", word) for word in ("true", "5", "null") for quote in "'\""),
        ("!!str 5", "5"),
        ("010", 10),
        ("0200000", 200000),
        ("-7", -7),
        ("128_000", 128000),
        ("0x10", 16),
        ("1e5", 100000.0),
        ("1.5", 1.5),
        (".5", 0.5),
        ("-.inf", float("-inf")),
        (".Inf", float("inf")),
        ("+.INF", float("inf")),
        ("1.5E-3", 0.0015),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_word_or_number_is_what_was_written(text: str, value: object) -> None:
    """Nobody who writes a name means a switch, a date or minutes, and nobody who writes a number octals."""
    source = Source("f")
    (found,) = parse(f"a: {text}".encode(), source).values()
    assert (found, type(found), source.problems) == (value, type(value), [])


def test_what_is_no_number_is_none() -> None:
    """It is read, and told of by whoever wants a number."""
    (found,) = parse(b"a: .nan", Source("f")).values()
    assert found != found
