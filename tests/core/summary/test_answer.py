"""A summary is taken out of what a summariser says around it."""

from __future__ import annotations

import pytest

from gateway.core.summary.answer import Answer, bare

SUMMARY = "## Goal\n- fix src/a.py\n## Next Steps\n- run `make`"


@pytest.mark.parametrize(
    "text",
    [
        SUMMARY,
        f"<think>Let me see.\n## Goal</think>\n\n{SUMMARY}",
        f"the tag that begins is lost</think>{SUMMARY}",
        f"<thinking>a</thinking>{SUMMARY}\n",
        f"```markdown\n{SUMMARY}\n```",
        f"Sure! Here are the notes:\n\n{SUMMARY}",
        f"Here's a concise summary of the conversation:\n{SUMMARY}\n\nLet me know if you need more details!",
        f"好的，以下是摘要：\n\n{SUMMARY}\n\n如果需要补充，请告诉我。",
        f"<summary>\n{SUMMARY}\n</summary>",
        f"<conversation-0a1b2c3d4e>\n{SUMMARY}\n</conversation-0a1b2c3d4e>",
    ],
)
def test_only_the_summary_is_left(text: str) -> None:
    """Thoughts, wrapping, introduction and farewell go."""
    assert bare(text) == SUMMARY


@pytest.mark.parametrize(
    "text",
    [
        "The user wants: a, b.\nThen c.",
        "Sure: the user said so.\nNothing else.",
        "## Goal\n```sh\nmake\n```\n- run it",
        "## Goal\n- print `</think` in <summary> tags",
    ],
)
def test_summary_keeps_what_is_its_own(text: str) -> None:
    """Code, colons and tags within a sentence are part of it."""
    assert bare(text) == text


@pytest.mark.parametrize(
    ("finish", "is_limited", "has_ended"),
    [
        ("length", True, False),
        ("MAX_TOKENS", True, False),
        ("stop", False, True),
        ("end_turn", False, True),
        ("", False, False),
        ("content_filter", False, False),
    ],
)
def test_reason_of_the_end_is_known_in_every_dialect(finish: str, is_limited: bool, has_ended: bool) -> None:
    """Vendors name alike things differently."""
    answer = Answer("x", finish)

    assert (answer.is_limited, answer.has_ended) == (is_limited, has_ended)
