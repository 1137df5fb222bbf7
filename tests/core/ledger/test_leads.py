"""What only leads to what is said is not taken for what is said."""

from __future__ import annotations

import pytest

from gateway.core.ledger.leads import without_lead


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Oh, and by the way: the port is 80.", "the port is 80."),
        ("BTW the port is 80.", "the port is 80."),
        ("对了，端口是80", "端口是80"),
        ("The port, by the way, is 80.", "The port, by the way, is 80."),
        ("Notes go to the port.", "Notes go to the port."),
    ],
)
def test_lead_is_cut_off(text: str, said: str) -> None:
    """It is taken away at the beginning, however many words of it there are, and nowhere else."""
    assert without_lead(text) == said
