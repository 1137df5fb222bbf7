"""What a withdrawal or a report is about."""

from __future__ import annotations

import pytest

from gateway.core.ledger.matching import match


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("There's no spending limit on ANCHOR Pro any longer.", "Spend at most USD 9 on ANCHOR Pro."),
        (
            "Anything before 9:00 works again, the kid is back at school.",
            "Don't schedule anything before 9:00.",
        ),
        ("The guide for v3 is written.", "TODO: write the guide for v3."),
        ("saffrond49 周五不发布的规定取消了，什么时候发都行。", "周五不要发布 saffrond49。"),
    ],
)
def test_what_is_meant_is_found(new: str, old: str) -> None:
    """Other words, reasons and clauses around it do not hide it."""
    assert match(new, old, is_of_kind=False) > 0


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("feature/b-13 can be merged.", "Don't merge feature/a-12."),
        ("Sharing customer names is fine now.", "Never share customer emails."),
        ("I've sent the offer to Marsh Ltd.", "TODO: send the invoice to Kline Ltd."),
        ("Forget the rule about tabs in Makefiles", "Answer in French"),
    ],
)
def test_what_is_about_another_thing_is_left(new: str, old: str) -> None:
    """A ban on one thing does not fall with that on another."""
    assert match(new, old, is_of_kind=False) == 0


def test_closest_scores_most() -> None:
    """Of two rules about a thing the one that says no more is meant."""
    new = "You may restart worker-12 again."

    assert match(new, "Never restart worker-12.", False) > match(
        new, "Never restart worker-12 at night.", False
    )
