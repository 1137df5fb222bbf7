"""What several people say is settled for each of them."""

from __future__ import annotations

import json

from carrying import WIRE, words
from gateway.core.conversation import Message
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.settle import settle
from gateway.core.ledger.speakers import named, settled_apart, several


def said(name: str, text: str = "Hi.") -> Message:
    message = {"role": "user", "content": text, **({"name": name} if name else {})}
    return WIRE.message(json.dumps(message).encode(), words)


def limit(text: str) -> Entry:
    return Entry(Kind.LIMIT, text)


def test_there_are_several_where_two_names_are_known() -> None:
    """One may stand in a digest only; where no message bears a name, what looks like one there is none."""
    assert several([said("alice"), said("bob")], ()) == {"alice", "bob"}
    assert several([said("alice")], ["bob: Use tabs.", "Alice: Go on."]) == {"alice", "bob"}
    assert several([said("alice"), said("")], ["alice: Go on."]) == frozenset()
    assert several([said("")], ["Budget: 500 EUR", "Rule: be brief"]) == frozenset()


def test_everybody_changes_what_they_said_themselves() -> None:
    """A new number takes the place of the old one of the same person, and of nobody else's."""
    names = frozenset({"alice", "bob"})
    entries = [
        *named([limit("Budget cap: 500 EUR")], "alice"),
        *named([limit("Budget cap: 700 EUR")], "bob"),
        *named([limit("The cap is now 900 EUR")], "alice"),
    ]
    found = settled_apart(entries, range(0), names)
    assert [one.text for one in found.current] == [
        "alice: The cap is now 900 EUR",
        "bob: Budget cap: 700 EUR",
    ]
    assert [one.text for one in found.gone] == ["Budget cap: 500 EUR"]


def test_without_names_all_is_settled_together() -> None:
    """Most conversations have one user: then nothing is otherwise."""
    entries = [limit("Budget cap: 500 EUR"), limit("The cap is now 900 EUR"), limit("alice: 3 of 5")]
    assert settled_apart(entries, range(1, 2), ()) == settle(entries, range(1, 2))
