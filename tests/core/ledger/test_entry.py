"""Entries, their order, and their size."""

from __future__ import annotations

from gateway.core.ledger.entry import MAX_CHARS, ORDER, Kind, line


def test_prohibitions_and_limits_are_the_most_important() -> None:
    """What must not happen comes before what should, and both before what is known."""
    assert sorted(ORDER, key=ORDER.__getitem__)[:2] == [Kind.PROHIBITION, Kind.LIMIT]
    assert ORDER[Kind.VALUE] == len(Kind) - 1


def test_short_text_stays_verbatim_in_one_line() -> None:
    """Only its line breaks go."""
    assert line("never\n  touch\tit") == "never touch it"


def test_long_text_is_cut_around_what_matters() -> None:
    """However long the sentence, the words that made it count are in the entry."""
    before, after = "word " * 200, " word" * 200
    text = f"{before}never touch it{after}"

    cut = line(text, len(before), len(before) + 14)

    assert "never touch it" in cut
    assert len(cut) <= MAX_CHARS
    assert cut.startswith("…word")
    assert cut.endswith("word…")


def test_text_without_spaces_is_cut_as_well() -> None:
    """Chinese has no words to cut between."""
    cut = line("中" * 1000 + "千万别" + "中" * 1000, 1000, 1003)

    assert "千万别" in cut
    assert len(cut) <= MAX_CHARS


def test_beginning_of_a_long_text_has_no_mark_before_it() -> None:
    """A mark stands only where something was left out."""
    cut = line("never " * 200, 0, 5)

    assert cut.startswith("never")
    assert cut.endswith("…")
