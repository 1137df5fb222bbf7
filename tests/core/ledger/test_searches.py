"""Where patterns begin, told by their first letters."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.core.ledger.searches import first_letters, search_for

PATTERNS = (
    r"\b(?:caps?|budget) of",
    r"b(?:a+c)?|(?:ab)+\s?c\b",
    r"(?<!a)b\b",
    r"\bc?a\b",
    r"(?:a|\d)c",
    r"^ab|^c",
    r"\b(?:a|b|c|d|e|f|g|h|i)c",
    r"a(?=b)|(?:b|c)++a",
)


@pytest.mark.parametrize("pattern", PATTERNS)
@given(text=st.text("abc d1\n", max_size=12))
def test_match_begins_where_that_of_the_pattern_begins(pattern: str, text: str) -> None:
    """Looking for first letters finds the same place as looking for the pattern, or none where that does."""
    found, expected = search_for(pattern)(text), re.search(pattern, text)

    assert (found and found.start()) == (expected and expected.start())


@pytest.mark.parametrize("pattern", [r"\W*no", r"a?b", r"\dth|th", r"[^x]y", r"a|", r"(?P=name)"])
def test_what_may_begin_with_anything_has_no_first_letters(pattern: str) -> None:
    """Where not all is known with which a match may begin, nothing is said."""
    assert not first_letters(pattern)


def test_case_does_not_count_where_it_must_not() -> None:
    """A pattern for which case does not count is found in whatever case."""
    found = search_for("cap", re.IGNORECASE)("no Cap")

    assert found is not None
    assert found.start() == 3
