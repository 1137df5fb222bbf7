"""The weak signs: forms, not wordings."""

from __future__ import annotations

import re

import pytest

from gateway.core.ledger import words_standing as signs


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        (signs.TASTE, "window seats suit me better"),
        (signs.TASTE, "i can't stand footnotes"),
        (signs.TASTE, "quiet matters more to me than price"),
        (signs.AIM, "we're building a scheduler for the clinic"),
        (signs.SETTLED, "we ended up with the blue one"),
        (signs.OPEN, "the form hasn't been sent"),
        (signs.MODAL, "the axis has to start at zero"),
    ],
)
def test_form_is_recognised(pattern: str, sentence: str) -> None:
    """Each sign is found in a sentence of its sort."""
    assert re.search(pattern, sentence)


@pytest.mark.parametrize(
    "sentence", ["i like it", "i like the new version", "that helps me to find it", "i want to see it"]
)
def test_praise_of_what_is_there_is_no_taste(sentence: str) -> None:
    """What somebody likes of the last answer says little about the next."""
    assert not re.search(signs.TASTE, sentence)
