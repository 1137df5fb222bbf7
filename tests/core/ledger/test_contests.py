"""What was said may hold no longer, as something else was said of it in passing."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from gateway.core.conversation import Role, made
from gateway.core.ledger.contests import Strength, have_akin_names, may_be_of, may_replace
from gateway.core.ledger.entry import Entry
from gateway.core.ledger.find import find
from gateway.core.ledger.leaning import leans
from gateway.core.ledger.settle import Settled, settle

PHRASINGS = Path(__file__).parent / "phrasings"
FILLING = (
    "Always answer tickets from Quartz Holdings 887 in Portuguese.",
    "No more than 7344 rows per request to https://example.org/harvest/50768?t=110.",
    "Reviewer for packages/ember-221 is Leila Byrne.",
    "Never restart violet-worker-27 without asking.",
    "We run pymeadow 3.88.29 in production.",
    "copper_quota_12 的阈值取 31%。",
    "Deadline is 3 March 2029 for JIRA-61188.",
    "Spend at most $450 on TUNDRA Lite 31.",
)
"""What is said between the two."""

_MOST_DOUBTED = 0.33


def rows(name: str) -> list[list[str]]:
    """Return the rows of a file of phrasings."""
    found: list[list[str]] = yaml.safe_load((PHRASINGS / f"{name}.yaml").read_text())
    return found


def heard(*texts: str) -> list[Entry]:
    """Return what is found in messages of a user."""
    return [entry for text in texts for entry in find(made(Role.USER, text, len))]


def after(first: str, then: str) -> Settled:
    """Return what is settled of two statements made far apart."""
    return settle([*heard(first), *heard(*FILLING), *heard(then)])


@pytest.mark.parametrize("row", rows("contested"), ids=lambda row: row[1])
def test_what_may_hold_no_longer_is_not_in_force(row: list[str]) -> None:
    """An old value is put aside, however little its update says; its words are kept."""
    first, then, old = row
    settled = after(first, then)
    later = {*heard(*FILLING), *heard(then)}

    assert [entry.text for entry in settled.current if old in entry.text and entry not in later] == []
    assert [entry for entry in settled.aside if old in entry.text]


def test_two_things_are_rarely_taken_for_one() -> None:
    """Statements of two things stay both, and few are put aside."""
    doubted = 0
    for first, then in rows("apart"):
        settled = after(first, then)
        said = [entry for entry in heard(first, then) if entry.is_sure]
        doubted += any(entry in settled.aside for entry in said)

        assert [entry.text for entry in said if entry in settled.gone] == []
    assert doubted <= _MOST_DOUBTED * len(rows("apart"))


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("The gateway should listen on port 8080.", "8443 then"),
        ("Code freeze is on Wednesday.", "→ Friday"),
        ("Deposit is 20% of the rent.", "Landlord wants 25%."),
        ("The disputed file is /data/in/a.csv.", "sorry, /data/old/b.csv"),
        ("网关监听 8080 端口。", "那就 8443 吧"),
    ],
)
def test_terse_update_leans_on_what_was_said(first: str, then: str) -> None:
    """Where a statement gives nothing but a value, it is of what gave one that is written alike."""
    assert leans(then, True)
    assert may_be_of(then, first, True, False)


@pytest.mark.parametrize(
    "text", ["The port of db-1 is 8443.", "Our insurer is Union Mutual now.", "Metrics go out on port 9090."]
)
def test_what_names_its_subject_leans_on_nothing(text: str) -> None:
    """A statement of something of its own says nothing of what shares no word with it."""
    assert not leans(text, False)


def test_prohibition_is_doubted_only_by_another_value_of_the_same() -> None:
    """What must not be done is rarely put aside for something that only sounds like it."""
    assert not may_replace("Push it to main then.", "Never push to release.", Strength.HINTS, True)
    assert not may_be_of("db-12 then", "Never restart db-11.", True, True)


@pytest.mark.parametrize(
    "first",
    ["Ask me before quota.limit_64 is edited by anybody.", "Every test in quota.limit_64 has a marker."],
)
def test_correction_is_of_what_was_given_not_of_what_was_said_of_it(first: str) -> None:
    """A rule about an identifier stays in force when another identifier is corrected."""
    assert may_be_of("no, quota.limit_71", "The key is quota.limit_64.", True, False, True)
    assert not may_be_of("no, quota.limit_71", first, True, False, True)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("上线由王建国签字。", "CTO 发邮件说上线让陈思远签"),
        ("我们在成都碰头。", "成都的场地黄了，只有苏州有空的"),
        ("We use falconlib for plotting.", "Ines convinced me, plots with copperkit"),
    ],
)
def test_other_person_place_or_thing_puts_the_old_one_aside(first: str, then: str) -> None:
    """Names are no less values than numbers are, in Chinese too."""
    assert may_replace(then, first, Strength.HINTS, False)


def test_the_one_that_is_meant_may_be_of_any_identifier_given() -> None:
    """What was wrong about an identifier can be all of it, also how it is written."""
    assert may_be_of("77-1895-44 is the one I'm asking about.", "My order is ORD-12.", True, False, True)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Reply to customers in French by default.", "Most live near Antwerp: Dutch by default"),
        ("The vision team gets a quota of 20 GPU hours.", "| team | GPU hours | | vision | 35 |"),
        ("代码注释用中文。", "注释统一英文，顺便把README补一下"),
    ],
)
def test_what_is_named_beside_the_value_sets_no_two_things_apart(first: str, then: str) -> None:
    """Why it is so, or what comes next, may have a name that the earlier statement lacks."""
    assert may_replace(then, first, Strength.HINTS, False)


def test_what_is_named_with_the_value_is_of_it() -> None:
    """A value is of who is named where it is given."""
    assert not may_replace("Replies to Fenwick are in Dutch", "Reply in French", Strength.HINTS, False)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Data source: the 2021 census extract.", "I uploaded census_2024.parquet, work from there"),
        ("Send it to ops@fernhill.example.", "That mailbox bounces. Same thing at fernhill-group.example"),
    ],
)
def test_name_made_of_the_same_words_is_of_the_same(first: str, then: str) -> None:
    """An identifier is named after what it is of."""
    assert have_akin_names(then, first)
    assert may_be_of(then, first, False, False)


def test_names_of_two_things_are_akin_by_nothing_common() -> None:
    """What is only mentioned, stands in both, or in identifiers of any kind, makes no two names akin."""
    assert not have_akin_names("No, quota.limit_71", "Every test in quota.limit_64 has a marker.")
    assert not have_akin_names("See data/main.py", "The file is data/test.py")
    assert not have_akin_names("Ask about census_2024", "The data is in census_2024")
