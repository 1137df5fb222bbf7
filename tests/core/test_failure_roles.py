"""The tables of roles: which names and words give a number its role, and which give it none."""

from __future__ import annotations

import pytest

from gateway.core.failure_roles import FIELDS, LIMIT, PROMPT


def roles(name: str) -> set[str]:
    """Return the roles that a field's name gives, written as `failure_text` folds it."""
    return {role for role, pattern in FIELDS if pattern.fullmatch(name)}


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("nctx", LIMIT),
        ("maxcontextlength", LIMIT),
        ("maxallowedtokens", LIMIT),
        ("maxinputlength", LIMIT),
        ("tokenlimit", LIMIT),
        ("nprompttokens", PROMPT),
        ("inputtokencount", PROMPT),
        ("actualtokens", PROMPT),
    ],
)
def test_field_is_known_by_what_its_name_is_made_of(name: str, role: str) -> None:
    """A field beside the sentence that names the window or the prompt is counted as that and nothing else."""
    assert roles(name) == {role}


@pytest.mark.parametrize(
    "name", ["maxtokens", "maxoutputtokens", "completiontokens", "limit", "retryafter", "tokens", "code"]
)
def test_other_fields_count_for_nothing(name: str) -> None:
    """A cap on the output, a rate or a bare word never becomes a window."""
    assert roles(name) == set()
