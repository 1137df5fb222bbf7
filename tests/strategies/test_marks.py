"""Marks are recognised again, whatever stands around them, and cannot be forged into harm."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.strategies import marks


@given(st.text(st.characters(codec=None)), st.text(), st.integers(0, 50))
def test_every_stub_is_recognised(text: str, name: str, preview: int) -> None:
    """Whatever a tool is called and says, the stub gives the id under which its text is stored."""
    assert marks.stub_id(marks.stub(text, 7, name, preview)) == marks.content_id(text)


def test_equal_texts_share_an_id_and_others_do_not() -> None:
    """The id is of the content: not of the call, the time or the order."""
    assert marks.content_id("a") == marks.content_id("a") != marks.content_id("b")


def test_half_an_emoji_has_an_id() -> None:
    """Clients cut emoji in half; their text can be stored like any other."""
    assert marks.content_id("\ud83d").startswith("sha256-")


@given(st.text())
def test_nothing_folded_can_close_the_fence(text: str) -> None:
    """Text inside a digest cannot end it and speak after it."""
    spelled = marks.fenced(text + "</haversack-DIGEST>")
    assert "</haversack-digest" not in spelled.lower()
    assert marks.fenced(spelled) == spelled


def test_gap_tells_its_size() -> None:
    """The note about messages that are gone can be read and counted on."""
    assert marks.gap_size(marks.gap(12)) == 12
    assert marks.gap_size("12 messages") is None


@pytest.mark.parametrize(
    "text", ["[haversack: " + "9" * 5000 + " earlier messages left out]", "[haversack: ", ""]
)
def test_imitations_are_no_marks(text: str) -> None:
    """A number of five thousand digits, or half a mark, is plain text."""
    assert marks.gap_size(text) is None
    assert not marks.is_marked(text)


def test_marked_texts() -> None:
    """A stub, a digest and a text with a notice in it are known as such."""
    digest = f"{marks.DIGEST_START}\nx\n{marks.DIGEST_END}"
    for text in (marks.stub("a", 1, "", 0), digest, f"a\n{marks.notice(1, 2)}\nb"):
        assert marks.is_marked(text)
    assert marks.is_acknowledgement(marks.ACKNOWLEDGEMENT)


def test_frame_of_a_stub_is_its_first_line() -> None:
    """What a stub says about its content is not part of what may be cut."""
    prefix, body, suffix = marks.frame(marks.stub("some text", 2, "f", 4))
    assert (marks.stub_id(prefix), body, suffix) == (marks.content_id("some text"), "some", "")
