"""Whether a statement puts another value in the place of an earlier one."""

from __future__ import annotations

import pytest

from gateway.core.ledger.changes import Sign, sign
from gateway.core.ledger.cues import words
from gateway.core.ledger.decoys import plain
from gateway.core.ledger.supersede import Fit, fit, is_one_slot, slot


def fitting(old: str, new: str) -> Fit:
    """Return how surely a newer statement replaces an older one."""
    sentence = plain(new)
    return fit(new, old, sign(sentence, words(sentence)))[0]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Max retries: 3", "Max retries: 5"),
        ("超时 parse_mailer_76：30 秒", "超时 parse_mailer_76：34 秒"),
        ("The lecture is in room B204.", "The lecture is in room C110, B204 is being painted."),
        ("The sample SN-4f weighs 41,731 mg.", "I misread the scale: SN-4f weighs 150 mg, not 41,731."),
        (
            "Reviewer for src/x1 is Greta Novak.",
            "From Monday on Ivo Sato reviews src/x1 rather than Greta Novak.",
        ),
        ("Use tabs for indentation.", "Use spaces for indentation."),
    ],
)
def test_same_statement_with_another_value_is_sure(old: str, new: str) -> None:
    """Saying it again with one other value needs no word of change, nor does naming the old one much else."""
    assert fitting(old, new) is Fit.SURE


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Deadline is 1 May 2028 for OPS-61.", "OPS-61 got an extension, the new deadline is 3 June 2028."),
        ("Staging runs on node1.y.lan.", "We moved staging, it's on node957.x.lan now."),
        ("Keep at most 34 backups in s3://a-b-1.", "Make that 87 backups in s3://a-b-1."),
        ("mailerCount31 的阈值取 31%。", "mailerCount31 的阈值收紧到 12.5%。"),
    ],
)
def test_statement_that_names_all_of_it_covers_it(old: str, new: str) -> None:
    """With a sign of change the rest may be said in other words."""
    assert fitting(old, new) >= Fit.COVERS


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The staging host is stage1.x.lan.", "The production host is prod1.x.lan."),
        ("The price of the Basic plan is 9 EUR.", "The price of the Pro plan is now 29 EUR."),
        ("Sample A3 weighs 12 mg.", "Sample A4 weighs 19 mg."),
        ("Allow port 80 on web-1.", "Also allow port 443 on web-1."),
        ("Flag search-v2 stays off.", "Flag cart-v3 is on now."),
        ("数学考试是6月1日。", "语文考试改到6月3日。"),
    ],
)
def test_two_things_stay_two(old: str, new: str) -> None:
    """A word or a name of the subject that differs makes two statements."""
    assert fitting(old, new) is Fit.NO


def test_what_is_forbidden_is_no_value() -> None:
    """That one path may be touched says nothing of another."""
    now = Sign(changes=True, corrects=False, adds=False)

    assert fit("Edit vendor/b14/ now.", "Don't edit vendor/a12/.", now, is_ban=True)[0] is Fit.NO


def test_what_a_line_gives_the_value_of() -> None:
    """A lead-in without a word of its own is no subject."""
    assert slot("By the way: Timeout x = 30 s") == "timeout x"
    assert slot("While we are at it: deploy to x") == ""


def test_it_means_the_latest_that_has_one_such_value() -> None:
    """ "It's A-55120" is said of an identifier, not of something that only names one."""
    assert is_one_slot("It's A-55120.", "Order number A-55102.")
    assert not is_one_slot("It's A-55120.", "The sample SN-98 weighs 733 mg.")
    assert is_one_slot("Make it 300 words", "Keep it under 200 words")
