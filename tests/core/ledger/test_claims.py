"""What an entry says about itself."""

from __future__ import annotations

import pytest

from gateway.core.ledger.claims import OF, Claim, claim
from gateway.core.ledger.entry import Entry, Kind


def said(text: str, kind: Kind = Kind.VALUE, source: str = "") -> Claim:
    """Return what an entry says about itself."""
    return claim(Entry(kind, text, source))


def test_texts_that_differ_in_case_and_punctuation_have_one_key() -> None:
    """What is said twice is one entry, however it is written."""
    assert said("Oh, and the port is 80!").key == said("the port  is 80").key


def test_text_of_signs_alone_keeps_them_as_its_key() -> None:
    """Two entries without a word are not taken for the same."""
    assert said("→ ★").key != said("→ ☆").key


def test_what_an_update_was_of_does_not_change_its_key() -> None:
    """An update that was found to be of something is still the same update."""
    assert said(f"make it 90{OF}the port is 80)").key == said("make it 90").key


def test_update_that_found_its_place_acts_no_more() -> None:
    """What withdrew something once does not withdraw a second time."""
    text = "Forget the ban on new packages"

    assert said(text, Kind.DECISION).withdraws
    assert not said(f"{text}{OF}never add packages)", Kind.DECISION).withdraws


@pytest.mark.parametrize("source", ["search", "assistant"])
def test_what_others_report_withdraws_nothing(source: str) -> None:
    """Only users take back what users said."""
    item = said("Forget the ban on new packages", Kind.DECISION, source)

    assert not any((item.withdraws, item.permits, item.is_done, item.lifts, item.finishes))
    assert not item.sign.changes


def test_withdrawal_is_no_permission_and_no_report() -> None:
    """A sentence does one thing to what was said before."""
    item = said("Forget the ban on new packages", Kind.DECISION)

    assert item.withdraws
    assert not any((item.permits, item.is_done))


def test_value_of_a_tool_is_keyed_unless_it_tells_what_happened() -> None:
    """A value that is given again replaces the one before; what happened once stays."""
    assert said("port: 80", source="config").is_keyed
    assert not said("created ticket: 80", source="config").is_keyed
    assert not said("port: 80").is_keyed


def test_key_that_names_another_thing_in_each_result_is_generic() -> None:
    """Two results with an "id" tell of two things."""
    assert said("order id: 17", source="tickets").is_generic
    assert not said("deploy region: eu", source="config").is_generic


def test_what_stands_before_a_reason_finds_it_too() -> None:
    """A reason that comes with one of two statements does not keep them apart."""
    plain, reasoned = said("The port is 80"), said("The port is 81, because 80 is taken")

    assert set(plain.slots) & set(reasoned.slots)


def test_general_name_of_a_kind_means_that_kind() -> None:
    """ "That rule" can be any rule, and no task."""
    kinds = said("That rule is gone", Kind.DECISION).named_kinds()

    assert Kind.RULE in kinds
    assert Kind.TASK not in kinds


def test_taking_back_that_points_back() -> None:
    """ "Scratch that" is of what was said just before."""
    assert said("Scratch that, use 90").points_back
    assert not said("Scratch the port").points_back


def test_update_that_says_more_is_also_kept_for_itself() -> None:
    """An update may state something new besides."""
    item = said("Change the port to 90", Kind.DECISION)

    assert item.says_more(frozenset())
    assert not item.says_more(frozenset(item.topic.values))
