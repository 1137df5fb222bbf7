"""What is presented as a text to work on, and what as the speaker's own rules."""

from __future__ import annotations

import pytest

from gateway.core.ledger.entry import Kind
from gateway.core.ledger.material import RESUMES, TAG, heading, is_presented


@pytest.mark.parametrize(
    "lead",
    [
        "Translate this into German:",
        "Summarise the following log:",
        "Here is the transcript:",
        "I got this error:",
        "For example:",
        "The old rules were:",
        "翻译一下：",
        "以下是日志：",
        "例如：",
    ],
)
def test_text_to_work_on_is_presented(lead: str) -> None:
    """What follows such a line is content, not instruction."""
    assert is_presented(lead)


@pytest.mark.parametrize(
    "lead", ["House rules:", "Please follow these guidelines:", "TODO:", "Hello:", "规则："]
)
def test_own_list_is_not(lead: str) -> None:
    """What follows such a line is the speaker's own word."""
    assert not is_presented(lead)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("## Constraints", Kind.RULE),
        ("Things to avoid:", Kind.PROHIBITION),
        ("Deadlines:", Kind.LIMIT),
        ("Open tasks:", Kind.TASK),
        ("Our goals:", Kind.GOAL),
        ("My preferences:", Kind.PREFERENCE),
        ("Decisions so far:", Kind.DECISION),
        ("待办：", Kind.TASK),
        ("项目规范：", Kind.RULE),
        ("always close the file", None),
        ("Results", None),
        ("x" * 100, None),
    ],
)
def test_heading_tells_the_kind_of_its_items(text: str, kind: Kind | None) -> None:
    """A heading speaks for all that stands below it; a sentence is no heading."""
    assert heading(text) is kind


def test_tags_of_documents_are_known() -> None:
    """Documents are wrapped in tags by many clients; rules in tags of their own are not documents."""
    assert TAG.match("<document>")
    assert TAG.match('</file_contents path="a">') is not None
    assert not TAG.match("<rules>")


def test_speaker_resumes() -> None:
    """After a pasted text the user's own voice is recognised."""
    assert RESUMES.match("Also, please be brief")
    assert not RESUMES.match("Always wear gloves")
