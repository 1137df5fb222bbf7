"""Words and parts of words that gates and lists wait for, told by one look at a text."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from gateway.core.ledger.openings import MOST_CHARS, Listed, opening

WORDS = ("swap", "cut", "re", "it")
LISTED = Listed(" ".join(WORDS))
TEXTS = st.text("swapcutrei .,:'_19最é", max_size=24)


@given(text=TEXTS)
def test_list_is_asked_as_if_each_run_of_small_letters_were_looked_up(text: str) -> None:
    """Whatever stands around them, runs of small letters are words of a list or none."""
    assert LISTED.are_in(text) == any(run in WORDS for run in re.findall("[a-z]+", text))


def test_list_can_be_written_in_any_form() -> None:
    """Words come as one text, or one by one."""
    assert Listed(frozenset(("ahead", "again"))).are_in("go ahead")
    assert not Listed("ahead again").are_in("go on")


def test_text_that_was_seen_before_a_list_is_looked_at_again() -> None:
    """A list that is made later is not missed in what was seen earlier."""
    text = "nobody waits for quokkas yet"
    opening(text)

    assert Listed("quokkas").are_in(text)


def test_text_of_any_length_is_looked_at() -> None:
    """What is too long to be remembered is looked at each time."""
    assert LISTED.are_in("a " * MOST_CHARS + "swap")
    assert not LISTED.are_in("a " * MOST_CHARS)
