"""The demonstration's model sums up what it is shown, under the headings that it is asked for."""

from __future__ import annotations

from gateway.core.summary import prompt
from gateway.core.summary.form import Form
from gateway.core.summary.language import Language
from gateway.core.summary.verdict import Finding, Reason
from gateway.demo.notes import is_asked_for, notes

FORM = Form(language=Language.USERS)
SAID = "assistant: Decision 7: errors carry the order number. See src/module_07.py."
ASKED = prompt.first(FORM, SAID, (1, 1))


def test_notes_have_the_headings_and_what_was_decided() -> None:
    """What is decided and which files are named stands in them."""
    said = notes(ASKED.user)
    assert all(f"## {heading}" in said for heading in FORM.headings)
    assert "Decision 7: errors carry the order number." in said
    assert "src/module_07.py" in said


def test_notes_say_what_they_were_told_to_say() -> None:
    """Asked once more, they name what was missing."""
    again = prompt.repair(ASKED, "## Goal", [Finding(Reason.MISSING_IDENTIFIERS, ("order-0815",))])
    assert "order-0815" in notes(again.user)


def test_next_step_of_an_agent_is_not_taken_for_notes() -> None:
    """Only the gateway asks for them."""
    assert is_asked_for(ASKED.system)
    assert not is_asked_for("You are a coding agent.")
