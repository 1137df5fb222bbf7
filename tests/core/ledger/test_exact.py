"""What is exact in a sentence."""

from __future__ import annotations

import pytest

from gateway.core.ledger.exact import exact


@pytest.mark.parametrize(
    ("text", "particular"),
    [
        ("Ask Marisol first", "Marisol"),
        ("Heat it to 31 °C", "31 °"),
        ("Keep src/a.py small", "src/a.py"),
        ("I saw it and left", ""),
    ],
)
def test_particular_is_told_from_plain_words(text: str, particular: str) -> None:
    """A name, a path, a measure: something that could not be guessed."""
    assert exact(text) == particular
