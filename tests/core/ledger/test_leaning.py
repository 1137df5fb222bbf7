"""A statement that says little of its own is of something said before."""

from __future__ import annotations

import pytest

from gateway.core.ledger.leaning import (
    adds_value,
    gives_beside_ban,
    leans,
    own,
    points_back,
    speaks_of_one,
)


@pytest.mark.parametrize(
    "text",
    [
        "8443 then",
        "Grandma's visiting: 22.",
        "That disk is full, /mnt/bulk from here.",
        "With the discount it comes to 31.90.",
        "那天场地没了，15日。",
        "打折下来31.9。",
        "Doch lieber am 19.05.2028.",
        "The professor said 15 is fine.",
        "Ops want them under /data/logs.",
    ],
)
def test_value_without_a_subject_leans(text: str) -> None:
    """Who says it, why, and "it" name nothing that the value is of."""
    assert leans(text, False)


@pytest.mark.parametrize(
    "text",
    [
        "The port of db-1 is 8443.",
        "Replica count: 3",
        "工作进程数：8",
        "The hotel is $140 a night.",
        "Our insurer is Union Mutual now.",
        "Metrics go out on port 9090.",
        "Give me the top 59 of the buffer list.",
    ],
)
def test_what_names_its_subject_leans_on_nothing(text: str) -> None:
    """A statement of something of its own says nothing of what shares no word with it."""
    assert not leans(text, False, False)


def test_firm_words_may_stand_with_one_word_more() -> None:
    """What says that something changes may say a little more, and still lean."""
    assert leans("Marlow's overbooked; we're at the Regent.", True)
    assert not leans("Charge the batteries of the spare camera before 10:30.", False, False)


def test_errands_and_long_statements_speak_of_more_than_one_value() -> None:
    """What only asks for something changes nothing, and what is long says of what it is."""
    assert speaks_of_one("We're stretching to 5000.")
    assert not speaks_of_one("Give me the top 59 of the list.")
    assert not speaks_of_one("roster_34 takes 30 seconds now.")


def test_own_words_are_those_of_the_clause_that_gives_the_value() -> None:
    """Why it is given names nothing."""
    assert own("Grandma's visiting: 22.") == frozenset()
    assert "locker" in own("The locker is 23.")


def test_few_words_of_a_long_statement_may_speak_of_one_value() -> None:
    """What else is said around them, before a colon above all, names nothing that the value is of."""
    assert speaks_of_one("I said 40 last week but legal came back to me today, the approved fee is $34.50.")
    assert not speaks_of_one(
        "17: the queue on the old cluster drops about every ninth message of the nightly run"
    )


def test_what_is_added_or_forbidden_beside_the_value_is_not_said_of_it() -> None:
    """Only the part of a statement that gives the value tells whether it is one more."""
    assert not adds_value("she reads them too, so swedish from here on")
    assert adds_value("also, keep 60 for the flash")
    assert gives_beside_ban("They won't allow /var, so /srv/dumps it is")
    assert not gives_beside_ban("Never restart db-12")


def test_what_points_back_names_nothing_before() -> None:
    """Behind the thing that a statement is about "there" is said of that."""
    assert points_back("I merged it all there")
    assert not points_back("The port is what is open there")
