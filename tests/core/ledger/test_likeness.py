"""Values that are written alike may stand for each other."""

from __future__ import annotations

import pytest

from gateway.core.ledger.forms import Value
from gateway.core.ledger.likeness import gives, is_kin, is_like


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("id", "db-12"), ("id", "db-7")),
        (("id", "ember_dlq_24"), ("id", "saffron_jobs_31")),
        (("date", "3 march 2029"), ("date", "2029-10-15")),
        (("n", "8443"), ("n", "8080")),
        (("n row", "9"), ("n row", "500")),
        (("email", "a@b.example"), ("email", "ops+1@c.example")),
        (("n hour", "1"), ("n minut", "20")),
        (("id", "quay.io"), ("id", "images.eu-2.corp.com:5000")),
        (("path", "lib/icons"), ("path", "apps/web/icons/")),
        (("n", "4"), ("version", "3.88.29")),
    ],
)
def test_alike_are_values_of_one_build_or_measure(one: Value, other: Value) -> None:
    """Identifiers are built alike; dates are dates, however they are written; rows are rows, hosts hosts."""
    assert is_like(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("n", "9"), ("n", "500")),
        (("n", "8443"), ("version", "3.88.29")),
        (("id", "db-12"), ("id", "x9f3")),
        (("time", "9:00"), ("n", "9")),
        (("n hour", "20"), ("n minut", "20")),
        (("n hour", "1"), ("n minut", "half")),
        (("n hour", "1"), ("n row", "1")),
        (("id", "quay.io"), ("id", "settings.prod.yaml")),
        (("path", "lib/icons"), ("path", "tests/app/main.py")),
    ],
)
def test_unlike_are_numbers_far_apart_and_identifiers_of_other_build(one: Value, other: Value) -> None:
    """They are hardly of the same, unless somebody says so."""
    assert not is_like(one, other)


def test_identifiers_of_any_build_are_kin() -> None:
    """Of one thing there can be a number of the shop and one of the maker."""
    assert is_kin(("id", "lumen338625"), ("path", "sn/98a5"))
    assert not is_kin(("id", "lumen338625"), ("phone", "555-0123"))


def test_short_statement_that_comes_to_a_value_gives_it() -> None:
    """What goes on behind the value uses it for something else."""
    assert gives("The port is 8080.", ("n", "8080"))
    assert gives("It has 1,200 rows", ("n row", "1200"))
    assert not gives("Every function in db-12 must have a docstring.", ("id", "db-12"))
