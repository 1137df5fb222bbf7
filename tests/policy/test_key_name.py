"""A policy names the variable that holds a key; the key itself is not taken for a name."""

from __future__ import annotations

import pytest

from gateway.policy.key_name import name_problem

NAMES = ("OPENAI_API_KEY", "SUMMARIES_KEY_2", "_key", "MyKey", "summaries_key", "K8S_CLUSTER_2026_KEY")
KEYS = (
    "sk-abc",
    "sk-proj-0123456789abcdefghij0123",
    "gsk_1234567890abcdefABCDEFghijkl1234",
    "AKIAIOSFODNN7EXAMPLE",
    "a1b2c3d4e5f60718293a4b5c6d7e8f90",
    "my key",
    "K" * 101,
    "1KEY",
    "-",
)


@pytest.mark.parametrize("name", NAMES)
def test_names_of_variables_are_taken(name: str) -> None:
    """Large or small letters, digits and underscores."""
    assert name_problem(name) is None


@pytest.mark.parametrize("key", KEYS)
def test_key_is_refused_and_not_repeated(key: str) -> None:
    """What is said about it ends up in logs; it says what to do instead."""
    problem = name_problem(key)

    assert problem is not None
    assert "write key_variable: SUMMARIES_KEY" in problem
    assert len(key) < 3 or key not in problem


@pytest.mark.parametrize("written", ["$SUMMARIES_KEY", "${SUMMARIES_KEY}"])
def test_name_is_written_without_a_dollar(written: str) -> None:
    """Whoever writes it as a shell would is told so."""
    assert name_problem(written) == "must be the name alone: no $, no braces"
