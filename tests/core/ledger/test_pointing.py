"""What "that" and "it" mean."""

from __future__ import annotations

from gateway.core.ledger.claims import claim
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.pointing import meant_by_it, pointed_at

ITEMS = {
    number: claim(entry)
    for number, entry in enumerate(
        [
            Entry(Kind.VALUE, "Order number A-55102."),
            Entry(Kind.PROHIBITION, "Never restart worker-27."),
            Entry(Kind.VALUE, "listening on 8081", "tool bash"),
        ]
    )
}


def test_it_is_the_latest_that_has_such_a_value() -> None:
    """What is forbidden has none, and what a tool said is nobody's word."""
    assert meant_by_it(claim(Entry(Kind.VALUE, "It's A-55120.")), ITEMS) == [0]
    assert meant_by_it(claim(Entry(Kind.VALUE, "It's 9:30.")), ITEMS) == []


def test_that_is_the_latest_of_its_kind() -> None:
    """Where no kind is named, it is the last one, if a user said it."""
    assert pointed_at(claim(Entry(Kind.DECISION, "Forget that rule.")), ITEMS) == [1]
    assert pointed_at(claim(Entry(Kind.DECISION, "Scratch that.")), ITEMS) == []
    users = {number: item for number, item in ITEMS.items() if not item.entry.source}
    assert pointed_at(claim(Entry(Kind.DECISION, "Scratch that.")), users) == [1]
    assert pointed_at(claim(Entry(Kind.DECISION, "Forget the plots of January.")), users) == []
