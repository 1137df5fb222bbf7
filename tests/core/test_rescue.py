"""What is tried after an upstream said "too large": the arithmetic, by its numbers and without any."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.core.failures import (
    BodyTooLarge,
    Failure,
    Final,
    ItemTooLong,
    ListTooLong,
    OutputTooLarge,
    Overflow,
    Refused,
)
from gateway.core.frozen import replace
from gateway.core.rescue import Clamp, DropThinking, Move, Sent, Shrink, TrimItem, next_move, progressed


def sent(
    tokens: int = 5000,
    *,
    size_bytes: int = 20_000,
    messages: int = 10,
    output: int | None = None,
    correction: float = 1.0,
) -> Sent:
    """Return what was refused: 5000 tokens of ours, unless a test says otherwise."""
    return Sent(tokens, size_bytes, messages, output, correction)


def shrunk(failure: Failure, what: Sent, rescues: int = 0) -> Shrink:
    """Return the move, which must be to make the request smaller."""
    move = next_move(failure, what, rescues)
    assert isinstance(move, Shrink)
    return move


@pytest.mark.parametrize("scale", [0.01, 1, 2, 100])
def test_ratio_counts_not_the_unit(scale: float) -> None:
    """An upstream that counts characters, or words, is followed as well as one that counts as we do."""
    failure = Overflow(limit=int(8_000_000 * scale), prompt=int(10_000_000 * scale))

    assert shrunk(failure, sent(5000)).tokens == 3600


def test_output_that_shares_the_window_is_left_free() -> None:
    """What the request asks for as an answer is not given to the prompt."""
    alone = shrunk(Overflow(limit=8000, prompt=10_000, output=0), sent(10_000, output=2000))
    beside = shrunk(Overflow(limit=8000, prompt=10_000), sent(10_000, output=2000))

    assert (alone.tokens, beside.tokens) == (7200, 5400)


def test_output_that_the_upstream_repeats_goes_before_ours() -> None:
    """A vendor's default output is in its message where the request names none."""
    assert shrunk(Overflow(limit=8000, prompt=10_000, output=4000), sent(10_000)).tokens == 3600


def test_output_of_more_than_half_the_window_is_cut_as_well() -> None:
    """A request for more output than the window leaves does not shrink the conversation to nothing."""
    move = shrunk(Overflow(limit=8000, prompt=10_000), sent(10_000, output=32_000))

    assert (move.tokens, move.output) == (3600, 4000)


def test_output_is_never_raised() -> None:
    """An output that the upstream counts in a unit of its own comes down by as much as it asks for."""
    failure = Overflow(limit=8000, prompt=10_000, output=7000)

    assert shrunk(failure, sent(10_000, output=7000)).output == 4000
    assert shrunk(failure, sent(10_000, output=700)).output == 400
    assert shrunk(failure, sent(10_000, output=1)).output is None


def test_limit_too_small_for_a_window_is_believed_when_half_was_not_enough() -> None:
    """A server with room for 100 tokens gets half first, and then what it says it takes."""
    failure = Overflow(prompt=10_000, share=0.01)

    assert [shrunk(failure, sent(10_000), rescues).tokens for rescues in (0, 1)] == [5000, 90]


def test_bytes_come_down_with_the_tokens() -> None:
    """An upstream that estimates tokens from characters is satisfied too; images weigh in bytes alone."""
    failure = Overflow(limit=8000, prompt=10_000)

    assert shrunk(failure, sent(5000, size_bytes=20_000)).also_bytes == 15_178
    assert shrunk(failure, Sent(5000, 9_000_000, 10, None, has_images=True)).also_bytes is None


def test_output_is_not_cut_to_nothing() -> None:
    """In a tiny window an answer still has room for a sentence or two."""
    assert shrunk(Overflow(limit=300, prompt=400), sent(400, output=400)).output == 256


