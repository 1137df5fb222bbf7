"""A cut falls where a reader would make it, and the notice quotes what matters of the middle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.strategies import marks
from gateway.strategies.cut_text import TextCut

LINES = st.sampled_from(["fine", "ERROR: disk full", "warn 3", "", "中文错误。好", "total 7", "word " * 30])


def cut(text: str, size: int, head_share: float = 0.6) -> str:
    return TextCut.of(text, head_share).at(size)


def log(*said: tuple[int, str]) -> str:
    lines = [f"line {n}" for n in range(1, 201)]
    for number, text in said:
        lines[number - 1] = text
    return "\n".join(lines)


def test_failures_in_the_middle_are_quoted_with_their_lines() -> None:
    """What went wrong stays, and where it stands in the whole."""
    after = cut(log((90, "KeyError: 'a'"), (120, "warning: slow")), 300)

    assert "; of note in them:\n  90| KeyError: 'a'\n  120| warning: slow\n]\n" in after
    assert after.startswith("line 1\n")
    assert after.endswith("\nline 200")


def test_failures_come_before_warnings() -> None:
    """Where not all can be quoted, what matters more is."""
    after = cut(
        log(*((n, f"warning: {'abcdefghij'[n % 10]}") for n in range(60, 70)), (99, "KeyError: 'a'")), 200
    )

    assert "  99| KeyError: 'a'\n" in after


def test_quotes_are_taken_over_by_a_second_cut() -> None:
    """Cut again, the one notice still quotes what the first one did, by the same number."""
    once = cut(log((90, "KeyError: 'a'")), 600)
    twice = cut(once, 200)

    assert len(twice) < len(once)
    assert len(list(marks.NOTICE.finditer(twice))) == 1
    assert "\n  90| KeyError: 'a'\n" in twice


@pytest.mark.parametrize(
    ("warning", "failure"),
    [
        ("warning: {} is slow", "FAILED test_total: AssertionError"),
        ("警告：队列{}正在重试，稍后系统会自动恢复，请不要担心，也不用做任何事情", "错误：订单支付被拒绝"),
    ],
)
def test_of_the_quotes_of_a_first_cut_the_failure_stays_longest(warning: str, failure: str) -> None:
    """Cut again and again, what gives way first are warnings, though they stand before what went wrong."""
    warnings = [(n, warning.format("abcdefgh"[n % 8])) for n in range(60, 66)]
    text = cut(log(*warnings, (99, failure)), 700)
    assert warnings[0][1] in text
    for size in (400, 200, 150):
        text = cut(text, size)
        assert f"  99| {failure}\n" in text
    assert warnings[0][1] not in text


def test_number_is_left_out_where_it_is_not_known() -> None:
    """What stood behind an earlier notice is quoted without a number: nobody knows it any more."""
    text = "a\n" * 50 + marks.notice(900, 1500) + "\n" + "b\n" * 60 + "KeyError: 'a'\n" + "c\n" * 100

    assert "\n  | KeyError: 'a'\n" in cut(text, 150)


def test_chinese_is_cut_between_sentences() -> None:
    """Script without spaces is cut at its own full stops."""
    head, notice, tail = cut("第一句话说的是这个。第二句话，要长一点。" * 50, 200).split("\n")

    assert head.endswith("。")
    assert marks.NOTICE.fullmatch(notice)
    assert tail.startswith("第")


@given(st.lists(LINES, min_size=1, max_size=60), st.integers(0, 400), st.integers(0, 200))
def test_size_is_kept_and_nothing_is_lost_from_the_count(lines: list[str], first: int, second: int) -> None:
    """What stays, with quotes, is no longer than asked for; visible and left out add up to the whole."""
    text = "\n".join(lines)
    for size in (first, second):
        after = cut(text, size)
        found = list(marks.NOTICE.finditer(after))
        bare = [marks.notice(int(m["left_out"]), int(m["whole"])) for m in found]
        assert after == text or len(after) - sum(map(len, bare)) <= size + 2
        for match in found:
            assert len(marks.NOTICE.sub("", after)) + int(match["left_out"]) == int(match["whole"])
        text = after
