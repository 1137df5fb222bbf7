"""What a sentence of a user's says by itself."""

from __future__ import annotations

import pytest

from gateway.core.ledger.alone import changes, kinds
from gateway.core.ledger.entry import Kind


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The port is 8443 now.", True),
        ("8443 then.", True),
        ("The port is 8443.", False),
        ("I just opened a.py and it works now.", False),
    ],
)
def test_sentence_that_may_change_something_is_told(sentence: str, expected: bool) -> None:
    """What is otherwise than it was is told from what is said once, and from mere talk."""
    assert changes(sentence) is expected


def test_what_is_doubted_is_of_its_kind_all_the_same() -> None:
    """A sentence is weighed by what it would be, whoever's it is."""
    assert kinds("Never push to main. The port is 8443.") == {Kind.PROHIBITION, Kind.VALUE}
    assert kinds("Yesterday he said we must never push to main.") == {Kind.PROHIBITION}
    assert not kinds("Thanks, that was quick!")
