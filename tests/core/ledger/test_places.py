"""Where entries are found by what they are about."""

from __future__ import annotations

from gateway.core.ledger.claims import claim
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.places import Places


def placed(*entries: Entry) -> Places:
    """Return entries in their places, numbered from nought."""
    places = Places()
    for number, entry in enumerate(entries):
        places.add(number, claim(entry))
    return places


def test_nearest_are_those_that_share_most() -> None:
    """What shares nothing is not near, and what is near comes in the order in which it was said."""
    places = placed(
        Entry(Kind.RULE, "Quote prices in francs for the Basel fair"),
        Entry(Kind.RULE, "Water the ferns"),
        Entry(Kind.RULE, "The Basel fair opens in May"),
    )

    assert places.near(claim(Entry(Kind.RULE, "The Basel fair is off"))) == [0, 2]


def test_of_many_that_share_a_word_those_that_share_more_are_near() -> None:
    """However many entries have a word, the one that also shares another is among the nearest."""
    others = [Entry(Kind.RULE, f"The ferns stand in bed x{number}") for number in range(30)]
    places = placed(Entry(Kind.RULE, "Water the ferns with rain"), *others)

    near = places.near(claim(Entry(Kind.RULE, "Water the ferns with tea")))

    assert near[0] == 0
    assert len(near) < len(others)


def test_what_tools_reported_is_never_near() -> None:
    """Users do not speak of what a tool said, even if it is of the same."""
    places = placed(Entry(Kind.VALUE, "fern height: 12 cm", "tool"))
    item = claim(Entry(Kind.VALUE, "fern height: 14 cm"))

    assert places.near(item) == places.alike(item) == []


def test_removed_is_not_found() -> None:
    """What no longer counts is near nothing and of no subject."""
    entry = Entry(Kind.VALUE, "Fern height: 12 cm")
    item = claim(Entry(Kind.VALUE, "Fern height: 14 cm"))
    places = placed(entry)
    assert places.near(item) == places.alike(item) == places.of_slots(item) == [0]

    places.remove(0, claim(entry))

    assert places.near(item) == places.alike(item) == places.of_slots(item) == []


def test_latest_are_near_if_many_share_as_much() -> None:
    """Of very many entries that share the same, those said last are the nearest, also after some are gone."""
    entries = [Entry(Kind.RULE, f"The ferns stand in bed x{number}") for number in range(100)]
    places = placed(*entries)
    item = claim(Entry(Kind.RULE, "Water the ferns"))
    assert places.near(item)[-2:] == [98, 99]

    places.remove(99, claim(entries[99]))
    places.add(100, claim(Entry(Kind.RULE, "The ferns want shade")))

    assert places.near(item)[-2:] == [98, 100]


def test_all_that_share_a_word_are_told() -> None:
    """One word is enough, whatever else there is of it; what tools reported is left out."""
    places = placed(
        Entry(Kind.RULE, "Quote prices in francs"),
        Entry(Kind.VALUE, "francs: 12", "tool"),
        Entry(Kind.RULE, "Water the ferns"),
    )

    assert places.sharing(claim(Entry(Kind.VALUE, "francs, or ferns"))) == 0b101


def test_what_numbers_count_is_shared_by_too_many() -> None:
    """Two prices in one currency are not of the same."""
    places = placed(Entry(Kind.LIMIT, "Spend at most 40 EUR on seeds"))

    assert not places.sharing(claim(Entry(Kind.VALUE, "The train was 12 EUR")))
