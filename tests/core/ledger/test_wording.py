"""The text of an entry says what it means without what stood around it."""

from __future__ import annotations

import pytest

from gateway.core.ledger.entry import Kind
from gateway.core.ledger.segments import Segment
from gateway.core.ledger.wording import text_of, with_subject


@pytest.mark.parametrize(
    ("segment", "text"),
    [
        (Segment("Use tabs.", "The port is 8080."), "Use tabs."),
        (
            Segment("It must stay empty.", "We keep a table log_12."),
            "We keep a table log_12. It must stay empty.",
        ),
        (
            Segment("push to main", intro="Never do this:", kind=Kind.PROHIBITION),
            "Never do this: push to main",
        ),
        (Segment("| db-1 | 8080 |", intro="| host | port |"), "| host | port | | db-1 | 8080 |"),
    ],
)
def test_what_means_nothing_alone_takes_along_what_stands_before_it(segment: Segment, text: str) -> None:
    """An item of a list of bans is a ban only under its heading; a pronoun stands for something."""
    kind = segment.kind or Kind.RULE
    assert text_of(segment, kind, 0, len(segment.text)) == text


def test_change_takes_along_the_sentence_that_names_the_thing() -> None:
    """Who speaks of an order and then gives a date gives the date of the order."""
    told = Segment("10 March would suit them better.", "We talked about OPS-7094.")
    assert with_subject(told) == "We talked about OPS-7094. 10 March would suit them better."
    assert with_subject(Segment("Make it 12.", "That was quick.")) == "Make it 12."
    assert (
        with_subject(Segment("OPS-12 moves to May.", "We talked about OPS-7094.")) == "OPS-12 moves to May."
    )
