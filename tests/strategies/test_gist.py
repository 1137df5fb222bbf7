"""What of a text is kept where there is no room for all of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.strategies.gist import gist


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Thanks! The invoice is INV-4471. And so we talked.", "The invoice is INV-4471. …"),
        ("So we went out. Personally I lean towards quiet hotels whenever I travel.", "Personally I lean"),
        ("你好。跟我说波兰语就行，我看着轻松。谢谢！", "跟我说波兰语就行，我看着轻松。 …"),
        ("Look at src/app.py, please. It was a nice day.", "Look at src/app.py, please. …"),
    ],
)
def test_particular_sentences_stay(text: str, kept: str) -> None:
    """Exact values, and what is said of more than the moment, stay in the words of the user."""
    assert kept in gist(text)


@pytest.mark.parametrize("text", ["", "Thanks!", "ok great", "go on", "谢谢", "And so we talked and talked."])
def test_idle_talk_leaves_nothing(text: str) -> None:
    """Thanks, greetings and small talk are not worth their room."""
    assert gist(text) == ""


def test_pasted_line_keeps_its_beginning() -> None:
    """One endless sentence is not carried whole."""
    assert len(gist("x1 " * 5000)) < 20 * 250


@given(st.text(st.sampled_from("ab1. !?…。A/\n")))
def test_gist_of_a_gist_is_itself(text: str) -> None:
    """Any number of compactions leave what the first one left, and never more than was said."""
    once = gist(text)
    assert gist(once) == once
