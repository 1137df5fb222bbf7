"""The sentences about the conversation, and what only sounds so; `test_dialects` looks at each row."""

from __future__ import annotations

import pytest

from gateway.core.failure_numbers import counts
from gateway.core.failure_rules import is_overflow, plain


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
