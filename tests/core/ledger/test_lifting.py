"""Words that may lift a rule or report a task done."""

from __future__ import annotations

import pytest

from gateway.core.ledger.cues import words
from gateway.core.ledger.lifting import finishes, lifts


@pytest.mark.parametrize(
    "sentence",
    [
        "the audit is over, so payments can be edited again",
        "there's no limit on what we spend any longer",
        "markdown isn't a must",
        "beta-search can be switched on now",
        "search_v2 可以打开了",
        "用什么语言都行",
    ],
)
def test_lifting_is_known(sentence: str) -> None:
    """A rule is taken away in many ways."""
    assert lifts(sentence, words(sentence))


def test_a_rule_lifts_none() -> None:
    """ "Always" and "never" begin rules."""
    assert not lifts("never use it again", words("never use it again"))
    assert not lifts("the port is 80", words("the port is 80"))


@pytest.mark.parametrize("sentence", ["the certificate is renewed", "plants: watered", "合同已经发给陈总了"])
def test_report_of_what_is_done_is_known(sentence: str) -> None:
    """Any verb can end a task."""
    assert finishes(sentence)


def test_plan_finishes_nothing() -> None:
    """What is to come is not done."""
    assert not finishes("renew the certificate")
