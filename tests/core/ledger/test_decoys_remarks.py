"""Remarks on a rule that was reported, as against those on a rule that was set."""

from __future__ import annotations

import pytest

from gateway.core.ledger.decoys_remarks import is_comment_on


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ("the airline demands that bags stay under 23 kg.", "what a nuisance."),
        ("the court ruled that the firm must delete all mails.", "what do you think?"),
        ("say the maximum is 12.", "is the plan still good?"),
        ("relay-359 有条规定：20:13 之后不开会。", "听着不错。"),
    ],
)
def test_remark_tells_what_was_reported_or_supposed(before: str, sentence: str) -> None:
    """Nobody finds his own rule odd."""
    assert is_comment_on(sentence, before)


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ("never use our printer.", "what a nuisance."),
        ("the budget is 4,300 eur.", "sounds good?"),
        ("we deploy at noon.", "funny, isn't it?"),
        ("以后都用中文。", "听着不错吧。"),
        ("the airline demands that bags stay under 23 kg.", "pack accordingly."),
    ],
)
def test_own_rule_may_be_remarked_on(before: str, sentence: str) -> None:
    """What the speaker sets stays, whatever is said of it; and not every sentence is a remark."""
    assert not is_comment_on(sentence, before)
