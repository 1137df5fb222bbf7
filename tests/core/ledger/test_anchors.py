"""What a statement can be held by."""

from __future__ import annotations

import pytest

from gateway.core.ledger.anchors import anchors, exact, subject, told


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("due on 12 May 2027", ("date", "12 may 2027")),
        ("not on Fridays", ("date", "friday")),
        ("it opens at 8:30", ("time", "8:30")),
        ("at most 73 retries", ("n retry", "73")),
        ("within 30s", ("n second", "30")),
        ("it costs 1,240 EUR", ("money", "1240")),
        ("USD 92459 at most", ("money", "92459")),
        ("alpha of 12.5%", ("percent", "12.5")),
        ("we run v2.13.40", ("version", "v2.13.40")),
        ("we fly with LH 1842", ("id", "lh_1842")),
        ("mail ops+1@example.org", ("email", "ops+1@example.org")),
        ("it is on node4.x.lan", ("id", "node4.x.lan")),
        ("the paper is 10.8260/s73406748", ("id", "10.8260/s73406748")),
        ("I live at 4411 Elm Walk", ("n", "4411")),
        ("look into src/pay/x.py", ("path", "src/pay/x.py")),
        ("answer in Estonian", ("tongue", "estonian")),
        ("会议改到周四上午10点", ("date", "周四")),
        ("阈值收紧到 34 秒", ("n second", "34")),
        ("builds take 18 min", ("n minut", "18")),
        ("a level of .02", ("n", "0.02")),
        ("for forty-five euros", ("money", "forty-five")),
        ("three hundred twenty guests", ("n guest", "three hundred twenty")),
        ("at most 30 across all sites", ("n", "30")),
        ("订三晚", ("n 晚", "三")),
    ],
)
def test_values_are_known_by_their_form(text: str, value: tuple[str, str]) -> None:
    """However a value is written, its form and what is compared of it are told."""
    assert value in anchors(text).values


def test_preposition_before_a_number_is_no_code() -> None:
    """ "To 150" is no flight."""
    assert anchors("go up to 150 EUR").values == {("money", "150")}


def test_names_are_told_from_words() -> None:
    """A capital counts where none is due, and in a full name where a sentence begins."""
    assert anchors("Ask Tomas before Monday").names == {"toma"}
    assert anchors("Greta Novak reviews it").names == {"greta", "novak"}


def test_words_of_change_belong_to_no_subject() -> None:
    """What says that something changes tells no two things apart."""
    words = anchors("we moved the deadline to the new date").words

    assert "moved" not in subject(words)
    assert "moved" not in told(words)
    assert "deadli" in subject(words)


def test_clauses_keep_their_own() -> None:
    """The reason for a change stands apart from it."""
    values = [clause for clause, _ in anchors("The guest left, so dinner is at 20:00").clauses]

    assert values[0] == frozenset()
    assert ("time", "20:00") in values[-1]


def test_what_is_exact() -> None:
    """Values and names are what a statement can say anew."""
    assert exact("Ask Tomas about 12 rows") == {"toma", "12"}