def test_no_number_halves_the_request() -> None:
    """An upstream that only says "too long" gets half of what it refused."""
    assert shrunk(Overflow(), sent(5000)).tokens == 2500


def test_last_attempt_goes_down_to_what_is_likely_to_fit() -> None:
    """Seen: where no number was named, a long text in twelve times too long a request was refused thrice.

    It then takes a twelfth, but something of the conversation is left beside tools and instructions.
    """
    half = Sent(5000, 20_000, 10, None, is_last=True)
    assert shrunk(Overflow(), half, 1).tokens == 787
    assert shrunk(Overflow(), replace(half, is_last=False), 1).tokens == 1750
    assert shrunk(Overflow(), replace(half, fixed=1000), 1).tokens == 1200
    assert shrunk(Overflow(limit=4000), half, 1).tokens == 1750


def test_limit_without_a_prompt_is_measured_with_what_we_learned() -> None:
    """A limit alone is read in the upstream's unit, as earlier answers taught it; and never above half."""
    assert shrunk(Overflow(limit=2000), sent(5000)).tokens == 1800
    assert shrunk(Overflow(limit=2000), sent(5000, correction=2.0)).tokens == 900
    assert shrunk(Overflow(limit=8000), sent(5000)).tokens == 2500


def test_lower_bound_is_no_measure() -> None:
    """An upstream that stops counting at its limit reports one token too many: that is no ratio."""
    failure = Overflow(limit=8192, prompt=8193, exact=False)

    assert shrunk(failure, sent(40_000)).tokens == int(8192 * 0.9)


def test_excess_makes_a_target_smaller_never_larger() -> None:
    """ "Too long by 4000" takes away those 4000 and a margin; "by 10" still takes half."""
    assert shrunk(Overflow(excess=3000), sent(5000)).tokens == 1125
    assert shrunk(Overflow(excess=10), sent(5000)).tokens == 2500


def test_excess_beyond_all_reason_leaves_something_to_send() -> None:
    """An excess larger than the request by our count still leaves a tenth of it to try."""
    assert shrunk(Overflow(excess=1_000_000), sent(5000)).tokens == 450


def test_total_tells_the_unit() -> None:
    """Where only prompt and output together are named, the prompt is what is left without the output."""
    failure = Overflow(limit=4000, total=12_000, output=2000)

    assert shrunk(failure, sent(5000)).tokens == 900


def test_total_that_contradicts_what_we_learned_is_not_believed() -> None:
    """A total smaller than the prompt must be cannot make room."""
    failure = Overflow(limit=4000, total=2100, output=2000)

    assert shrunk(failure, sent(5000)).tokens == 1800


@given(
    st.builds(
        Overflow,
        limit=st.none() | st.integers(1024, 10_000_000),
        prompt=st.none() | st.integers(0, 10_000_000),
        output=st.none() | st.integers(0, 10_000_000),
        exact=st.booleans(),
        excess=st.none() | st.integers(0, 10_000_000),
        total=st.none() | st.integers(0, 10_000_000),
    ),
    st.builds(
        Sent,
        tokens=st.integers(10, 1_000_000),
        size_bytes=st.integers(1, 10_000_000),
        messages=st.integers(1, 1000),
        output=st.none() | st.integers(1, 1_000_000),
        correction=st.floats(0.2, 5.0),
        fixed=st.integers(0, 10),
        is_last=st.booleans(),
    ),
    st.integers(0, 8),
)
def test_rescue_is_never_larger_than_what_was_refused(failure: Overflow, what: Sent, rescues: int) -> None:
    """Whatever numbers an upstream names, less is sent than it refused, and with each rescue less."""
    first = shrunk(failure, what, rescues)
    later = shrunk(failure, what, rescues + 1)

    assert 1 <= first.tokens <= max(1, int(what.tokens * 0.9))
    assert later.tokens <= first.tokens
    assert first.output is None or first.output < (failure.output or what.output or 0)


