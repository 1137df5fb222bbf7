"""Whether a statement reports that a value became another."""

from __future__ import annotations

import pytest

from gateway.core.ledger.turned import is_news, says_no_more


@pytest.mark.parametrize(
    "sentence",
    [
        "they raised the limit to 50",
        "the deadline was brought forward to 1 may",
        "他们把上限提高到每秒50个请求",
    ],
)
def test_report_of_a_change_is_news(sentence: str) -> None:
    """Whoever changed it."""
    assert is_news(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "they may have raised the limit to 50",
        "she says they raised the limit to 50",
        "did they raise it?",
        "the limit is 50",
        "如果上限提高到50个请求",
        "上限没有提高到50个请求",
    ],
)
def test_what_is_left_open_is_no_news(sentence: str) -> None:
    """Nor is what somebody only says."""
    assert not is_news(sentence)


def test_news_is_of_what_it_names() -> None:
    """All of it, and nothing else."""
    assert says_no_more("Yesterday they raised the limit to 50 requests.", "The limit is 20 requests.")
    assert not says_no_more("The speed limit was lowered to 50.", "The limit is 20.")
    assert not says_no_more("They raised the limit to 300 words.", "Keep answers under 200 words.")
