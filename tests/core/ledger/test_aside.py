"""What may hold no longer is put aside, however little was said of it since."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from core.ledger.test_contests import FILLING, heard
from gateway.core.conversation import Role, made
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.find import find
from gateway.core.ledger.settle import Settled, settle

PHRASINGS = Path(__file__).parent / "phrasings"

_MOST_STALE = {"unlike": 0.05, "unlike_apart": 0.25}
_MOST_DOUBTED = 0.2


def rows(name: str) -> list[list[str]]:
    """Return the rows of a file of phrasings."""
    found: list[list[str]] = yaml.safe_load((PHRASINGS / f"{name}.yaml").read_text())
    return found


def after(first: str, then: str) -> Settled:
    """Return what is settled of two statements made far apart."""
    return settle([*heard(first), *heard(*FILLING), *heard(then)])


def shown(settled: Settled, old: str, then: str) -> list[Entry]:
    """Return what shows an old value as in force, though something else was said then."""
    later = {*heard(*FILLING), *heard(then)}
    return [entry for entry in settled.current if old in entry.text and entry not in later]


@pytest.mark.parametrize("name", _MOST_STALE)
def test_old_value_is_rarely_in_force_whatever_words_its_update_uses(name: str) -> None:
    """Most updates are heard that share no word with what they change."""
    stale = [row for row in rows(name) if shown(after(row[0], row[1]), row[2], row[1])]

    assert len(stale) <= _MOST_STALE[name] * len(rows(name)), stale if name == "unlike" else len(stale)


def test_update_of_something_puts_little_else_aside() -> None:
    """What was said of other things stays in force, though nobody can be sure of what an update is."""
    others = [entry for entry in heard(*FILLING) if entry.is_sure]
    doubted = sum(
        entry not in after(first, then).current for first, then, *_ in rows("unlike") for entry in others
    )

    assert doubted <= _MOST_DOUBTED * len(others) * len(rows("unlike"))


@pytest.mark.parametrize(
    "then",
    [
        "Max spend on the tripod: 120 euros.",
        "Give me the top 700 of the list.",
        "Also keep 600 euros for the flash.",
        "What would change at 700 euros?",
    ],
)
def test_what_is_of_something_else_puts_nothing_aside(then: str) -> None:
    """What names its own subject, adds something, or only asks, leaves other values in force."""
    assert shown(after("Max spend on the lens: 550 euros.", then), "550", then)


def test_update_that_was_found_to_be_of_one_thing_is_of_no_other() -> None:
    """What shares a word with one value of a form puts no other value of that form aside."""
    said = heard(
        "The course starts on 3 May.", "We fly to Oslo on 1 June.", "The course now starts on 10 May."
    )

    assert "We fly to Oslo on 1 June." in [entry.text for entry in settle(said).current]


def test_what_was_settled_together_acts_on_nothing_of_it() -> None:
    """A ledger is read back by kinds: what was said last may come first, and counts all the same."""
    said = heard("I changed my mind about the plots: plasma.", "I'd love it if plots used thick lines.")
    once = settle(said).current

    assert len(once) == 2
    assert settle(once[::-1], range(2)).current == once[::-1]


def test_question_behind_an_update_leaves_no_old_value_in_force() -> None:
    """What is asked about a statement makes it no less news of what it is about."""
    old, new = "The budget is 500 EUR.", "The budget is now 900 EUR. What do you think of it?"
    settled = settle([entry for text in (old, new) for entry in find(made(Role.USER, text, len))])
    assert old not in [entry.text for entry in settled.current]
    assert "The budget is now 900 EUR." in [entry.text for entry in (*settled.current, *settled.aside)]


def test_value_of_nothing_is_of_the_few_that_are_written_alike() -> None:
    """A value that is said of nothing may be of few that were said before; of many, of none."""
    first, others, then = (
        "Our VAT is 19%.",
        ["Commission stays at 15% of sales.", "Deposit is 20% of the rent.", "Tips are 12% here."],
        "Books get 7% here.",
    )

    assert first not in [entry.text for entry in settle(heard(first, then)).current]
    assert first not in [entry.text for entry in settle(heard(first, *others[:1], then)).current]
    assert {first, *others[:2]} <= {entry.text for entry in settle(heard(first, *others, then)).current}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("The greenhouse at 21°C.", "Maintenance says eighteen is wasteful, the guidance is 24°C."),
        ("The prize is a $5 voucher.", "Sponsor signed $12, so reword the poster accordingly and resend it."),
        ("A ticket costs 9.50 a day.", "11.20 from the next tour."),
    ],
)
def test_value_in_passing_is_of_the_only_one_written_alike_whatever_it_names(first: str, then: str) -> None:
    """Who says so and why is not of what the value is: the old one is no longer presented as in force."""
    assert first not in [entry.text for entry in settle(heard(first, then)).current]


def test_update_is_not_put_aside_by_a_value_in_passing_that_names_another_thing() -> None:
    """What took the place of something stays in force: else what it replaced would come back."""
    new, then = (
        "Make that a $9 voucher.",
        "Sponsor signed $12, so reword the poster accordingly and resend it.",
    )
    said = heard("The prize is a $5 voucher.", new, then)

    assert any(entry.text.startswith(new) for entry in settle(said).current)


def test_report_of_nothing_that_was_to_be_done_is_kept_aside_if_it_names_somebody() -> None:
    """Who does it now may be said as what was done: it is no task, and its words must not be lost."""
    then = "The bookkeeping is handled by Imre in this quarter, receipts go his way."
    settled = settle(heard("Send the receipts to Zelda.", then))

    assert then in [entry.text for entry in (*settled.current, *settled.aside)]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("The launch is on March 12.", "marketing slipped us by nine days, sigh."),
        ("交稿日期是6月10号。", "编辑部来信说往后顺延一周"),
        ("Flag any transfer above 500 euros.", "Doubling it is what I would do."),
        ("Pick the cheapest option at all times.", "price is no longer the tiebreaker, delivery speed is"),
    ],
)
def test_what_is_only_moved_is_not_in_force(first: str, then: str) -> None:
    """Who says by how much, or that it is no more, need not say of what."""
    settled = settle([*heard(first), *heard(then)])

    assert first not in [entry.text for entry in settled.current]
    assert first in [entry.text for entry in settled.aside]


def test_what_is_named_is_moved_and_nothing_else() -> None:
    """A move of something that is named leaves others of its kind in force."""
    said = heard("The review is on 4 June.", "The launch is on 12 March.", "The review slipped by nine days.")

    assert "The launch is on 12 March." in [entry.text for entry in settle(said).current]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Use Arial for the poster.", "our brand book landed, typeface is Inter"),
        ("License header should be MIT.", "counsel's call, not mine: Apache-2.0 on every file"),
        ("Our P1 response target is 30 minutes.", "New contract, P1s are answered in a quarter of an hour."),
        ("The API token scope is read-only.", "you'll need to close issues too so I gave it read-write"),
    ],
)
def test_of_what_is_chosen_there_is_one(first: str, then: str) -> None:
    """Another of its kind puts it aside, sure or not, whatever the kind is called."""
    assert first not in [entry.text for entry in settle([*heard(first), *heard(then)]).current]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("We went with Kestrel for the queue.", "We decided on Monday that Osprey carries the load."),
        (
            "Reply to the shelf team in French by default.",
            "As most is from Ghent: Dutch by default.",
        ),
    ],
)
def test_what_may_be_meant_is_not_presented_as_in_force(first: str, then: str) -> None:
    """A later decision, or a loose word on the same, leaves nobody sure of what was said before it."""
    settled = settle([*heard(first), *heard(then)])

    assert not [entry for entry in heard(first) if entry in settled.current]


def test_decision_of_an_assistant_puts_none_of_the_user_aside() -> None:
    """Who only reports decides nothing for the user."""
    own = heard("We went with Kestrel for the queue.")

    assert settle([*own, Entry(Kind.DECISION, "We decided to use Osprey.", "assistant")]).current[0] in own


def test_what_a_model_wrote_is_not_put_aside_for_a_loose_word() -> None:
    """A mark in a summary weakens what holds: there it takes a statement that says something else of it."""
    said = heard("We went with Kestrel for the queue.", "We decided on Monday that Osprey carries the load.")

    assert len(settle(said, is_wide=False).current) == len(said)
