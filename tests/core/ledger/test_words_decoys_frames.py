"""Sentences that are nothing but material, and those that only look like it."""

from __future__ import annotations

import pytest

from gateway.core.ledger.decoys import live


@pytest.mark.parametrize(
    "sentence",
    [
        'fix the grammar of: "you must always to log out."',
        "put this in the passive voice: never open it",
        'how do i say "never forget to lock it" in italian?',
        "title: why you should never sleep",
        "the berlin office never ships, but that's their rule, not ours.",
        "we always ship at midnight, just kidding",
        "这句话语法对吗：你必须总是要登出",
    ],
)
def test_sentence_to_work_on_or_laugh_at_says_nothing(sentence: str) -> None:
    """A text to translate, a joke and a shrug set nothing."""
    assert not live(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "edit only these files: a.py, b.py",
        "make it 20:00 at luna",
        "translate everything into spanish from now on",
        "i'm not kidding: never drop it",
        "put milk on the list",
    ],
)
def test_order_that_begins_like_work_on_a_text_stays(sentence: str) -> None:
    """Only where a text follows is it a text."""
    assert live(sentence) == sentence


def test_what_is_adopted_counts_though_others_say_it() -> None:
    """Who follows the rule of another makes it his own."""
    assert "never" in live("the docs say never use tabs, and we follow that")
    assert "50" in live("last year the limit was 40; now it is 50")
