"""How exact values are written."""

from __future__ import annotations

from gateway.core.ledger.forms import FORMS, SOLID, UNIT, ZH_UNIT


def test_first_form_that_fits_counts() -> None:
    """An address with a number in it is one value."""
    found = [
        (match.lastgroup, match[0]) for match in FORMS.finditer("see https://a.example/v2 by 2027-03-04")
    ]

    assert found == [("url", "https://a.example/v2"), ("date", "2027-03-04")]


def test_units_follow_their_number() -> None:
    """What a number counts stands right behind it."""
    assert UNIT.match(" rows of")[1] == "rows"  # type: ignore[index]
    assert ZH_UNIT.match(" 秒")[1] == "秒"  # type: ignore[index]


def test_measures_are_no_things() -> None:
    """A time is never what a statement is about."""
    assert "time" not in SOLID
    assert "path" in SOLID
