"""In what two statements differ."""

from __future__ import annotations

from gateway.core.ledger.anchors import anchors
from gateway.core.ledger.differences import (
    Difference,
    alike,
    beyond,
    difference,
    is_alike_built,
    is_next,
    size,
)


def between(old: str, new: str) -> Difference:
    """Return in what a newer statement differs from an older one."""
    return difference(anchors(new), anchors(old))


def test_values_of_one_form_change_places() -> None:
    """What stands in both is the subject; what differs in the same form is the value."""
    found = between("OPS-61 is due on 1 May 2028", "OPS-61: the due date is 3 June 2028")

    assert found.gained == {("date", "3 june 2028")}
    assert found.lost == {("date", "1 may 2028")}
    assert found.shared >= 3


def test_other_thing_is_told_by_what_it_is() -> None:
    """Of another sample another weight is no change."""
    assert between("Sample A3 weighs 12 mg", "Sample A4 weighs 19 mg").is_mixed
    assert between("Anna pays 12 EUR", "Our Lea pays 19 EUR").others == {"anna"}


def test_value_of_one_part_is_narrow() -> None:
    """What is said of one service is not said of all."""
    assert between("Max 3 retries", "Max 5 retries for svc-mail-12").is_narrow


def test_forms_that_can_stand_for_each_other() -> None:
    """A bare number can be any number; rows are no minutes."""
    assert alike("n", "money")
    assert not alike("n row", "n minute")


def test_series_and_build() -> None:
    """Identifiers of one series replace each other where nothing else is said."""
    one, other = frozenset({("id", "staging-1")}), frozenset({("id", "staging-2")})

    assert is_next(one, other)
    assert is_alike_built(frozenset({("id", "eu-west-1")}), frozenset({("id", "eu-central-1")}))
    assert not is_next(one, frozenset({("id", "db-7")}))


def test_chinese_words_are_counted_by_their_characters() -> None:
    """Pairs of characters overlap, and a word may be cut in another place."""
    assert size(frozenset({"单元", "元测", "测试"})) == 2
    assert beyond(frozenset({"花"}), frozenset({"花费"})) == frozenset()