def test_each_further_rescue_asks_for_more() -> None:
    """A second refusal of the same kind is not answered with the same size."""
    failure = Overflow(limit=8000, prompt=10_000)
    sizes = [shrunk(failure, sent(5000), rescues).tokens for rescues in range(4)]

    assert sizes == sorted(set(sizes), reverse=True)
    assert shrunk(Overflow(limit=2000), sent(5000), 1).tokens == 1260


@pytest.mark.parametrize(
    ("limit", "asked", "move"),
    [
        (4096, 8000, Clamp(4096)),
        (4096, None, Clamp(4096)),
        (4096, 4096, Clamp(1024)),
        (4096, 100, Clamp(25)),
        (0, 100, Clamp(25)),
        (None, 4000, Clamp(1000)),
        (None, 1_000_000, Clamp(4096)),
        (None, 2, Clamp(1)),
        (None, 1, None),
        (None, None, None),
    ],
)
def test_only_the_output_is_clamped(limit: int | None, asked: int | None, move: Move | None) -> None:
    """A request whose only fault is the output asked for keeps its whole conversation."""
    assert next_move(OutputTooLarge(limit), sent(output=asked), 0) == move


def test_body_comes_down_to_its_limit() -> None:
    """A proxy's limit in bytes is met with a margin, and the tokens come down in the same proportion."""
    assert next_move(BodyTooLarge(10_000), sent(5000), 0) == Shrink(2250, size_bytes=9000)


def test_body_of_unknown_limit_is_halved() -> None:
    """A bare 413 gets half of the bytes that it refused."""
    assert next_move(BodyTooLarge(), sent(5000), 0) == Shrink(2500, size_bytes=10_000)


def test_body_within_the_limit_is_halved() -> None:
    """An upstream that refuses fewer bytes than it says it takes measures something else, and is believed."""
    assert next_move(BodyTooLarge(20_000), sent(size_bytes=20_000), 0) == Shrink(2500, size_bytes=10_000)


def test_list_comes_down_to_its_limit() -> None:
    """Too many messages become as many as are allowed; a list that is short enough is left alone."""
    assert next_move(ListTooLong(8), sent(messages=10), 0) == Shrink(3600, messages=8)
    assert next_move(ListTooLong(10), sent(messages=10), 0) is None


def test_one_text_is_cut() -> None:
    """A text too long for its field is cut where the upstream says it stands."""
    assert next_move(ItemTooLong("messages[3].content", 100), sent(), 0) == TrimItem(
        "messages[3].content", 100
    )


@pytest.mark.parametrize("failure", [Refused(), Final()])
def test_nothing_is_tried_where_size_is_not_the_matter(failure: Failure) -> None:
    """Errors of form, keys, money and load are not answered with a smaller request."""
    assert next_move(failure, sent(), 0) is None


def test_thinking_that_is_bound_is_left_out() -> None:
    """Behind what was changed an upstream takes no thinking, and the rest of the request is right."""
    assert next_move(Refused(is_bound=True), sent(), 0) == DropThinking()


def test_progress_is_measured() -> None:
    """A request only a little smaller is not worth an attempt."""
    assert progressed(1000, 970)
    assert not progressed(1000, 971)


def test_instructions_and_tools_are_not_halved() -> None:
    """Without a number half of what can go is tried first; where that was not enough, half of everything."""
    agent = Sent(12_000, 50_000, 14, None, fixed=8000)

    assert [shrunk(Overflow(), agent, rescues).tokens for rescues in (0, 1)] == [10_000, 4200]


def test_long_answer_asked_leaves_a_conversation() -> None:
    """Where half of a small window for the answer would leave nothing else, the prompt gets more."""
    agent = Sent(16_700, 80_000, 20, 32_000, fixed=11_000)

    assert shrunk(Overflow(limit=16_500, prompt=16_700), agent).tokens == 13_612
