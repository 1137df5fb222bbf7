"""Calls to a summariser fit its window, are bounded in number, and see every message."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.summary.reading import assistant, call, quarters, result, user
from gateway.core.conversation import Message
from gateway.core.summary.parts import Plan, Space, merge, plan
from gateway.core.summary.transcript import read, size

SPACE = Space(window=10_000, answer=1_000, is_calibrated=True)


def rounds(number: int, text: str) -> list[Message]:
    """Return so many rounds of two calls whose results are *text*."""
    found: list[Message] = []
    for n in range(number):
        ids = f"a{n}", f"b{n}"
        found += [call(*((id, "run", "{}") for id in ids)), *(result(id, text) for id in ids)]
    return found


def numbers(plan: Plan) -> list[int]:
    """Return the numbers of all messages that the parts tell of."""
    return [
        n
        for part in plan.parts
        for passage in part
        for n in range(passage.number, (passage.through or passage.number) + 1)
    ]


def test_part_takes_its_share_of_the_window() -> None:
    """Small messages: 0.4 of the window; the larger they are on the average the less, down to 0.15."""
    assert SPACE.part(100) == 4000
    assert 1500 < SPACE.part(1100) < 2000
    assert SPACE.part(9000) == 1500


def test_estimates_have_a_margin_until_usage_has_told() -> None:
    """A count that nobody confirmed may be a fifth too low; a confirmed one is corrected and no more."""
    guessed = Space(window=12_000, answer=1_000)
    doubted = Space(window=12_000, answer=1_000, factor=1.5)
    known = Space(window=12_000, answer=1_000, factor=1.5, is_calibrated=True)
    cheaper = Space(window=12_000, answer=1_000, factor=0.8, is_calibrated=True)

    assert [space.part() for space in (guessed, doubted, known, cheaper)] == [4000, 3200, 3200, 6000]


def test_what_each_call_says_anyway_is_counted() -> None:
    """Where instructions and an earlier summary take most of a small window, a part is what is left."""
    assert Space(window=2_000, answer=500, fixed=1_000, is_calibrated=True).part() == 500
    assert Space(window=2_000, answer=500, fixed=2_000, is_calibrated=True).part() == 0


def test_short_conversation_is_one_part() -> None:
    """What fits into one call costs one call."""
    found = plan(read([user("hello"), assistant("hi")], quarters), SPACE, quarters)

    assert (len(found.parts), found.max_calls, found.depth) == (1, 1, 1)


def test_history_is_split_in_two_where_the_policy_wants_it() -> None:
    """Parts of about one size are summarised at once, though one call could hold them."""
    passages = read([user("word " * 100), assistant("word " * 100)] * 5, quarters)

    found = plan(passages, SPACE, quarters, min_parts=2)

    assert [size(part) for part in found.parts] == [642, 643]
    assert (found.max_calls, found.depth) == (3, 2)


def test_too_little_is_not_split() -> None:
    """Two calls for two sentences would be a waste."""
    assert len(plan(read([user("a")] * 9, quarters), SPACE, quarters, min_parts=2).parts) == 1


def test_round_is_never_parted() -> None:
    """A result is summarised together with its call."""
    found = plan(read(rounds(40, "word " * 150), quarters), SPACE, quarters)

    assert len(found.parts) > 2
    assert not any(part[0].follows for part in found.parts)
    assert numbers(found) == list(range(1, 121))
    assert all(size(part) <= SPACE.part() for part in found.parts)


def test_round_larger_than_a_part_is_cut_to_it() -> None:
    """Its messages lose their middles, the largest first, and it stays in one part."""
    messages = [
        call(*((f"c{n}", "run", "{}") for n in range(30))),
        *(result(f"c{n}", "x " * 4000) for n in range(30)),
    ]

    found = plan(read(messages, quarters), SPACE, quarters)

    assert len(found.parts) == 1
    assert size(found.parts[0]) <= SPACE.part(2000)
    assert numbers(found) == list(range(1, 32))


@pytest.mark.parametrize("window", [2_000, 8_000, 128_000])
def test_five_hundred_messages_and_a_megabyte_are_a_bounded_number_of_calls(window: int) -> None:
    """A huge result among many messages costs no more calls than the bound, and nothing is dropped."""
    messages = [
        user("word " * 200),
        *rounds(1, "error 7\n" * 130_000),
        *[assistant("word " * 90) for _ in range(500)],
    ]
    space = Space(window=window, answer=window // 5)

    found = plan(read(messages, quarters, result_tokens=0), space, quarters)

    assert 1 <= len(found.parts) <= 16
    assert found.max_calls <= 31
    assert found.depth <= 5
    assert all(size(part) <= space.part() for part in found.parts)
    assert numbers(found) == list(range(1, len(messages) + 1))


def test_window_that_holds_nothing_gives_no_parts() -> None:
    """Whoever asks is told so before a call is made."""
    found = plan(read([user("a")], quarters), Space(window=400, answer=300), quarters)

    assert (found.parts, found.max_calls, found.depth) == ((), 0, 0)


def test_call_that_was_too_long_is_not_repeated() -> None:
    """After an overflow there is less room: what the upstream said, or clearly less than before."""
    told = SPACE.after_overflow(4_000)
    untold = SPACE.after_overflow()
    wrong = SPACE.after_overflow(50_000)

    assert told is not None
    assert told.window == 4_000
    assert untold == wrong
    assert untold is not None
    assert untold.window == 7_000
    assert Space(window=600, answer=100).after_overflow() is None


def test_partial_summaries_come_together_in_few_calls() -> None:
    """Level by level there are fewer, until one is left; the calls are as many as the plan said at most."""
    passages = read(rounds(60, "word " * 200), quarters)
    found = plan(passages, SPACE, quarters)
    summaries = ["word " * 700 for _ in found.parts]
    calls, levels = len(found.parts), 1

    while len(summaries) > 1:
        groups = merge(summaries, SPACE, quarters)
        assert all(sum(map(quarters, group)) <= SPACE.most for group in groups)
        calls += sum(len(group) > 1 for group in groups)
        levels += 1
        summaries = ["word " * 700 for _ in groups]

    assert calls <= found.max_calls
    assert levels <= found.depth


def test_summary_that_is_too_long_to_be_merged_is_cut() -> None:
    """A summariser that does not keep to its length cannot stop the merge."""
    (group,) = merge(["word " * 9000, "short"], SPACE, quarters)

    assert sum(map(quarters, group)) <= SPACE.most
    assert "left out" in group[0]


def test_messages_of_awkward_size_do_not_cost_a_call_more() -> None:
    """Where one message too many takes more than half a part, all are cut until two go into one."""
    room = SPACE.part(9000)
    messages = [assistant("word " * int(room * 0.9 * 4 / 5)) for _ in range(17)]

    found = plan(read(messages, quarters), SPACE, quarters, max_parts=16)

    assert len(found.parts) <= 16
    assert numbers(found) == list(range(1, 18))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.sampled_from([0, 10, 900, 20_000])), max_size=25),
    st.sampled_from([600, 1500, 5000, 40_000]),
    st.integers(1, 5),
)
def test_every_plan_is_bounded_and_complete(
    shape: list[tuple[int, int]], window: int, max_parts: int
) -> None:
    """Whatever the sizes are, parts fit, are few enough, and tell of all messages in their order."""
    messages = [m for n, length in shape for m in ([user("x" * length), *rounds(n, "y" * length)])]
    space = Space(window=window, answer=window // 4)

    found = plan(read(messages, quarters), space, quarters, min_parts=2, max_parts=max_parts)

    assert len(found.parts) <= max_parts
    assert all(size(part) <= space.part() for part in found.parts)
    assert not found.parts or numbers(found) == list(range(1, len(messages) + 1))
