"""Which value a statement names as the old one."""

from __future__ import annotations

import pytest

from gateway.core.ledger.anchors import anchors
from gateway.core.ledger.differences import difference
from gateway.core.ledger.outdated import names_old


def is_named_old(new: str, old: str) -> bool:
    mine, other = anchors(new), anchors(old)
    return names_old(new, mine, old, other, difference(mine, other))


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The gateway listens on 9000, not 8080", "The gateway listens on port 8080"),
        ("We moved the gateway from 8080 to 9000", "The gateway listens on port 8080"),
        ("8080 is wrong, the gateway has 9000", "The gateway listens on port 8080"),
        ("网关端口从8080改成9000", "网关端口是8080"),
    ],
)
def test_a_value_that_is_said_to_be_gone_is_the_old_one(new: str, old: str) -> None:
    """Words before it or behind it say so."""
    assert is_named_old(new, old)


@pytest.mark.parametrize(
    "new",
    [
        "The gateway listens on 9000 and on 8080",
        "The gateway does not, as far as anybody here would know or tell us, listen on 8080 or 9000",
    ],
)
def test_a_value_that_is_only_named_is_none(new: str) -> None:
    """Neither where no such words stand, nor where they stand far away."""
    assert not is_named_old(new, "The gateway listens on port 8080")


def test_do_not_use_is_read_only_where_it_is_a_word() -> None:
    """The same two signs can be the end of one word and the beginning of the next."""
    assert is_named_old("别用 8080，网关用 9000", "网关端口是 8080")
    assert not is_named_old("网关级别用 8080，上限是 9000", "网关端口是 8080")
