"""A text without its middle says how much is missing, and keeps what matters of it."""

from __future__ import annotations

import json

import pytest

from gateway.core.summary.cut import shorten


def words(text: str) -> int:
    """One word is one token."""
    return len(text.split())


def quarters(text: str) -> int:
    """Four characters are one token."""
    return (len(text) + 3) // 4


def test_short_text_stays_as_it_is() -> None:
    """What fits is not touched."""
    assert shorten("one two three", 3, words) == "one two three"


def test_end_of_a_failed_command_stays() -> None:
    """The error with which a log ends is what the next step hangs on."""
    log = "".join(f"step {n} done\n" for n in range(5000)) + "Traceback:\nKeyError: 'price'\nexit code 1"

    cut = shorten(log, 100, quarters)

    assert cut.startswith("step 0 done\n")
    assert cut.endswith("Traceback:\nKeyError: 'price'\nexit code 1")
    assert quarters(cut) <= 100


def test_errors_and_totals_of_the_middle_are_quoted_once() -> None:
    """A failure in the middle of a long output is told; that it came again and again is not."""
    noise = "".join(f"row {n} ok\n" for n in range(2000))
    text = noise + "ERROR: refund 17 rejected\n" * 30 + "Total: 4471.50 EUR\n" + noise

    cut = shorten(text, 120, quarters)

    assert cut.count("ERROR: refund 17 rejected") == 1
    assert "Total: 4471.50 EUR" in cut


def test_notice_gives_the_numbers() -> None:
    """How much is missing, of how much, is said where it is missing."""
    cut = shorten("x" * 9000, 100, quarters)

    kept = cut.count("x")
    assert f"[… {9000 - kept:,} of 9,000 characters left out …]" in cut


def test_closing_structure_stays() -> None:
    """The end of a JSON text says that it was whole."""
    cut = shorten(json.dumps({"rows": list(range(5000)), "next": None}), 50, quarters)

    assert cut.startswith('{"rows"')
    assert cut.endswith('"next": null}')


@pytest.mark.parametrize("unit", ["a", "a ", "a\n", "错", "error\n", "error ", "\n", "e1 fail "])
@pytest.mark.parametrize("max_tokens", [0, 1, 14, 15, 30, 100, 1000])
def test_cut_is_never_longer_than_asked_for(unit: str, max_tokens: int) -> None:
    """Whatever the text is, a cap that holds a notice is kept; a smaller one gives the notice alone."""
    text = unit * (20_000 // len(unit))

    cut = shorten(text, max_tokens, quarters)

    assert quarters(cut) <= max(max_tokens, 14)
    assert "left out" in cut


def test_megabyte_is_cut() -> None:
    """A line of a megabyte is cut like any other text."""
    assert quarters(shorten("error " * 200_000, 500, quarters)) <= 500


def test_text_that_is_denser_at_its_ends_is_cut_further() -> None:
    """Where the kept part counts more than the text on the average, less of it is kept."""
    text = "a b c d e f g h " * 40 + "x" * 20_000 + " a b c d e f g h" * 40

    cut = shorten(text, 60, words)

    assert 10 < words(cut) <= 60


def test_count_that_no_cut_satisfies_gives_the_notice() -> None:
    """A text is never returned longer than asked for because the search for its length gave up."""
    cut = shorten("word " * 900, 100, lambda text: 5 if text[0] == "[" else 101)

    assert cut == "[… 4,500 of 4,500 characters left out …]"
