"""Names of things of which one is chosen."""

from __future__ import annotations

import pytest

from gateway.core.ledger.words_choices import CHOICES


@pytest.mark.parametrize(
    ("one", "other"),
    [("redis", "memcached"), ("helvetica", "inter"), ("debug", "warn"), ("顺丰", "京东"), ("要点", "段落")],
)
def test_two_of_a_kind_are_in_one_list(one: str, other: str) -> None:
    """What can stand in the place of each other is of one kind."""
    assert CHOICES[one] == CHOICES[other]


def test_names_are_written_small() -> None:
    """They are looked up in lower case."""
    assert all(name == name.lower() for name in CHOICES)
