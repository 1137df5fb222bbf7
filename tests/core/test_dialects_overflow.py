"""The sentences about the conversation: each row earns its place, and what only sounds so is told."""

from __future__ import annotations

import re

import pytest

from failure_evidence import EVIDENCE
from gateway.core import dialects_overflow
from gateway.core.failure_numbers import counts
from gateway.core.failure_rules import is_overflow, plain

ROWS = [
    pytest.param(row, id=f"{name}[{index}]")
    for name, table in vars(dialects_overflow).items()
    if isinstance(table, tuple) and not name.startswith("_")
    for index, row in enumerate(table)
]


@pytest.mark.parametrize("row", ROWS)
def test_row_has_a_recorded_body(row: re.Pattern[str]) -> None:
    """No row stands in a table without a recorded body that needs it."""
    assert any(row.search(text) for text in EVIDENCE)


@pytest.mark.parametrize(
    "text",
    [
        "messages overflow the model's context",
        "Zu viele Token in der Anfrage",
        "Trop de tokens dans la requête",
        "Demasiados tokens en la solicitud",
        "トークン数が多すぎます",
    ],
)
def test_too_much_for_the_context_is_an_overflow_in_any_language(text: str) -> None:
    """Nobody has to name a number, a length or a window in English."""
    assert is_overflow(plain(text), counts(plain(text)))


@pytest.mark.parametrize(
    "text", ["max context window setting is invalid", "input exceeds maximum allowed value"]
)
def test_setting_or_value_that_is_wrong_is_none(text: str) -> None:
    """A sentence about a setting is not about the conversation."""
    assert not is_overflow(plain(text), counts(plain(text)))
