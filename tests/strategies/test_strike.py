"""What holds no longer is struck out of old texts, and nothing else."""

from __future__ import annotations

import pytest

from gateway.core.ledger.entry import Entry, Kind
from gateway.strategies.strike import REPLACED, renewed, struck


def rule(text: str) -> Entry:
    return Entry(Kind.RULE, text)


@pytest.mark.parametrize(
    ("text", "old", "after"),
    [
        ("Go on. Use port 80. Thanks.", "Use port 80.", f"Go on. {REPLACED} Thanks."),
        ("Go on. Use\n  port 80.\nThanks.", "Use port 80.", f"Go on. {REPLACED}\nThanks."),
        ('Greet with "Welcome!" at first. Thanks.', 'Greet with "Welcome!', f"{REPLACED} at first. Thanks."),
        ("Greet with\n“Welcome!”\nThanks.", "Greet with “Welcome!", f"{REPLACED}\nThanks."),
        ('Use 80."a" is new.', "Use 80.", f'{REPLACED}"a" is new.'),
        ("Nothing of it.", "Use port 80.", "Nothing of it."),
    ],
)
def test_statement_is_struck_with_the_end_of_its_quotation(text: str, old: str, after: str) -> None:
    """Whatever white space it was written with; no quotation is left open, and none is closed twice."""
    assert struck(["Task.", text], [rule(old)], []) == ["Task.", after]


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("Seat: 12A → 14C", "Seat: 12A"),
        ("The cap is 500.", "The cap is 50"),
        ("Use port 80, and only there.", "Use port 80"),
        ("阈值取 31%，不，取 40%", "阈值取 31%"),
    ],
)
def test_statement_that_begins_as_the_old_one_stays(text: str, old: str) -> None:
    """An update that repeats what it replaces was struck with it, and with it the new value."""
    assert struck(["Task.", text], [rule(old)], []) == ["Task.", text]


def test_what_the_ledger_says_whole_goes() -> None:
    """But for the first text, which states the task."""
    said = ["Use port 80.", 'Call it "Go!"', "Use port 80."]
    kept = [rule("Use port 80."), rule('Call it "Go!')]
    assert struck(said, [], kept) == ["Use port 80."]


def test_summary_says_nothing_that_was_replaced() -> None:
    """What the user's own words stand for in a summary is struck there too; what a tool said stays."""
    summary = "## Constraints\n- Keep at most 40 rows. Answer in French.\n## Goal\n- Ship it."

    (left,) = renewed([summary], [rule("Keep at most 40 rows."), Entry(Kind.VALUE, "Ship it.", "tool bash")])

    assert left == f"## Constraints\n- {REPLACED} Answer in French.\n## Goal\n- Ship it."
