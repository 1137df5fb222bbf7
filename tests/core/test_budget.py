"""Window arithmetic, and what usage teaches about a model's tokenizer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.core.budget import Budget, Correction, reserve


@pytest.mark.parametrize(
    ("window", "policy", "requested", "kept"),
    [
        (128_000, None, None, 8_192),
        (8_000, None, None, 2_000),
        (128_000, None, 500, 500),
        (128_000, 20_000, 500, 20_000),
        (128_000, 0, 500, 0),
        (128_000, None, 0, 8_192),
        (128_000, None, -1, 8_192),
        (8_000, None, 6_000, 4_000),
        (8_000, None, 8_000, 2_000),
        (8_000, 7_000, None, 4_000),
    ],
)
def test_room_is_kept_for_the_answer(
    window: int, policy: int | None, requested: int | None, kept: int
) -> None:
    """The policy decides, else the request if it can be had, else a quarter; never more than half."""
    assert reserve(window, policy, requested) == kept


def test_answer_and_conversation_share_what_instructions_leave() -> None:
    """An agent whose tools fill two thirds of the window keeps a conversation in it.

    Seen: Claude Code asks for 32,000 tokens of answer; half of a window of 16,000 left nothing else.
    """
    assert reserve(16_000, requested=32_000, fixed=11_000) == 1_250
    assert reserve(16_000, requested=2_000, fixed=11_000) == 2_000
    assert reserve(16_000, requested=4_000, fixed=11_000) == 2_500
    assert reserve(16_000, requested=4_000, fixed=17_000) == 0
    assert reserve(16_000, fixed=11_000) == 3_333


def test_tools_are_taken_from_the_budget() -> None:
    """What tools take is not there for messages: 32,000 less 4,000, 1,000 and 16,000 leaves 11,000."""
    assert Budget(window=32_000, reserve=5_000, fixed=16_000).tokens == 11_000


def test_a_head_of_tools_larger_than_the_window_leaves_nothing() -> None:
    """Where tools alone overflow, the budget is zero and not negative."""
    assert Budget(window=4_000, reserve=1_000, fixed=9_000).tokens == 0


def test_a_model_that_counts_more_gets_less() -> None:
    """A tokenizer that makes 1.25 tokens of each of ours allows a fifth fewer of ours."""
    budget = Budget(window=10_000, reserve=0, fixed=1_000, factor=1.25)

    assert budget.tokens == 7_000
    assert (budget.tokens + budget.fixed) * budget.factor == 10_000


def test_ratios_are_of_the_budget() -> None:
    """A trigger of 0.8 is reached at four fifths of what messages may take."""
    assert Budget(window=10_000, reserve=2_000, fixed=3_000).at(ratio=0.8) == 4_000


def test_whichever_level_comes_first_counts() -> None:
    """A level with a ratio and a number of tokens is reached at the smaller of the two."""
    budget = Budget(window=10_000, reserve=2_000, factor=2.0)

    assert budget.at(ratio=0.5, tokens=8_000) == 2_000
    assert budget.at(ratio=0.5, tokens=1_000) == 500


def test_no_level_lies_above_the_budget() -> None:
    """A trigger set for a large model does not let a small one overflow."""
    assert Budget(window=8_000, reserve=2_000).at(tokens=50_000) == 6_000


def test_a_level_without_tokens_is_none() -> None:
    """A level given in messages or turns says nothing about tokens."""
    assert Budget(window=8_000, reserve=2_000).at() is None


@given(
    window=st.integers(1_024, 2_000_000),
    fixed=st.integers(0, 100_000),
    factor=st.floats(0.6, 5.0),
    requested=st.none() | st.integers(-5, 3_000_000),
)
def test_a_full_budget_fits_the_window(window: int, fixed: int, factor: float, requested: int | None) -> None:
    """Messages that fill the budget, with tools and the reserve, are never more than the window."""
    budget = Budget(window, reserve(window, None, requested), fixed, factor)

    if budget.tokens:
        assert (budget.tokens + fixed) * factor + budget.reserve <= window + 1


def learned(*pairs: tuple[int, int]) -> Correction:
    correction = Correction()
    for counted, reported in pairs:
        correction = correction.learned(counted, reported)
    return correction


def test_nothing_is_assumed_before_the_first_report() -> None:
    """A model never heard of counts as we do."""
    assert Correction().factor == 1.0
    assert not Correction().calibrated


def test_a_larger_count_is_believed_at_once() -> None:
    """The first answer of a model with a finer tokenizer already makes the next request smaller."""
    assert learned((1_000, 1_300)).factor == 1.3


def test_a_smaller_count_needs_three_reports() -> None:
    """One report of few tokens, which may be truncation, does not let conversations grow."""
    assert learned((1_000, 700), (1_000, 700)).factor == 1.0
    assert learned((1_000, 700), (1_000, 700), (1_000, 700)).factor == 0.7


def test_one_odd_report_changes_little() -> None:
    """The median of the last reports stands, whatever a single one says."""
    correction = learned(*[(1_000, 1_200)] * 8, (1_000, 4_900))

    assert correction.calibrated
    assert correction.factor == 1.2


def test_a_changed_tokenizer_is_learned_anew() -> None:
    """After nine reports nothing is left of what a model alias meant before."""
    correction = learned(*[(1_000, 1_200)] * 50, *[(1_000, 900)] * 9)

    assert correction.ratios == (0.9,) * 9


@pytest.mark.parametrize(
    ("counted", "reported"), [(199, 400), (400, 199), (0, 0), (1_000, 599), (1_000, 5_001)]
)
def test_a_report_that_no_tokenizer_explains_teaches_nothing(counted: int, reported: int) -> None:
    """Small requests, truncation by the server and prompts of its own leave the correction as it was."""
    assert learned((counted, reported)) == Correction()


def test_images_teach_nothing() -> None:
    """A picture is priced by each vendor in its own way, so such a request says nothing about text."""
    assert Correction().learned(1_000, 2_000, has_images=True) == Correction()


def test_a_stored_factor_is_used_and_outweighed() -> None:
    """After a restart the stored factor holds at once, and gives way to new reports."""
    correction = Correction.restored(1.5)
    assert correction.factor == 1.5
    assert correction.calibrated

    for _ in range(9):
        correction = correction.learned(1_000, 1_100)
    assert correction.factor == 1.1


@pytest.mark.parametrize("stored", [None, 0.0, -1.0, 99.0, float("nan"), float("inf")])
def test_a_broken_stored_factor_is_ignored(stored: float | None) -> None:
    """A record that makes no sense is as good as none."""
    assert Correction.restored(stored) == Correction()
