"""Shortened texts keep both ends and one honest notice, within their cap."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from gateway.strategies import marks
from gateway.strategies.shorten import Cap, Counted, shorten

TEXTS = st.text(st.sampled_from("ab \n中🎒\ud83d"), max_size=400) | st.just("word " * 200)


def quarters(text: str) -> int:
    return (len(text) + 3) // 4


def counted(text: str) -> Counted:
    return Counted(text, quarters(text))


def visible(text: str) -> str:
    return marks.NOTICE.sub("", text)


@given(TEXTS, st.integers(0, 120), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 3))
def test_within_the_cap_and_never_longer(text: str, tokens: int, head_share: float, lines: int) -> None:
    """A text within its cap is returned itself; any other is shorter, and within it but for the notice."""
    cap = Cap(tokens, lines=lines, head_share=head_share)

    after = shorten(counted(text), cap, quarters)

    assert after == counted(after.text)
    if quarters(text) <= tokens:
        assert after.text is text
    assert after.text == text or after.tokens < quarters(text)
    assert after.tokens <= max(tokens, quarters(marks.notice(9999, 9999))) or after.text == text
    assert shorten(after, cap, quarters) == after


@given(TEXTS, st.integers(15, 100), st.integers(12, 60))
def test_notice_tells_the_truth_twice(text: str, first: int, second: int) -> None:
    """What is visible and what the notice says is left out add up to the whole, after a second cut too."""
    once = shorten(counted(text), Cap(first), quarters)
    twice = shorten(once, Cap(second), quarters)

    found = list(marks.NOTICE.finditer(twice.text))
    if twice.text != text:
        assert len(found) == 1
        assert int(found[0]["whole"]) == len(text)
        assert len(visible(twice.text)) + int(found[0]["left_out"]) == len(text)


def test_count_that_no_cut_satisfies_leaves_the_notice_alone() -> None:
    """However oddly a vocabulary counts, the search for a fitting cut ends, and what it leaves fits."""
    text = "word " * 2000

    after = shorten(Counted(text, 1000), Cap(99), lambda candidate: 100 if "word" in candidate else 9)

    assert after == Counted(marks.notice(len(text), len(text)), 9)


def test_stub_without_a_preview_stays_as_it_is() -> None:
    """There is nothing to leave out of a stub but the line that says how to get the content back."""
    stub = counted(marks.stub("long " * 500, 500, "read", 0))

    assert shorten(stub, Cap(5), quarters) is stub


def test_one_line_of_a_megabyte_costs_three_counts() -> None:
    """However long a text is, only candidates of the wanted size are counted."""
    sizes: list[int] = []

    def count(text: str) -> int:
        sizes.append(len(text))
        return quarters(text)

    after = shorten(counted("x" * 1_000_000), Cap(1000), count)

    assert 850 <= after.tokens <= 1000
    assert len(sizes) <= 3
    assert max(sizes) < 5000


def test_dense_end_is_found_out() -> None:
    """A text whose end takes far more tokens than its average still comes within the cap."""

    def dense(text: str) -> int:
        return text.count("b") + len(text) // 100

    text = "a" * 90_000 + "b" * 10_000
    after = shorten(Counted(text, dense(text)), Cap(500), dense)
    assert after.tokens <= 500
    assert after.text.startswith("a")
    assert after.text.endswith("b")


def test_original_is_named_and_stays_named() -> None:
    """Where the whole text can be had, a second cut says so too."""
    id = marks.content_id("x")
    once = shorten(counted("word " * 500), Cap(200), quarters, id)
    twice = shorten(once, Cap(80), quarters)
    assert id in once.text
    assert id in twice.text


def test_cap_in_characters() -> None:
    """A cap in characters holds for the text with its notice; without a tail only the beginning stays."""
    after = shorten(counted("line\n" * 500), Cap(chars=200, head_share=1.0), quarters)
    assert len(after.text) <= 200
    assert re.fullmatch(r"(line\n)+\[haversack: \d+ of 2500 characters left out\]", after.text)


def test_no_words_no_lines() -> None:
    """Script without spaces is cut where it must be."""
    after = shorten(counted("决定" * 500), Cap(60), quarters)
    assert after.text.startswith("决定决定")


def test_json_stays_json_while_there_is_room() -> None:
    """An array is cut between its elements; where the cap is too small for that, like any text."""
    whole = counted(json.dumps([{"id": number} for number in range(900)]))

    assert json.loads(shorten(whole, Cap(100), quarters).text)[-1] == {"id": 899}
    assert shorten(whole, Cap(12), quarters).tokens <= 13


def test_json_in_few_long_pieces_is_not_counted_over_and_over() -> None:
    """Numbers of a megabyte cannot be cut as JSON: that is found out without counting them."""
    sizes: list[int] = []

    def count(text: str) -> int:
        sizes.append(len(text))
        return quarters(text)

    after = shorten(counted(f"[{'1' * 1_000_000}, {'2' * 1_000_000}]"), Cap(1000), count)

    assert after.tokens <= 1000
    assert max(sizes) < 10_000
