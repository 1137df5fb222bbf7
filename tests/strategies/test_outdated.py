"""What holds no longer is marked in a summary, in whatever words it stands there, and nothing else is."""

from __future__ import annotations

import pytest

from gateway.core.ledger.entry import Entry, Kind
from gateway.strategies.outdated import MARK, units, with_held_unmarked, with_values_marked


def said(*texts: str) -> list[Entry]:
    """Return statements."""
    return [Entry(Kind.VALUE, text) for text in texts]


@pytest.mark.parametrize(
    ("old", "new", "line", "after"),
    [
        (
            "My order number is ORD-44956.",
            "Sorry, the order is #195510.",
            "- order: ORD-44956",
            f"- order: ORD-44956{MARK}",
        ),
        (
            "Staging runs on db-7.example.net.",
            "We moved staging, it's on db-8.example.net.",
            "- LH9068, db-7.example.net, £3624",
            f"- LH9068, db-7.example.net{MARK}, £3624",
        ),
        (
            "I'd like the plots in plasma.",
            "I changed my mind about the plots: magma.",
            "- Colours: plasma",
            f"- Colours: plasma{MARK}",
        ),
        (
            "The timeout of load_rows is 30 s.",
            "The timeout of load_rows is 45 s.",
            "- load_rows: 30 s. Written in Go.",
            f"- load_rows: 30 s{MARK}. Written in Go.",
        ),
    ],
)
def test_replaced_value_is_marked_in_any_words(old: str, new: str, line: str, after: str) -> None:
    """The user's statement tells what the bare value was of; the mark stands right behind it."""
    assert with_values_marked(line, said(old), said(new)) == after


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("Staging runs on db-7.example.net.", "Staging is on db-8.example.net.", "- It is db-8.example.net"),
        ("The timeout of load_rows is 30 s.", "The timeout of load_rows is 45 s.", "- Pauses last 30 s"),
        ("Write it to out/a.md.", "Write it to out/b.md.", "- Merged 14 branches into out/a.md today"),
        ("I'd like the plots in plasma.", "The plots: magma.", "- plasma screens are sold in two shops"),
        ("Ask Ann for LH9068.", "Ask Bob for LH9068.", "- Ticket LH9068 is open"),
    ],
)
def test_what_may_be_of_something_else_is_not_marked(old: str, new: str, line: str) -> None:
    """A value that still holds, a measure or a name of something else, a word in another sentence."""
    assert with_values_marked(line, said(old), said(new)) == line


def test_what_is_marked_is_not_marked_again() -> None:
    """Every compaction finds the marks of the one before it."""
    old, new = said("The host is db-1.internal."), said("The host is db-2.internal.")
    once = with_values_marked("- db-1.internal, 3 tables\n- Host: db-1.internal", old, new)
    assert once.count(MARK) == 2
    assert with_values_marked(once, old, new) == once
    whole = f"- The host is db-1.internal.{MARK}"
    assert with_values_marked(whole, old, new) == whole


def test_mark_is_taken_off_what_is_in_force() -> None:
    """What was doubted and said again holds: the ledger and the summary do not gainsay each other."""
    text = f"- Use port 80.{MARK} Be brief.\n- Use db-1.internal.{MARK}"
    assert (
        with_held_unmarked(text, said("Use port 80."))
        == f"- Use port 80. Be brief.\n- Use db-1.internal.{MARK}"
    )
    assert with_held_unmarked("- Plain.", said("Plain.")) == "- Plain."


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("", [""]),
        ("- Use v1.2 (new). Be brief! Why?", ["- Use v1.2 (new).", " Be brief!", " Why?"]),
        (f"Use port 80.{MARK} Be brief.", [f"Use port 80.{MARK}", " Be brief."]),
        ("用中文。不要太长。", ["用中文。", "不要太长。"]),
    ],
)
def test_units_are_the_line_together(line: str, parts: list[str]) -> None:
    """Nothing of a line is lost, and a mark stays with what it is behind."""
    assert list(units(line)) == parts
    assert "".join(units(line)) == line


def test_long_line_takes_no_longer_than_it_is() -> None:
    """A summary in one endless line is read like any other."""
    old, new = said("The host is db-1.internal."), said("The host is db-2.internal.")
    line = "a.b! " * 5_000 + "db-1.internal"
    assert with_values_marked(line, old, new) == line + MARK


def test_mark_stays_where_what_is_in_force_ends_the_statement() -> None:
    """The statement in force has all the words of the one that it ends."""
    text = f"- Keep ff.falcon.310 switched off.{MARK}"
    ended = said("ff.falcon.310 doesn't have to stay off any more.")
    assert with_held_unmarked(text, ended) == text
    assert with_held_unmarked(text, said("Keep ff.falcon.310 switched off.")) == text.removesuffix(MARK)


def test_mark_stays_where_a_change_names_what_was_before() -> None:
    """What takes the place of a value may say of which: the line that says only the old one is not held."""
    change = said("From Monday on Ivo Novak reviews vendor/tundra/ rather than Ines Okafor.")
    old = f"- vendor/tundra/: Ines Okafor{MARK}"
    new = "- From Monday on Ivo Novak reviews vendor/tundra/ rather than Ines Okafor."

    assert with_held_unmarked(old, change) == old
    assert with_held_unmarked(new + MARK, change) == new
