"""The time and the open files that a client writes round a message are told from what its user said."""

from __future__ import annotations

import pytest

from gateway.core.frames import is_frame, unframed

TIME = "<current_datetime>2026-11-28T23:24:53.014+00:00</current_datetime>"
DETAILS = "<environment_details>\n# Open tabs\nsrc/pay.py\n\n# Current time\n23:24\n</environment_details>"


@pytest.mark.parametrize(
    "text",
    [
        f"{TIME}\n\nWhat do they do?",
        f"What do they do?\n{DETAILS}",
        f"{TIME}\nWhat do they do?\n\n{DETAILS}\n",
        f"{TIME}\n\nWhat do they do?\n\n<system_reminder>No todos.</system_reminder>\n{DETAILS}",
        "What do they do?\n<system-reminder>\nDo not mention your empty list.\n</system-reminder>",
        "<info-msg>\nIt is currently 23:24.\nWorking directory: /srv\n</info-msg>\nWhat do they do?",
        "<context>\nIt is today.\n</context>\n<reminderInstructions>Plan.</reminderInstructions>\n"
        "<userRequest>\nWhat do they do?\n</userRequest>",
    ],
)
def test_what_the_user_said_is_left(text: str) -> None:
    """A digest has room for the question, not for when it was asked."""
    assert unframed(text) == "What do they do?"


@pytest.mark.parametrize(
    "text",
    [
        "  What do they do?\n",
        "<context>The port is 8080.</context>\nWhat do they do?",
        f"Why does it print {TIME} here?",
        "<current_datetime>What do they do?",
        f"Fix this:\n{DETAILS}\nIt is cut.",
        "<system-reminder>Contents of /srv/CLAUDE.md: never push.</system-reminder>\nGo on.",
    ],
)
def test_all_else_stays_as_it_is(text: str) -> None:
    """What stands in the midst of a text is the user's, and so is what may hold for longer."""
    assert unframed(text) == text


def test_message_of_the_moment_says_nothing() -> None:
    """goose sends one by itself."""
    assert unframed(f"{TIME}\n") == ""
    assert is_frame(TIME)
    assert not any(map(is_frame, ("", "What?", f"{TIME} What?")))


@pytest.mark.parametrize("name", ["environment_details", "userRequest"])
def test_long_text_of_openings_takes_no_time(name: str) -> None:
    """A frame that never ends is looked for once, and of many a few go."""
    text = f"<{name}>" * 50_000
    assert unframed(text) == text
    assert len(unframed("<info-msg>a</info-msg>" * 50_000)) > 1_000_000
