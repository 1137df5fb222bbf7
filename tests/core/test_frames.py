"""The time and the open files that a client writes round a message are told from what its user said."""

from __future__ import annotations

import pytest

from gateway.core.frames import unframed

TIME = "<current_datetime>2026-11-28T23:24:53.014+00:00</current_datetime>"
DETAILS = "<environment_details>\n# Open tabs\nsrc/pay.py\n\n# Current time\n23:24\n</environment_details>"


@pytest.mark.parametrize(
    "text",
    [
        f"{TIME}\n\nWhat do they do?",
        f"What do they do?\n{DETAILS}",
        f"{TIME}\nWhat do they do?\n\n{DETAILS}\n",
    ],
)
def test_what_the_user_said_is_left(text: str) -> None:
    """A digest has room for the question, not for when it was asked."""
    assert unframed(text) == "What do they do?"


@pytest.mark.parametrize(
    "text",
    [
        "  What do they do?\n",
        TIME,
        f"Why does it print {TIME} here?",
        "<current_datetime>What do they do?",
        f"Fix this:\n{DETAILS}\nIt is cut.",
        "<system-reminder>Never push.</system-reminder>\nGo on.",
    ],
)
def test_all_else_stays_as_it_is(text: str) -> None:
    """What stands in the midst of a text is the user's, and so is what may hold for longer."""
    assert unframed(text) == text


def test_long_text_of_openings_takes_no_time() -> None:
    """A frame that never ends is looked for once."""
    text = "<environment_details>" * 50_000
    assert unframed(text) == text
